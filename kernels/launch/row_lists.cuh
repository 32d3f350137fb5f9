#pragma once
// Which rows are which task's, found on the GPU: columns that no host has seen are looked at (row_check.hpp) and sorted
// by task. Plain functions that queue work; nothing waits.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/launch/device_table.cuh"
#include "kernels/launch/row_check.hpp"

namespace optgap {

/// A place for the lists of `rows` rows, in device memory.
struct row_sort {
    std::int32_t rows = 0;
    std::int32_t tasks = 0;                 ///< of the build; a row of task `tasks` is in no list
    std::int32_t const* task_of = nullptr;  ///< per row
    std::int32_t const* row = nullptr;      ///< 0, 1, 2, …
    std::int32_t* sorted_task = nullptr;
    std::int32_t* sorted_row = nullptr;
    row_bounds* bounds = nullptr;  ///< tasks + 1: those of each task's rows in sorted_row
    void* temporary = nullptr;     ///< CUB's
    std::int64_t temporary_bytes = 0;
};

[[nodiscard]] cudaError_t launch_row_check(cudaStream_t stream, device_limits const& limits, row_check const& check);

/// Bytes of `temporary` for that many rows.
[[nodiscard]] cudaError_t row_sort_temporary_bytes(std::int32_t rows, std::int32_t tasks, std::int64_t& bytes);
[[nodiscard]] cudaError_t launch_row_sort(cudaStream_t stream, device_limits const& limits, row_sort const& sort);

/// Writes a call's number into pinned memory behind all that the stream holds.
[[nodiscard]] cudaError_t launch_end_note(cudaStream_t stream, std::uint64_t* ended, std::uint64_t call);

/// Has the driver load the kernels, but for CUB's.
[[nodiscard]] cudaError_t load_row_list_kernels();

}  // namespace optgap
