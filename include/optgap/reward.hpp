#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/baseline.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

/// How generation ended, as the trainer reports it.
enum class finish : std::int32_t { unknown = 0, stop = 1, length = 2, abort = 3 };

enum class infeasible_reward : std::int32_t {
    flat = 0,    ///< `infeasible`
    graded = 1,  ///< infeasible + 1 - violation / violation_max: something to climb
};

/// What a rollout cut off by length or abort earns.
enum class truncation : std::int32_t {
    penalise = 0,  ///< what its text earns
    zero = 1,
    exclude = 2,  ///< no reward (NaN); its advantage is 0 and its group does not count it
};

/// FORGE's reward, R = R_format + R_feasibility (FORGE, quality-aware reward; edge cases: docs/rewards.md). Plain data,
/// the same on every executor.
struct reward_spec {
    double format_valid = 1.0;
    double format_broken = -1.0;
    double infeasible = -1.5;
    double grid = 1.0 / 4096;  ///< the reward is rounded to a multiple of it (half to even); 0 leaves it
    infeasible_reward infeasible_mode = infeasible_reward::flat;
    truncation truncated = truncation::penalise;
    std::int32_t format_gates = 1;  ///< a broken format makes the answer infeasible; 0: the two parts just add
};

/// Reads "forge" or a JSON object such as {"shape": "forge", "infeasible": "graded", "grid": 0, "truncated": "zero",
/// "format_gates": false}. Throws error{invalid_argument} that names the field.
reward_spec parse_reward_spec(std::string_view text);

/// A rollout's reward and its named components. Numbers always: 0 where infeasible.
struct reward_row {
    float reward = 0;      ///< NaN when excluded
    float format = 0;      ///< 1 or 0
    float feasible = 0;    ///< 1 or 0, after the format's gate
    float quality = 0;     ///< objective / baseline or its inverse, clipped to [0, 1]
    float raw_ratio = 0;   ///< the same, not clipped: above 1 the answer beats the baseline
    float normalized = 0;  ///< quality between the floor anchor (0) and the baseline (1), clipped to [-1, 1]
    std::int32_t code = 0;
    std::int32_t truncated = 0;
    friend bool operator==(reward_row const&, reward_row const&) = default;
};

enum class estimator : std::int32_t { grpo = 0, dr_grpo = 1 };

/// Group-relative advantages. `exact`: float64 two-pass statistics, fixed-shape sums, exactly 0 for constant groups.
struct advantage_spec {
    estimator form = estimator::grpo;
    double epsilon = 1e-6;
};

/// Reads "grpo", "dr_grpo" or {"estimator": "grpo", "epsilon": 1e-6}.
advantage_spec parse_advantage_spec(std::string_view text);

}  // namespace optgap
