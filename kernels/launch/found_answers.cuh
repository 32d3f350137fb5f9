#pragma once
// found_answers.hpp on the GPU: plain functions that queue work and do not wait.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/launch/found_answers.hpp"
#include "kernels/launch/launch_plan.hpp"

namespace optgap {

/// Bytes of `temporary` for `rows` rows.
[[nodiscard]] cudaError_t found_answers_temporary_bytes(std::int32_t rows, std::int64_t& bytes);
[[nodiscard]] cudaError_t launch_found_answers(cudaStream_t stream, device_limits const& limits,
                                               found_answers const& found);
/// Makes the driver load the kernels, except CUB's.
[[nodiscard]] cudaError_t load_found_answers_kernels();

}  // namespace optgap
