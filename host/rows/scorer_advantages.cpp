// The advantages of a whole run's rows, and the report at its end.

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "host/reward/score_columns.hpp"
#include "host/rows/scorer.hpp"

namespace optgap::rows {
namespace {

/// Returns one entry for each row that each group lacks. river refuses groups of fewer than four rows as a mistake in
/// the configuration. A rejected row may have belonged to any group, so where a file has some, small groups may be the
/// result of masking.
std::vector<std::int32_t> rows_lacking(std::span<graded_row const> rows, std::span<std::int32_t const> group) {
    bool const lost = std::any_of(rows.begin(), rows.end(), [](graded_row const& row) { return row.group < 0; });
    std::map<std::int32_t, std::int32_t> count;
    for (std::int32_t const one : group) {
        ++count[one];
    }
    std::vector<std::int32_t> out;
    for (auto const& [one, found] : count) {
        for (std::int32_t k = found; lost && k < 4; ++k) {
            out.push_back(one);
        }
    }
    return out;
}

}  // namespace

/// Advantages of ranking estimators. Groups whose rows have equally many scores are one call.
std::vector<float> scorer::ranked(std::span<graded_row const> rows, advantage_spec const& spec) const {
    std::map<std::size_t, std::vector<std::size_t>> by_width;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].group >= 0) {
            by_width[scores_of(rows[i]).size()].push_back(i);
        }
    }
    std::vector<float> out(rows.size(), 0.0f);
    for (auto const& [width, mine] : by_width) {
        std::vector<float> rewards;
        std::vector<std::int32_t> group;
        std::vector<sense> direction;
        std::vector<double> scores;
        score_columns columns;
        for (std::size_t const i : mine) {
            graded_row const& row = rows[i];
            rewards.push_back(row.value.reward);
            group.push_back(row.group);
            direction.push_back(row.direction);
            columns.add(row.value, row.score);
            if (width > 0) {
                std::span<double const> const own = scores_of(row);
                scores.insert(scores.end(), own.begin(), own.end());
            }
        }
        for (std::int32_t const one : rows_lacking(rows, group)) {
            rewards.push_back(std::numeric_limits<float>::quiet_NaN());
            group.push_back(one);
            direction.push_back(direction[std::size_t(std::find(group.begin(), group.end(), one) - group.begin())]);
            columns.add({}, 0.0);
            scores.insert(scores.end(), width, 0.0);
        }
        std::vector<float> const dense =
            engine_.advantages({.rewards = rewards,
                                .group = group,
                                .scores = width == 0 ? columns.scores() : std::span<double const>(scores),
                                .columns_of_scores = std::int32_t(std::max<std::size_t>(1, width)),
                                .direction = direction},
                               spec);
        for (std::size_t k = 0; k < mine.size(); ++k) {
            out[mine[k]] = dense[k];
        }
    }
    return out;
}

std::vector<float> scorer::advantages(std::span<graded_row const> rows) const {
    if (!roles_.by_role) {
        return advantages_by(rows, advantage_);
    }
    std::vector<float> out(rows.size(), 0.0f);
    for (std::size_t r = 0; r < std::size_t(role_count); ++r) {
        std::vector<graded_row> own(rows.begin(), rows.end());
        for (graded_row& row : own) {
            row.group = row.of_role == role(r) ? row.group : -1;
        }
        role_estimator const& how = roles_.of[r];
        std::vector<float> const found = how.running ? run_along(own, how) : advantages_by(own, how.spec);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            out[i] += found[i];
        }
    }
    return out;
}

/// Takes rows in their order, with running means that begin in this file. Rows without a group get 0.
std::vector<float> scorer::run_along(std::span<graded_row const> rows, role_estimator const& how) {
    std::vector<float> rewards;
    std::vector<std::int32_t> cohort;
    for (graded_row const& row : rows) {
        rewards.push_back(row.group < 0 ? std::numeric_limits<float>::quiet_NaN() : row.value.reward);
        cohort.push_back(row.task);
    }
    running_means means;
    return running_advantages(rewards, cohort, how, means);
}

std::vector<float> scorer::advantages_by(std::span<graded_row const> rows, advantage_spec const& spec) const {
    if (ranks_scores(spec.form)) {
        return ranked(rows, spec);
    }
    std::vector<float> rewards;
    std::vector<std::int32_t> group, cohort, length;
    std::vector<sense> direction;
    score_columns columns;
    for (graded_row const& row : rows) {
        if (row.group >= 0) {
            rewards.push_back(row.value.reward);
            group.push_back(row.group);
            cohort.push_back(row.task);
            length.push_back(row.length);
            direction.push_back(row.direction);
            if (row.has_pair) {
                columns.add_pair(row.value, float(row.pair.content), float(row.pair.style), row.score);
            } else {
                columns.add(row.value, row.score);
            }
        }
    }
    std::vector<std::span<float const>> const components = columns.components();
    std::vector<float> const dense = engine_.advantages({.rewards = rewards,
                                                         .group = group,
                                                         .cohort = cohort,
                                                         .length = length,
                                                         .columns = components,
                                                         .scores = columns.scores(),
                                                         .direction = direction},
                                                        spec);
    std::vector<float> out(rows.size(), 0.0f);
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].group >= 0) {
            out[i] = dense[next++];
        }
    }
    return out;
}

group_filter scorer::filter(std::span<graded_row const> rows, std::span<std::int32_t const> cell,
                            std::int32_t cells) const {
    std::vector<float> rewards, length_penalty;
    std::vector<std::int32_t> group, cell_of;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].group >= 0) {
            rewards.push_back(rows[i].value.reward);
            length_penalty.push_back(rows[i].value.length_penalty);
            group.push_back(rows[i].group);
            if (!cell.empty()) {
                cell_of.push_back(cell[i]);
            }
        }
    }
    group_filter out = filter_groups(rewards, group, cell_of, cells, length_penalty);
    std::vector<std::uint8_t> keep(rows.size(), 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        keep[i] = rows[i].group >= 0 ? out.keep[next++] : std::uint8_t(0);
    }
    out.keep = std::move(keep);
    return out;
}

run_report scorer::report(std::span<graded_row const> rows) const {
    run_report out;
    if (!snapshot_hash_.empty()) {
        out.note(baselines_->sentence());
    }
    for (auto const& kind : kinds_) {
        kind->tell(out);
    }
    if (advantage_.form == estimator::river) {
        std::vector<float> rewards;
        std::vector<std::int32_t> group;
        for (graded_row const& row : rows) {
            if (row.group >= 0) {
                rewards.push_back(row.value.reward);
                group.push_back(row.group);
            }
        }
        for (std::int32_t const one : rows_lacking(rows, group)) {
            rewards.push_back(std::numeric_limits<float>::quiet_NaN());
            group.push_back(one);
        }
        if (std::int64_t const small = count_small_groups(rewards, group); small > 0) {
            out.note(fmt::format("{} group{} of fewer than 4 rows with a reward: of_small says what they get", small,
                                 small == 1 ? "" : "s"));
        }
    }
    return out;
}

}  // namespace optgap::rows
