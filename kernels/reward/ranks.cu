#include "kernels/reward/ranks.cuh"

#include <algorithm>

#include "kernels/launch/cuda_calls.cuh"
#include "kernels/launch/cuda_team.cuh"
#include "kernels/reward/device_estimators.hpp"

OPTGAP_KERNELS_BEGIN

inline constexpr int rank_warps = 4;  ///< per block

/// One warp per group.
__global__ void __launch_bounds__(rank_warps * 32, 1) ranks_kernel(rank_batch batch, advantage_spec spec) {
    __shared__ double partial[rank_warps][sum_lanes];
    warp_team team;
    std::int32_t const warp = std::int32_t(threadIdx.x) / 32;
    for (std::int64_t g = std::int64_t(blockIdx.x) * rank_warps + warp; g < batch.groups;
         g += std::int64_t(gridDim.x) * rank_warps) {
        std::int64_t const first = batch.begin[g] - batch.base;
        rank_room const room{batch.column + first, batch.value + first, partial[warp]};
        rank_scores_by_form(team,
                            {batch.scores + first * batch.columns, batch.begin[g + 1] - batch.begin[g], batch.columns,
                             batch.direction[g], batch.out + first},
                            spec, room);
        team.sync();
    }
}

OPTGAP_KERNELS_END

namespace optgap {

namespace {

constexpr std::int64_t blocks_per_multiprocessor = 8;

}  // namespace

cudaError_t launch_ranks(cudaStream_t stream, device_limits const& limits, rank_batch const& batch,
                         advantage_spec const& spec) {
    std::int64_t const most = std::max<std::int64_t>(blocks_per_multiprocessor * limits.multiprocessors, 1);
    std::int64_t const wanted = (batch.groups + rank_warps - 1) / rank_warps;
    return launch_kernel(ranks_kernel, {std::clamp<std::int64_t>(wanted, 1, most), rank_warps * 32, 0, stream}, batch,
                         spec);
}

cudaError_t load_ranks_kernel() { return load_kernels({reinterpret_cast<void const*>(&ranks_kernel)}); }

}  // namespace optgap
