#include "kernels/launch/found_answers.cuh"

#include <algorithm>

#include "kernels/launch/cub_calls.cuh"
#include "kernels/launch/cuda_calls.cuh"

OPTGAP_KERNELS_BEGIN

inline constexpr int found_threads = 128;

__global__ void __launch_bounds__(found_threads, 1) found_results_kernel(found_answers found) {
    std::int64_t const stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t r = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; r < found.rows; r += stride) {
        tell_result(found, r);
    }
}

/// Each warp moves one part of an answer: `count` parts, from row `first` on, go to the stage or come back from it.
template <bool ToStage>
__global__ void __launch_bounds__(found_threads, 1)
    found_answers_kernel(found_answers found, std::int64_t first, std::int64_t count) {
    std::int64_t const warps = std::int64_t(gridDim.x) * (found_threads / 32);
    std::int64_t const own = std::int64_t(blockIdx.x) * (found_threads / 32) + threadIdx.x / 32;
    for (std::int64_t k = own; k < count; k += warps) {
        (ToStage ? stage_answers : place_answers)(found, first, k, std::int32_t(threadIdx.x % 32), 32);
    }
}

OPTGAP_KERNELS_END

namespace optgap {

namespace {

cudaError_t sum_lengths(found_answers const& found, std::size_t& bytes, cudaStream_t stream) {
    return cub_running_sums(found.temporary, bytes, found.length, found.end, found.rows, stream);
}

}  // namespace

cudaError_t found_answers_temporary_bytes(std::int32_t rows, std::int64_t& bytes) {
    found_answers found;
    found.rows = rows;
    std::size_t needed = 0;
    cudaError_t const result = sum_lengths(found, needed, nullptr);
    bytes = std::int64_t(needed);
    return result;
}

cudaError_t launch_found_answers(cudaStream_t stream, device_limits const& limits, found_answers const& found) {
    std::int64_t const most = 8 * std::max<std::int64_t>(limits.multiprocessors, 1);
    auto const size = [&](std::int64_t items, std::int64_t items_a_block) {
        return launch_size{std::clamp<std::int64_t>((items + items_a_block - 1) / items_a_block, 1, most),
                           found_threads, 0, stream};
    };
    cudaError_t result = launch_kernel(found_results_kernel, size(found.rows, found_threads), found);
    std::size_t bytes = std::size_t(found.temporary_bytes);
    result = result != cudaSuccess ? result : sum_lengths(found, bytes, stream);
    for (std::int64_t first = 0; first < found.rows && result == cudaSuccess; first += found.staged_rows) {
        std::int64_t const parts = std::min(found.staged_rows, found.rows - first) * parts_of_answer(found);
        launch_size const own = size(parts, found_threads / 32);
        result = launch_kernel(found_answers_kernel<true>, own, found, first, parts);
        result = result != cudaSuccess ? result : launch_kernel(found_answers_kernel<false>, own, found, first, parts);
    }
    return result;
}

cudaError_t load_found_answers_kernels() {
    return load_kernels({reinterpret_cast<void const*>(&found_results_kernel),
                         reinterpret_cast<void const*>(&found_answers_kernel<true>),
                         reinterpret_cast<void const*>(&found_answers_kernel<false>)});
}

}  // namespace optgap
