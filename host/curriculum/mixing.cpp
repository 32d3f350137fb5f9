#include "host/curriculum/mixing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/curriculum/cells.hpp"
#include "host/curriculum/policies.hpp"
#include "host/specs/name_pattern.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

using wide = __int128;

constexpr std::int64_t full_worth = std::int64_t(1) << 16;   ///< the greatest worth
constexpr std::int64_t group_draws = std::int64_t(1) << 32;  ///< the draws of one group
constexpr std::int32_t permille = 1000;
constexpr std::int32_t usual_floor = 200;
constexpr std::int32_t progress_scale = 4;  ///< a success that moved by a quarter or more has the greatest worth

bool is_named(std::string_view word, curriculum_task const& task) {
    if (word == "all" || matches(word, task.name)) {
        return true;
    }
    return word.find_first_of(":/") != std::string_view::npos &&
           std::any_of(task.labels.begin(), task.labels.end(),
                       [&](std::string const& label) { return matches(word, label); });
}

void require_named(std::string_view word, std::string const& field, std::span<curriculum_task const> tasks) {
    if (std::none_of(tasks.begin(), tasks.end(), [&](curriculum_task const& task) { return is_named(word, task); })) {
        misuse(fmt::format("{}: '{}' names none of this curriculum's {} tasks", field, word, tasks.size()));
    }
}

/// Mean move of the success at the levels that both spans have, weighted by the attempts of the smaller side; -1 where
/// they share no level. Moves are signed until the end, so that noise of many levels cancels.
std::int32_t moved_between(std::vector<curriculum_cell> const& before, std::vector<curriculum_cell> const& now) {
    constexpr std::int64_t unit = std::int64_t(1) << 30;
    wide sum = 0, weights = 0;
    for (curriculum_cell const& cell : now) {
        auto const other = std::find_if(before.begin(), before.end(),
                                        [&](curriculum_cell const& old) { return old.level == cell.level; });
        if (other == before.end() || cell.counts.attempts == 0 || other->counts.attempts == 0) {
            continue;
        }
        auto const success = [](rollout_counts const& counts) { return wide(counts.correct) * unit / counts.attempts; };
        std::int64_t const weight = std::min(cell.counts.attempts, other->counts.attempts);
        sum += weight * (success(cell.counts) - success(other->counts));
        weights += weight;
    }
    return weights == 0 ? -1 : std::int32_t((sum < 0 ? -sum : sum) / weights * full_worth / unit);
}

/// Computes the shares of the tasks `members`, which add up to at most `group_draws`.
void share_among(std::vector<std::size_t> const& members, mixing_state const& state,
                 std::vector<std::int64_t> const& worths, std::vector<std::int64_t>& out) {
    wide weights = 0, worth_sum = 0;
    for (std::size_t const t : members) {
        weights += state.tasks[t].weight;
        worth_sum += wide(state.tasks[t].weight) * worths[t];
    }
    std::int64_t left = group_draws;
    for (std::size_t const t : members) {
        std::int32_t const floor = worth_sum == 0 ? permille : state.floors[t];
        out[t] = std::max(std::int64_t(1),
                          std::int64_t(wide(group_draws) * state.tasks[t].weight * floor / (weights * permille)));
        left -= out[t];
    }
    for (std::size_t const t : members) {
        out[t] +=
            worth_sum == 0
                ? 0
                : std::int64_t(wide(std::max<std::int64_t>(left, 0)) * state.tasks[t].weight * worths[t] / worth_sum);
    }
}

}  // namespace

std::vector<std::int32_t> floors_of(curriculum_mixing const& mixing, std::span<curriculum_task const> tasks) {
    if (!mixing.moves()) {
        return {};
    }
    std::vector<std::int32_t> floors(tasks.size(), usual_floor);
    for (auto entry = mixing.floors.rbegin(); entry != mixing.floors.rend(); ++entry) {
        require_named(entry->tasks, "curriculum.mixing.floor", tasks);
        for (std::size_t t = 0; t < tasks.size(); ++t) {
            floors[t] = is_named(entry->tasks, tasks[t]) ? entry->permille : floors[t];
        }
    }
    return floors;
}

std::vector<std::int32_t> groups_of(curriculum_mixing const& mixing, std::span<curriculum_task const> tasks) {
    if (mixing.on() && tasks.size() == 1) {
        misuse("curriculum.mixing: there is nothing to mix with one task");
    }
    if (mixing.groups.empty()) {
        return {};
    }
    std::vector<std::int32_t> group(tasks.size(), -1);
    std::int32_t left = permille;
    for (std::size_t g = 0; g < mixing.groups.size(); ++g) {
        std::string const field = fmt::format("curriculum.mixing.groups[{}].tasks", g);
        left -= mixing.groups[g].share;
        for (std::string const& word : mixing.groups[g].tasks) {
            require_named(word, field, tasks);
            for (std::size_t t = 0; t < tasks.size(); ++t) {
                if (!is_named(word, tasks[t])) {
                    continue;
                }
                if (group[t] >= 0 && group[t] != std::int32_t(g)) {
                    misuse(fmt::format("{}: {} is in groups[{}], too", field, tasks[t].name, group[t]));
                }
                group[t] = std::int32_t(g);
            }
        }
    }
    auto const lone = std::find(group.begin(), group.end(), -1);
    bool const rest = lone != group.end();
    if (rest && left == 0) {
        misuse(fmt::format("curriculum.mixing.groups: their shares are all 1000 permille, which leaves none for {}",
                           tasks[std::size_t(lone - group.begin())].name));
    }
    if (!rest && left > 0) {
        misuse(
            fmt::format("curriculum.mixing.groups: their shares are {} permille, but no task is left for the other {}",
                        permille - left, left));
    }
    if (!rest && mixing.groups.size() == 1) {
        misuse("curriculum.mixing.groups: one group of all tasks changes nothing");
    }
    std::replace(group.begin(), group.end(), -1, std::int32_t(mixing.groups.size()));
    return group;
}

informative_counts group_of(curriculum_spec const& spec, rollout_counts const& counts) {
    std::int64_t const attempts = tried(spec, counts);
    return attempts < 2 ? informative_counts{}
                        : informative_counts{1, counts.correct > 0 && counts.correct < attempts ? 1 : 0};
}

void advance_mix(curriculum_spec const& spec, std::span<curriculum_cell const> arrived, curriculum_mix& mix) {
    bool const spans = spec.mixing.by == mixing_rule::progress;
    std::vector<curriculum_cell> seen;
    for (curriculum_cell const& cell : arrived) {
        mix.recent += cell.of_groups;
        if (std::int64_t const attempts = tried(spec, cell.counts); spans && attempts > 0) {
            seen.push_back({0, cell.level, {attempts, cell.counts.correct, 0, 0}});
        }
    }
    add_cells(mix.span, seen);
    if (mix.recent.groups < spec.mixing.memory) {
        return;
    }
    if (!spans) {
        mix.recent = {mix.recent.groups / 2, mix.recent.informative / 2};
        return;
    }
    mix.moved = moved_between(mix.span_before, mix.span);
    mix.span_before = std::move(mix.span);
    mix.span.clear();
    mix.recent = {};
}

std::int64_t worth(curriculum_mixing const& mixing, curriculum_mix const& mix) {
    if (mixing.by == mixing_rule::progress) {
        return mix.moved < 0 ? full_worth
                             : std::min<std::int64_t>(full_worth, std::int64_t(mix.moved) * progress_scale);
    }
    // As if one more group had been informative, so that new tasks are tried.
    return std::int64_t((wide(mix.recent.informative) + 1) * full_worth / (wide(mix.recent.groups) + 1));
}

std::vector<std::int64_t> shares_of(curriculum_mixing const& mixing, mixing_state const& state) {
    std::size_t const count = state.tasks.size();
    std::vector<std::int64_t> shares(count);
    if (!mixing.on()) {
        std::transform(state.tasks.begin(), state.tasks.end(), shares.begin(),
                       [](curriculum_task const& task) { return std::int64_t(task.weight); });
        return shares;
    }
    std::vector<std::int64_t> worths(count, 0);  // all 0: by weight
    for (std::size_t t = 0; t < state.mixes.size(); ++t) {
        bool const frozen = !state.windows.empty() && state.windows[t].status != curriculum_status::learning;
        worths[t] = frozen ? 0 : worth(mixing, state.mixes[t]);
    }
    std::vector<std::vector<std::size_t>> members(mixing.groups.size() + 1);
    for (std::size_t t = 0; t < count; ++t) {
        members[state.groups.empty() ? 0 : std::size_t(state.groups[t])].push_back(t);
    }
    std::int32_t left = permille;
    for (std::size_t g = 0; g < members.size(); ++g) {
        share_among(members[g], state, worths, shares);
        std::int32_t const share = g < mixing.groups.size() ? mixing.groups[g].share : left;
        left -= share;
        for (std::size_t const t : members[g]) {
            shares[t] *= state.groups.empty() ? 1 : share;
        }
    }
    return shares;
}

}  // namespace optgap
