#pragma once
// What a task's folder defines, and the plain table of functions that executors call it through.
//
// `struct optgap::tasks::NAME::task`, in NAME.hpp, has these static members. With a Team, run by all its lanes:
//
// - generate(team, draw, difficulty, words, scratch): writes the instance
// - verify(team, instance, answer, scratch): the law
// - floor, greedy(team, instance, answer, scratch): the answer of the constant and of the greedy policy; block size,
//   0 for none
// - improve(team, instance, answer, result, slice, draw, scratch): the slice's steps of a local search, in place, which
//   it tells by what it returns. A first slice starts from `answer`, of result.answer_words words; a later one is given
//   what the one before it left: answer, state and result. However a search is cut, it ends with the same bytes and the
//   same result, and a longer one never with a worse answer
//
// By one lane of the CPU:
//
// - instance_words, generate_scratch_words(draw, difficulty): exact sizes of what `generate` writes and needs
// - check(instance): nullptr, or the rule an explicit instance breaks; or check(instance, scratch), which computes in a
//   scratch as large as the instance
// - scratch_words(instance): for verify, floor, greedy and noisy_greedy; for improve too, where a task has no
//   improve_scratch_words(instance)
// - improve_state_words(instance): of search_slice::state
// - answer_words(instance): block size that the writers of answers may fill
// - noisy_greedy(instance, draw, answer, scratch): greedy with mistakes, an answer as `greedy` writes it. A pick is
//   with 250 permille any candidate that the greedy rule allows, else the best one, ties at random
// - exact_scratch_words(instance), exact(instance, budget, answer, scratch): the proof, of a search that begins anew
//   from its own greedy answer. One that takes starts and may be cut has exact_state_words(instance) and
//   exact(instance, result, slice, answer, scratch, proof) instead, which kernels/core/exact_call.hpp describes; it is
//   what every task's table offers
//
// And it may have, by one lane of the CPU, an answer that its generator knows and that meets its trivial bound:
//
// - planted_words, planted_scratch_words(draw, difficulty): sizes
// - planted(draw, difficulty, answer, scratch): writes the block, a feasible answer of the instance that these draws
//   generate; its size, 0 for none
//
// Constants: version, objective_sense, default_budget, and codes[], bound_kinds[], names ended by nullptr.
//
// Laws: no threadIdx, no __CUDA_ARCH__, no allocation, no float in a verdict, collectives reached by all lanes, ties
// broken by index. Scratch is never assumed zero. A task needs no other file edited.
//
// Instances without any feasible answer: `exact` proves them infeasible, and `verify` says code_empty of the answers
// that claim it, the empty list and the task's word.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/search_slice.hpp"
#include "kernels/core/team.hpp"
#include "kernels/core/words.hpp"
#include "optgap/baseline.hpp"
#include "optgap/difficulty.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

/// What `improve` did, since the search began. The answer it started from must be feasible; if not, `moves` is 0 and
/// `answer_words` unchanged. Each step counts as a move, so a search with fewer moves than steps has ended.
struct improve_result {
    std::int64_t start_objective = no_objective;
    std::int64_t objective = no_objective;
    std::int64_t moves = 0;
    std::int64_t evaluations = 0;   ///< move evaluations, for throughput
    std::int64_t answer_words = 0;  ///< size of the block now
    friend constexpr bool operator==(improve_result const&, improve_result const&) = default;

    /// Is there anything left to do for a slice that begins at step `begin`? If not, it must not be run.
    [[nodiscard]] OPTGAP_HD constexpr bool goes_on(std::int64_t begin) const { return moves == begin; }
};

/// What `exact` found, since the search began. Its claim is always checked by `verify` before anyone sees it.
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

/// Of scratch for `improve`, by one lane of the host.
template <class Task>
std::int64_t improve_scratch_words(words_view instance) {
    if constexpr (requires { Task::improve_scratch_words(instance); }) {
        return Task::improve_scratch_words(instance);
    } else {
        return Task::scratch_words(instance);
    }
}

}  // namespace optgap
