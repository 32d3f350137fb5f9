#include "kernels/reward/reward.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <algorithm>

#include "kernels/launch/cub_calls.cuh"
#include "kernels/launch/cuda_calls.cuh"
#include "kernels/launch/cuda_team.cuh"
#include "kernels/reward/device_estimators.hpp"
#include "kernels/reward/device_shapes.hpp"

OPTGAP_KERNELS_BEGIN

inline constexpr int reward_threads = 128;
inline constexpr int group_warps = 4;  ///< per block
inline constexpr std::int64_t blocks_per_multiprocessor = 8;

/// One thread per rollout: its work is a few dozen instructions without a loop.
__global__ void __launch_bounds__(reward_threads, 1) reward_kernel(reward_batch batch, reward_spec spec) {
    std::int64_t const stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t r = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; r < batch.count; r += stride) {
        if (!batch.rewards(r)) {
            continue;
        }
        std::int32_t const i = batch.instance_of[r];
        finish const how = batch.finished == nullptr ? finish::unknown : batch.finished[r];
        std::int32_t const length = batch.length == nullptr ? 0 : batch.length[r];
        reward_row row;
        write_reward_by_shape(
            row, {batch.verdicts[r], batch.format_code[r], how, length, batch.baselines[i], batch.direction[i]}, spec);
        batch.out[r] = row;
    }
}

__global__ void __launch_bounds__(reward_threads, 1) number_rows_kernel(std::int32_t* row, std::int32_t count) {
    std::int64_t const stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t r = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; r < count; r += stride) {
        row[r] = std::int32_t(r);
    }
}

struct begins_group {
    std::int32_t const* sorted_group;
    __host__ __device__ bool operator()(std::int32_t k) const {
        return k == 0 || sorted_group[k] != sorted_group[k - 1];
    }
};

/// One warp per group. The sort was stable, so a group's rows are in ascending order.
__global__ void __launch_bounds__(group_warps * 32, 1) group_kernel(advantage_batch batch, group_rule rule) {
    __shared__ double partial[group_warps][sum_lanes];
    warp_team team;
    std::int32_t const warp = std::int32_t(threadIdx.x) / 32;
    std::int32_t const groups = *batch.groups;
    for (std::int32_t g = std::int32_t(blockIdx.x) * group_warps + warp; g < groups;
         g += std::int32_t(gridDim.x) * group_warps) {
        std::int32_t const begin = batch.group_begin[g];
        std::int32_t const end = g + 1 < groups ? batch.group_begin[g + 1] : batch.count;
        std::int32_t const* const rows = batch.sorted_row + begin;
        group_advantage_by_form(
            team, batch.rewards, std::int64_t(end) - begin, [rows](std::int64_t k) { return rows[k]; }, rule,
            partial[warp], batch.out);
        team.sync();
    }
}

OPTGAP_KERNELS_END

namespace optgap {

namespace {

std::int64_t blocks_for(std::int64_t items, std::int64_t per_block, device_limits const& limits) {
    std::int64_t const most = blocks_per_multiprocessor * limits.multiprocessors;
    return std::clamp<std::int64_t>((items + per_block - 1) / per_block, 1, std::max<std::int64_t>(most, 1));
}

cudaError_t sort_rows(advantage_batch const& batch, std::size_t& bytes, cudaStream_t stream) {
    return cub_sort_pairs(batch.temporary, bytes, batch.group, batch.sorted_group, batch.row, batch.sorted_row,
                          batch.count, 32, stream);
}

cudaError_t find_groups(advantage_batch const& batch, std::size_t& bytes, cudaStream_t stream) {
    return cub_select(batch.temporary, bytes, thrust::counting_iterator<std::int32_t>(0), batch.group_begin,
                      batch.groups, batch.count, begins_group{batch.sorted_group}, stream);
}

}  // namespace

cudaError_t launch_rewards(cudaStream_t stream, device_limits const& limits, reward_batch const& batch,
                           reward_spec const& spec) {
    return launch_kernel(reward_kernel, {blocks_for(batch.count, reward_threads, limits), reward_threads, 0, stream},
                         batch, spec);
}

cudaError_t advantage_temporary_bytes(std::int32_t rows, std::int64_t& bytes) {
    advantage_batch batch{};
    batch.count = rows;
    std::size_t sort_bytes = 0;
    std::size_t select_bytes = 0;
    cudaError_t result = sort_rows(batch, sort_bytes, nullptr);
    if (result == cudaSuccess) {
        result = find_groups(batch, select_bytes, nullptr);
    }
    bytes = std::int64_t(std::max(sort_bytes, select_bytes));
    return result;
}

cudaError_t launch_advantages(cudaStream_t stream, device_limits const& limits, advantage_batch const& batch,
                              group_rule const& rule) {
    cudaError_t result =
        launch_kernel(number_rows_kernel, {blocks_for(batch.count, reward_threads, limits), reward_threads, 0, stream},
                      batch.row, batch.count);
    std::size_t bytes = std::size_t(batch.temporary_bytes);
    if (result == cudaSuccess) {
        result = sort_rows(batch, bytes, stream);
    }
    bytes = std::size_t(batch.temporary_bytes);
    if (result == cudaSuccess) {
        result = find_groups(batch, bytes, stream);
    }
    if (result != cudaSuccess) {
        return result;
    }
    return launch_kernel(group_kernel, {blocks_for(batch.count, group_warps, limits), group_warps * 32, 0, stream},
                         batch, rule);
}

cudaError_t load_reward_kernels() {
    return load_kernels({reinterpret_cast<void const*>(&reward_kernel),
                         reinterpret_cast<void const*>(&number_rows_kernel),
                         reinterpret_cast<void const*>(&group_kernel)});
}

}  // namespace optgap
