// Group-relative advantages: the inputs of each estimator, and the parts that need more than one group.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "host/engine/batch_ranks.hpp"
#include "host/engine/engine_state.hpp"
#include "host/engine/group_rules.hpp"
#include "host/process/trace.hpp"
#include "host/reward/advantage_groups.hpp"
#include "kernels/reward/estimator_batch.hpp"
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

void require_inputs(advantage_inputs const& in, advantage_spec const& spec) {
    std::size_t const rows = in.rewards.size();
    require_rows("group", in.group, rows);
    auto const infinite = [](float reward) { return std::fabs(reward) == std::numeric_limits<float>::infinity(); };
    if (count_of(in.rewards, infinite) > 0) {
        auto const first = std::find_if(in.rewards.begin(), in.rewards.end(), infinite) - in.rewards.begin();
        misuse("rewards: row " + std::to_string(first) + " is infinite; expected a number, or NaN for no reward");
    }
    estimator_entry const& entry = estimator_of(spec.form);
    if (entry.info->reads.cohort) {
        require_rows("cohort", in.cohort, rows);
    }
    if (entry.reads_lengths(spec)) {
        require_rows("length", in.length, rows);
        for (std::size_t r = 0; r < rows; ++r) {
            if (in.length[r] < 0) {
                misuse("length: row " + std::to_string(r) + " has " + std::to_string(in.length[r]) +
                       " tokens, expected 0 or more");
            }
        }
    }
    if (entry.info->reads.components) {
        if (in.columns.size() != std::size_t(component_count)) {
            misuse("columns: this estimator reads one column per component, expected " +
                   std::to_string(component_count) + ", got " + std::to_string(in.columns.size()));
        }
        for (std::size_t c = 0; c < in.columns.size(); ++c) {
            if (reads_component(spec, reward_component(c))) {
                require_rows("columns", in.columns[c], rows);
            }
        }
    }
    if (entry.info->reads.scores && !in.scores.empty()) {
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

/// A batch of the engine's.
class engine_batch final : public estimator_batch {
public:
    engine_batch(executor& by, advantage_inputs const& inputs, std::span<double> values)
        : estimator_batch(inputs, values), by_(by) {}

    void each_group(std::span<std::int32_t const> ids, std::function<void(rows)> const& visit) override {
        optgap::each_group(in.rewards, ids, [&](rows found) { visit(found); });
    }
    std::span<float const> by_group(std::span<float const> column, advantage_spec const& spec) override {
        out_.resize(column.size());
        by_.run(advantages_call{column, in.group, rule_of(column, spec), out_});
        return out_;
    }

private:
    executor& by_;
    std::vector<float> out_;
};

/// Group by group on this thread, with all that the estimator reads.
void by_host(estimator_entry const& entry, advantage_inputs const& in, group_rule const& rule, std::span<float> out) {
    std::vector<std::int64_t> begin{0};
    std::vector<std::int64_t> order;
    each_group(in.rewards, in.group, [&](std::span<std::int64_t const> rows) {
        order.insert(order.end(), rows.begin(), rows.end());
        begin.push_back(std::int64_t(order.size()));
    });
    entry.groups({in.rewards.data(), begin.data(), order.data(), 0, std::int64_t(begin.size()) - 1, out.data(), &in},
                 rule);
}

}  // namespace

group_rule rule_of(std::span<float const> rewards, advantage_spec const& spec) {
    estimator_entry const& entry = estimator_of(spec.form);
    return {spec, entry.constant != nullptr ? entry.constant(rewards, spec) : 0.0};
}

std::int64_t count_small_groups(std::span<float const> rewards, std::span<std::int32_t const> group) {
    std::int64_t count = 0;
    each_group(rewards, group, [&](std::span<std::int64_t const> rows, std::size_t whole) {
        std::size_t const least = std::size_t(estimator_of(estimator::river).info->min_rows);
        count += whole >= least && !rows.empty() && rows.size() < least ? 1 : 0;
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
    estimator_entry const& entry = estimator_of(spec.form);
    if (entry.reads_rewards_alone()) {
        state_->guard.run(advantages_call{in.rewards, in.group, rule_of(in.rewards, spec), out});
        return out;
    }
    if (entry.groups != nullptr) {
        by_host(entry, in, rule_of(in.rewards, spec), out);
        return out;
    }
    std::vector<double> value(rows, 0.0);
    if (entry.scores != nullptr) {
        batch_ranker ranker(state_->guard, in, spec, value);
        each_group(in.rewards, in.group,
                   [&](std::span<std::int64_t const> group, std::size_t whole) { ranker.add(group, whole); });
        ranker.flush();
    } else {
        engine_batch batch(state_->guard, in, value);
        entry.batch(batch, spec);
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
