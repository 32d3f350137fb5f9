// Group-relative advantages: the inputs of each estimator, and the parts that need more than one group.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "host/engine/batch_ranks.hpp"
#include "host/engine/engine_state.hpp"
#include "host/engine/group_rules.hpp"
#include "host/process/trace.hpp"
#include "host/reward/advantage_groups.hpp"
#include "kernels/reward/advantage.hpp"
#include "optgap/engine.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

template <class T>
void require_rows(char const* name, std::span<T const> given, std::size_t rows) {
    if (given.size() != rows) {
        misuse(std::string(name) + ": expected one entry per reward (" + std::to_string(rows) + "), got " +
               std::to_string(given.size()));
    }
}

/// Whether it holds for all of them; no branch leaves early, so that the loop runs on vectors.
template <class T, class Holds>
std::int64_t count_of(std::span<T const> values, Holds const& holds) {
    std::int64_t count = 0;
    for (T const value : values) {
        count += holds(value) ? 1 : 0;
    }
    return count;
}

bool combines(estimator form) { return form == estimator::decoupled || form == estimator::gdpo; }

void require_inputs(advantage_inputs const& in, advantage_spec const& spec) {
    std::size_t const rows = in.rewards.size();
    require_rows("group", in.group, rows);
    auto const infinite = [](float reward) { return std::fabs(reward) == std::numeric_limits<float>::infinity(); };
    if (count_of(in.rewards, infinite) > 0) {
        auto const first = std::find_if(in.rewards.begin(), in.rewards.end(), infinite) - in.rewards.begin();
        misuse("rewards: row " + std::to_string(first) + " is infinite; expected a number, or NaN for no reward");
    }
    if (spec.form == estimator::task_reinforce_pp) {
        require_rows("cohort", in.cohort, rows);
    }
    if (reads_lengths(spec)) {
        require_rows("length", in.length, rows);
        for (std::size_t r = 0; r < rows; ++r) {
            if (in.length[r] < 0) {
                misuse("length: row " + std::to_string(r) + " has " + std::to_string(in.length[r]) +
                       " tokens, expected 0 or more");
            }
        }
    }
    if (combines(spec.form)) {
        if (in.columns.size() != std::size_t(component_count)) {
            misuse("columns: this estimator reads one column per component, expected " +
                   std::to_string(component_count) + ", got " + std::to_string(in.columns.size()));
        }
        for (std::size_t c = 0; c < in.columns.size(); ++c) {
            if (spec.weight[c] != 0.0) {
                require_rows("columns", in.columns[c], rows);
            }
        }
    }
    if (ranks_scores(spec.form) && !in.scores.empty()) {
        if (in.columns_of_scores < 1 || in.scores.size() != rows * std::size_t(in.columns_of_scores)) {
            misuse("scores: expected rows * columns_of_scores entries, got " + std::to_string(in.scores.size()));
        }
        if (std::any_of(in.scores.begin(), in.scores.end(), [](double x) { return std::isinf(x); })) {
            misuse("scores: infinite; expected numbers, or NaN for an invalid candidate");
        }
    }
    if (!in.direction.empty()) {
        require_rows("direction", in.direction, rows);
    }
}

/// Calls `visit(rows)` or `visit(rows, whole)` for every group, with its rows that have a reward, ascending, and the
/// number of all its rows.
template <class Visit>
void each_group(std::span<float const> rewards, std::span<std::int32_t const> group, Visit const& visit) {
    group_index const index = index_groups(group);
    std::vector<std::int64_t> rows;
    for (std::int64_t g = 0; g < index.groups(); ++g) {
        rows.clear();
        for (std::int64_t k = index.begin[std::size_t(g)]; k < index.begin[std::size_t(g) + 1]; ++k) {
            std::int64_t const row = index.order.empty() ? k : index.order[std::size_t(k)];
            if (!std::isnan(rewards[std::size_t(row)])) {
                rows.push_back(row);
            }
        }
        std::span<std::int64_t const> const rewarded(rows);
        if constexpr (requires { visit(rewarded, std::size_t(0)); }) {
            visit(rewarded, std::size_t(index.begin[std::size_t(g) + 1] - index.begin[std::size_t(g)]));
        } else {
            visit(rewarded);
        }
    }
}

void refuse_lone_rows(advantage_inputs const& in) {
    each_group(in.rewards, in.group, [](std::span<std::int64_t const> rows) {
        if (rows.size() == 1) {
            misuse("group: row " + std::to_string(rows[0]) + " is alone in its group, which this estimator refuses");
        }
    });
}

/// Sum over the rows in the fixed shape of kernels/reward/advantage.hpp.
template <class Term>
double sum_over(std::span<std::int64_t const> rows, Term const& term) {
    std::array<double, sum_lanes> partial;
    solo team;
    return fixed_sum(team, std::int64_t(rows.size()), partial.data(),
                     [&](std::int64_t k) { return term(std::size_t(rows[std::size_t(k)])); });
}

std::vector<std::int64_t> rewarded_rows(std::span<float const> rewards) {
    std::vector<std::int64_t> rows;
    for (std::size_t r = 0; r < rewards.size(); ++r) {
        if (!std::isnan(rewards[r])) {
            rows.push_back(std::int64_t(r));
        }
    }
    return rows;
}

/// (x - mean) / sqrt(variance + epsilon) over some rows, in place. The variance divides by the weights' sum less one.
/// Equal values give zeros.
void whiten(std::span<std::int64_t const> rows, std::span<std::int32_t const> length, bool token_weighted,
            double epsilon, std::vector<double>& value) {
    auto const weight = [&](std::size_t r) { return token_weighted ? double(length[r]) : 1.0; };
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
    double const scale = std::sqrt(squares / (whole - 1.0) + epsilon);
    for (std::int64_t const r : rows) {
        value[std::size_t(r)] = (value[std::size_t(r)] - mean) / scale;
    }
}

/// The standard deviation (ddof 1) of all rewards, 0 when they are equal.
double batch_deviation(std::span<float const> rewards) {
    std::vector<std::int64_t> const rows = rewarded_rows(rewards);
    if (rows.size() < 2 || std::all_of(rows.begin(), rows.end(), [&](std::int64_t r) {
            return rewards[std::size_t(r)] == rewards[std::size_t(rows[0])];
        })) {
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

/// rows / max(rows with a reward other than 0, 1)
double gpg_factor(std::span<float const> rewards) {
    std::int64_t rows = 0;
    std::int64_t nonzero = 0;
    for (float const r : rewards) {
        rows += std::isnan(r) ? 0 : 1;
        nonzero += !std::isnan(r) && r != 0.0f ? 1 : 0;
    }
    return double(rows) / double(std::max<std::int64_t>(nonzero, 1));
}

}  // namespace

group_rule rule_of(std::span<float const> rewards, advantage_spec const& spec) {
    group_rule rule;
    rule.epsilon = spec.epsilon;
    rule.lone_as_is = spec.of_one == lone_row::as_is ? 1 : 0;
    switch (spec.form) {
        case estimator::grpo: rule.scale = spec.batch_scale != 0 ? batch_deviation(rewards) + spec.epsilon : 0.0; break;
        case estimator::rloo: rule.unbiased = 1; [[fallthrough]];
        case estimator::dr_grpo: rule.form = group_form::centred; break;
        case estimator::gpg:
            rule.form = group_form::centred;
            rule.factor = gpg_factor(rewards);
            break;
        case estimator::leave_one_out: rule.form = group_form::leave_one_out; break;
        case estimator::max_rl: rule.form = group_form::over_mean; break;
        case estimator::pass_k: rule.form = group_form::best_row; break;
        default: break;
    }
    return rule;
}

namespace {

bool equal_rewards(std::span<float const> rewards, std::span<std::int64_t const> rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](std::int64_t r) { return rewards[std::size_t(r)] == rewards[std::size_t(rows[0])]; });
}

/// r - sum(length r) / sum(length) per group.
void length_weighted(advantage_inputs const& in, lone_row of_one, std::vector<double>& value) {
    each_group(in.rewards, in.group, [&](std::span<std::int64_t const> rows) {
        if (rows.size() == 1 && of_one == lone_row::as_is) {
            value[std::size_t(rows[0])] = double(in.rewards[std::size_t(rows[0])]);
            return;
        }
        double const tokens = sum_over(rows, [&](std::size_t r) { return double(in.length[r]); });
        if (equal_rewards(in.rewards, rows) || tokens == 0.0) {
            return;
        }
        double const mean =
            sum_over(rows, [&](std::size_t r) { return double(in.length[r]) * double(in.rewards[r]); }) / tokens;
        for (std::int64_t const r : rows) {
            value[std::size_t(r)] = double(in.rewards[std::size_t(r)]) - mean;
        }
    });
}

/// r - m per group, in doubles.
void centre(advantage_inputs const& in, std::vector<double>& value) {
    each_group(in.rewards, in.group, [&](std::span<std::int64_t const> rows) {
        bool const constant = equal_rewards(in.rewards, rows);
        double const mean =
            rows.empty() ? 0.0
                         : sum_over(rows, [&](std::size_t r) { return double(in.rewards[r]); }) / double(rows.size());
        for (std::int64_t const r : rows) {
            value[std::size_t(r)] = constant ? 0.0 : double(in.rewards[std::size_t(r)]) - mean;
        }
    });
}

}  // namespace

std::int64_t count_small_groups(std::span<float const> rewards, std::span<std::int32_t const> group) {
    std::int64_t count = 0;
    each_group(rewards, group, [&](std::span<std::int64_t const> rows, std::size_t whole) {
        count += whole >= least_of_river && !rows.empty() && rows.size() < least_of_river ? 1 : 0;
    });
    return count;
}

std::vector<float> engine::advantages(advantage_inputs const& in, advantage_spec const& spec) const {
    trace::range const here(verb::advantages);
    require_inputs(in, spec);
    if (spec.of_one == lone_row::refuse) {
        refuse_lone_rows(in);
    }
    std::size_t const rows = in.rewards.size();
    std::vector<float> out(rows);
    if (reads_rewards_alone(spec.form)) {
        state_->guard.run(advantages_call{in.rewards, in.group, rule_of(in.rewards, spec), out});
        return out;
    }
    std::vector<double> value(rows, 0.0);
    switch (spec.form) {
        case estimator::reinforce_pp_baseline: centre(in, value); break;
        case estimator::opo: length_weighted(in, spec.of_one, value); break;
        case estimator::decoupled:
        case estimator::gdpo: {
            group_rule const rule{.epsilon = spec.epsilon, .lone_as_is = spec.of_one == lone_row::as_is ? 1 : 0};
            for (std::size_t c = 0; c < in.columns.size(); ++c) {
                if (spec.weight[c] != 0.0) {
                    state_->guard.run(advantages_call{in.columns[c], in.group, rule, out});
                    for (std::size_t r = 0; r < rows; ++r) {
                        value[r] += spec.weight[c] * double(out[r]);
                    }
                }
            }
            break;
        }
        default:
            if (ranks_scores(spec.form)) {
                batch_ranker ranker(state_->guard, in, spec, value);
                each_group(in.rewards, in.group,
                           [&](std::span<std::int64_t const> group, std::size_t whole) { ranker.add(group, whole); });
                ranker.flush();
            } else {
                value.assign(in.rewards.begin(), in.rewards.end());
            }
    }
    if (whitens(spec.form)) {
        bool const by_cohort = spec.form == estimator::task_reinforce_pp;
        std::vector<std::int32_t> const one(by_cohort ? 0 : rows, 0);
        each_group(in.rewards, by_cohort ? in.cohort : std::span<std::int32_t const>(one),
                   [&](std::span<std::int64_t const> part) {
                       whiten(part, in.length, spec.token_weighted != 0, spec.epsilon, value);
                   });
    }
    for (std::size_t r = 0; r < rows; ++r) {
        out[r] = std::isnan(in.rewards[r]) ? 0.0f : float(value[r]);
    }
    return out;
}

std::vector<float> engine::advantages(std::span<float const> rewards, std::span<std::int32_t const> group,
                                      advantage_spec const& spec) const {
    return advantages({.rewards = rewards, .group = group}, spec);
}

}  // namespace optgap
