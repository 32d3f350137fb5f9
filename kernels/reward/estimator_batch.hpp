#pragma once
// A whole batch as an estimator sees it that needs more than one group at a time. Host only; rows without a reward
// (NaN) take no part.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/core/team.hpp"
#include "kernels/reward/estimator.hpp"
#include "kernels/reward/fixed_sum.hpp"

namespace optgap {

class estimator_batch {
public:
    using rows = std::span<std::int64_t const>;

    advantage_inputs const& in;
    std::span<double> value;  ///< what the estimator writes, an advantage per row; zeros before

    /// visit(rows) for each group of `ids`, rows in ascending order.
    virtual void each_group(std::span<std::int32_t const> ids, std::function<void(rows)> const& visit) = 0;
    /// Another estimator of a group's rewards over a column that stands for them, by the engine's executor.
    virtual std::span<float const> by_group(std::span<float const> column, advantage_spec const& spec) = 0;

protected:
    estimator_batch(advantage_inputs const& inputs, std::span<double> values) : in(inputs), value(values) {}
    ~estimator_batch() = default;
};

inline namespace OPTGAP_ISA {

/// Sum of term(row) over some rows in the fixed shape.
template <class Term>
double sum_over(std::span<std::int64_t const> rows, Term const& term) {
    std::array<double, sum_lanes> partial;
    solo team;
    return fixed_sum(team, std::int64_t(rows.size()), partial.data(),
                     [&](std::int64_t k) { return term(std::size_t(rows[std::size_t(k)])); });
}

inline bool equal_rewards(std::span<float const> rewards, std::span<std::int64_t const> rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](std::int64_t r) { return rewards[std::size_t(r)] == rewards[std::size_t(rows[0])]; });
}

/// The standard deviation (ddof 1) of all rewards, 0 when they are equal.
inline double batch_deviation(std::span<float const> rewards) {
    std::vector<std::int64_t> rows;
    for (std::size_t r = 0; r < rewards.size(); ++r) {
        if (!std::isnan(rewards[r])) {
            rows.push_back(std::int64_t(r));
        }
    }
    if (rows.size() < 2 || equal_rewards(rewards, rows)) {
        return 0.0;
    }
    double const n = double(rows.size());
    double const mean = sum_over(rows, [&](std::size_t r) { return double(rewards[r]); }) / n;
    double const squares = sum_over(rows, [&](std::size_t r) {
        double const d = double(rewards[r]) - mean;
        return d * d;
    });
    return std::sqrt(squares / (n - 1.0));
}

/// (x - mean) / sqrt(variance + epsilon) of `value` over some rows, in place. The variance divides by the weights' sum
/// less one; a row's weight is its tokens where spec.token_weighted says so. Equal values give zeros.
inline void whiten(estimator_batch& batch, advantage_spec const& spec, std::span<std::int64_t const> rows) {
    std::span<double> const value = batch.value;
    auto const weight = [&](std::size_t r) { return spec.token_weighted != 0 ? double(batch.in.length[r]) : 1.0; };
    bool const constant = std::all_of(
        rows.begin(), rows.end(), [&](std::int64_t r) { return value[std::size_t(r)] == value[std::size_t(rows[0])]; });
    double const whole = sum_over(rows, weight);
    if (constant || whole <= 1.0) {
        for (std::int64_t const r : rows) {
            value[std::size_t(r)] = 0.0;
        }
        return;
    }
    double const mean = sum_over(rows, [&](std::size_t r) { return weight(r) * value[r]; }) / whole;
    double const squares = sum_over(rows, [&](std::size_t r) {
        double const d = value[r] - mean;
        return weight(r) * (d * d);
    });
    double const scale = std::sqrt(squares / (whole - 1.0) + spec.epsilon);
    for (std::int64_t const r : rows) {
        value[std::size_t(r)] = (value[std::size_t(r)] - mean) / scale;
    }
}

/// The same over all rows.
inline void whiten(estimator_batch& batch, advantage_spec const& spec) {
    std::vector<std::int32_t> const one(batch.value.size(), 0);
    batch.each_group(one, [&](std::span<std::int64_t const> rows) { whiten(batch, spec, rows); });
}

inline constexpr char const* weighting_names[] = {"sequence", "token"};
/// Of estimators that whiten.
inline constexpr parameter weighting_parameter{.name = "weighting",
                                               .meaning = "whitening counts a row once, or once per token",
                                               .kind = parameter_kind::choice,
                                               .at = offsetof(advantage_spec, token_weighted),
                                               .choices = weighting_names};

}  // namespace OPTGAP_ISA

}  // namespace optgap
