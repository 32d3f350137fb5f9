#include "kernels/launch/row_lists.cuh"

#include <algorithm>
#include <bit>

#include "kernels/launch/cub_calls.cuh"
#include "kernels/launch/cuda_calls.cuh"

OPTGAP_KERNELS_BEGIN

inline constexpr int row_threads = 128;

__global__ void __launch_bounds__(row_threads, 1) row_check_kernel(row_check check) {
    std::int64_t const stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t r = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; r < check.rows; r += stride) {
        look_at_row(check, r,
                    [](std::int32_t* word, std::int32_t row) { *static_cast<std::int32_t volatile*>(word) = row; });
    }
}

/// Finds where each task's rows begin and end; a task without rows keeps its zeros.
__global__ void __launch_bounds__(row_threads, 1) row_bounds_kernel(row_sort sort) {
    std::int32_t const* const task = sort.sorted_task;
    std::int64_t const stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t k = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; k < sort.rows; k += stride) {
        if (k == 0 || task[k] != task[k - 1]) {
            sort.bounds[task[k]].begin = std::int32_t(k);
        }
        if (k + 1 == sort.rows || task[k] != task[k + 1]) {
            sort.bounds[task[k]].end = std::int32_t(k + 1);
        }
    }
}

__global__ void __launch_bounds__(32, 1) end_note_kernel(std::uint64_t* ended, std::uint64_t call) {
    *static_cast<std::uint64_t volatile*>(ended) = call;
}

OPTGAP_KERNELS_END

namespace optgap {

namespace {

launch_size size_for(std::int64_t rows, device_limits const& limits, cudaStream_t stream) {
    std::int64_t const most = 8 * std::max<std::int64_t>(limits.multiprocessors, 1);
    return {std::clamp<std::int64_t>((rows + row_threads - 1) / row_threads, 1, most), row_threads, 0, stream};
}

/// Stable: rows of a task stay in their order, so that neighbours read neighbouring answers.
cudaError_t sort_by_task(row_sort const& sort, std::size_t& bytes, cudaStream_t stream) {
    int const bits = std::bit_width(unsigned(sort.tasks));
    return cub_sort_pairs(sort.temporary, bytes, sort.task_of, sort.sorted_task, sort.row, sort.sorted_row, sort.rows,
                          bits, stream);
}

}  // namespace

cudaError_t launch_row_check(cudaStream_t stream, device_limits const& limits, row_check const& check) {
    return launch_kernel(row_check_kernel, size_for(check.rows, limits, stream), check);
}

cudaError_t row_sort_temporary_bytes(std::int32_t rows, std::int32_t tasks, std::int64_t& bytes) {
    row_sort sort;
    sort.rows = rows;
    sort.tasks = tasks;
    std::size_t needed = 0;
    cudaError_t const result = sort_by_task(sort, needed, nullptr);
    bytes = std::int64_t(needed);
    return result;
}

cudaError_t launch_row_sort(cudaStream_t stream, device_limits const& limits, row_sort const& sort) {
    cudaError_t result = cudaMemsetAsync(sort.bounds, 0, std::size_t(sort.tasks + 1) * sizeof(row_bounds), stream);
    std::size_t bytes = std::size_t(sort.temporary_bytes);
    result = result != cudaSuccess ? result : sort_by_task(sort, bytes, stream);
    return result != cudaSuccess ? result : launch_kernel(row_bounds_kernel, size_for(sort.rows, limits, stream), sort);
}

cudaError_t launch_end_note(cudaStream_t stream, std::uint64_t* ended, std::uint64_t call) {
    return launch_kernel(end_note_kernel, {1, 1, 0, stream}, ended, call);
}

cudaError_t load_row_list_kernels() {
    return load_kernels({reinterpret_cast<void const*>(&row_check_kernel),
                         reinterpret_cast<void const*>(&row_bounds_kernel),
                         reinterpret_cast<void const*>(&end_note_kernel)});
}

}  // namespace optgap
