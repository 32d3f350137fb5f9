#include "host/reward/group_advantages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>

#include "host/reward/score_columns.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

constexpr double no_score = std::numeric_limits<double>::quiet_NaN();
constexpr float no_reward = std::numeric_limits<float>::quiet_NaN();
constexpr std::int32_t rows_to_rank = 4;  ///< river refuses smaller groups as a mistake in the configuration

std::size_t scores_of(compared_rows const& of, std::size_t row) {
    return of.offsets.empty() ? 0 : std::size_t(of.offsets[row + 1] - of.offsets[row]);
}

/// The number of scores of each group's rows, as its rows with a reward have it; 0: one, its objective.
std::unordered_map<std::int32_t, std::size_t> widths_of(compared_rows const& of) {
    std::unordered_map<std::int32_t, std::size_t> first;
    for (std::size_t r = 0; r < of.rows.size(); ++r) {
        if (of.group[r] < 0 || std::isnan(of.rows[r].reward)) {
            continue;
        }
        std::size_t const known = first.try_emplace(of.group[r], r).first->second;
        std::size_t const width = std::max<std::size_t>(1, scores_of(of, r));
        std::size_t const wanted = std::max<std::size_t>(1, scores_of(of, known));
        if (width != wanted) {
            misuse("group: rows " + std::to_string(known) + " and " + std::to_string(r) + " of one group have " +
                   std::to_string(wanted) + " and " + std::to_string(width) +
                   " instances: they cannot be ranked together");
        }
    }
    for (auto& [group, row] : first) {
        row = scores_of(of, row);
    }
    return first;
}

/// The rows whose groups have `width` scores, as one call.
struct ranked_call {
    std::size_t width = 0;
    std::vector<std::size_t> mine;
    std::vector<float> rewards;
    std::vector<std::int32_t> group;
    std::vector<sense> direction;
    std::vector<double> scores;

    void add(compared_rows const& of, std::size_t row) {
        mine.push_back(row);
        reward_row const& value = of.rows[row];
        rewards.push_back(value.reward);
        group.push_back(of.group[row]);
        direction.push_back(of.direction[row]);
        std::size_t const own = scores_of(of, row);
        if (own > 0 && own == std::max<std::size_t>(1, width)) {
            auto const begin = of.scores.begin() + of.offsets[row];
            scores.insert(scores.end(), begin, begin + std::ptrdiff_t(own));
        } else if (width <= 1 && own == 0) {
            bool const feasible = value.feasible > 0 && !std::isnan(value.reward) && !of.objective.empty();
            scores.push_back(feasible ? of.objective[row] : no_score);
        } else {
            scores.insert(scores.end(), width, no_score);  // masked
        }
    }
    /// Masked rows in place of lost ones.
    void fill_groups() {
        std::map<std::int32_t, std::pair<std::int32_t, sense>> known;
        for (std::size_t i = 0; i < group.size(); ++i) {
            ++known.try_emplace(group[i], 0, direction[i]).first->second.first;
        }
        for (auto const& [one, found] : known) {
            for (std::int32_t k = found.first; k < rows_to_rank; ++k) {
                rewards.push_back(no_reward);
                group.push_back(one);
                direction.push_back(found.second);
                scores.insert(scores.end(), std::max<std::size_t>(1, width), no_score);
            }
        }
    }
};

std::vector<float> ranked_advantages(engine const& by, compared_rows const& of, advantage_spec const& spec) {
    std::unordered_map<std::int32_t, std::size_t> const widths = widths_of(of);
    std::map<std::size_t, ranked_call> calls;
    for (std::size_t r = 0; r < of.rows.size(); ++r) {
        if (of.group[r] >= 0) {
            auto const known = widths.find(of.group[r]);
            std::size_t const width = known == widths.end() ? scores_of(of, r) : known->second;
            ranked_call& call = calls[width];
            call.width = width;
            call.add(of, r);
        }
    }
    std::vector<float> out(of.rows.size(), 0.0f);
    for (auto& [width, call] : calls) {
        if (of.lost) {
            call.fill_groups();
        }
        std::vector<float> const dense =
            by.advantages({.rewards = call.rewards,
                           .group = call.group,
                           .scores = call.scores,
                           .columns_of_scores = std::int32_t(std::max<std::size_t>(1, width)),
                           .direction = call.direction},
                          spec);
        for (std::size_t k = 0; k < call.mine.size(); ++k) {
            out[call.mine[k]] = dense[k];
        }
    }
    return out;
}

template <class T>
void take(std::vector<T>& to, std::span<T const> column, std::size_t row) {
    if (!column.empty()) {
        to.push_back(column[row]);
    }
}

}  // namespace

std::vector<float> group_advantages(engine const& by, compared_rows const& of, advantage_spec const& spec) {
    if (ranks_scores(spec.form)) {
        return ranked_advantages(by, of, spec);
    }
    std::vector<float> rewards;
    std::vector<std::int32_t> group, cohort, length;
    std::vector<sense> direction;
    score_columns columns;
    bool const by_columns = reads_columns(spec.form);
    rewards.reserve(of.rows.size());
    group.reserve(of.rows.size());
    for (std::size_t r = 0; r < of.rows.size(); ++r) {
        if (of.group[r] < 0) {
            continue;
        }
        rewards.push_back(of.rows[r].reward);
        group.push_back(of.group[r]);
        take(cohort, of.cohort, r);
        take(length, of.length, r);
        if (!by_columns) {
            continue;
        }
        take(direction, of.direction, r);
        double const objective = of.objective.empty() ? 0.0 : of.objective[r];
        if (!of.content.empty() && !std::isnan(of.content[r])) {
            columns.add_pair(of.rows[r], float(of.content[r]), float(of.style[r]), objective);
        } else {
            columns.add(of.rows[r], objective);
        }
    }
    std::vector<std::span<float const>> const components =
        by_columns ? columns.components() : std::vector<std::span<float const>>();
    std::vector<float> dense = by.advantages({.rewards = rewards,
                                              .group = group,
                                              .cohort = cohort,
                                              .length = length,
                                              .columns = components,
                                              .scores = columns.scores(),
                                              .direction = direction},
                                             spec);
    if (dense.size() == of.rows.size()) {
        return dense;
    }
    std::vector<float> out(of.rows.size(), 0.0f);
    for (std::size_t r = 0, next = 0; r < of.rows.size(); ++r) {
        if (of.group[r] >= 0) {
            out[r] = dense[next++];
        }
    }
    return out;
}

}  // namespace optgap
