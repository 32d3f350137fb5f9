#pragma once  // Stable.
// Selects tasks by a word, wherever several may be named.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {

/// The tasks that a word names, in their order:
///
///   all
///   tsp, tsp@1                      a task, at the version that this build carries
///   *_set, cells/*                  a pattern, in which `*` is any text, of names or of FAMILY/NAME
///   class:satisfy, family:cells, tag:graph, rlve:SubsetSum
///
/// Throws error{unknown_task} that names what there is, also for a pattern or field that fits no task.
[[nodiscard]] std::vector<std::int32_t> choose_tasks(std::string_view word, std::span<task_info const> tasks);

/// The tasks among them that may be posed in a prompt (task_info::direct). Throws error{invalid_argument} with
/// not_direct where none is left.
[[nodiscard]] std::vector<std::int32_t> choose_direct_tasks(std::string_view word, std::span<task_info const> tasks);
/// One sentence, without a full stop, on why a task that is not direct is never posed in a prompt, and what there is
/// instead.
[[nodiscard]] std::string not_direct(std::string_view name);

/// The other words for a task, for callers that match words against names themselves (curriculum_task::labels):
/// "cells/futoshiki", "class:satisfy", "family:cells", and its tags and RLVE's names with their prefixes.
[[nodiscard]] std::vector<std::string> task_labels(task_info const& info);

}  // namespace optgap
