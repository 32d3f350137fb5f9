#pragma once
// The shares of tasks in the draws, as integers from counters.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "optgap/curriculum.hpp"

namespace optgap {

/// Reads a spec's field `mixing`. Throws error{invalid_argument} that names the field.
curriculum_mixing read_mixing(nlohmann::ordered_json const& value);
nlohmann::ordered_json written(curriculum_mixing const& mixing);

/// The floor of each task's share, in permille; empty where mixing does not move. Throws error{invalid_argument} for a
/// word without a task.
std::vector<std::int32_t> floors_of(curriculum_mixing const& mixing, std::span<curriculum_task const> tasks);
/// The number of each task's group, the last number for tasks in none; empty where there are no groups. Throws
/// error{invalid_argument} for a word without a task, a task in two groups, and shares that leave tasks without draws
/// or draws without a task.
std::vector<std::int32_t> groups_of(curriculum_mixing const& mixing, std::span<curriculum_task const> tasks);

/// Counts one group. Counts nothing where fewer than two of its rollouts are attempts.
informative_counts group_of(curriculum_spec const& spec, rollout_counts const& counts);

/// Adds one step of one task: its cells, ascending.
void advance_mix(curriculum_spec const& spec, std::span<curriculum_cell const> arrived, curriculum_mix& mix);

/// How much a task has to teach by its counters, in units of 2^-16; greatest for a task without counts.
std::int64_t worth(curriculum_mixing const& mixing, curriculum_mix const& mix);

struct mixing_state {
    std::span<curriculum_task const> tasks;
    std::span<std::int32_t const> floors;
    std::span<std::int32_t const> groups;
    std::span<curriculum_window const> windows;
    std::span<curriculum_mix const> mixes;
};
/// The numbers to which draws are proportional; each is at least 1, and their sum below 2^63. Without mixing these are
/// the weights.
std::vector<std::int64_t> shares_of(curriculum_mixing const& mixing, mixing_state const& state);

}  // namespace optgap
