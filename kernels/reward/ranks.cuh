#pragma once
// Ranks on the GPU: a plain function that queues a kernel over device memory. The arithmetic is the
// estimators', shared with the CPU.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/launch/launch_plan.hpp"
#include "optgap/advantage.hpp"

namespace optgap {

/// Groups side by side: group g's rows are [begin[g] - base, begin[g + 1] - base) of every array.
struct rank_batch {
    double const* scores;  ///< rows x columns
    std::int32_t columns;
    std::int64_t const* begin;  ///< groups + 1
    std::int64_t base;
    std::int64_t groups;
    sense const* direction;  ///< per group
    double* column;          ///< room for a double per row, like the next
    double* value;
    double* out;
};

/// `spec.form` is one that counts_ranks. Groups are small: a group's work grows with the square of its rows.
[[nodiscard]] cudaError_t launch_ranks(cudaStream_t stream, device_limits const& limits, rank_batch const& batch,
                                       advantage_spec const& spec);

/// Has the driver load it.
[[nodiscard]] cudaError_t load_ranks_kernel();

}  // namespace optgap
