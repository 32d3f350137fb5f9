#pragma once
// One group of rewards as an estimator sees it: float64 two-pass statistics over the rows that have a reward (not NaN),
// float32 out. Any team computes the same bytes (fixed_sum.hpp). A group of equal rewards gives exact zeros: r - mean
// may round to something else, and the standard deviation with it.

#include <cmath>
#include <cstdint>

#include "kernels/core/team.hpp"
#include "kernels/reward/estimator.hpp"
#include "kernels/reward/fixed_sum.hpp"

OPTGAP_KERNELS_BEGIN

/// Rows are numbered 0 … count() - 1 in ascending order. At least two of them differ.
template <class Team, class Row, class Present>
class reward_group {
public:
    OPTGAP_HD reward_group(Team& team, float const* rewards, advantage_inputs const* inputs, std::int64_t count,
                           Row const& row, Present const& present, std::int64_t rows, std::int64_t first,
                           std::int64_t others, group_rule const& rule, double* partial, float* out)
        : team_(team),
          rewards_(rewards),
          inputs_(inputs),
          count_(count),
          row_(row),
          present_(present),
          rows_(rows),
          first_(first),
          others_(others),
          rule_(rule),
          partial_(partial),
          out_(out) {}

    [[nodiscard]] OPTGAP_HD Team& team() const { return team_; }
    [[nodiscard]] OPTGAP_HD advantage_spec const& spec() const { return rule_.spec; }
    /// What the estimator's `constant` found in the whole batch.
    [[nodiscard]] OPTGAP_HD double batch() const { return rule_.batch; }

    [[nodiscard]] OPTGAP_HD std::int64_t count() const { return count_; }
    /// Has row k a reward?
    [[nodiscard]] OPTGAP_HD bool present(std::int64_t k) const { return present_(k); }
    /// How many rows have one.
    [[nodiscard]] OPTGAP_HD std::int64_t rows() const { return rows_; }
    [[nodiscard]] OPTGAP_HD float reward(std::int64_t k) const { return rewards_[row_(k)]; }
    /// The first row with a reward, and how many rows differ from it.
    [[nodiscard]] OPTGAP_HD std::int64_t first() const { return first_; }
    [[nodiscard]] OPTGAP_HD std::int64_t others() const { return others_; }

    /// Host: tokens of row k; its component, NaN where that is undefined.
    [[nodiscard]] double length(std::int64_t k) const { return double(inputs_->length[std::size_t(row_(k))]); }
    [[nodiscard]] double component(reward_component which, std::int64_t k) const {
        return double(inputs_->columns[std::size_t(which)][std::size_t(row_(k))]);
    }

    /// Sum of term(k) over the rows with a reward.
    template <class Term>
    [[nodiscard]] OPTGAP_HD double sum(Term const& term) const {
        return fixed_sum(team_, count_, partial_, [&](std::int64_t k) { return present_(k) ? term(k) : 0.0; });
    }
    [[nodiscard]] OPTGAP_HD double mean() const {
        return sum([&](std::int64_t k) { return double(reward(k)); }) / double(rows_);
    }
    /// Sum of (r - mean)^2.
    [[nodiscard]] OPTGAP_HD double squares(double mean) const {
        return sum([&](std::int64_t k) {
            double const d = double(reward(k)) - mean;
            return d * d;
        });
    }
    /// The sample standard deviation (ddof 1).
    [[nodiscard]] OPTGAP_HD double deviation(double mean) const { return sqrt(squares(mean) / (double(rows_) - 1.0)); }

    /// Row k with a reward r gets value(k, r); the others get 0. To be called once.
    template <class Value>
    OPTGAP_HD void write(Value const& value) const {
        team_.each(count_,
                   [&](std::int64_t k) { out_[row_(k)] = present_(k) ? float(value(k, double(reward(k)))) : 0.0f; });
        team_.sync();
    }

private:
    Team& team_;
    float const* rewards_;
    advantage_inputs const* inputs_;
    std::int64_t count_;
    Row const& row_;
    Present const& present_;
    std::int64_t rows_, first_, others_;
    group_rule const& rule_;
    double* partial_;
    float* out_;
};

template <class Estimator>
OPTGAP_HD float lone_advantage(float reward, group_rule const& rule) {
    if constexpr (requires { Estimator::lone(1.0, rule); }) {
        return rule.spec.of_one == lone_row::as_is ? float(Estimator::lone(double(reward), rule)) : 0.0f;
    } else {
        return 0.0f;
    }
}

/// Writes out[row(k)] for the group's rows k = 0 … count-1, which are in ascending order of row(k).
template <class Estimator, class Team, class Row>
OPTGAP_HD void group_advantage(Team& team, float const* rewards, std::int64_t count, Row const& row,
                               group_rule const& rule, double* partial, float* out,
                               advantage_inputs const* inputs = nullptr) {
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
        float const lone = rows == 1 ? lone_advantage<Estimator>(reward(first), rule) : 0.0f;
        team.each(count, [&](std::int64_t k) { out[row(k)] = present(k) ? lone : 0.0f; });
        return;
    }
    if constexpr (Team::size() == 1) {
        if (rows == count) {  // nothing to ask of a row: its loops run on vectors
            auto const always = [](std::int64_t) { return true; };
            Estimator::advantages(
                reward_group(team, rewards, inputs, count, row, always, rows, first, others, rule, partial, out));
            return;
        }
    }
    Estimator::advantages(
        reward_group(team, rewards, inputs, count, row, present, rows, first, others, rule, partial, out));
}

OPTGAP_KERNELS_END
