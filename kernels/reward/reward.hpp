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

/// objective / yardstick or its inverse: 1 at the yardstick, above 1 beyond it. A zero in the denominator counts as 1.
OPTGAP_HD inline double ratio_to(std::int64_t objective, std::int64_t yardstick, sense direction) {
    if (objective == yardstick) {
        return 1.0;
    }
    std::int64_t const above = direction == sense::maximise ? objective : yardstick;
    std::int64_t const below = direction == sense::maximise ? yardstick : objective;
    if (direction == sense::minimise) {
        return double(above > 1 ? above : 1) / double(below > 1 ? below : 1);
    }
    return double(above) / double(below > 1 ? below : 1);
}

OPTGAP_HD inline double clip(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

OPTGAP_HD inline bool was_cut(finish how) { return how == finish::length || how == finish::abort; }

/// The answer's own code, where the baseline makes a feasible answer worthless or the claim "no answer" right.
OPTGAP_HD inline std::int32_t code_against(verdict const& found, baseline const& yardstick, sense direction) {
    if (yardstick.status == baseline_status::infeasible) {
        return found.code == code_empty ? std::int32_t(code_ok)
                                        : (found.feasible() ? std::int32_t(code_empty) : found.code);
    }
    bool const worthless = found.feasible() && direction == sense::maximise && found.objective == 0 &&
                           yardstick.objective != no_objective && yardstick.objective > 0;
    return worthless ? std::int32_t(code_empty) : found.code;
}

/// `format_code` is the scanner's; a broken format wins over the answer's code. Source of every edge: docs/rewards.md.
OPTGAP_HD inline reward_row reward_of(verdict const& found, std::int32_t format_code, finish how,
                                      baseline const& yardstick, sense direction, reward_spec const& spec) {
    reward_row row;
    bool const format_ok = format_code == code_ok;
    std::int32_t const answer_code = code_against(found, yardstick, direction);
    bool const feasible = answer_code == code_ok && (format_ok || spec.format_gates == 0);
    row.truncated = was_cut(how) ? 1 : 0;
    row.format = format_ok ? 1.0f : 0.0f;
    row.feasible = feasible ? 1.0f : 0.0f;
    row.code = format_ok ? answer_code : format_code;

    double feasibility = spec.infeasible;
    if (feasible) {
        bool const has_yardstick = yardstick.objective != no_objective && found.feasible();
        double const raw = has_yardstick ? ratio_to(found.objective, yardstick.objective, direction) : 1.0;
        double const quality = clip(raw, 0.0, 1.0);
        double const floor_quality = has_yardstick && yardstick.floor != no_objective
                                         ? clip(ratio_to(yardstick.floor, yardstick.objective, direction), 0.0, 1.0)
                                         : 0.0;
        row.raw_ratio = float(raw);
        row.quality = float(quality);
        row.normalized = floor_quality < 1.0 ? float(clip((quality - floor_quality) / (1.0 - floor_quality), -1.0, 1.0))
                                             : (quality >= 1.0 ? 1.0f : 0.0f);
        feasibility = quality;
    } else if (spec.infeasible_mode == infeasible_reward::graded && (format_ok || spec.format_gates == 0)) {
        std::int64_t const most = found.violation_max > 1 ? found.violation_max : 1;
        bool const graded = !found.feasible() && found.violation < most;
        double const share = graded ? double(found.violation) / double(most) : 1.0;
        feasibility = spec.infeasible + (1.0 - share);
    }

    double total = (format_ok ? spec.format_valid : spec.format_broken) + feasibility;
    if (row.truncated != 0 && spec.truncated == truncation::exclude) {
        row.reward = no_reward;
        return row;
    }
    if (row.truncated != 0 && spec.truncated == truncation::zero) {
        total = 0.0;
    } else if (spec.grid > 0.0) {
        total = rint(total / spec.grid) * spec.grid;
    }
    row.reward = float(total);
    return row;
}

OPTGAP_KERNELS_END
