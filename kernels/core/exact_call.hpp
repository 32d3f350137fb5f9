#pragma once
// The proof as every task's table offers it. It takes a verified start, may be cut after any number of steps and
// resumed, and reports to a sink why no answer is better.
//
//   exact(instance, result, slice, answer, scratch, proof) -> result
//
// - Start: in the first slice `answer` holds a feasible block of result.answer_words words whose objective is
//   result.objective, or result.answer_words is 0. The start is the first incumbent; if it meets the bound that the
//   search begins with, it is optimal after 0 steps. The answer found is never worse than the start; without a start it
//   is never worse than the greedy answer.
// - Slices: slice.end is the budget, in steps since the search began. A later slice receives answer, result and state
//   as the slice before left them. However a search is cut, it ends with the same bytes and the same result. The one
//   exception is a search of the short form, which begins anew in each slice: it may be proven sooner, with the same
//   optimum. `result` holds a valid bound after every slice. A search has ended when its status is optimal or
//   infeasible. A search may leave steps unused that it cannot spend and continue when given more, so the caller gives
//   more until the search is decided.
// - Proof: any type with `static constexpr bool wanted` and line(kind, numbers...). Code that reports to it stands in
//   `if constexpr (Proof::wanted)`, so that a search without a proof has none of it.

#include <cstdint>
#include <cstring>

#include "kernels/core/search_slice.hpp"
#include "kernels/core/task.hpp"

OPTGAP_KERNELS_BEGIN

/// The sink of a search whose proof is not wanted.
struct no_proof {
    static constexpr bool wanted = false;
    template <class... Numbers>
    void line(std::int32_t, Numbers...) const {}
};

template <class Task>
concept takes_starts = requires(words_view instance) {
    Task::exact_state_words(instance);
};

/// A task's `exact` under the contract above, also for a task that has the short form. The short form repeats all of
/// its steps in each slice. Its start is kept beside the search: the start is used if it is better than the answer
/// found, and it ends the search if it meets the bound of budget 0.
template <class Task>
struct exact_call {
    static std::int64_t state_words(words_view instance) {
        if constexpr (takes_starts<Task>) {
            return Task::exact_state_words(instance);
        } else {
            return kept_words<start_numbers>(Task::answer_words(instance));
        }
    }
    static std::int64_t scratch_words(words_view instance) {
        if constexpr (takes_starts<Task>) {
            return Task::exact_scratch_words(instance);
        } else {
            return whole_lines(Task::exact_scratch_words(instance)) + state_words(instance);
        }
    }

    template <class Proof>
    static solve_result run(words_view instance, solve_result result, search_slice slice, std::int32_t* answer,
                            std::int32_t* scratch, Proof& proof) {
        if constexpr (takes_starts<Task>) {
            return Task::exact(instance, result, slice, answer, scratch, proof);
        } else {
            if (slice.state == nullptr) {
                slice.state = scratch + whole_lines(Task::exact_scratch_words(instance));
            }
            if (slice.fresh()) {
                keep_start(result, slice.state, answer);
            }
            start_numbers start{};
            std::memcpy(&start, slice.state, sizeof start);
            if (start.words > 0) {
                result = Task::exact(instance, 0, answer, scratch);
                if (result.bound == start.objective) {
                    return with_start(result, start, slice.state, answer);
                }
            }
            result = Task::exact(instance, slice.end, answer, scratch);
            return start.words > 0 && (result.answer_words == 0 || better(start.objective, result.objective))
                       ? with_start(result, start, slice.state, answer)
                       : result;
        }
    }

private:
    struct start_numbers {
        std::int64_t words;
        std::int64_t objective;
    };

    static constexpr std::int64_t whole_lines(std::int64_t words) { return (words + 15) / 16 * 16; }
    static constexpr bool better(std::int64_t a, std::int64_t b) {
        return Task::objective_sense == sense::maximise ? a > b : a < b;
    }
    static void keep_start(solve_result const& result, std::int32_t* state, std::int32_t const* answer) {
        start_numbers const start{result.answer_words, result.objective};
        std::memcpy(state, &start, sizeof start);
        std::memcpy(state + kept_words<start_numbers>(0), answer, std::size_t(start.words) * sizeof *answer);
    }
    static solve_result with_start(solve_result result, start_numbers const& start, std::int32_t const* state,
                                   std::int32_t* answer) {
        std::memcpy(answer, state + kept_words<start_numbers>(0), std::size_t(start.words) * sizeof *answer);
        bool const proven = result.bound == start.objective;
        result.answer_words = start.words;
        result.objective = start.objective;
        result.status = proven ? baseline_status::optimal : baseline_status::bounded;
        result.bound_kind = proven ? 0 : result.bound_kind;
        return result;
    }
};

OPTGAP_KERNELS_END
