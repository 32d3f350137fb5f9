#include "kernels/chain/chain.cuh"

#include <algorithm>

#include "kernels/launch/cuda_calls.cuh"
#include "kernels/launch/cuda_team.cuh"

OPTGAP_KERNELS_BEGIN

inline constexpr int chain_warps = 4;  ///< per block

/// One warp per text.
__global__ void __launch_bounds__(chain_warps * 32, 1) chains_kernel(chain_batch batch) {
    warp_team team;
    std::int32_t const warp = std::int32_t(threadIdx.x) / 32;
    for (std::int64_t r = std::int64_t(blockIdx.x) * chain_warps + warp; r < batch.count;
         r += std::int64_t(gridDim.x) * chain_warps) {
        chain::chain_row const& row = batch.rows[r];
        score_chain_row(team, batch.chains[row.chain], batch.table, row);
    }
}

OPTGAP_KERNELS_END

namespace optgap {

namespace {

constexpr std::int64_t blocks_per_multiprocessor = 8;

}  // namespace

cudaError_t launch_chains(cudaStream_t stream, device_limits const& limits, chain_batch const& batch) {
    std::int64_t const most = std::max<std::int64_t>(blocks_per_multiprocessor * limits.multiprocessors, 1);
    std::int64_t const wanted = (batch.count + chain_warps - 1) / chain_warps;
    return launch_kernel(chains_kernel, {std::clamp<std::int64_t>(wanted, 1, most), chain_warps * 32, 0, stream},
                         batch);
}

cudaError_t load_chain_kernel() { return load_kernels({reinterpret_cast<void const*>(&chains_kernel)}); }

}  // namespace optgap
