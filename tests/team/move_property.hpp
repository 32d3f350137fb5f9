#pragma once
// The property test of declared moves (kernels/search/local_search.hpp): on a random walk each move changes the loss by
// the declared amount, and the state's block has its loss and its objective.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/core/task.hpp"
#include "kernels/search/local_search.hpp"
#include "tests/team/team_property.hpp"

namespace optgap::testing {

template <class Task>
struct move_walk {
    using moves = typename Task::neighbourhood;

    words instance;
    words memory;
    words answer;
    solo team;

    explicit move_walk(draw source, difficulty level) : instance(std::size_t(Task::instance_words(source, level))) {
        words scratch(std::size_t(Task::generate_scratch_words(source, level)) + 16, -1);
        Task::generate(team, source, level, instance.data(), scratch.data());
        memory.assign(std::size_t(improve_scratch_words<Task>(view(instance))) + 16, -1);
    }
    [[nodiscard]] std::int32_t* scratch() {
        return memory.data() + (16 - (reinterpret_cast<std::uintptr_t>(memory.data()) / 4) % 16) % 16;
    }
    [[nodiscard]] moves state(std::int32_t* at) const {
        return moves(view(instance), at, at + search::local_image_words<moves>(view(instance)));
    }

    /// Walks from the greedy answer. Returns the number of moves, possibly 0 where the answer is known to be optimal.
    std::int32_t run(std::int32_t steps) {
        words_view const of = view(instance);
        answer.assign(std::size_t(Task::answer_words(of)), -1);
        answer.resize(std::size_t(Task::greedy(team, of, answer.data(), scratch())));
        moves walk = state(scratch());
        walk.prepare(team);
        first(walk);
        std::int64_t loss = walk.begin(team, view_answer(view(answer)));
        std::mt19937 random(7);
        std::int32_t made = 0;
        for (; made < steps; ++made) {
            SCOPED_TRACE("move " + std::to_string(made));
            expect_state(walk, loss);
            std::vector<std::pair<std::int32_t, std::int64_t>> offered;
            for (std::int32_t row = 0; row < walk.rows(); ++row) {
                walk.each_move(row, [&](std::int32_t place, std::int64_t change) {
                    EXPECT_LT(place, walk.width());
                    offered.emplace_back(row * walk.width() + place, change);
                });
            }
            if (offered.empty()) {
                break;
            }
            auto const [move, change] = offered[random() % offered.size()];
            search::moved_things const things = walk.moved(move);
            EXPECT_GE(things.first, 0);
            EXPECT_LT(things.first, moves::things(of));
            EXPECT_LT(things.second, moves::things(of));
            walk.apply(team, move);
            loss += change;
        }
        return made;
    }

private:
    void first(moves& state) {
        if constexpr (requires { state.first(team); }) {
            state.first(team);
        }
    }
    void expect_state(moves const& walk, std::int64_t loss) {
        words_view const of = view(instance);
        words block(std::size_t(Task::answer_words(of)), -1);
        block.resize(std::size_t(walk.write(team, block.data())));
        words other(memory.size(), -1);
        std::int32_t* const at = other.data() + (16 - (reinterpret_cast<std::uintptr_t>(other.data()) / 4) % 16) % 16;
        verdict const found = Task::verify(team, of, view_answer(view(block)), at);
        ASSERT_EQ(found.feasible() ? found.objective : no_objective, walk.objective(loss));
        moves again = state(at);
        again.prepare(team);
        first(again);
        ASSERT_EQ(again.begin(team, view_answer(view(block))), loss);
    }
};

template <class Task>
void expect_moves_to_change_what_they_say() {
    if constexpr (requires { typename Task::neighbourhood; }) {
        std::int32_t made = 0;
        for (std::int32_t const level : {0, 5, 20, -2, 57}) {
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                SCOPED_TRACE("level " + std::to_string(level) + ", seed " + std::to_string(seed));
                made += move_walk<Task>({seed, 17}, {level}).run(60);
            }
        }
        EXPECT_GT(made, 600) << "most walks ended at once";
    } else {
        GTEST_SKIP() << "a task without declared moves";
    }
}

}  // namespace optgap::testing
