// Of a whole file's rows: their advantages, and what is said at its end.

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "host/reward/score_columns.hpp"
#include "tools/cli/pay/scorer.hpp"

namespace optgap::cli {
namespace {

/// river refuses groups of fewer than four rows, as a mistake in the configuration. A rejected row may have belonged to
/// any group: where a file has some, such groups are those that masking left small. One entry for each row that each
/// group lacks.
std::vector<std::int32_t> rows_lacking(std::span<scored_row const> rows, std::span<std::int32_t const> group) {
    bool const lost = std::any_of(rows.begin(), rows.end(), [](scored_row const& row) { return row.group < 0; });
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

/// Of estimators that rank: groups whose rows have equally many scores are one call.
std::vector<float> scorer::ranked(std::span<scored_row const> rows, advantage_spec const& spec) const {
    std::map<std::size_t, std::vector<std::size_t>> by_width;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].group >= 0) {
            program_details const* const program = program_of(rows[i]);
            by_width[program == nullptr ? 0 : program->scores.size()].push_back(i);
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
            scored_row const& row = rows[i];
            rewards.push_back(row.value.reward);
            group.push_back(row.group);
            direction.push_back(row.direction);
            columns.add(row.value, row.score);
            if (width > 0) {
                std::vector<double> const& own = program_of(row)->scores;
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

std::vector<float> scorer::advantages(std::span<scored_row const> rows) const {
    if (!roles_.by_role) {
        return advantages_by(rows, advantage_);
    }
    std::vector<float> out(rows.size(), 0.0f);
    for (std::size_t r = 0; r < std::size_t(role_count); ++r) {
        std::vector<scored_row> own(rows.begin(), rows.end());
        for (scored_row& row : own) {
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

/// Rows in their order, with means that begin in this file; 0 for rows without a group.
std::vector<float> scorer::run_along(std::span<scored_row const> rows, role_estimator const& how) {
    std::vector<float> rewards;
    std::vector<std::int32_t> cohort;
    for (scored_row const& row : rows) {
        rewards.push_back(row.group < 0 ? std::numeric_limits<float>::quiet_NaN() : row.value.reward);
        cohort.push_back(row.task);
    }
    running_means means;
    return running_advantages(rewards, cohort, how, means);
}

std::vector<float> scorer::advantages_by(std::span<scored_row const> rows, advantage_spec const& spec) const {
    if (ranks_scores(spec.form)) {
        return ranked(rows, spec);
    }
    std::vector<float> rewards;
    std::vector<std::int32_t> group, cohort, length;
    std::vector<sense> direction;
    score_columns columns;
    for (scored_row const& row : rows) {
        if (row.group >= 0) {
            rewards.push_back(row.value.reward);
            group.push_back(row.group);
            cohort.push_back(row.task);
            length.push_back(row.length);
            direction.push_back(row.direction);
            if (row.chain >= 0) {
                columns.add_pair(row.value, row.pair.content, row.pair.style, row.score);
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

void scorer::report(std::span<scored_row const> rows) {
    if (snapshot_ != nullptr) {
        ctx_.note(snapshot_->sentence());
    }
    programs_.report(ctx_.json);
    if (advantage_.form == estimator::river) {
        std::vector<float> rewards;
        std::vector<std::int32_t> group;
        for (scored_row const& row : rows) {
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
            ctx_.note(fmt::format("{} group{} of fewer than 4 rows with a reward: of_small says what they get", small,
                                  small == 1 ? "" : "s"));
        }
    }
    if (beat_unproven_ > 0) {
        ctx_.note(
            fmt::format("{} answer{} beat a baseline that is not proven: quality is clipped to 1, raw_ratio is not",
                        beat_unproven_, beat_unproven_ == 1 ? "" : "s"));
    }
    if (beat_proven_ > 0) {
        ctx_.warn(fmt::format(
            "ALARM: {} answer{} beat a baseline that is said to be proven: the baseline or a verifier is wrong",
            beat_proven_, beat_proven_ == 1 ? "" : "s"));
    }
}

}  // namespace optgap::cli
