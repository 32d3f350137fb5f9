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
/// where SPEC is a shape's name, an object of its fields, or "recommended": the task's own (task_info::reward). Without
/// "default" it is forge. A name takes precedence over a pattern (`cells/*`, `class:satisfy`: optgap/task_choice.hpp);
/// two patterns that fit one task must give it the same spec. "recommended" alone is short for {"default":
/// "recommended"}. Throws error{invalid_argument} that names the field, error{unknown_task} for a name that is not in
/// `tasks`.
reward_rules parse_reward_rules(std::string_view text, std::span<task_info const> tasks);

/// The rules as JSON that parse_reward_rules reads back to the same rules: one spec where all tasks share it, else the
/// default and, by its name, each task that differs from it.
std::string to_json(reward_rules const& rules, std::span<task_info const> tasks);

}  // namespace optgap
