#pragma once
// One group's scores as an estimator sees them: candidates by instances, NaN where one is invalid. Any team gives the
// same bytes: sums have the fixed shape of fixed_sum.hpp, extremes are exact, and ranks are integers, counted or
// sorted.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/team.hpp"
#include "kernels/reward/estimator.hpp"
#include "kernels/reward/fixed_sum.hpp"

OPTGAP_KERNELS_BEGIN

/// `column` holds the scores on one instance, larger is better; score_column leaves what they are worth in `value`,
/// whose mean over the instances is then `out`, which `finish` may change.
template <class Team>
class score_group {
public:
    OPTGAP_HD score_group(Team& team, score_range const& in, advantage_spec const& spec, rank_room const& room)
        : team_(team), in_(in), spec_(spec), room_(room) {}

    [[nodiscard]] OPTGAP_HD Team& team() const { return team_; }
    [[nodiscard]] OPTGAP_HD advantage_spec const& spec() const { return spec_; }
    [[nodiscard]] OPTGAP_HD std::int64_t count() const { return in_.count; }
    [[nodiscard]] OPTGAP_HD bool maximise() const { return in_.direction == sense::maximise; }
    [[nodiscard]] OPTGAP_HD double* column() const { return room_.column; }
    [[nodiscard]] OPTGAP_HD double* value() const { return room_.value; }
    [[nodiscard]] OPTGAP_HD double* out() const { return in_.out; }
    /// Host: `count` doubles more.
    [[nodiscard]] double* other() const { return room_.other; }

    /// visit(k, 2 * midrank of candidate k): #better * 2 + #equal + 1; 0 for an invalid one.
    template <class Visit>
    OPTGAP_HD void rank(Visit const& visit) const {
        if constexpr (Team::size() == 1) {
            if (room_.order != nullptr) {
                sort_ranks();
                for (std::int64_t k = 0; k < in_.count; ++k) {
                    visit(k, std::int32_t(room_.value[k]));
                }
                return;
            }
        }
        team_.each(in_.count, [&](std::int64_t k) { visit(k, twice_rank(k)); });
    }

    /// Raw scores in `value`. An invalid candidate gets 0 where more is better; where less is better it is worse than
    /// the worst by the valid scores' whole range, and -1 when none is valid.
    OPTGAP_HD void impute() const {
        std::int64_t my_worst = INT64_MAX;
        std::int64_t my_best = INT64_MIN;
        team_.each(in_.count, [&](std::int64_t k) {
            double const x = room_.column[k];
            if (x == x) {
                std::int64_t const key = ordered_bits(x);
                my_worst = key < my_worst ? key : my_worst;
                my_best = key > my_best ? key : my_best;
            }
        });
        std::int64_t const worst_key = team_.min_by(my_worst, 0).key;
        std::int64_t const best_key = team_.max_by(my_best, 0).key;
        double stand_in = maximise() ? 0.0 : -1.0;
        if (!maximise() && worst_key <= best_key) {
            double const worst = double_of(worst_key);
            stand_in = worst - (double_of(best_key) - worst);
        }
        team_.each(in_.count, [&](std::int64_t k) {
            double const x = room_.column[k];
            room_.value[k] = x == x ? x : stand_in;
        });
        team_.sync();
    }

    [[nodiscard]] OPTGAP_HD double largest(double const* x) const {
        std::int64_t mine = INT64_MIN;
        team_.each(in_.count, [&](std::int64_t k) {
            std::int64_t const key = ordered_bits(x[k]);
            mine = key > mine ? key : mine;
        });
        return double_of(team_.max_by(mine, 0).key);
    }
    [[nodiscard]] OPTGAP_HD bool all_equal(double const* x) const {
        team_.sync();
        std::int64_t others = 0;
        team_.each(in_.count, [&](std::int64_t k) { others += x[k] != x[0] ? 1 : 0; });
        return team_.sum(others) == 0;
    }
    [[nodiscard]] OPTGAP_HD double mean_of(double const* x) const {
        return fixed_sum(team_, in_.count, room_.partial, [&](std::int64_t k) { return x[k]; }) / double(in_.count);
    }
    /// (x - mean) / (s1 + epsilon), zeros for equal values.
    OPTGAP_HD void standardise(double* x) const {
        bool const constant = all_equal(x);
        double const mean = mean_of(x);
        double const squares =
            fixed_sum(team_, in_.count, room_.partial, [&](std::int64_t k) { return (x[k] - mean) * (x[k] - mean); });
        double const deviation = sqrt(squares / double(in_.count - 1));
        team_.each(in_.count, [&](std::int64_t k) {
            x[k] = !constant && deviation > 0.0 ? (x[k] - mean) / (deviation + spec_.epsilon) : 0.0;
        });
        team_.sync();
    }

    /// Instance m's scores into `column`.
    OPTGAP_HD void load(std::int32_t m) const {
        double const sign = maximise() ? 1.0 : -1.0;
        team_.each(in_.count, [&](std::int64_t k) { room_.column[k] = sign * in_.scores[k * in_.columns + m]; });
        team_.sync();
    }

private:
    /// The counter is as wide as a score, so that a vector of comparisons is added as it is.
    [[nodiscard]] OPTGAP_HD std::int32_t twice_rank(std::int64_t k) const {
        double const* const column = room_.column;
        double const mine = column[k];
        std::int64_t counted = 0;  // once for each that is no worse, once more for each that is better
        for (std::int64_t j = 0; j < in_.count; ++j) {
            counted += std::int64_t(column[j] >= mine) + std::int64_t(column[j] > mine);
        }
        return counted == 0 ? 0 : std::int32_t(counted + 1);
    }

    void sort_ranks() const {
        std::int32_t* const order = room_.order;
        std::int64_t valid = 0;
        for (std::int64_t k = 0; k < in_.count; ++k) {
            room_.value[k] = 0.0;
            if (room_.column[k] == room_.column[k]) {
                order[valid++] = std::int32_t(k);
            }
        }
        std::sort(order, order + valid,
                  [&](std::int32_t a, std::int32_t b) { return room_.column[a] > room_.column[b]; });
        for (std::int64_t begin = 0; begin < valid;) {
            std::int64_t end = begin;
            while (end < valid && room_.column[order[end]] == room_.column[order[begin]]) {
                ++end;
            }
            for (std::int64_t i = begin; i < end; ++i) {
                room_.value[order[i]] = double(begin + end + 1);
            }
            begin = end;
        }
    }

    Team& team_;
    score_range const& in_;
    advantage_spec const& spec_;
    rank_room const& room_;
};

/// One double per candidate in `in.out`; zeros for a group of one.
template <class Estimator, class Team>
OPTGAP_HD void rank_scores(Team& team, score_range const& in, advantage_spec const& spec, rank_room const& room) {
    team.each(in.count, [&](std::int64_t k) { in.out[k] = 0.0; });
    if (in.count < 2) {
        return;
    }
    score_group<Team> const group(team, in, spec, room);
    for (std::int32_t m = 0; m < in.columns; ++m) {
        group.load(m);
        Estimator::score_column(group);
        team.each(in.count, [&](std::int64_t k) { in.out[k] += room.value[k]; });
        team.sync();
    }
    team.each(in.count, [&](std::int64_t k) { in.out[k] /= double(in.columns); });
    team.sync();
    if constexpr (requires { Estimator::finish(group); }) {
        Estimator::finish(group);
    }
}

OPTGAP_KERNELS_END
