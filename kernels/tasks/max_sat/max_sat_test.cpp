// Clauses of unequal length and hard ones, which no generator draws: compares proofs with trying all values.

#include <random>

#include "kernels/tasks/max_sat/max_sat.hpp"
#include "kernels/tasks/max_sat/max_sat_reference.hpp"
#include "tests/support/wide_proofs.hpp"

namespace optgap {
namespace {

using max_sat_task = tasks::max_sat::task;
using testing::wide_block;

wide_block random_clauses(std::mt19937& random, bool with_hard) {
    auto const draw = [&](std::int32_t low, std::int32_t high) {
        return low + std::int32_t(random() % std::uint32_t(high - low + 1));
    };
    std::int32_t const n = draw(1, 8);
    std::int32_t const m = draw(2, 5 * n + 2);
    std::int32_t const k = draw(1, 5);
    wide_block words{n, m, k};
    std::int32_t const full = draw(0, m - 1);
    for (std::int32_t c = 0; c < m; ++c) {
        std::int32_t const length = c == full ? k : draw(random() % 8 == 0 ? 0 : 1, k);
        for (std::int32_t i = 0; i < k; ++i) {
            words.push_back(i < length ? draw(1, n) * (random() % 2 == 0 ? 1 : -1) : 0);
        }
    }
    wide_block hard;
    for (std::int32_t c = 0; c < m; ++c) {
        hard.push_back(with_hard && c > 0 && (c == 1 || random() % 4 == 0) ? 1 : 0);
        words.push_back(hard.back() == 1 ? 1 : random() % 9 == 0 ? 1'000'000 : draw(1, 9));
    }
    if (with_hard) {
        words.insert(words.end(), hard.begin(), hard.end());
    }
    return words;
}

TEST(max_sat, proofs_of_unequal_and_of_hard_clauses_are_right) {
    std::mt19937 random(5);
    std::int32_t infeasible = 0;
    for (std::int32_t round = 0; round < 1500; ++round) {
        wide_block const words = random_clauses(random, round % 3 != 0);
        SCOPED_TRACE(round);
        testing::expect_the_optimum<max_sat_task>(words, reference::max_sat::verify, reference::max_sat::optimum);
        infeasible += reference::max_sat::optimum(words) ? 0 : 1;
    }
    EXPECT_GT(infeasible, 50);
}

TEST(max_sat, greedy_and_floor_say_nothing_where_they_break_a_hard_clause) {
    std::mt19937 random(6);
    std::int32_t silent = 0;
    for (std::int32_t round = 0; round < 300; ++round) {
        wide_block const words = random_clauses(random, true);
        words_view const instance = testing::wide_view(words);
        testing::wide_memory scratch(max_sat_task::scratch_words(instance));
        wide_block answer(std::size_t(max_sat_task::answer_words(instance)));
        solo team;
        for (bool const floor : {true, false}) {
            std::int64_t const count = floor ? max_sat_task::floor(team, instance, answer.data(), scratch.data())
                                             : max_sat_task::greedy(team, instance, answer.data(), scratch.data());
            silent += count == 0 ? 1 : 0;
            if (count > 0) {
                EXPECT_EQ(reference::max_sat::verify(words, answer).code, code_ok);
            }
        }
    }
    EXPECT_GT(silent, 50);
}

TEST(max_sat, teams_of_several_lanes_agree_on_hard_clauses) {
    std::mt19937 random(11);
    for (std::int32_t round = 0; round < 6; ++round) {
        testing::expect_teams_agree<max_sat_task>(random_clauses(random, round % 2 == 0));
    }
}

TEST(max_sat, marks_of_hard_clauses_are_checked) {
    auto const broken = [](wide_block const& words) { return max_sat_task::check(testing::wide_view(words)); };
    EXPECT_EQ(broken({1, 2, 1, 1, -1, 1, 4, 1, 0}), nullptr);
    EXPECT_EQ(broken({1, 2, 1, 1, -1, 1, 4}), nullptr);
    EXPECT_NE(broken({1, 2, 1, 1, -1, 1, 4, 0, 0}), nullptr);  // none is hard
    EXPECT_NE(broken({1, 2, 1, 1, -1, 1, 1, 1, 1}), nullptr);  // all are
    EXPECT_NE(broken({1, 2, 1, 1, -1, 1, 4, 0, 1}), nullptr);  // a hard one weighs 4
    EXPECT_NE(broken({1, 2, 1, 1, -1, 1, 4, 1}), nullptr);
    EXPECT_NE(broken({1, 2, 1, 1, -1, 1, 4, 1, 0, 0}), nullptr);
    EXPECT_NE(broken({1, 2, 1, 1, -1, 1, 4, 2, 0}), nullptr);
}

}  // namespace
}  // namespace optgap
