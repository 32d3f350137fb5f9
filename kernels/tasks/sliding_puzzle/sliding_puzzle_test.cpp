// Cases that generated boards do not cover: all sizes, and boards in the worst disorder.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/tasks/sliding_puzzle/sliding_puzzle.hpp"

namespace optgap {
namespace {

using namespace tasks::sliding_puzzle;

/// [rows, columns, cells …, limit] with tiles in random order; two tiles are exchanged if no moves could sort them.
std::vector<std::int32_t> mixed_board(std::int32_t rows, std::int32_t columns, std::mt19937_64& random) {
    std::vector<std::int32_t> words{rows, columns};
    for (std::int32_t i = 0; i < rows * columns; ++i) {
        words.push_back(i);
    }
    words.push_back(20 * rows * columns);
    for (std::size_t i = words.size() - 2; i > 2; --i) {
        std::swap(words[i], words[2 + random() % (i - 1)]);
    }
    if (task::check({words.data(), std::int64_t(words.size())}) != nullptr) {
        bool const gap_ahead = words[2] == 0 || words[3] == 0;
        std::swap(words[gap_ahead ? 4 : 2], words[gap_ahead ? 5 : 3]);
    }
    return words;
}

TEST(sliding_puzzle, the_rules_solve_boards_of_every_size_within_the_limit_of_the_generator) {
    std::mt19937_64 random(3);
    for (std::int32_t rows = 2; rows <= max_side; ++rows) {
        for (std::int32_t columns = 2; columns <= max_side; ++columns) {
            for (int trial = 0; trial < 4; ++trial) {
                std::vector<std::int32_t> const words = mixed_board(rows, columns, random);
                words_view const instance{words.data(), std::int64_t(words.size())};
                if (task::check(instance) != nullptr) {
                    continue;  // already in order
                }
                std::vector<std::int32_t> scratch(std::size_t(task::scratch_words(instance)));
                std::vector<std::int32_t> answer(std::size_t(task::answer_words(instance)));
                solo team;
                std::int64_t const greedy = task::greedy(team, instance, answer.data(), scratch.data());
                verdict const found =
                    task::verify(team, instance, view_answer({answer.data(), greedy}), scratch.data());
                EXPECT_TRUE(found.feasible()) << rows << " x " << columns << ": code " << found.code;
                std::int64_t const noisy = task::noisy_greedy(instance, {7, 7}, answer.data(), scratch.data());
                EXPECT_TRUE(
                    task::verify(team, instance, view_answer({answer.data(), noisy}), scratch.data()).feasible());
            }
        }
    }
}

TEST(sliding_puzzle, linear_conflicts_count_what_leaves_a_line_and_stay_right_move_by_move) {
    std::vector<std::int32_t> const words{3, 3, 3, 2, 1, 4, 5, 6, 8, 7, 0, 180};
    words_view const instance{words.data(), std::int64_t(words.size())};
    std::vector<std::int32_t> memory(std::size_t(board::words(instance)));
    board walked(instance, memory.data());
    EXPECT_EQ(walked.missing(), 6);
    EXPECT_EQ(walked.rest(), 6 + 2 * (2 + 1));  // of 3 2 1 two leave, of 8 7 one
    std::mt19937_64 random(5);
    for (int step = 0; step < 200; ++step) {
        std::int32_t const move = std::int32_t(random() % 4);
        if (!walked.legal(move)) {
            continue;
        }
        walked.act(move);
        std::vector<std::int32_t> now{3, 3};
        for (std::int32_t i = 0; i < 9; ++i) {
            now.push_back(walked.tile(i));
        }
        now.push_back(180);
        std::vector<std::int32_t> other(memory.size());
        board const anew({now.data(), std::int64_t(now.size())}, other.data());
        EXPECT_EQ(anew.rest(), walked.rest());
        EXPECT_EQ(anew.missing(), walked.missing());
    }
}

}  // namespace
}  // namespace optgap
