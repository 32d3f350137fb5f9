#pragma once
// One rollout's reward from its verdict and its instance's baseline: R = R_format + R_feasibility (FORGE). Doubles,
// each operation rounded once and never contracted, so that every executor writes the same bytes.

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/core/hd.hpp"
#include "optgap/baseline.hpp"
#include "optgap/reward.hpp"
#include "optgap/verdict.hpp"

OPTGAP_KERNELS_BEGIN

/// An excluded row's reward. A constant: a NaN that is computed or converted has other bits on a GPU than on a CPU.
inline constexpr float no_reward = std::numeric_limits<float>::quiet_NaN();

/// objective / baseline or its inverse: 1 at the baseline, above 1 beyond it. A zero in the denominator counts as 1,
/// and so does one in a numerator that is to be small. Written without branches: which rows are optimal is chance.
OPTGAP_HD inline double ratio_to(std::int64_t objective, std::int64_t base, sense direction) {
    bool const smaller = direction == sense::minimise;
    bool const equal = objective == base;
    std::int64_t above = smaller ? base : objective;
    std::int64_t below = smaller ? objective : base;
    above = smaller && above < 1 ? 1 : above;
    below = below < 1 ? 1 : below;
    above = equal ? 1 : above;
    below = equal ? 1 : below;
    return double(above) / double(below);
}

OPTGAP_HD inline double clip(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

OPTGAP_HD inline bool was_cut(finish how) { return how == finish::length || how == finish::abort; }

/// What a feasible answer of objective 0 or less is where the baseline is positive and the objective maximised.
enum class zero_answers : std::int32_t {
    refused,  ///< no answer, code_empty: a policy that always says the same earns nothing
    valid,    ///< one among others, which are ranked: matrices of programs
};

/// The answer's own code, where the baseline makes a feasible answer worthless or the claim "no answer" right.
OPTGAP_HD inline std::int32_t code_against(verdict const& found, baseline const& base, sense direction,
                                           zero_answers zero = zero_answers::refused) {
    if (base.status == baseline_status::infeasible) {
        return found.code == code_empty ? std::int32_t(code_ok)
                                        : (found.feasible() ? std::int32_t(code_empty) : found.code);
    }
    bool const worthless = zero == zero_answers::refused && found.feasible() && direction == sense::maximise &&
                           found.objective <= 0 && base.objective != no_objective && base.objective > 0;
    return worthless ? std::int32_t(code_empty) : found.code;
}

/// What a rollout of that many tokens loses: nothing up to limit - buffer, then in a straight line `factor` at the
/// limit and beyond (DAPO, Yu et al. 2025, equation 13, with factor 1). Never -0.
OPTGAP_HD inline double length_penalty(std::int32_t length, bool feasible, reward_spec const& spec) {
    std::int64_t const over = std::int64_t(length) - (spec.length_limit - spec.length_buffer);
    if (spec.length_factor <= 0.0 || over <= 0 || (feasible && spec.length_on == long_rollouts::wrong)) {
        return 0.0;
    }
    double const share = over < spec.length_buffer ? double(over) / double(spec.length_buffer) : 1.0;
    return -share * spec.length_factor;
}

/// Least and greatest sum of R_format, R_feasibility and the length penalty, or of the weighted components and it.
OPTGAP_HD inline reward_limits natural_limits(reward_spec const& spec) {
    reward_limits limits{0.0, 0.0};
    if (spec.shape == reward_shape::weighted) {
        for (std::int32_t i = 0; i < component_count; ++i) {
            double const least = i == component_normalized ? -spec.weight[i] : 0.0;
            limits.low += spec.weight[i] < least ? spec.weight[i] : least;
            limits.high += spec.weight[i] > least ? spec.weight[i] : least;
        }
        limits.low -= spec.length_factor;
        return limits;
    }
    double low = spec.shape == reward_shape::normalized ? -1.0 : 0.0;
    double high = 1.0;
    for (std::int32_t i = 0; i < spec.thresholds; ++i) {
        low = spec.threshold_value[i] < low ? spec.threshold_value[i] : low;
        high = i == 0 || spec.threshold_value[i] > high ? spec.threshold_value[i] : high;
    }
    high += spec.proven_bonus > 0.0 ? spec.proven_bonus : 0.0;
    low += spec.proven_bonus < 0.0 ? spec.proven_bonus : 0.0;
    limits.low = (spec.format_valid < spec.format_broken ? spec.format_valid : spec.format_broken) +
                 (spec.infeasible < low ? spec.infeasible : low) - spec.length_factor;
    limits.high = (spec.format_valid < spec.format_broken ? spec.format_broken : spec.format_valid) +
                  (spec.infeasible > high ? spec.infeasible : high);
    return limits;
}

/// The nearest integer, ties to even, never -0. Two additions: rint is a call where the baseline of x86-64 is compiled
/// for.
OPTGAP_HD inline double nearest_integer(double x) {
    constexpr double last_fraction = 4503599627370496.0;  // 2^52: from here on there are none
    constexpr double shift = 1.5 * last_fraction;
    return x > -last_fraction / 2 && x < last_fraction / 2 ? (x + shift) - shift : rint(x);
}

/// Quality of an objective on the scale of the baseline, clipped to [0, 1].
OPTGAP_HD inline double quality_of(std::int64_t objective, baseline const& base, sense direction) {
    return clip(ratio_to(objective, base.objective, direction), 0.0, 1.0);
}

/// An anchor's quality, 0 where the policy has no feasible answer.
OPTGAP_HD inline double anchor_quality(anchor which, baseline const& base, sense direction) {
    if (which == anchor::baseline) {
        return 1.0;
    }
    std::int64_t const objective = which == anchor::floor ? base.floor : base.greedy;
    return objective == no_objective || base.objective == no_objective ? 0.0 : quality_of(objective, base, direction);
}

/// Where quality lies on the way from one anchor (0) to the other (1). Where the second is not above the first, 1 from
/// the first on and 0 below.
OPTGAP_HD inline double between_anchors(double quality, double low, double high) {
    return low < high ? clip((quality - low) / (high - low), -1.0, 1.0) : (quality >= low ? 1.0 : 0.0);
}

/// What a feasible answer earns, without the bonus.
OPTGAP_HD inline double shaped(double quality, bool optimal, baseline const& base, sense direction,
                               reward_spec const& spec) {
    double value = 0.0;
    switch (spec.shape) {
        case reward_shape::binary: return optimal || spec.binary_feasible != 0 ? 1.0 : 0.0;
        case reward_shape::power:
            value = 1.0;
            for (std::int32_t i = 0; i < spec.exponent; ++i) {
                value *= quality;
            }
            return value;
        case reward_shape::threshold:
            for (std::int32_t i = 0; i < spec.thresholds && quality >= spec.threshold_quality[i]; ++i) {
                value = spec.threshold_value[i];
            }
            return value;
        case reward_shape::normalized:
            return between_anchors(quality, anchor_quality(spec.from, base, direction),
                                   anchor_quality(spec.to, base, direction));
        default: return quality;
    }
}

/// How a reward came about, for `explain` as for the row.
struct reward_parts {
    double quality = 0;      ///< not rounded to float
    double format = 0;       ///< R_format
    double feasibility = 0;  ///< R_feasibility with the bonus
    double length = 0;       ///< the penalty
    double sum = 0;          ///< of the three, or the weighted sum and the penalty
    double total = 0;        ///< after the affine range, the truncation policy and the grid
    bool excluded = false;
};

/// Writes the row and returns how it came about. `length` in tokens counts where the spec reads_lengths. `format_code`
/// is the scanner's; a broken format wins over the answer's code. Source of every edge: docs/rewards.md. The row is
/// written where it stays: copying one that was just written field by field costs as much as computing it.
OPTGAP_HD inline reward_parts write_reward(reward_row& row, verdict const& found, std::int32_t format_code, finish how,
                                           std::int32_t length, baseline const& base, sense direction,
                                           reward_spec const& spec, zero_answers zero = zero_answers::refused) {
    row = {};
    reward_parts parts;
    bool const format_ok = format_code == code_ok;
    std::int32_t const answer_code = code_against(found, base, direction, zero);
    bool const counts = format_ok || spec.format_gates == 0;
    bool const feasible = answer_code == code_ok && counts;
    row.truncated = was_cut(how) ? 1 : 0;
    row.format = format_ok ? 1.0f : 0.0f;
    row.feasible = feasible ? 1.0f : 0.0f;
    row.code = format_ok ? answer_code : format_code;
    parts.format = format_ok ? spec.format_valid : spec.format_broken;
    parts.feasibility = spec.infeasible;

    if (feasible) {
        bool const claims = !found.feasible();  // that no answer exists, and it is proven
        bool const compared = base.objective != no_objective && !claims;
        double const raw = compared ? ratio_to(found.objective, base.objective, direction) : 1.0;
        bool const optimal = claims || (base.bound != no_objective && found.objective == base.bound);
        parts.quality = clip(raw, 0.0, 1.0);
        double const floor_quality = compared ? anchor_quality(anchor::floor, base, direction) : 0.0;
        row.raw_ratio = float(raw);
        row.quality = float(parts.quality);
        row.normalized = float(between_anchors(parts.quality, floor_quality, 1.0));
        row.optimal = optimal ? 1.0f : 0.0f;
        parts.feasibility = shaped(parts.quality, optimal, base, direction, spec) + (optimal ? spec.proven_bonus : 0.0);
    } else if (spec.infeasible_mode == infeasible_reward::graded && counts) {
        std::int64_t const most = found.violation_max > 1 ? found.violation_max : 1;
        bool const graded = !found.feasible() && found.violation < most;
        double const share = graded ? double(found.violation) / double(most) : 1.0;
        parts.feasibility = spec.infeasible + spec.graded_span * (1.0 - share);
    }

    parts.sum = parts.format + parts.feasibility;
    if (spec.shape == reward_shape::weighted) {
        double const component[component_count] = {double(row.format), double(row.feasible), parts.quality,
                                                   double(row.normalized), double(row.optimal)};
        parts.sum = 0.0;
        for (std::int32_t i = 0; i < component_count; ++i) {
            parts.sum += spec.weight[i] * component[i];
        }
    }
    parts.length = length_penalty(length, feasible, spec);
    row.length_penalty = float(parts.length);
    parts.sum += parts.length;
    parts.total = parts.sum;
    if (spec.range_low != spec.range_high) {
        reward_limits const natural = natural_limits(spec);
        parts.total = spec.range_low +
                      (parts.sum - natural.low) * (spec.range_high - spec.range_low) / (natural.high - natural.low);
        row.length_penalty = float(parts.length * (spec.range_high - spec.range_low) / (natural.high - natural.low));
    }
    parts.excluded = row.truncated != 0 && spec.truncated == truncation::exclude;
    if (row.truncated != 0 && spec.truncated == truncation::zero) {
        parts.total = 0.0;
        row.length_penalty = 0.0f;  // 0 whatever the length
    } else if (spec.grid > 0.0) {
        parts.total = nearest_integer(parts.total / spec.grid) * spec.grid;
    }
    row.reward = parts.excluded ? no_reward : float(parts.total);
    return parts;
}

OPTGAP_HD inline reward_row reward_of(verdict const& found, std::int32_t format_code, finish how, std::int32_t length,
                                      baseline const& base, sense direction, reward_spec const& spec) {
    reward_row row;
    write_reward(row, found, format_code, how, length, base, direction, spec);
    return row;
}

OPTGAP_KERNELS_END
