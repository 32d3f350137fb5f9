#include "optgap/curriculum.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "host/curriculum/cells.hpp"
#include "host/curriculum/mixing.hpp"
#include "host/curriculum/policies.hpp"
#include "kernels/core/rng.hpp"
#include "optgap/key.hpp"
#include "optgap/status.hpp"
#include "optgap/suites/suite.hpp"

namespace optgap {
namespace {

constexpr std::uint32_t curriculum_domain = 0x63757272;  ///< of the random words: "curr"
constexpr std::int32_t max_weight = 1'000'000;
constexpr std::size_t max_tasks = 1'000'000;

/// Whether a level may be given: under a prompt limit, it must be listed with prompts that are short enough.
bool fits(curriculum_spec const& spec, curriculum_task const& task, difficulty level) {
    if (spec.max_prompt_chars == 0) {
        return true;
    }
    return std::any_of(task.prompts.begin(), task.prompts.end(), [&](prompt_size const& size) {
        return size.level == level && size.chars <= spec.max_prompt_chars;
    });
}

void require_fit(curriculum_spec const& spec, curriculum_task const& task, difficulty level) {
    if (!fits(spec, task, level)) {
        misuse(fmt::format("curriculum: task {} has no prompts of at most {} characters at level {}", task.name,
                           spec.max_prompt_chars, level_name(level)));
    }
}

/// The last of the steps `first`, `first` + 1, … that all fit.
std::int32_t top_of(curriculum_spec const& spec, curriculum_task const& task, std::int32_t first) {
    if (spec.max_prompt_chars == 0) {
        return max_scale_step;
    }
    require_fit(spec, task, difficulty::scale(first));
    std::vector<std::int32_t> steps;
    for (prompt_size const& size : task.prompts) {
        if (size.level.on_scale() && size.chars <= spec.max_prompt_chars) {
            steps.push_back(size.level.code);
        }
    }
    std::sort(steps.begin(), steps.end());
    std::int32_t next = first;
    for (std::int32_t const d : steps) {
        next += d == next ? 1 : 0;
    }
    return next - 1;
}

void check_tasks(std::vector<curriculum_task> const& tasks) {
    if (tasks.empty() || tasks.size() > max_tasks) {
        misuse(fmt::format("curriculum: {} tasks; expected 1 to {}", tasks.size(), max_tasks));
    }
    for (curriculum_task const& task : tasks) {
        if (task.weight < 1 || task.weight > max_weight) {
            misuse(
                fmt::format("curriculum: task {} has weight {}; expected 1 to {}", task.name, task.weight, max_weight));
        }
    }
}

void keep_out(curriculum_spec const& spec, std::vector<curriculum_task> const& tasks) {
    std::vector<std::string> names;
    for (curriculum_task const& task : tasks) {
        names.push_back(task.name);
    }
    refuse_held_out(spec.held_out, names, "curriculum.held_out");
}

}  // namespace

rollout_outcome outcome_of(curriculum_spec const& spec, bool feasible, double quality, finish how) {
    if (how == finish::length) {
        return rollout_outcome::truncated;
    }
    if (how == finish::abort) {
        return rollout_outcome::aborted;
    }
    return feasible && quality >= spec.threshold ? rollout_outcome::correct : rollout_outcome::wrong;
}

curriculum::curriculum(curriculum_spec const& spec, std::vector<curriculum_task> tasks, std::uint64_t seed)
    : spec_(parse_curriculum_spec(to_json(spec))), tasks_(std::move(tasks)), seed_(seed) {
    check_tasks(tasks_);
    keep_out(spec_, tasks_);
    floors_ = floors_of(spec_.mixing, tasks_);
    groups_ = groups_of(spec_.mixing, tasks_);
    mixes_.resize(spec_.mixing.moves() ? tasks_.size() : 0);
    scale_range const range = steps_of(spec_);
    for (curriculum_task const& task : tasks_) {
        if (spec_.policy == curriculum_policy::fixed && !range.empty()) {
            std::int32_t const last = std::min(range.high, top_of(spec_, task, range.low));
            given_.insert(given_.end(), {difficulty::scale(range.low), difficulty::scale(last), {}});
        } else if (spec_.policy == curriculum_policy::fixed) {
            require_fit(spec_, task, spec_.level);
            given_.insert(given_.end(), 3, spec_.level);
        } else if (spec_.policy == curriculum_policy::stages) {
            difficulty last = difficulty::easy();
            require_fit(spec_, task, last);
            for (difficulty const stage : {difficulty::easy(), difficulty::medium(), difficulty::hard()}) {
                last = fits(spec_, task, stage) ? stage : last;
                given_.push_back(last);
            }
        } else {
            windows_.push_back(first_window(spec_, top_of(spec_, task, range.low)));
        }
    }
    mix();
}

std::vector<std::int64_t> curriculum::shares() const {
    return shares_of(spec_.mixing, {tasks_, floors_, groups_, windows_, mixes_});
}

void curriculum::mix() {
    weight_before_ = shares();
    std::partial_sum(weight_before_.begin(), weight_before_.end(), weight_before_.begin());
}

difficulty curriculum::level_for(std::int32_t task, std::uint32_t word, std::uint64_t seed) const {
    if (given_.empty()) {
        return difficulty::scale(step_for(spec_, windows_[std::size_t(task)], step_, word, seed));
    }
    difficulty const* const given = &given_[std::size_t(3) * std::size_t(task)];
    if (spec_.policy == curriculum_policy::stages) {
        return given[stage_of(spec_, step_, word)];
    }
    return spec_.range.empty() ? given[0] : difficulty::scale(to_range(word, given[0].code, given[1].code));
}

curriculum_draw curriculum::draw(std::int64_t index) const {
    if (index < 0 || index >= max_steps) {
        misuse(fmt::format("curriculum.draw: index {} is not from 0 to {}", index, max_steps - 1));
    }
    philox_block const random = random_block({seed_, curriculum_domain}, std::uint32_t(step_), std::uint32_t(index));
    // 64 random bits times the sum of the weights: the integer part picks the task, the fraction is the level's word.
    std::uint64_t const bits = std::uint64_t(random.word[0]) << 32 | random.word[1];
    auto const product = static_cast<unsigned __int128>(bits) * std::uint64_t(weight_before_.back());
    auto const chosen = std::upper_bound(weight_before_.begin(), weight_before_.end(), std::int64_t(product >> 64));
    std::int32_t const task = std::int32_t(chosen - weight_before_.begin());
    std::uint64_t const seed = std::uint64_t(random.word[2]) << 32 | random.word[3];
    return {task, level_for(task, std::uint32_t(product >> 32), seed), seed};
}

void curriculum::observe(std::int32_t task, difficulty level, std::span<rollout_outcome const> group) {
    std::int64_t seen[4] = {};
    for (rollout_outcome const outcome : group) {
        ++seen[std::size_t(outcome) & 3];
    }
    auto const [wrong, correct, truncated, aborted] = seen;
    curriculum_cell cell{task, level, {wrong + correct, correct, truncated, aborted}};
    bool const finished_groups = spec_.policy == curriculum_policy::window && spec_.rule == window_rule::public_code;
    if (finished_groups && cell.counts.aborted > 0) {
        cell.counts = {0, 0, 0, std::int64_t(group.size())};
    }
    if (spec_.mixing.moves()) {
        cell.of_groups = group_of(spec_, cell.counts);
    }
    check_cells({&cell, 1}, tasks_.size(), max_cell_count, "curriculum.observe");
    seen_.push_back(cell);
    if (seen_.size() >= compact_at_) {
        compact(seen_, tasks_.size());
        compact_at_ = std::max<std::size_t>(4096, 2 * seen_.size());
    }
}

curriculum_delta const& curriculum::delta(std::int32_t rank) {
    if (!is_sent_) {
        compact(seen_, tasks_.size());
        sent_.step = step_;
        sent_.rank = rank;
        sent_.cells.swap(seen_);
        seen_.clear();
        is_sent_ = true;
    }
    if (sent_.rank != rank) {
        misuse(fmt::format("curriculum.delta: rank {} asks for what rank {} saw", rank, sent_.rank));
    }
    return sent_;
}

bool curriculum::merge(curriculum_delta const& delta) {
    if (delta.step != step_) {
        misuse(fmt::format("delta.step: {} while the curriculum is at step {}", delta.step, step_));
    }
    if (delta.rank < 0) {
        misuse(fmt::format("delta.rank: {} is below 0", delta.rank));
    }
    auto const place = std::lower_bound(merged_.begin(), merged_.end(), delta.rank);
    if (place != merged_.end() && *place == delta.rank) {
        return false;
    }
    check_cells(delta.cells, tasks_.size(), max_cell_count, "delta.cells");
    merged_.insert(place, delta.rank);
    add_cells(arrived_, delta.cells);
    return true;
}

void curriculum::step() {
    if (step_ + 1 == max_steps) {
        misuse(fmt::format("curriculum.step: {} steps are all there are", max_steps));
    }
    for (std::size_t first = 0, last = 0; first < arrived_.size(); first = last) {
        std::int32_t const task = arrived_[first].task;
        while (last < arrived_.size() && arrived_[last].task == task) {
            ++last;
        }
        std::span<curriculum_cell const> const own = std::span(arrived_).subspan(first, last - first);
        if (!windows_.empty()) {
            advance(spec_, own, step_, windows_[std::size_t(task)]);
        }
        if (!mixes_.empty()) {
            advance_mix(spec_, own, mixes_[std::size_t(task)]);
        }
    }
    if (!arrived_.empty()) {
        mix();
    }
    add_cells(totals_, arrived_);
    arrived_.clear();
    merged_.clear();
    is_sent_ = false;
    ++step_;
}

bool curriculum::finished() const {
    return spec_.policy == curriculum_policy::stages && spec_.order == stage_order::in_turn &&
           step_ >= std::int64_t(spec_.pass_steps) * spec_.passes;
}

}  // namespace optgap
