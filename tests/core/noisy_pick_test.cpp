// The policy of greedy with mistakes. The difficulty tables in the tasks' pages depend on it.

#include <gtest/gtest.h>

#include <vector>

#include "kernels/search/noisy_pick.hpp"

namespace optgap {
namespace {

/// How often each of the candidates 0, 1, 2, … is picked in `rounds` rounds.
std::vector<int> picks(std::vector<std::int64_t> const& keys, int rounds) {
    std::vector<int> count(keys.size());
    draw_stream stream({1, 2}, 0);
    for (int round = 0; round < rounds; ++round) {
        search::noisy_pick pick(stream);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            pick.offer(std::int32_t(i), keys[i]);
        }
        ++count[std::size_t(pick.chosen())];
    }
    return count;
}

// Four standard deviations of 40,000 rounds are at most 400.
constexpr int rounds = 40'000;

TEST(noisy_pick, takes_any_candidate_in_a_quarter_of_the_rounds_else_the_best) {
    std::vector<int> const count = picks({7, -3, 7, 900, 0}, rounds);
    for (std::size_t i : {0u, 2u, 3u, 4u}) {
        EXPECT_NEAR(count[i], rounds * 250 / 1000 / 5, 180) << i;
    }
    EXPECT_NEAR(count[1], rounds * 800 / 1000, 400);
}

TEST(noisy_pick, breaks_ties_evenly) {
    std::vector<int> const count = picks({5, 4, 4, 4, 5}, rounds);
    for (std::size_t i : {1u, 2u, 3u}) {
        EXPECT_NEAR(count[i], rounds * (250 + 50) / 1000, 400) << i;
    }
    EXPECT_NEAR(count[0], rounds * 50 / 1000, 180);
    EXPECT_NEAR(count[4], rounds * 50 / 1000, 180);
}

TEST(noisy_pick, picks_nothing_of_nothing) {
    draw_stream stream({1, 2}, 0);
    EXPECT_EQ(search::noisy_pick(stream).chosen(), -1);
}

}  // namespace
}  // namespace optgap
