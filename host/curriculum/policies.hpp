#pragma once
// What the policies decide at the end of a step, from counters alone.

#include <span>

#include "optgap/curriculum.hpp"

namespace optgap {

/// Does the Wilson interval of correct / attempts lie at or above `share`? The same as a score test of that share, so
/// it needs no root: (a - n p)^2 >= z^2 n p (1 - p).
bool surely_above(std::int64_t correct, std::int64_t attempts, double share, double z);
/// Does it lie at or below?
bool surely_below(std::int64_t correct, std::int64_t attempts, double share, double z);

/// The window a task starts with, below a limit.
curriculum_window first_window(curriculum_spec const& spec, std::int32_t top);
/// One step of one task: adds the step's cells of this task to the window's counts and moves the window.
void advance(curriculum_spec const& spec, std::span<curriculum_cell const> arrived, curriculum_window& window);

/// The stage (0, 1, 2) of a step; `word` is the draw's random word, for the mixed order.
std::int32_t stage_of(curriculum_spec const& spec, std::int64_t step, std::uint32_t word);

}  // namespace optgap
