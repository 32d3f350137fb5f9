#pragma once
// Finds on the GPU which rows belong to which task: columns that the host has not seen are checked (row_check.hpp) and
// sorted by task. Plain functions that queue work and do not wait.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/launch/device_table.cuh"
#include "kernels/launch/row_check.hpp"

namespace optgap {

/// The lists of `rows` rows, in device memory.
struct row_sort {
    std::int32_t rows = 0;
    std::int32_t tasks = 0;                 ///< of the build; a row of task `tasks` is in no list
    std::int32_t const* task_of = nullptr;  ///< per row
    std::int32_t const* row = nullptr;      ///< 0, 1, 2, …
    std::int32_t* sorted_task = nullptr;
    std::int32_t* sorted_row = nullptr;
    row_bounds* bounds = nullptr;  ///< tasks + 1 of them: where each task's rows lie in sorted_row
    void* temporary = nullptr;     ///< CUB's
    std::int64_t temporary_bytes = 0;
};

[[nodiscard]] cudaError_t launch_row_check(cudaStream_t stream, device_limits const& limits, row_check const& check);

/// Bytes of `temporary` for `rows` rows.
[[nodiscard]] cudaError_t row_sort_temporary_bytes(std::int32_t rows, std::int32_t tasks, std::int64_t& bytes);
[[nodiscard]] cudaError_t launch_row_sort(cudaStream_t stream, device_limits const& limits, row_sort const& sort);

/// Writes a call's number into pinned memory once all work queued on the stream has ended.
[[nodiscard]] cudaError_t launch_end_note(cudaStream_t stream, std::uint64_t* ended, std::uint64_t call);

/// Makes the driver load the kernels, except CUB's.
[[nodiscard]] cudaError_t load_row_list_kernels();

}  // namespace optgap
