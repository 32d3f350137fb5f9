#include "kernels/reward/reward_column.cuh"

#include <algorithm>

#include "kernels/launch/cuda_calls.cuh"

OPTGAP_KERNELS_BEGIN

inline constexpr int column_threads = 128;

__global__ void __launch_bounds__(column_threads, 1) reward_column_kernel(reward_column column) {
    std::int64_t const stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t r = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; r < column.rows; r += stride) {
        finish_reward(column, r);
    }
}

OPTGAP_KERNELS_END

namespace optgap {

cudaError_t launch_reward_column(cudaStream_t stream, device_limits const& limits, reward_column const& column) {
    std::int64_t const blocks = (column.rows + column_threads - 1) / column_threads;
    std::int64_t const most = 8 * std::max<std::int64_t>(limits.multiprocessors, 1);
    return launch_kernel(reward_column_kernel, {std::clamp<std::int64_t>(blocks, 1, most), column_threads, 0, stream},
                         column);
}

cudaError_t load_reward_column_kernel() { return load_kernels({reinterpret_cast<void const*>(&reward_column_kernel)}); }

}  // namespace optgap
