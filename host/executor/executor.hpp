#pragma once
// Who runs the batch verbs. Two executors stand behind this seam, and the same call returns the same bytes from both.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/core/task.hpp"
#include "kernels/reward/advantage.hpp"
#include "optgap/advantage.hpp"
#include "optgap/batch.hpp"
#include "optgap/engine.hpp"
#include "optgap/reward.hpp"

namespace optgap {

/// One instance to generate: the task and where its random words come from.
struct generation {
    std::int32_t task;
    difficulty level;
    draw source;
};

/// Which of a task's two policies writes the answers.
enum class anchor_policy : std::int32_t { floor = 0, greedy };

/// What the reward pass reads of each rollout.
struct reward_inputs {
    std::int32_t const* task;   ///< per instance
    baseline const* baselines;  ///< per instance
    std::int64_t instances;
    std::int32_t const* instance_of;  ///< per rollout
    verdict const* verdicts;          ///< per rollout
    std::int32_t const* format_code;  ///< per rollout
    finish const* finished;           ///< per rollout; nullptr: unknown
    std::int32_t const* length;       ///< tokens, per rollout; nullptr: nothing reads them
    std::int64_t rollouts;
};

/// Groups side by side: group g's rows are [begin[g], begin[g + 1]).
struct rank_inputs {
    std::span<double const> scores;  ///< `columns` a row, row-major; NaN: invalid
    std::int32_t columns;
    std::span<std::int64_t const> begin;
    std::span<sense const> direction;  ///< per group
};

class executor {
public:
    virtual ~executor() = default;
    [[nodiscard]] virtual std::string describe() const = 0;

    virtual instance_batch generate(std::span<generation const> items) = 0;
    /// instance_of: one entry per answer row.
    virtual void verify(instance_view instances, csr_view answers, std::int32_t const* instance_of,
                        std::span<verdict> out) = 0;
    /// The answers of a policy that baselines are compared with, one block per instance.
    virtual csr_words anchors(instance_view instances, anchor_policy policy) = 0;
    /// Row r draws from {seed, hash of "improve"}: independent of the row's position.
    virtual csr_words improve(instance_view instances, csr_view answers, std::int32_t const* instance_of,
                              std::int64_t steps, draw source, std::span<improve_result> out) = 0;
    virtual void rewards(reward_inputs const& in, reward_spec const& spec, std::span<reward_row> out) = 0;
    /// NaN rewards are left out of the statistics and get 0.
    virtual void advantages(std::span<float const> rewards, std::span<std::int32_t const> group, group_rule const& rule,
                            std::span<float> out) = 0;
    /// Of a form that counts_ranks; one value per row.
    virtual void ranks(rank_inputs const& in, advantage_spec const& spec, std::span<double> out) = 0;
};

class cpu_pool;

/// How the CUDA executor lives on a GPU that others use too.
struct cuda_options {
    std::int64_t memory_limit = std::int64_t(256) << 20;  ///< bytes of arena and pinned ring together
    void* stream = nullptr;                               ///< the caller's cudaStream_t, or none
    std::int32_t ordinal = -1;                            ///< -1: the calling thread's current device
    double launch_seconds = 1e-3;                         ///< what a launch aims to last at most
    std::int32_t multiprocessors = 0;                     ///< 0: all
};

/// With less, the regions of a slice leave no room for rows.
inline constexpr std::int64_t smallest_memory_limit = std::int64_t(64) << 10;

std::unique_ptr<executor> make_cpu_executor(cpu_pool& pool);
/// nullptr with a sentence in `why` when no GPU can be used. First CUDA call of the process. Sets `options.ordinal` to
/// the GPU it chose.
std::unique_ptr<executor> make_cuda_executor(cuda_options& options, std::string& why);

}  // namespace optgap
