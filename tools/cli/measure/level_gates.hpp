#pragma once
// Whether a task's levels are worth training on: proofs end, greedy does not, no constant answer wins, groups spread,
// prompts and generation stay small. What `optgap gates` shows.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap::cli {

struct gates_setting {
    engine const& by;  ///< of one thread: proofs are timed one by one
    std::int32_t task = 0;
    difficulty level;
    std::int64_t count = 200;  ///< instances
    std::int32_t group = 16;   ///< noisy greedy answers of each
    std::int64_t budget = -1;  ///< of a proof; the task's own
    split part = split::train;
};

/// Shares are of 1.
struct level_gates {
    std::int64_t instances = 0;
    double distinct = 0;   ///< different instances
    double proven = 0;     ///< by the search, without a plant
    double worst_gap = 0;  ///< |bound - objective| / |objective|, of those not proven
    std::int64_t median_steps = 0;
    std::int64_t max_steps = 0;
    double median_seconds = 0;  ///< of a proof, anchors and checks among it
    double p99_seconds = 0;
    double max_seconds = 0;
    double labels_a_second = 0;
    double greedy_feasible = 0;
    double greedy_optimal = 0;
    double greedy_quality = 0;      ///< mean of the feasible ones
    std::int64_t spread = 0;        ///< different worths in the median noisy group
    double constant_optimal = 0;    ///< of the best answer among floor's and the most frequent optima
    std::int64_t prompt_chars = 0;  ///< the longest of all styles
    double generate_seconds = 0;    ///< the slowest
};

[[nodiscard]] level_gates measure_gates(gates_setting const& at);

struct gate {
    std::string rule;  ///< "greedy optimal <= 30 % from d16"
    bool holds = true;
    std::string value;
};

/// What the levels must keep, judged on those that were measured.
[[nodiscard]] std::vector<gate> judge_gates(std::vector<std::pair<difficulty, level_gates>> const& levels);

}  // namespace optgap::cli
