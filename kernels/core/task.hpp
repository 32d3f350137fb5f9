#pragma once
// What a task's folder defines, and the plain table of functions through which executors call it.
//
// `struct optgap::tasks::NAME::task`, in NAME.hpp, has these static members. The first group takes a Team and is run by
// all its lanes:
//
// - generate(team, draw, difficulty, words, scratch): writes the instance
// - verify(team, instance, answer, scratch): the verdict, which defines feasibility and the objective
// - floor, greedy(team, instance, answer, scratch): write the answer of the constant policy and of the greedy policy;
//   return the block size, 0 for none
// - improve(team, instance, answer, result, slice, draw, scratch): makes the slice's steps of a local search, in place,
//   and returns the result. A first slice starts from `answer`, of result.answer_words words; a later one receives
//   answer, state and result as the slice before left them. However a search is cut, it ends with the same bytes and
//   the same result, and a longer search never ends with a worse answer
//
// The second group is run by one lane of the CPU:
//
// - instance_words, generate_scratch_words(draw, difficulty): exact sizes of what `generate` writes and needs
// - check(instance): nullptr, or the rule that a user's instance breaks. The form check(instance, scratch) computes in
//   a scratch as large as the instance
// - scratch_words(instance): for verify, floor, greedy and noisy_greedy, and also for improve unless a task has
//   improve_scratch_words(instance)
// - improve_state_words(instance): size of search_slice::state
// - answer_words(instance): block size that the writers of answers may fill
// - noisy_greedy(instance, draw, answer, scratch): greedy with mistakes; the answer has the form that `greedy` writes.
//   With a probability of 250 permille a pick is any candidate that the greedy rule allows, otherwise the best one,
//   ties broken at random
// - exact_scratch_words(instance), exact(instance, budget, answer, scratch): the proof in its short form, a search that
//   begins anew from its own greedy answer. A search that takes starts and may be cut has exact_state_words(instance)
//   and exact(instance, result, slice, answer, scratch, proof) instead. kernels/core/exact_call.hpp describes that
//   form, which every task's table offers
//
// Optional, also run by one lane of the CPU: an answer that the generator knows and that meets the trivial bound:
//
// - planted_words, planted_scratch_words(draw, difficulty): sizes
// - planted(draw, difficulty, answer, scratch): writes the block, a feasible answer of the instance that these draws
//   generate; its size, 0 for none
//
// Constants: version, objective_sense, default_budget, and the lists of names codes[] and bound_kinds[], ended by
// nullptr.
//
// Rules: no threadIdx, no __CUDA_ARCH__, no allocation, no float in a verdict, all lanes reach every collective, ties
// are broken by index. Scratch is never assumed to be zero. A new task edits no other file.
//
// For an instance without any feasible answer, `exact` proves that it is infeasible, and `verify` returns code_empty
// for the answers that claim it: the empty list and the task's word.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/search_slice.hpp"
#include "kernels/core/team.hpp"
#include "kernels/core/words.hpp"
#include "optgap/baseline.hpp"
#include "optgap/difficulty.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

/// What `improve` did since the search began. The answer it started from must be feasible; if it was not, `moves` is 0
/// and `answer_words` unchanged. Each step counts as a move, so a search with fewer moves than steps has ended.
struct improve_result {
    std::int64_t start_objective = no_objective;
    std::int64_t objective = no_objective;
    std::int64_t moves = 0;
    std::int64_t evaluations = 0;   ///< move evaluations, for throughput
    std::int64_t answer_words = 0;  ///< current size of the block
    friend constexpr bool operator==(improve_result const&, improve_result const&) = default;

    /// Whether a slice that begins at step `begin` has anything left to do. If not, it must not be run.
    [[nodiscard]] OPTGAP_HD constexpr bool goes_on(std::int64_t begin) const { return moves == begin; }
};

/// What `exact` found since the search began. `verify` checks its claim before it is reported.
struct solve_result {
    baseline_status status = baseline_status::unknown;
    std::int32_t bound_kind = 0;
    std::int64_t objective = no_objective;
    std::int64_t bound = no_objective;
    std::int64_t steps = 0;
    std::int64_t answer_words = 0;  ///< 0: no answer
};

/// A task's code for one instruction set of the CPU, one row a call. Scratch is 64-byte aligned.
struct task_kernels {
    char const* name;
    std::int32_t version;
    sense objective_sense;
    std::int64_t default_budget;
    char const* const* codes;
    char const* const* bound_kinds;

    std::int64_t (*instance_words)(draw, difficulty);
    std::int64_t (*generate_scratch_words)(draw, difficulty);
    void (*generate)(draw, difficulty, std::int32_t* words, std::int32_t* scratch);
    char const* (*check)(words_view instance);
    std::int64_t (*scratch_words)(words_view instance);
    std::int64_t (*improve_scratch_words)(words_view instance);
    std::int64_t (*improve_state_words)(words_view instance);
    std::int64_t (*answer_words)(words_view instance);
    verdict (*verify)(words_view instance, words_view answer, std::int32_t* scratch);
    std::int64_t (*floor)(words_view instance, std::int32_t* answer, std::int32_t* scratch);
    std::int64_t (*greedy)(words_view instance, std::int32_t* answer, std::int32_t* scratch);
    improve_result (*improve)(words_view instance, std::int32_t* answer, improve_result, search_slice, draw,
                              std::int32_t* scratch);
    std::int64_t (*noisy_greedy)(words_view instance, draw, std::int32_t* answer, std::int32_t* scratch);
    std::int64_t (*exact_scratch_words)(words_view instance);
    std::int64_t (*exact_state_words)(words_view instance);
    solve_result (*exact)(words_view instance, solve_result, search_slice, std::int32_t* answer, std::int32_t* scratch);
    std::int64_t (*planted_words)(draw, difficulty);
    std::int64_t (*planted_scratch_words)(draw, difficulty);
    std::int64_t (*planted)(draw, difficulty, std::int32_t* answer, std::int32_t* scratch);  ///< nullptr: it has none
};

/// Words of scratch for `improve`. Host only.
template <class Task>
std::int64_t improve_scratch_words(words_view instance) {
    if constexpr (requires { Task::improve_scratch_words(instance); }) {
        return Task::improve_scratch_words(instance);
    } else {
        return Task::scratch_words(instance);
    }
}

}  // namespace optgap
