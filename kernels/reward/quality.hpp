#pragma once
// How good an objective is beside its baseline. Doubles, each operation rounded once and never contracted, so that
// every executor computes the same bytes.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "optgap/baseline.hpp"
#include "optgap/reward.hpp"
#include "optgap/verdict.hpp"

OPTGAP_KERNELS_BEGIN

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

OPTGAP_KERNELS_END
