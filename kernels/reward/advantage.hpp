#pragma once
// One group's advantages: float64 two-pass statistics over the rows that have a reward (not NaN), float32 out.
//
// The sums have a fixed shape that depends on the group's size alone: `shape_lanes` partial sums, the k-th over rows
// k, k + lanes, … in order, folded pairwise. A team of any size computes the same partial sums, so the bytes agree.
// A group of equal rewards gives exact zeros: r - mean may round to something else, and the standard deviation with it.

#include <cmath>
#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/team.hpp"
#include "optgap/reward.hpp"

OPTGAP_KERNELS_BEGIN

inline constexpr std::int32_t sum_lanes = 32;

/// Number of partial sums for a group of `count` rows: the power of two that covers it, at most sum_lanes.
OPTGAP_HD constexpr std::int32_t shape_lanes(std::int64_t count) {
    std::int32_t lanes = 1;
    while (lanes < count && lanes < sum_lanes) {
        lanes *= 2;
    }
    return lanes;
}

/// Sum of term(k) for k in [0, count) in the fixed shape. `partial` holds sum_lanes doubles the team shares.
template <class Team, class Term>
OPTGAP_HD double fixed_sum(Team& team, std::int64_t count, double* partial, Term const& term) {
    std::int32_t const lanes = shape_lanes(count);
    team.sync();
    team.each(lanes, [&](std::int64_t lane) {
        double x = 0.0;
        for (std::int64_t k = lane; k < count; k += lanes) {
            x += term(k);
        }
        partial[lane] = x;
    });
    team.sync();
    for (std::int32_t half = lanes / 2; half > 0; half /= 2) {
        team.each(half, [&](std::int64_t lane) { partial[lane] += partial[lane + half]; });
        team.sync();
    }
    return partial[0];
}

/// Writes out[row(k)] for the group's rows k = 0 … count-1, which are in ascending order of row(k).
template <class Team, class Row>
OPTGAP_HD void group_advantage(Team& team, float const* rewards, std::int64_t count, Row const& row,
                               advantage_spec const& spec, double* partial, float* out) {
    auto const reward = [&](std::int64_t k) { return rewards[row(k)]; };
    auto const present = [&](std::int64_t k) {
        float const r = reward(k);
        return r == r;
    };

    std::int64_t my_rows = 0;
    std::int64_t my_first = INT64_MAX;
    team.each(count, [&](std::int64_t k) {
        if (present(k)) {
            ++my_rows;
            my_first = k < my_first ? k : my_first;
        }
    });
    std::int64_t const rows = team.sum(my_rows);
    std::int64_t const first = team.min_by(my_first, 0).key;
    bool differs = false;
    if (rows > 0) {
        float const reference = reward(first);
        team.each(count, [&](std::int64_t k) { differs = differs || (present(k) && reward(k) != reference); });
    }
    if (!team.any(differs)) {
        team.each(count, [&](std::int64_t k) { out[row(k)] = 0.0f; });
        return;
    }

    double const mean =
        fixed_sum(team, count, partial, [&](std::int64_t k) { return present(k) ? double(reward(k)) : 0.0; }) /
        double(rows);
    double scale = 1.0;
    if (spec.form == estimator::grpo) {
        double const squares = fixed_sum(team, count, partial, [&](std::int64_t k) {
            double const d = present(k) ? double(reward(k)) - mean : 0.0;
            return d * d;
        });
        scale = sqrt(squares / double(rows - 1)) + spec.epsilon;
    }
    team.each(count,
              [&](std::int64_t k) { out[row(k)] = present(k) ? float((double(reward(k)) - mean) / scale) : 0.0f; });
    team.sync();
}

OPTGAP_KERNELS_END
