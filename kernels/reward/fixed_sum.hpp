#pragma once
// Sums whose bytes do not depend on who adds: their shape depends on the number of terms alone. There are `shape_lanes`
// partial sums, the k-th over rows k, k + lanes, … in order, folded pairwise. A team of any size computes the same
// ones.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/team.hpp"

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

/// Adds the upper half of 2 * Half partial sums to the lower one, and so on.
template <std::int32_t Half>
OPTGAP_HD void fold_lanes(double* sum) {
    if constexpr (Half > 0) {
        for (std::int32_t lane = 0; lane < Half; ++lane) {
            sum[lane] += sum[lane + Half];
        }
        fold_lanes<Half / 2>(sum);
    }
}

/// The same of as many rows as lanes, on one thread: in registers.
template <std::int32_t Lanes, class Term>
OPTGAP_HD double sum_of_lanes(Term const& term) {
    double sum[Lanes];
    for (std::int32_t lane = 0; lane < Lanes; ++lane) {
        sum[lane] = 0.0 + term(lane);
    }
    fold_lanes<Lanes / 2>(sum);
    return sum[0];
}

/// Sum of term(k) for k in [0, count) in the fixed shape. `partial` holds sum_lanes doubles the team shares.
template <class Team, class Term>
OPTGAP_HD double fixed_sum(Team& team, std::int64_t count, double* partial, Term const& term) {
    std::int32_t const lanes = shape_lanes(count);
    team.sync();
    if constexpr (Team::size() == 1) {  // row by row: the same additions, side by side in memory
        switch (count) {
            case 8: return sum_of_lanes<8>(term);
            case 16: return sum_of_lanes<16>(term);
            case 32: return sum_of_lanes<32>(term);
            default: break;
        }
        std::int32_t const first = count < lanes ? std::int32_t(count) : lanes;
        for (std::int32_t lane = 0; lane < first; ++lane) {
            partial[lane] = 0.0 + term(lane);
        }
        for (std::int32_t lane = first; lane < lanes; ++lane) {
            partial[lane] = 0.0;
        }
        for (std::int64_t k = lanes; k < count; k += lanes) {
            std::int32_t const left = count - k < lanes ? std::int32_t(count - k) : lanes;
            for (std::int32_t lane = 0; lane < left; ++lane) {
                partial[lane] += term(k + lane);
            }
        }
    } else {
        team.each(lanes, [&](std::int64_t lane) {
            double x = 0.0;
            for (std::int64_t k = lane; k < count; k += lanes) {
                x += term(k);
            }
            partial[lane] = x;
        });
    }
    team.sync();
    for (std::int32_t half = lanes / 2; half > 0; half /= 2) {
        team.each(half, [&](std::int64_t lane) { partial[lane] += partial[lane + half]; });
        team.sync();
    }
    return partial[0];
}

/// Floats as integers of the same order; -0 and 0 alike.
OPTGAP_HD inline std::int64_t ordered_bits(float x) {
    std::int32_t bits = 0;
    float const value = x == 0.0f ? 0.0f : x;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : std::int64_t(INT32_MIN) - bits;
}
/// Doubles likewise; no NaN.
OPTGAP_HD inline std::int64_t ordered_bits(double x) {
    std::int64_t bits = 0;
    double const value = x == 0.0 ? 0.0 : x;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}
OPTGAP_HD inline double double_of(std::int64_t ordered) {
    std::int64_t const bits = ordered >= 0 ? ordered : INT64_MIN - ordered;
    double value = 0.0;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

OPTGAP_KERNELS_END
