#pragma once
// One rollout's reward from its verdict and its instance's baseline: R = R_format + R_feasibility (FORGE). Doubles,
// each operation rounded once and never contracted, so that every executor writes the same bytes.

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/core/hd.hpp"
#include "kernels/reward/quality.hpp"
#include "kernels/reward/shape.hpp"

OPTGAP_KERNELS_BEGIN

/// An excluded row's reward. A constant: a NaN that is computed or converted has other bits on a GPU than on a CPU.
inline constexpr float no_reward = std::numeric_limits<float>::quiet_NaN();

OPTGAP_HD inline bool was_cut(finish how) { return how == finish::length || how == finish::abort; }

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

template <class Shape>
concept has_total = requires(double const* component, reward_spec const& spec) {
    Shape::total(component, spec);
};

/// Least and greatest sum of R_format, R_feasibility and the length penalty, or of the shape's total and it.
template <class Shape>
OPTGAP_HD reward_limits limits_of(reward_spec const& spec) {
    reward_limits limits{0.0, 1.0};
    if constexpr (requires { Shape::limits(spec); }) {
        limits = Shape::limits(spec);
    }
    if constexpr (has_total<Shape>) {
        limits.low -= spec.length_factor;
        return limits;
    }
    double low = limits.low;
    double high = limits.high;
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

/// A shape as write_shaped_reward asks it.
template <class Shape>
struct one_shape {
    OPTGAP_HD static double value(shape_inputs const& in, reward_spec const& spec) { return Shape::value(in, spec); }
    /// Is `sum` the shape's own?
    OPTGAP_HD static bool totals(double const* component, reward_spec const& spec, double& sum) {
        if constexpr (has_total<Shape>) {
            sum = Shape::total(component, spec);
        }
        return has_total<Shape>;
    }
    OPTGAP_HD static reward_limits limits(reward_spec const& spec) { return limits_of<Shape>(spec); }
};

/// Writes the row and returns how it came about. A broken format wins over the answer's code. Source of every edge:
/// docs/rewards.md. The row is written where it stays: copying one that was just written field by field costs as much
/// as computing it.
template <class Shape>
OPTGAP_HD reward_parts write_shaped_reward(reward_row& row, reward_case const& of, reward_spec const& spec) {
    row = {};
    reward_parts parts;
    verdict const& found = of.found;
    baseline const& base = of.base;
    bool const format_ok = of.format_code == code_ok;
    std::int32_t const answer_code = code_against(found, base, of.direction, of.zero);
    bool const counts = format_ok || spec.format_gates == 0;
    bool const feasible = answer_code == code_ok && counts;
    row.truncated = was_cut(of.how) ? 1 : 0;
    row.format = format_ok ? 1.0f : 0.0f;
    row.feasible = feasible ? 1.0f : 0.0f;
    row.code = format_ok ? answer_code : of.format_code;
    parts.format = format_ok ? spec.format_valid : spec.format_broken;
    parts.feasibility = spec.infeasible;

    if (feasible) {
        bool const claims = !found.feasible();  // that no answer exists, and it is proven
        bool const compared = base.objective != no_objective && !claims;
        double const raw = compared ? ratio_to(found.objective, base.objective, of.direction) : 1.0;
        bool const optimal = claims || (base.bound != no_objective && found.objective == base.bound);
        parts.quality = clip(raw, 0.0, 1.0);
        double const floor_quality = compared ? anchor_quality(anchor::floor, base, of.direction) : 0.0;
        row.raw_ratio = float(raw);
        row.quality = float(parts.quality);
        row.normalized = float(between_anchors(parts.quality, floor_quality, 1.0));
        row.optimal = optimal ? 1.0f : 0.0f;
        double const value =
            of.given != nullptr ? *of.given : Shape::value({parts.quality, optimal, base, of.direction}, spec);
        parts.feasibility = value + (optimal ? spec.proven_bonus : 0.0);
    } else if (of.given != nullptr && counts) {
        parts.feasibility = *of.given;
    } else if (spec.infeasible_mode == infeasible_reward::graded && counts) {
        std::int64_t const most = found.violation_max > 1 ? found.violation_max : 1;
        bool const graded = !found.feasible() && found.violation < most;
        double const share = graded ? double(found.violation) / double(most) : 1.0;
        parts.feasibility = spec.infeasible + spec.graded_span * (1.0 - share);
    }

    double const component[component_count] = {double(row.format), double(row.feasible), parts.quality,
                                               double(row.normalized), double(row.optimal)};
    if (!Shape::totals(component, spec, parts.sum)) {
        parts.sum = parts.format + parts.feasibility;
    }
    parts.length = length_penalty(of.length, feasible, spec);
    row.length_penalty = float(parts.length);
    parts.sum += parts.length;
    parts.total = parts.sum;
    if (spec.range_low != spec.range_high) {
        reward_limits const natural = Shape::limits(spec);
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

OPTGAP_KERNELS_END

namespace optgap {

/// The same by the shape that the spec names; host.
inline reward_parts write_reward(reward_row& row, reward_case const& of, reward_spec const& spec) {
    return shape_of(spec.shape).row(row, of, spec);
}
inline reward_row reward_of(verdict const& found, std::int32_t format_code, finish how, std::int32_t length,
                            baseline const& base, sense direction, reward_spec const& spec) {
    reward_row row;
    write_reward(row, {found, format_code, how, length, base, direction}, spec);
    return row;
}
inline reward_limits natural_limits(reward_spec const& spec) { return shape_of(spec.shape).limits(spec); }

}  // namespace optgap
