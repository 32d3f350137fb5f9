#pragma once
// What follows rewards of columns that no host has seen: rows that are left out, and the rewards as a column.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/launch/launch_plan.hpp"
#include "kernels/reward/reward.hpp"

namespace optgap {

struct reward_column {
    std::int64_t rows = 0;
    std::int32_t const* task_of = nullptr;  ///< per row
    std::int32_t left_out = 0;              ///< the task of a row that is
    reward_row* out = nullptr;
    float* rewards = nullptr;  ///< none: nobody wants the column
};

[[nodiscard]] cudaError_t launch_reward_column(cudaStream_t stream, device_limits const& limits,
                                               reward_column const& column);
/// Has the driver load the kernel.
[[nodiscard]] cudaError_t load_reward_column_kernel();

}  // namespace optgap

OPTGAP_KERNELS_BEGIN

OPTGAP_HD inline void finish_reward(reward_column const& column, std::int64_t r) {
    if (column.task_of[r] == column.left_out) {
        column.out[r] = {};
        column.out[r].reward = no_reward;
        column.out[r].code = code_unparsable;
    }
    if (column.rewards != nullptr) {
        column.rewards[r] = column.out[r].reward;
    }
}

OPTGAP_KERNELS_END
