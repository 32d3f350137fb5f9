#pragma once
// found_answers.hpp on the GPU: plain functions that queue work; nothing waits.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/launch/found_answers.hpp"
#include "kernels/launch/launch_plan.hpp"

namespace optgap {

/// Bytes of `temporary` for that many rows.
[[nodiscard]] cudaError_t found_answers_temporary_bytes(std::int32_t rows, std::int64_t& bytes);
[[nodiscard]] cudaError_t launch_found_answers(cudaStream_t stream, device_limits const& limits,
                                               found_answers const& found);
/// Has the driver load the kernels, but for CUB's.
[[nodiscard]] cudaError_t load_found_answers_kernels();

}  // namespace optgap
