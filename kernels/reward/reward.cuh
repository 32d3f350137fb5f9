#pragma once
// Rewards and advantages on the GPU: plain functions that queue kernels over device memory. The arithmetic is
// reward.hpp and the estimators', shared with the CPU.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/core/assert.hpp"
#include "kernels/core/hd.hpp"
#include "kernels/launch/launch_plan.hpp"
#include "kernels/reward/estimator.hpp"
#include "optgap/reward.hpp"

namespace optgap {

/// Some of a build's tasks.
struct task_choice_bits {
    static constexpr std::int32_t max_tasks = 512;
    std::uint64_t word[max_tasks / 64] = {};

    friend bool operator==(task_choice_bits const&, task_choice_bits const&) = default;
    void add(std::int32_t task) {
        OPTGAP_ASSERT(task >= 0 && task < max_tasks);
        word[task / 64] |= std::uint64_t(1) << (task % 64);
    }
    [[nodiscard]] OPTGAP_HD bool has(std::int32_t task) const { return (word[task / 64] >> (task % 64) & 1) != 0; }
};

/// Rollouts and what they refer to. `finished` and `length` may be nullptr.
struct reward_batch {
    std::int32_t const* instance_of;
    sense const* direction;     ///< per instance
    baseline const* baselines;  ///< per instance
    verdict const* verdicts;
    std::int32_t const* format_code;
    finish const* finished;
    std::int32_t const* length;  ///< tokens
    reward_row* out;
    std::int64_t count;
    /// Of a spec that is not every task's: the row's task, and which tasks' rows are rewarded by it. Null: all are.
    std::int32_t const* task_of = nullptr;
    task_choice_bits rewarded = {};

    [[nodiscard]] OPTGAP_HD bool rewards(std::int64_t r) const {
        return task_of == nullptr || rewarded.has(task_of[r]);
    }
};

[[nodiscard]] cudaError_t launch_rewards(cudaStream_t stream, device_limits const& limits, reward_batch const& batch,
                                         reward_spec const& spec);

/// Rewards with group ids, and room to sort them: `count` words each, and `temporary` for CUB.
struct advantage_batch {
    float const* rewards;
    std::int32_t const* group;
    float* out;
    std::int32_t count;
    std::int32_t* sorted_group;
    std::int32_t* row;
    std::int32_t* sorted_row;
    std::int32_t* group_begin;
    std::int32_t* groups;  ///< one word
    void* temporary;
    std::int64_t temporary_bytes;
};

/// Bytes of `temporary` for that many rows.
[[nodiscard]] cudaError_t advantage_temporary_bytes(std::int32_t rows, std::int64_t& bytes);
/// `rule` is of an estimator that reads_rewards_alone.
[[nodiscard]] cudaError_t launch_advantages(cudaStream_t stream, device_limits const& limits,
                                            advantage_batch const& batch, group_rule const& rule);

/// Has the driver load the kernels of rewards and advantages, but for CUB's; an error when this build holds no machine
/// code for the current device.
[[nodiscard]] cudaError_t load_reward_kernels();

}  // namespace optgap
