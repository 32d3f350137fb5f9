// The curriculum's state and deltas as text. Counters are written as [attempts, correct, truncated, aborted], cells as
// [task, level, attempts, correct, truncated, aborted], and where groups are counted with [… groups, informative].

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/curriculum/cells.hpp"
#include "host/curriculum/policies.hpp"
#include "host/specs/spec_json.hpp"
#include "optgap/curriculum.hpp"
#include "optgap/key.hpp"

namespace optgap {

using namespace spec_json;

namespace {

/// Version 2 also has the counters that move the shares.
std::int32_t state_version_of(curriculum_spec const& spec) { return spec.mixing.on() ? 2 : 1; }
constexpr std::int64_t max_moved = std::int64_t(1) << 16;
constexpr std::int64_t max_sum = INT64_MAX / 2048;  ///< of a counter, so that a window's sum fits
constexpr std::pair<char const*, curriculum_status> statuses[] = {{"learning", curriculum_status::learning},
                                                                  {"at_limit", curriculum_status::at_limit},
                                                                  {"stuck", curriculum_status::stuck}};

json written(rollout_counts const& counts) {
    return json::array({counts.attempts, counts.correct, counts.truncated, counts.aborted});
}

json written(std::vector<rollout_counts> const& list) {
    json out = json::array();
    for (rollout_counts const& counts : list) {
        out.push_back(written(counts));
    }
    return out;
}

json written(std::vector<curriculum_cell> const& cells) {
    json out = json::array();
    for (auto const& [task, level, counts, of_groups] : cells) {
        out.push_back(
            json::array({task, level_name(level), counts.attempts, counts.correct, counts.truncated, counts.aborted}));
        if (of_groups.groups > 0) {
            out.back().push_back(of_groups.groups);
            out.back().push_back(of_groups.informative);
        }
    }
    return out;
}

json written_span(std::vector<curriculum_cell> const& cells) {
    json out = json::array();
    for (curriculum_cell const& cell : cells) {
        out.push_back(json::array({level_name(cell.level), cell.counts.attempts, cell.counts.correct}));
    }
    return out;
}

json written(curriculum_mix const& mix, mixing_rule by) {
    json out{{"groups", mix.recent.groups}, {"informative", mix.recent.informative}};
    if (by == mixing_rule::progress) {
        out["moved"] = mix.moved;
        out["span"] = written_span(mix.span);
        out["before"] = written_span(mix.span_before);
    }
    return out;
}

json written(curriculum_task const& task, curriculum_window const* window) {
    json out{{"name", task.name}, {"weight", task.weight}};
    if (window != nullptr) {
        out["low"] = window->low;
        out["high"] = window->high;
        out["status"] = name_of<curriculum_status>(statuses, window->status);
        out["since"] = written(window->since);
        if (!window->below.empty()) {
            out["below"] = written(window->below);
        }
        if (!window->seen.empty()) {
            out["seen"] = window->seen;
        }
    }
    return out;
}

/// A value of the text together with its place in it, for errors.
struct spot {
    json const& value;
    std::string place;

    [[noreturn]] void broken(std::string const& rule) const { refuse(place + ": " + rule); }
    [[nodiscard]] spot field(char const* name) const {
        if (!value.is_object() || !value.contains(name)) {
            broken(fmt::format("expected an object with the field {}", name));
        }
        return {value[name], place + "." + name};
    }
    [[nodiscard]] spot entry(std::size_t k) const { return {value[k], fmt::format("{}[{}]", place, k)}; }
    [[nodiscard]] std::size_t array() const {
        if (!value.is_array()) {
            broken("expected an array");
        }
        return value.size();
    }
    void array_of(std::size_t size) const {
        if (array() != size) {
            broken(fmt::format("expected {} entries, got {}", size, value.size()));
        }
    }
    [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) const {
        bool const positive = value.is_number_unsigned();
        bool const fits = value.is_number_integer() && (!positive || value.get<std::uint64_t>() <= INT64_MAX);
        if (!fits || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
            broken(fmt::format("{} is not an integer from {} to {}", value.dump(), low, high));
        }
        return value.get<std::int64_t>();
    }
    [[nodiscard]] difficulty level() const {
        if (!value.is_string()) {
            broken(value.dump() + " is not the name of a level");
        }
        try {
            return parse_level(value.get_ref<std::string const&>());
        } catch (field_error const& wrong) {
            broken(wrong.rule());
        }
    }
};

/// Four counters from entry `first` on.
rollout_counts read_counts(spot const& list, std::size_t first) {
    rollout_counts const counts{list.entry(first).integer(0, max_sum), list.entry(first + 1).integer(0, max_sum),
                                list.entry(first + 2).integer(0, max_sum), list.entry(first + 3).integer(0, max_sum)};
    if (counts.correct > counts.attempts) {
        list.broken(fmt::format("{} correct of {} attempts", counts.correct, counts.attempts));
    }
    return counts;
}

std::vector<rollout_counts> read_list(spot const& list, std::size_t size) {
    list.array_of(size);
    std::vector<rollout_counts> out;
    for (std::size_t k = 0; k < size; ++k) {
        list.entry(k).array_of(4);
        out.push_back(read_counts(list.entry(k), 0));
    }
    return out;
}

std::vector<curriculum_cell> read_cells(spot const& list, std::size_t tasks, std::int64_t most) {
    std::vector<curriculum_cell> cells;
    for (std::size_t k = 0; k < list.array(); ++k) {
        spot const cell = list.entry(k);
        bool const groups = cell.array() == 8;
        cell.array_of(groups ? 8 : 6);
        cells.push_back({std::int32_t(cell.entry(0).integer(0, INT32_MAX)), cell.entry(1).level(), read_counts(cell, 2),
                         groups
                             ? informative_counts{cell.entry(6).integer(0, max_sum), cell.entry(7).integer(0, max_sum)}
                             : informative_counts{}});
    }
    check_cells(cells, tasks, most, list.place);
    return cells;
}

std::vector<curriculum_cell> read_span(spot const& list) {
    std::vector<curriculum_cell> cells;
    for (std::size_t k = 0; k < list.array(); ++k) {
        spot const cell = list.entry(k);
        cell.array_of(3);
        cells.push_back(
            {0, cell.entry(0).level(), {cell.entry(1).integer(1, max_sum), cell.entry(2).integer(0, max_sum), 0, 0}});
    }
    check_cells(cells, 1, max_sum, list.place);
    return cells;
}

curriculum_mix read_mix(spot const& mix, mixing_rule by) {
    curriculum_mix out;
    out.recent.groups = mix.field("groups").integer(0, max_sum);
    out.recent.informative = mix.field("informative").integer(0, out.recent.groups);
    if (by == mixing_rule::progress) {
        out.moved = std::int32_t(mix.field("moved").integer(-1, max_moved));
        out.span = read_span(mix.field("span"));
        out.span_before = read_span(mix.field("before"));
    }
    return out;
}

void require_same(spot const& found, json const& expected) {
    if (found.value != expected) {
        found.broken(fmt::format("{} was saved, this curriculum has {}", found.value.dump(), expected.dump()));
    }
}

/// Reads the task's `window`, which does not move for a policy with a range.
curriculum_window read_window(spot const& task, curriculum_window window, curriculum_spec const& spec,
                              std::int64_t step) {
    if (!steps_of(spec).empty()) {
        require_same(task.field("low"), window.low);
        require_same(task.field("high"), window.high);
    }
    window.low = std::int32_t(task.field("low").integer(0, window.top));
    window.high = std::int32_t(task.field("high").integer(window.low, window.top));
    if (steps_of(spec).empty() && window.high - window.low >= spec.width) {
        task.broken(fmt::format("steps {} to {} are more than the window's {}", window.low, window.high, spec.width));
    }
    window.status = pick<curriculum_status>(task.field("status").value, task.field("status").place, statuses);
    window.since = read_list(task.field("since"), std::size_t(window.high - window.low + 1));
    window.below.clear();
    if (spec.policy == curriculum_policy::adaptive && spec.choice == step_choice::nearest) {
        std::size_t const below = std::min(max_below, std::size_t(window.low));
        // Absent where an earlier version wrote the state, or a window was placed by hand.
        window.below =
            task.value.contains("below") ? read_list(task.field("below"), below) : std::vector<rollout_counts>(below);
    }
    if (!window.seen.empty()) {
        spot const seen = task.field("seen");
        seen.array_of(window.seen.size());
        for (std::size_t k = 0; k < window.seen.size(); ++k) {
            window.seen[k] = seen.entry(k).integer(-1, step - 1);
        }
    }
    return window;
}

json parsed(std::string_view text, char const* what) {
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded() || !value.is_object()) {
        refuse(std::string(what) + ": expected a JSON object");
    }
    return value;
}

/// A field that an earlier version did not have counts as its default.
void require_spec(spot const& found, curriculum_spec const& own) {
    json const expected = json::parse(to_json(own));
    json saved;
    try {
        saved = json::parse(to_json(parse_curriculum_spec(found.value.dump())));
    } catch (error const&) {
        saved = found.value;  // the error below names both
    }
    if (saved != expected) {
        found.broken(fmt::format("{} was saved, this curriculum has {}", saved.dump(), expected.dump()));
    }
}

}  // namespace

std::string to_json(curriculum_delta const& delta) {
    return json{{"step", delta.step}, {"rank", delta.rank}, {"cells", written(delta.cells)}}.dump();
}

curriculum_delta parse_curriculum_delta(std::string_view text) {
    json const value = parsed(text, "delta");
    spot const root{value, "delta"};
    return {root.field("step").integer(0, max_steps - 1), std::int32_t(root.field("rank").integer(0, INT32_MAX)),
            read_cells(root.field("cells"), std::size_t(INT32_MAX), max_cell_count)};
}

std::string curriculum::state_dict() const {
    json tasks = json::array();
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
        tasks.push_back(written(tasks_[t], windows_.empty() ? nullptr : &windows_[t]));
        if (!mixes_.empty()) {
            tasks.back()["mix"] = written(mixes_[t], spec_.mixing.by);
        }
    }
    return json{{"optgap_curriculum", state_version_of(spec_)},
                {"spec", json::parse(to_json(spec_))},
                {"seed", seed_},
                {"step", step_},
                {"tasks", std::move(tasks)},
                {"merged", merged_},
                {"arrived", written(arrived_)},
                {"totals", written(totals_)}}
        .dump();
}

void curriculum::load_state_dict(std::string_view text) {
    json const value = parsed(text, "state");
    spot const root{value, "state"};
    require_same(root.field("optgap_curriculum"), state_version_of(spec_));
    require_spec(root.field("spec"), spec_);
    require_same(root.field("seed"), seed_);
    std::int64_t const step = root.field("step").integer(0, max_steps - 1);

    spot const tasks = root.field("tasks");
    tasks.array_of(tasks_.size());
    std::vector<curriculum_window> windows;
    std::vector<curriculum_mix> mixes;
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
        spot const task = tasks.entry(t);
        require_same(task.field("name"), tasks_[t].name);
        require_same(task.field("weight"), tasks_[t].weight);
        if (!windows_.empty()) {
            windows.push_back(read_window(task, windows_[t], spec_, step));
        }
        if (!mixes_.empty()) {
            mixes.push_back(read_mix(task.field("mix"), spec_.mixing.by));
        }
    }
    spot const ranks = root.field("merged");
    std::vector<std::int32_t> merged;
    for (std::size_t k = 0; k < ranks.array(); ++k) {
        merged.push_back(std::int32_t(ranks.entry(k).integer(k == 0 ? 0 : std::int64_t(merged.back()) + 1, INT32_MAX)));
    }
    std::vector<curriculum_cell> arrived = read_cells(root.field("arrived"), tasks_.size(), max_sum);
    std::vector<curriculum_cell> totals = read_cells(root.field("totals"), tasks_.size(), max_sum);

    step_ = step;
    windows_ = std::move(windows);
    mixes_ = std::move(mixes);
    merged_ = std::move(merged);
    arrived_ = std::move(arrived);
    totals_ = std::move(totals);
    seen_.clear();
    is_sent_ = false;
    mix();
}

}  // namespace optgap
