#pragma once
// The property test of a task's code on teams: several threads give the bytes of one. Under ThreadSanitizer this finds
// the races that a GPU would have. task_team.cpp.in tests each task in a unit of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "kernels/core/task.hpp"
#include "kernels/core/thread_team.hpp"
#include "kernels/launch/improve_row.hpp"

namespace optgap::testing {

using words = std::vector<std::int32_t>;

struct outcome {
    words instance;
    words greedy;
    words floor;
    words improved;
    words improved_in_slices;
    std::vector<verdict> verdicts;
    improve_result improvement;
    improve_result improvement_in_slices;
    friend bool operator==(outcome const&, outcome const&) = default;
};

inline words_view view(words const& block) { return {block.data(), std::int64_t(block.size())}; }

template <class Task, class Run>
outcome run_task(draw source, difficulty level, Run const& run) {
    words generate_scratch(std::size_t(Task::generate_scratch_words(source, level)) + 16, -1);
    outcome result;
    result.instance.assign(std::size_t(Task::instance_words(source, level)), -1);
    run([&](auto& team) { Task::generate(team, source, level, result.instance.data(), generate_scratch.data()); });

    words_view const instance = view(result.instance);
    words scratch(std::size_t(std::max(Task::scratch_words(instance), improve_scratch_words<Task>(instance))) + 32, -1);
    std::int32_t* const aligned =
        scratch.data() + (16 - (reinterpret_cast<std::uintptr_t>(scratch.data()) / 4) % 16) % 16;
    std::size_t const capacity = std::size_t(Task::answer_words(instance));
    std::int64_t size = 0;
    auto const on_lane_zero = [&](auto& team, std::int64_t written) {
        if (team.rank() == 0) {
            size = written;
        }
    };
    result.greedy.assign(capacity, -1);
    run([&](auto& team) { on_lane_zero(team, Task::greedy(team, instance, result.greedy.data(), aligned)); });
    result.greedy.resize(std::size_t(size));
    result.floor.assign(capacity, -1);
    run([&](auto& team) { on_lane_zero(team, Task::floor(team, instance, result.floor.data(), aligned)); });
    result.floor.resize(std::size_t(size));

    words state(std::size_t(Task::improve_state_words(instance)) + 1, -1);
    auto const improve = [&](words& answer, improve_result& made, std::initializer_list<std::int64_t> cuts) {
        answer = result.greedy;
        answer.resize(capacity, -1);
        made.answer_words = std::int64_t(result.greedy.size());
        search_slice slice{0, 0, cuts.size() > 1 ? state.data() : nullptr};
        for (std::int64_t const cut : cuts) {
            slice = {slice.end, cut, slice.state};
            improve_result const before = made;
            if (slice.fresh() || before.goes_on(slice.begin)) {
                std::fill(scratch.begin(), scratch.end(), -1);
                run([&](auto& team) {
                    improve_result const mine =
                        Task::improve(team, instance, answer.data(), before, slice, draw{source.seed, 5}, aligned);
                    if (team.rank() == 0) {
                        made = mine;
                    }
                });
            }
        }
        answer.resize(std::size_t(made.answer_words));
    };
    improve(result.improved, result.improvement, {12});
    improve(result.improved_in_slices, result.improvement_in_slices, {1, 4, 5, 12});

    words repeated = result.greedy;
    if (repeated.size() > 2) {
        repeated.back() = repeated[1];
    }
    words wild = result.greedy;
    wild.push_back(INT32_MIN);
    for (words const& answer :
         {result.greedy, result.floor, result.improved, repeated, wild, words{answer_flat}, words{2, 1, 1, 0, 1}}) {
        verdict found;
        run([&](auto& team) {
            verdict const mine = Task::verify(team, instance, view_answer(view(answer)), aligned);
            if (team.rank() == 0) {
                found = mine;
            }
        });
        result.verdicts.push_back(found);
    }
    return result;
}

template <class Task, int N>
void expect_the_same_bytes(std::initializer_list<std::int32_t> levels = {0, 2, -4}) {
    for (std::int32_t const level : levels) {
        draw const source{std::uint64_t(level) + 3, 17};
        outcome const alone = run_task<Task>(source, {level}, [](auto const& work) {
            solo team;
            work(team);
        });
        outcome const together = run_task<Task>(source, {level}, [](auto const& work) { run_as_team<N>(work); });
        EXPECT_EQ(alone.instance, together.instance) << "generate, level " << level;
        EXPECT_EQ(alone.greedy, together.greedy) << "greedy, level " << level;
        EXPECT_EQ(alone.floor, together.floor) << "floor, level " << level;
        EXPECT_EQ(alone.improved, together.improved) << "improve, level " << level;
        EXPECT_EQ(alone.improvement, together.improvement) << "improve, level " << level;
        for (outcome const* const of : {&alone, &together}) {
            EXPECT_EQ(of->improved_in_slices, alone.improved) << "slices, level " << level;
            EXPECT_EQ(of->improvement_in_slices, alone.improvement) << "slices, level " << level;
        }
        EXPECT_EQ(alone.verdicts, together.verdicts) << "verify, level " << level;
    }
}

}  // namespace optgap::testing
