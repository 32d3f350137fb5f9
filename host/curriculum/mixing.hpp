#pragma once
// How tasks share the draws: integers from counters.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "optgap/curriculum.hpp"

namespace optgap {

/// Of a spec's field `mixing`. Throws error{invalid_argument} that names the field.
curriculum_mixing read_mixing(nlohmann::ordered_json const& value);
nlohmann::ordered_json written(curriculum_mixing const& mixing);

/// Per task, in permille; empty where mixing does not move. Throws error{invalid_argument} for a word without a task.
std::vector<std::int32_t> floors_of(curriculum_mixing const& mixing, std::span<curriculum_task const> tasks);
/// Per task the number of its group, the last one's for tasks in none; empty where there are no groups. Throws
/// error{invalid_argument} for a word without a task, a task in two groups, and shares that leave tasks without draws
/// or draws without a task.
std::vector<std::int32_t> groups_of(curriculum_mixing const& mixing, std::span<curriculum_task const> tasks);

/// One group's outcomes. None where fewer than two are attempts.
informative_counts group_of(curriculum_spec const& spec, rollout_counts const& counts);

/// One step of one task: its cells, ascending.
void advance_mix(curriculum_spec const& spec, std::span<curriculum_cell const> arrived, curriculum_mix& mix);

/// How much a task has to teach by its counters, in units of 2^-16; that of a task of which nothing is known is the
/// most.
std::int64_t worth(curriculum_mixing const& mixing, curriculum_mix const& mix);

struct mixing_state {
    std::span<curriculum_task const> tasks;
    std::span<std::int32_t const> floors;
    std::span<std::int32_t const> groups;
    std::span<curriculum_window const> windows;
    std::span<curriculum_mix const> mixes;
};
/// What draws are in proportion to; each at least 1, their sum below 2^63. Without mixing these are the weights.
std::vector<std::int64_t> shares_of(curriculum_mixing const& mixing, mixing_state const& state);

}  // namespace optgap
