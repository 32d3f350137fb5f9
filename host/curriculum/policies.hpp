#pragma once
// The decisions of the policies at the end of a step, from counters alone.

#include <span>

#include "kernels/core/rng.hpp"
#include "optgap/curriculum.hpp"

namespace optgap {

/// Whether the Wilson interval of correct / attempts lies at or above `share`. This equals a score test of that share,
/// so it needs no root: (a - n p)^2 >= z^2 n p (1 - p).
bool surely_above(std::int64_t correct, std::int64_t attempts, double share, double z);
/// Whether it lies at or below.
bool surely_below(std::int64_t correct, std::int64_t attempts, double share, double z);

/// Attempts as the rules see them.
std::int64_t tried(curriculum_spec const& spec, rollout_counts const& counts);

/// Each counter times a fraction, rounded down.
rollout_counts times(rollout_counts const& counts, std::int64_t numerator, std::int64_t denominator);

/// The first window of a task whose highest allowed step is `top`.
curriculum_window first_window(curriculum_spec const& spec, std::int32_t top);
/// One step of one task: adds the step's cells of this task, ascending, to the window's counts and moves the window.
void advance(curriculum_spec const& spec, std::span<curriculum_cell const> arrived, std::int64_t step,
             curriculum_window& window);
/// The step of a draw with this random word and seed: a pure function of its arguments, in integers.
std::int32_t step_for(curriculum_spec const& spec, curriculum_window const& window, std::int64_t step,
                      std::uint32_t word, std::uint64_t seed);

// beta: the counts of a window as posteriors.

/// A Beta(`a`, `b`) variate in units of 2^-32, for integers from 1 on. Exact, and the same on every machine.
std::uint32_t draw_beta(draw_stream& words, std::int64_t a, std::int64_t b);
/// The step, in the window or just below it, whose success, drawn from Beta(1 + correct, 1 + wrong), is nearest
/// `target`; the lower one of two.
std::int32_t nearest_step(curriculum_spec const& spec, curriculum_window const& window, double target,
                          std::uint64_t seed);
/// Keeps the share `decay` of the counts of each step that has outcomes, and adds the outcomes.
void advance_beta(curriculum_spec const& spec, std::span<curriculum_cell const> arrived, curriculum_window& window);

// replay: the counts of a window as scores.

/// Chooses among steps without outcomes by their share, else by staleness or by rank.
std::int32_t ranked_step(curriculum_spec const& spec, curriculum_window const& window, std::int64_t step,
                         std::uint64_t seed);
void advance_replay(std::span<curriculum_cell const> arrived, std::int64_t step, curriculum_window& window);

inline constexpr std::size_t max_below = 64;  ///< steps whose counts an adaptive window leaves behind

/// The stage (0, 1, 2) of a step; `word` is the draw's random word, for the mixed order.
std::int32_t stage_of(curriculum_spec const& spec, std::int64_t step, std::uint32_t word);

}  // namespace optgap
