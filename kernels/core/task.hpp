#pragma once
// What a task's folder defines, and the plain table of functions that executors call it through.
//
//   struct optgap::tasks::NAME::task, in NAME.hpp, with
//     version, objective_sense, default_budget             constants
//     codes[], bound_kinds[]                                names of its own verdict codes and bounds, nullptr at the
//     end instance_words(draw, difficulty)                      exact size of the instance that `generate` will write
//     generate(team, draw, difficulty, words, scratch)      writes it
//     check(instance)                                       nullptr, or the rule an explicit instance breaks
//     scratch_words(instance)                               for verify, floor, construct and improve
//     generate_scratch_words(draw, difficulty)
//     answer_words(instance)                                block size that floor, construct, improve and exact may
//     write verify(team, instance, answer, scratch)               the law floor(team, instance, answer, scratch) block
//     size written by the constant policy, 0 for none construct(team, instance, answer, scratch)            block size
//     written by the greedy policy, 0 for none improve(team, instance, answer, size, steps, draw, scratch)   local
//     search from a feasible answer, in place exact_scratch_words(instance), exact(instance, budget, answer, scratch)
//     proof, one CPU lane
//
// Laws: no threadIdx, no __CUDA_ARCH__, no allocation, no float in a verdict, collectives reached by all lanes, ties
// broken by index. Scratch is never assumed zero. A task needs no other file edited.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/core/words.hpp"
#include "optgap/baseline.hpp"
#include "optgap/difficulty.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

/// What `improve` did. The answer it started from must be feasible; if not, `moves` is 0 and `answer_words` unchanged.
struct improve_result {
    std::int64_t start_objective = no_objective;
    std::int64_t objective = no_objective;
    std::int64_t moves = 0;         ///< applied
    std::int64_t evaluations = 0;   ///< move evaluations, for throughput
    std::int64_t answer_words = 0;  ///< size of the block now
    friend constexpr bool operator==(improve_result const&, improve_result const&) = default;
};

/// What `exact` found. Its claim is always checked by `verify` before anyone sees it.
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
    std::int64_t (*answer_words)(words_view instance);
    verdict (*verify)(words_view instance, words_view answer, std::int32_t* scratch);
    std::int64_t (*floor)(words_view instance, std::int32_t* answer, std::int32_t* scratch);
    std::int64_t (*construct)(words_view instance, std::int32_t* answer, std::int32_t* scratch);
    improve_result (*improve)(words_view instance, std::int32_t* answer, std::int64_t size, std::int64_t steps, draw,
                              std::int32_t* scratch);
    std::int64_t (*exact_scratch_words)(words_view instance);
    solve_result (*exact)(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch);
};

}  // namespace optgap
