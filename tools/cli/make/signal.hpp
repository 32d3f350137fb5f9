#pragma once
// Whether a level gives a learner something to learn from: a greedy policy must not be right already, and a group of
// rollouts must not all earn the same. Measured without a model, with the task's own noisy greedy policy in its place.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

inline constexpr std::int32_t signal_group = 16;         ///< noisy answers per instance
inline constexpr std::int64_t draws_per_instance = 100;  ///< hashes compared for each measured instance

/// One level's instances, from the `train` split.
struct signal_row {
    difficulty level;
    std::int64_t instances = 0;
    std::int64_t proven = 0;
    double words = 0;           ///< median instance words
    double prompt_chars = 0;    ///< median over the styles in turn, format forge
    double greedy_best = 0;     ///< share of instances whose greedy answer has the best known objective
    double distinct = 0;        ///< median number of objectives in a group; all infeasible answers count as one
    double rich = 0;            ///< share of groups with at least four
    std::int64_t draws = 0;     ///< instances whose hashes were compared
    std::int64_t repeated = 0;  ///< of them, those that an earlier seed gave already
};

/// The rule that a difficulty scale keeps from the step on whose instances are as large as the benchmark level's.
struct scale_rule {
    static constexpr double max_greedy_best = 0.30;
    static constexpr double min_distinct = 4;
    static constexpr double max_prompt_chars = 16'000;

    std::int32_t benchmark_step = -1;  ///< -1: no step is that large
    bool met = false;
    std::string sentence;
};

struct signal_report {
    std::vector<signal_row> rows;  ///< the paper's levels, then steps of the difficulty scale
    scale_rule rule;
};

/// How many instances `measure_signal` proves, at most.
std::int64_t signal_work(std::int64_t count);

/// `count` instances from `seed` on at every level. Reproducible; on the engine's threads.
signal_report measure_signal(context& ctx, std::int32_t task, std::int64_t count, std::uint64_t seed,
                             std::function<void(std::int64_t)> const& step);

}  // namespace optgap::cli
