// Sets with costs, which no generator draws: compares proofs with trying all selections, and tests walks.

#include <random>

#include "kernels/tasks/set_cover/set_cover_fixture.hpp"
#include "kernels/tasks/set_cover/set_cover_reference.hpp"
#include "tests/support/wide_proofs.hpp"

namespace optgap {
namespace {

using namespace optgap::set_cover_fixture;

block random_costs(std::mt19937& random, std::int32_t u, std::int32_t s) {
    block words = random_cover(random, u, s, 100 + std::int32_t(random() % 500));
    std::int32_t const top = random() % 4 == 0 ? tasks::set_cover::max_cost : 1 + std::int32_t(random() % 9);
    for (std::int32_t j = 0; j < s; ++j) {
        words.push_back(1 + std::int32_t(random() % std::uint32_t(top)));
    }
    return words;
}

TEST(set_cover, proofs_of_costs_are_right) {
    std::mt19937 random(21);
    std::int32_t infeasible = 0;
    for (std::int32_t round = 0; round < 800; ++round) {
        auto const u = std::int32_t(1 + random() % (round % 50 == 0 ? 70 : 12));
        block const words = random_costs(random, u, std::int32_t(1 + random() % 10));
        SCOPED_TRACE(round);
        testing::expect_the_optimum<task>(words, reference::set_cover::verify, reference::set_cover::optimum);
        infeasible += reference::set_cover::optimum(words) ? 0 : 1;
    }
    EXPECT_GT(infeasible, 50);
}

TEST(set_cover, equal_costs_are_the_number_of_sets_so_many_times) {
    std::mt19937 random(22);
    for (std::int32_t round = 0; round < 40; ++round) {
        block const plain = random_cover(random, 20, 14, 250);
        block costly = plain;
        costly.insert(costly.end(), 14, 7);
        std::int64_t const few = solve(plain).result.objective;
        EXPECT_EQ(solve(costly).result.objective, few == no_objective ? few : 7 * few);
        EXPECT_EQ(greedy(costly), greedy(plain));
    }
}

TEST(set_cover, teams_of_several_lanes_agree_on_costs) {
    std::mt19937 random(14);
    for (std::int32_t round = 0; round < 6; ++round) {
        testing::expect_teams_agree<task>(random_costs(random, 20, 12));
    }
}

TEST(set_cover, walks_over_costs_end_with_covers_that_cost_no_more) {
    std::mt19937 random(23);
    std::int32_t better = 0;
    for (std::int32_t round = 0; round < 60; ++round) {
        block const words = random_costs(random, 25, 16);
        block const start = greedy(words);
        if (start.empty()) {
            continue;
        }
        std::int64_t const before = verify(words, start).objective;
        improved const found = improve(words, start, 400);
        verdict const told = verify(words, found.answer);
        EXPECT_EQ(told.code, code_ok);
        EXPECT_EQ(told.objective, found.result.objective);
        EXPECT_EQ(told, reference::set_cover::verify(words, found.answer));
        EXPECT_LE(told.objective, before);
        EXPECT_GE(told.objective, solve(words).result.objective);
        better += told.objective < before ? 1 : 0;
        block const noisy = noisy_greedy(words, draw{std::uint64_t(round), 3});
        EXPECT_EQ(verify(words, noisy).code, code_ok);
    }
    EXPECT_GT(better, 5);
}

}  // namespace
}  // namespace optgap
