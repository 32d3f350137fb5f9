#pragma once  // Stable.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/baseline.hpp"
#include "optgap/finish.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

enum class infeasible_reward : std::int32_t {
    flat = 0,    ///< `infeasible`
    graded = 1,  ///< infeasible + span * (1 - violation / violation_max): something to climb
};

/// The reward of a rollout that was cut off by length or abort.
enum class truncation : std::int32_t {
    penalise = 0,  ///< the reward of its text
    zero = 1,
    exclude = 2,  ///< no reward (NaN); its advantage is 0 and its group does not count it
};

/// What a feasible answer earns, s below. Defaults of the other fields per shape: parse_reward_spec. A shape that a
/// build adds (kernels/reward/shapes, -DOPTGAP_EXTENSIONS) needs no enumerator: parse_reward_spec gives it a number
/// that holds in that build.
enum class reward_shape : std::int32_t {
    forge = 0,    ///< quality (FORGE)
    binary,       ///< 1 for a proven optimum, or for any feasible answer (binary_feasible); else 0
    power,        ///< quality^exponent (RLVE)
    threshold,    ///< the value of the highest step whose quality is reached, else 0
    normalized,   ///< where quality lies between two anchors, clipped to [-1, 1]
    weighted,     ///< the whole reward is a weighted sum of components
    environment,  ///< the number that the row's environment gives (RLVE); else 2 * quality - 1
};

/// An end of the scale of `normalized`; an anchor that is infeasible has quality 0.
enum class anchor : std::int32_t { floor = 0, greedy, baseline };

/// The rollouts whose length is penalised.
enum class long_rollouts : std::int32_t {
    all = 0,
    wrong,  ///< those that are not feasible
};

/// The components that `weighted` adds, 0 where infeasible.
enum reward_component : std::int32_t {
    component_format = 0,
    component_feasible,
    component_quality,
    component_normalized,
    component_optimal,
    component_count
};

inline constexpr std::int32_t max_thresholds = 8;
/// Of an estimator or a shape whose parameters have no fields of their own in a spec.
inline constexpr std::int32_t max_own_parameters = 8;

/// R = R_format + R_feasibility, where R_feasibility is s (reward_shape) plus the bonus for a feasible answer and
/// `infeasible` for another; then the length penalty, the affine range, the truncation policy and the grid, in this
/// order. Edge cases: docs/rewards.md. Plain data, the same on every executor.
struct reward_spec {
    double format_valid = 1.0;
    double format_broken = -1.0;
    double infeasible = -1.5;
    double graded_span = 1.0;    ///< `graded`: infeasible + span * (1 - violation / violation_max)
    double proven_bonus = 0.0;   ///< for an answer that is proven optimal
    double range_low = 0.0;      ///< the reward's least and greatest possible values are mapped to these,
    double range_high = 0.0;     ///< affinely; equal: no mapping
    double grid = 1.0 / 4096;    ///< the reward is rounded to a multiple of it (half to even); 0 leaves it
    double length_factor = 0.0;  ///< penalty of a rollout of `length_limit` tokens or more; 0: no length penalty
    double threshold_quality[max_thresholds] = {};  ///< rising
    double threshold_value[max_thresholds] = {};
    double weight[component_count] = {};
    std::int32_t thresholds = 0;
    std::int32_t exponent = 1;
    std::int32_t binary_feasible = 0;  ///< `binary` rewards feasible answers, not only optimal ones
    reward_shape shape = reward_shape::forge;
    anchor from = anchor::floor;
    anchor to = anchor::baseline;
    infeasible_reward infeasible_mode = infeasible_reward::flat;
    truncation truncated = truncation::penalise;
    std::int32_t length_limit = 0;   ///< tokens
    std::int32_t length_buffer = 0;  ///< tokens below the limit from which on the penalty grows, in a straight line
    long_rollouts length_on = long_rollouts::all;
    std::int32_t format_gates = 1;        ///< a broken format makes the answer infeasible; 0: the two parts just add
    double own[max_own_parameters] = {};  ///< parameters of shapes without fields above
};

/// Whether rows must give their lengths in tokens.
constexpr bool reads_lengths(reward_spec const& spec) { return spec.length_factor > 0.0; }

/// The reward spec of each task. A batch mixes tasks, and a spec that suits an optimum is too generous for a puzzle,
/// where a wrong answer satisfies nearly all constraints. As text: reward_rules.hpp.
struct reward_rules {
    reward_rules() = default;
    /// One spec for every task; implicit, since that is the usual rule.
    reward_rules(reward_spec const& all) : specs{all} {}

    std::vector<reward_spec> specs{
        reward_spec{}};  ///< the first is for tasks without one of their own, and for those outside this build
    std::vector<std::int32_t> of_task = {};  ///< per task of the build: its entry of `specs`; empty: the first

    [[nodiscard]] std::size_t entry(std::int32_t task) const {
        return of_task.empty() ? 0 : std::size_t(of_task[std::size_t(task)]);
    }
    [[nodiscard]] reward_spec const& of(std::int32_t task) const { return specs[entry(task)]; }
};

/// Whether the rows of some task must give their lengths in tokens.
inline bool reads_lengths(reward_rules const& rules) {
    bool found = false;
    for (reward_spec const& spec : rules.specs) {
        found = found || reads_lengths(spec);
    }
    return found;
}

/// Least and greatest reward before the affine range.
struct reward_limits {
    double low, high;
};

/// Reads a shape's name or a JSON object. Fields, with FORGE's constants as defaults:
///
///   shape          its name
///   the shape's own parameters, which `optgap rules` and docs/rewards.md list; those of others are refused
///   format_valid, format_broken, infeasible_value
///                  the constants: 1, -1, -1.5 unless the shape has others
///   infeasible     "flat" or "graded"; graded_span: default the smaller of 1 and -infeasible_value
///   length         {"limit": tokens, "buffer": tokens, "factor": 1, "on": "all" or "wrong"}: lengths from limit -
///                  buffer on cost, up to factor at the limit (DAPO, equation 13); rows must then give their lengths
///   proven_bonus, range ([low, high]), truncated, grid, format_gates
///
/// Throws error{invalid_argument} that names the field.
reward_spec parse_reward_spec(std::string_view text);
/// The spec as a JSON object that parse_reward_spec reads back to the same spec.
std::string to_json(reward_spec const& spec);

/// The shapes of this build as a JSON array: objects of name, formula, source, parameters (name, meaning, and low and
/// high or choices) and defaults.
std::string describe_shapes();
/// Does this build have the shape?
bool is_known(reward_shape shape);

/// A rollout's reward and its named components. Numbers always: 0 where infeasible.
struct reward_row {
    float reward = 0;          ///< NaN when excluded
    float format = 0;          ///< 1 or 0
    float feasible = 0;        ///< 1 or 0, after the format's gate
    float quality = 0;         ///< objective / baseline or its inverse, clipped to [0, 1]
    float raw_ratio = 0;       ///< the same, not clipped: above 1 the answer beats the baseline
    float normalized = 0;      ///< quality between the floor anchor (0) and the baseline (1), clipped to [-1, 1]
    float optimal = 0;         ///< 1 when it is proven optimal: its objective is the bound
    float length_penalty = 0;  ///< what the reward lost by the rollout's length: 0 or less
    std::int32_t code = 0;
    std::int32_t truncated = 0;
    friend bool operator==(reward_row const&, reward_row const&) = default;
};

/// Facts about a rollout beside its rewards, after the format's gate.
struct row_facts {
    row_facts(reward_row const& row, verdict const& found);

    bool format, feasible, optimal, truncated;
    std::int64_t objective;  ///< no_objective unless the row is feasible
    std::int64_t violation;  ///< 0 for a feasible row; the maximum where the instance is proven infeasible
};

}  // namespace optgap
