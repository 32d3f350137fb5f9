#pragma once
// OPTGAP_DEFINE_TASK(tsp) is the one line of tsp.cu. Compiled as C++ it defines the CPU table of this instruction set;
// compiled by nvcc it defines the kernels' launch table. The generated registry refers to both by the folder's name, so
// a folder whose task has another name does not link.
//
// A task whose search is expensive to compile for GPUs has it in a second file: OPTGAP_SEARCH_APART(tsp) stands before
// the line above, and OPTGAP_DEFINE_SEARCH(tsp) in tsp_search.cu.
//
// OPTGAP_DEFINE_DECLARATIVE_TASK(vertex_cover) defines a declarative task, which has no search of its own
// (kernels/families/declarative_task.hpp). The task is compiled for the first instruction set only, which serves all of
// them, and uses the shared kernels of no_search. A declarative task that declares moves has kernels of its own for its
// search: OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(max_cut).

#include <cstdint>
#include <vector>

#include "kernels/core/exact_call.hpp"
#include "kernels/core/task.hpp"

#ifdef __CUDACC__
#include "kernels/launch/launch.cuh"
#endif

OPTGAP_KERNELS_BEGIN

/// Pointers to the functions of the planted answer; null if a task has none.
template <class Task>
struct planter {
    static constexpr bool there = requires { &Task::planted_words; };

    static constexpr auto words() -> std::int64_t (*)(draw, difficulty) {
        if constexpr (there) {
            return [](draw source, difficulty level) { return std::int64_t(Task::planted_words(source, level)); };
        } else {
            return nullptr;
        }
    }
    static constexpr auto scratch_words() -> std::int64_t (*)(draw, difficulty) {
        if constexpr (there) {
            return
                [](draw source, difficulty level) { return std::int64_t(Task::planted_scratch_words(source, level)); };
        } else {
            return nullptr;
        }
    }
    static constexpr auto call() -> std::int64_t (*)(draw, difficulty, std::int32_t* answer, std::int32_t* scratch) {
        if constexpr (there) {
            return [](draw source, difficulty level, std::int32_t* answer, std::int32_t* scratch) {
                return std::int64_t(Task::planted(source, level, answer, scratch));
            };
        } else {
            return nullptr;
        }
    }
};

/// Calls the check of a user's instance. A check that computes gets a scratch as large as the instance, because task
/// code allocates nothing.
template <class Task>
char const* check_call(words_view instance) {
    if constexpr (requires(std::int32_t * scratch) { Task::check(instance, scratch); }) {
        std::vector<std::int32_t> scratch(std::size_t(instance.count));
        return Task::check(instance, scratch.data());
    } else {
        return Task::check(instance);
    }
}

/// The function table of one task for the CPU: each entry runs the task's code by a team of one.
template <class Task>
constexpr task_kernels cpu_table(char const* name) {
    return {
        .name = name,
        .version = Task::version,
        .objective_sense = Task::objective_sense,
        .default_budget = Task::default_budget,
        .codes = Task::codes,
        .bound_kinds = Task::bound_kinds,
        .instance_words = [](draw source, difficulty level) { return Task::instance_words(source, level); },
        .generate_scratch_words = [](draw source,
                                     difficulty level) { return Task::generate_scratch_words(source, level); },
        .generate =
            [](draw source, difficulty level, std::int32_t* words, std::int32_t* scratch) {
                solo team;
                Task::generate(team, source, level, words, scratch);
            },
        .check = [](words_view instance) { return check_call<Task>(instance); },
        .scratch_words = [](words_view instance) { return Task::scratch_words(instance); },
        .improve_scratch_words = [](words_view instance) { return improve_scratch_words<Task>(instance); },
        .improve_state_words = [](words_view instance) { return Task::improve_state_words(instance); },
        .answer_words = [](words_view instance) { return Task::answer_words(instance); },
        .verify =
            [](words_view instance, words_view answer, std::int32_t* scratch) {
                solo team;
                return Task::verify(team, instance, view_answer(answer), scratch);
            },
        .floor =
            [](words_view instance, std::int32_t* answer, std::int32_t* scratch) {
                solo team;
                return Task::floor(team, instance, answer, scratch);
            },
        .greedy =
            [](words_view instance, std::int32_t* answer, std::int32_t* scratch) {
                solo team;
                return Task::greedy(team, instance, answer, scratch);
            },
        .improve =
            [](words_view instance, std::int32_t* answer, improve_result result, search_slice slice, draw source,
               std::int32_t* scratch) {
                solo team;
                return Task::improve(team, instance, answer, result, slice, source, scratch);
            },
        .noisy_greedy = [](words_view instance, draw source, std::int32_t* answer,
                           std::int32_t* scratch) { return Task::noisy_greedy(instance, source, answer, scratch); },
        .exact_scratch_words = [](words_view instance) { return exact_call<Task>::scratch_words(instance); },
        .exact_state_words = [](words_view instance) { return exact_call<Task>::state_words(instance); },
        .exact =
            [](words_view instance, solve_result result, search_slice slice, std::int32_t* answer,
               std::int32_t* scratch) {
                no_proof nobody;
                return exact_call<Task>::run(instance, result, slice, answer, scratch, nobody);
            },
        .planted_words = planter<Task>::words(),
        .planted_scratch_words = planter<Task>::scratch_words(),
        .planted = planter<Task>::call(),
    };
}

OPTGAP_KERNELS_END

#define OPTGAP_JOIN_(a, b) a##b
#define OPTGAP_JOIN(a, b) OPTGAP_JOIN_(a, b)

#ifdef __CUDACC__
#define OPTGAP_SEARCH_APART(NAME) extern template struct optgap::search_launches<optgap::tasks::NAME::task>;
#define OPTGAP_DEFINE_SEARCH(NAME) template struct optgap::search_launches<optgap::tasks::NAME::task>;
#define OPTGAP_DEFINE_TASK(NAME)                          \
    extern optgap::device_table const optgap_cuda_##NAME; \
    optgap::device_table const optgap_cuda_##NAME = optgap::device_table_of<optgap::tasks::NAME::task>();
#define OPTGAP_DEFINE_DECLARATIVE_TASK(NAME)                           \
    extern template struct optgap::search_launches<optgap::no_search>; \
    extern optgap::device_table const optgap_cuda_##NAME;              \
    optgap::device_table const optgap_cuda_##NAME =                    \
        optgap::device_table_of<optgap::tasks::NAME::task, optgap::no_search>();
#define OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(NAME) OPTGAP_DEFINE_TASK(NAME)
#else
#define OPTGAP_SEARCH_APART(NAME)
#define OPTGAP_DEFINE_DECLARATIVE_TASK(NAME) OPTGAP_DEFINE_TASK(NAME)
#define OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(NAME) OPTGAP_DEFINE_TASK(NAME)
#define OPTGAP_DEFINE_TASK(NAME)                                                          \
    extern optgap::task_kernels const OPTGAP_JOIN(optgap_task_##NAME##_, OPTGAP_ISA);     \
    constinit optgap::task_kernels const OPTGAP_JOIN(optgap_task_##NAME##_, OPTGAP_ISA) = \
        optgap::cpu_table<optgap::tasks::NAME::task>(#NAME);
#endif
