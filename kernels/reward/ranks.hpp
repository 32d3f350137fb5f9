#pragma once
// One group's ranks: RiVER's scores and the baselines of the same paper that need no exponential, which is the host's
// alone (host/reward/ranking.hpp, which is also this file's slow twin). Any team gives the same bytes: sums have the
// fixed shape of advantage.hpp, extremes are exact, and ranks are counted in integers.

#include <cmath>
#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/team.hpp"
#include "kernels/reward/advantage.hpp"
#include "optgap/advantage.hpp"

OPTGAP_KERNELS_BEGIN

/// What a group of `count` candidates works on; the arrays belong to the team, `count` doubles each but `partial`.
struct rank_room {
    double* column;
    double* value;
    double* partial;  ///< sum_lanes
};

/// Doubles as integers of the same order, -0 and 0 alike; no NaN.
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

/// The ranks of `count` rows of `columns` scores each, row-major, NaN for an invalid one; one double per row in `out`.
template <class Team>
class group_ranker {
public:
    OPTGAP_HD group_ranker(Team& team, double const* scores, std::int64_t count, std::int32_t columns, sense direction,
                           advantage_spec const& spec, rank_room const& room, double* out)
        : team_(team),
          scores_(scores),
          count_(count),
          columns_(columns),
          maximise_(direction == sense::maximise),
          spec_(spec),
          room_(room),
          out_(out) {}

    OPTGAP_HD void run() {
        team_.each(count_, [&](std::int64_t k) { out_[k] = 0.0; });
        if (count_ < 2) {
            return;
        }
        for (std::int32_t m = 0; m < columns_; ++m) {
            double const sign = maximise_ ? 1.0 : -1.0;
            team_.each(count_, [&](std::int64_t k) { room_.column[k] = sign * scores_[k * columns_ + m]; });
            team_.sync();
            score_column();
            team_.each(count_, [&](std::int64_t k) { out_[k] += room_.value[k]; });
            team_.sync();
        }
        team_.each(count_, [&](std::int64_t k) { out_[k] /= double(columns_); });
        team_.sync();
        finish();
    }

private:
    OPTGAP_HD void score_column() {
        switch (spec_.form) {
            case estimator::river: river(); return;
            case estimator::rank_uniform: uniform(); return;
            case estimator::instance_norm:
                impute();
                standardise(room_.value);
                return;
            default: impute(); return;
        }
    }

    OPTGAP_HD void finish() {
        if (spec_.form == estimator::raw || (is_river() && spec_.rank.post == rank_post::standardise)) {
            standardise(out_);
        } else if (spec_.form == estimator::raw_binary) {
            double const best = largest(out_);
            team_.each(count_, [&](std::int64_t k) { out_[k] = out_[k] == best ? 1.0 : 0.0; });
            team_.sync();
            standardise(out_);
        } else if (is_river() && spec_.rank.post == rank_post::center) {
            bool const constant = all_equal(out_);
            double const mean = mean_of(out_);
            team_.each(count_, [&](std::int64_t k) { out_[k] = constant ? 0.0 : out_[k] - mean; });
        }
    }

    [[nodiscard]] OPTGAP_HD bool is_river() const { return spec_.form == estimator::river; }

    /// 2 * midrank of candidate k, #better * 2 + #equal + 1; 0 for an invalid one. The counter is as wide as a score,
    /// so that a vector of comparisons is added as it is.
    [[nodiscard]] OPTGAP_HD std::int32_t twice_rank(std::int64_t k) const {
        double const* const column = room_.column;
        double const mine = column[k];
        std::int64_t counted = 0;  // once for each that is no worse, once more for each that is better
        for (std::int64_t j = 0; j < count_; ++j) {
            counted += std::int64_t(column[j] >= mine) + std::int64_t(column[j] > mine);
        }
        return counted == 0 ? 0 : std::int32_t(counted + 1);
    }

    OPTGAP_HD void river() {
        rank_spec const& how = spec_.rank;
        std::int64_t my_valid = 0;
        std::int64_t my_best = INT64_MAX;
        team_.each(count_, [&](std::int64_t k) {
            std::int32_t const twice = twice_rank(k);
            room_.value[k] = double(twice);
            my_valid += twice > 0 ? 1 : 0;
            my_best = twice > 0 && twice < my_best ? twice : my_best;
        });
        std::int64_t const found = team_.sum(my_valid);
        std::int64_t const best = team_.min_by(my_best, 0).key;
        std::int64_t const leading = how.tie == rank_winner::exact ? 2 : best;
        bool const one_winner = how.tie == rank_winner::lowest_index;
        std::int64_t first = 0;
        if (one_winner) {
            std::int64_t mine = INT64_MAX;
            team_.each(count_,
                       [&](std::int64_t k) { mine = room_.value[k] == double(leading) && k < mine ? k : mine; });
            first = team_.min_by(mine, 0).key;
        }
        double const denominator = double(how.denominator == rank_denominator::valid && found >= 4 ? found : count_);
        team_.each(count_, [&](std::int64_t k) {
            double& x = room_.value[k];
            if (x == 0.0) {
                x = how.invalid;
            } else if (x == double(leading) && (!one_winner || k == first)) {
                x = how.winner;
            } else {
                double const share = (2.0 * (denominator - 1.0) - x) / (2.0 * (denominator - 3.0));
                double const within = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
                x = how.low + within * (how.high - how.low);
            }
        });
    }

    OPTGAP_HD void uniform() {
        team_.each(count_, [&](std::int64_t k) {
            std::int32_t const twice = twice_rank(k);
            room_.value[k] = twice == 0 ? -1.0 : 1.0 - (double(twice) - 2.0) / double(count_ - 1);
        });
    }

    /// Raw scores, an invalid one as host/reward/ranking.cpp says.
    OPTGAP_HD void impute() {
        std::int64_t my_worst = INT64_MAX;
        std::int64_t my_best = INT64_MIN;
        team_.each(count_, [&](std::int64_t k) {
            double const x = room_.column[k];
            if (x == x) {
                std::int64_t const key = ordered_bits(x);
                my_worst = key < my_worst ? key : my_worst;
                my_best = key > my_best ? key : my_best;
            }
        });
        std::int64_t const worst_key = team_.min_by(my_worst, 0).key;
        std::int64_t const best_key = team_.max_by(my_best, 0).key;
        double stand_in = maximise_ ? 0.0 : -1.0;
        if (!maximise_ && worst_key <= best_key) {
            double const worst = double_of(worst_key);
            stand_in = worst - (double_of(best_key) - worst);
        }
        team_.each(count_, [&](std::int64_t k) {
            double const x = room_.column[k];
            room_.value[k] = x == x ? x : stand_in;
        });
    }

    [[nodiscard]] OPTGAP_HD double largest(double const* x) {
        std::int64_t mine = INT64_MIN;
        team_.each(count_, [&](std::int64_t k) {
            std::int64_t const key = ordered_bits(x[k]);
            mine = key > mine ? key : mine;
        });
        return double_of(team_.max_by(mine, 0).key);
    }
    [[nodiscard]] OPTGAP_HD bool all_equal(double const* x) {
        team_.sync();
        std::int64_t others = 0;
        team_.each(count_, [&](std::int64_t k) { others += x[k] != x[0] ? 1 : 0; });
        return team_.sum(others) == 0;
    }
    [[nodiscard]] OPTGAP_HD double mean_of(double const* x) {
        return fixed_sum(team_, count_, room_.partial, [&](std::int64_t k) { return x[k]; }) / double(count_);
    }

    /// (x - mean) / (s1 + epsilon), zeros for equal values.
    OPTGAP_HD void standardise(double* x) {
        bool const constant = all_equal(x);
        double const mean = mean_of(x);
        double const squares =
            fixed_sum(team_, count_, room_.partial, [&](std::int64_t k) { return (x[k] - mean) * (x[k] - mean); });
        double const deviation = sqrt(squares / double(count_ - 1));
        team_.each(count_, [&](std::int64_t k) {
            x[k] = !constant && deviation > 0.0 ? (x[k] - mean) / (deviation + spec_.epsilon) : 0.0;
        });
        team_.sync();
    }

    Team& team_;
    double const* scores_;
    std::int64_t count_;
    std::int32_t columns_;
    bool maximise_;
    advantage_spec const& spec_;
    rank_room room_;
    double* out_;
};

OPTGAP_KERNELS_END
