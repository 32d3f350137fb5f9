#pragma once  // Stable.
// Rewards per task, as text.

#include <span>
#include <string>
#include <string_view>

#include "optgap/engine.hpp"
#include "optgap/reward.hpp"

namespace optgap {

/// Reads what parse_reward_spec reads, for every task, or
///
///   {"default": SPEC, "tasks": {"futoshiki": SPEC, "*_set": SPEC}}
///
/// where SPEC is a shape's name, an object of its fields, or "recommended": the task's own (task_info::reward). The
/// default's default is forge. A name stands before a pattern (`cells/*`, `class:satisfy`: optgap/task_choice.hpp); of
/// two patterns that fit one task both must say the same. "recommended" alone is short for {"default": "recommended"}.
/// Throws error{invalid_argument} that names the field, error{unknown_task} for a name that is none of `tasks`.
reward_rules parse_reward_rules(std::string_view text, std::span<task_info const> tasks);

/// As JSON that parse_reward_rules reads back to the same rules: a spec where all tasks have one, else each task that
/// differs from the default by its name.
std::string to_json(reward_rules const& rules, std::span<task_info const> tasks);

}  // namespace optgap
