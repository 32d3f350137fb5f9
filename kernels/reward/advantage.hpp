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

/// The same of as many rows as lanes, on one thread: in registers.
template <std::int32_t Lanes, class Term>
OPTGAP_HD double sum_of_lanes(Term const& term) {
    double sum[Lanes];
    for (std::int32_t lane = 0; lane < Lanes; ++lane) {
        sum[lane] = 0.0 + term(lane);
    }
    for (std::int32_t half = Lanes / 2; half > 0; half /= 2) {
        for (std::int32_t lane = 0; lane < half; ++lane) {
            sum[lane] += sum[lane + half];
        }
    }
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

/// The forms that need no more than a group's rewards.
enum class group_form : std::int32_t { standardised, centred, leave_one_out, over_mean, best_row };

/// A form with its constants; what comes from the whole batch is filled in by the host.
struct group_rule {
    group_form form = group_form::standardised;
    double epsilon = 1e-6;
    double scale = 0.0;           ///< standardised: divide by this instead of s1 + epsilon, when it is not 0
    double factor = 1.0;          ///< centred: alpha
    std::int32_t unbiased = 0;    ///< centred: times n / (n - 1)
    std::int32_t lone_as_is = 0;  ///< a group of one has mean 0 and standard deviation 1; else it gets 0
};

/// A group of one row, or one where every row has the same reward.
OPTGAP_HD inline float lone_advantage(float reward, group_rule const& rule) {
    if (rule.lone_as_is == 0) {
        return 0.0f;
    }
    switch (rule.form) {
        case group_form::standardised:
            return float(double(reward) / (rule.scale != 0.0 ? rule.scale : 1.0 + rule.epsilon));
        case group_form::centred: return float(double(reward) * rule.factor);
        default: return 0.0f;
    }
}

/// Floats as integers of the same order; -0 and 0 alike.
OPTGAP_HD inline std::int64_t ordered_bits(float x) {
    std::int32_t bits = 0;
    float const value = x == 0.0f ? 0.0f : x;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : std::int64_t(INT32_MIN) - bits;
}

/// The same where rewards differ: `rows` of them are present, the first at `first`, and `others` of them differ from
/// it.
template <class Team, class Row, class Present>
OPTGAP_HD void unequal_advantage(Team& team, float const* rewards, std::int64_t count, Row const& row,
                                 Present const& present, std::int64_t rows, std::int64_t first, std::int64_t others,
                                 group_rule const& rule, double* partial, float* out) {
    auto const reward = [&](std::int64_t k) { return rewards[row(k)]; };
    auto const n = double(rows);
    double const mean =
        fixed_sum(team, count, partial, [&](std::int64_t k) { return present(k) ? double(reward(k)) : 0.0; }) / n;
    double squares = 0.0;
    if (rule.form != group_form::centred && rule.form != group_form::over_mean && rule.scale == 0.0) {
        squares = fixed_sum(team, count, partial, [&](std::int64_t k) {
            double const d = present(k) ? double(reward(k)) - mean : 0.0;
            return d * d;
        });
    }
    auto const write = [&](auto const& value) {
        team.each(count,
                  [&](std::int64_t k) { out[row(k)] = present(k) ? float(value(k, double(reward(k)) - mean)) : 0.0f; });
        team.sync();
    };
    double const scale = rule.scale != 0.0 ? rule.scale : sqrt(squares / (n - 1.0)) + rule.epsilon;
    switch (rule.form) {
        case group_form::standardised: write([&](std::int64_t, double d) { return d / scale; }); return;
        case group_form::centred: {
            double const factor = rule.unbiased != 0 ? rule.factor * n / (n - 1.0) : rule.factor;
            write([&](std::int64_t, double d) { return d * factor; });
            return;
        }
        case group_form::over_mean: write([&](std::int64_t, double d) { return mean > 0.0 ? d / mean : 0.0; }); return;
        case group_form::leave_one_out: {
            // The others of a row are all equal when it alone differs from the rest, and in a group of two.
            float const one = reward(first);
            std::int64_t my_second = INT64_MAX;
            team.each(count, [&](std::int64_t k) {
                my_second = present(k) && reward(k) != one && k < my_second ? k : my_second;
            });
            float const other = reward(team.min_by(my_second, 0).key);
            std::int64_t my_thirds = 0;
            team.each(count, [&](std::int64_t k) {
                my_thirds += present(k) && reward(k) != one && reward(k) != other ? 1 : 0;
            });
            bool const two_values = team.sum(my_thirds) == 0;
            write([&](std::int64_t k, double d) {
                std::int64_t const alike = reward(k) == one ? rows - others : others;
                double const apart = d * n / (n - 1.0);
                double const left = squares - d * apart;
                bool const vary = rows > 2 && !(two_values && alike == 1) && left > 0.0;
                return vary ? apart / (sqrt(left / (n - 2.0)) + rule.epsilon) : apart;
            });
            return;
        }
        case group_form::best_row: {
            auto const best_but = [&](std::int64_t excluded) {
                ranked best{INT64_MIN, 0};
                team.each(count, [&](std::int64_t k) {
                    if (present(k) && k != excluded) {
                        best = larger(best, {ordered_bits(reward(k)), std::int32_t(k)});
                    }
                });
                return std::int64_t(team.max_by(best.key, best.index).index);
            };
            std::int64_t const best = best_but(-1);
            double const lead = double(reward(best)) - double(reward(best_but(best)));
            write([&](std::int64_t k, double) { return k == best ? lead / scale : 0.0; });
            return;
        }
    }
}

/// Writes out[row(k)] for the group's rows k = 0 … count-1, which are in ascending order of row(k).
template <class Team, class Row>
OPTGAP_HD void group_advantage(Team& team, float const* rewards, std::int64_t count, Row const& row,
                               group_rule const& rule, double* partial, float* out) {
    auto const reward = [&](std::int64_t k) { return rewards[row(k)]; };
    auto const present = [&](std::int64_t k) {
        float const r = reward(k);
        return r == r;
    };

    std::int64_t my_rows = 0;
    team.each(count, [&](std::int64_t k) { my_rows += present(k) ? 1 : 0; });
    std::int64_t const rows = team.sum(my_rows);
    std::int64_t my_first = rows == count ? 0 : INT64_MAX;
    if (rows < count) {
        team.each(count, [&](std::int64_t k) { my_first = present(k) && k < my_first ? k : my_first; });
    }
    std::int64_t const first = team.min_by(my_first, 0).key;
    std::int64_t my_others = 0;  // rows whose reward is not the first one's
    if (rows > 0) {
        float const reference = reward(first);
        team.each(count, [&](std::int64_t k) {
            float const r = reward(k);
            my_others += std::int64_t(r == r) & std::int64_t(r != reference);
        });
    }
    std::int64_t const others = team.sum(my_others);
    if (others == 0) {
        float const lone = rows == 1 ? lone_advantage(reward(first), rule) : 0.0f;
        team.each(count, [&](std::int64_t k) { out[row(k)] = present(k) ? lone : 0.0f; });
        return;
    }
    if constexpr (Team::size() == 1) {
        if (rows == count) {  // nothing to ask of a row: its loops run on vectors
            unequal_advantage(
                team, rewards, count, row, [](std::int64_t) { return true; }, rows, first, others, rule, partial, out);
            return;
        }
    }
    unequal_advantage(team, rewards, count, row, present, rows, first, others, rule, partial, out);
}

OPTGAP_KERNELS_END
