// The advantages of a whole run's rows, and the report at its end.

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "host/reward/group_advantages.hpp"
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
    std::vector<reward_row> values;
    std::vector<std::int32_t> group, cohort, length;
    std::vector<double> objective, scores, content, style;
    std::vector<sense> direction;
    std::vector<std::int64_t> offsets(1, 0);
    bool const ranks = optgap::ranks_scores(spec.form), by_columns = reads_columns(spec.form);
    bool const by_cohort = reads_cohorts(spec.form), by_length = reads_lengths(spec);
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    values.reserve(rows.size());
    group.reserve(rows.size());
    for (graded_row const& row : rows) {
        values.push_back(row.value);
        group.push_back(row.group);
        if (by_cohort) {
            cohort.push_back(row.task);
        }
        if (by_length) {
            length.push_back(row.length);
        }
        if (by_columns) {
            objective.push_back(row.score);
            direction.push_back(row.direction);
            content.push_back(row.has_pair ? row.pair.content : none);
            style.push_back(row.has_pair ? row.pair.style : none);
        }
        if (ranks) {
            std::span<double const> const own = row.group < 0 ? std::span<double const>() : scores_of(row);
            scores.insert(scores.end(), own.begin(), own.end());
            offsets.push_back(std::int64_t(scores.size()));
        }
    }
    return group_advantages(
        engine_,
        {.rows = values,
         .group = group,
         .cohort = cohort,
         .length = length,
         .objective = objective,
         .direction = direction,
         .offsets = ranks ? std::span<std::int64_t const>(offsets) : std::span<std::int64_t const>(),
         .scores = scores,
         .content = content,
         .style = style,
         .lost = std::ranges::any_of(group, [](std::int32_t one) { return one < 0; })},
        spec);
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
