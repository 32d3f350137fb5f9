// Negative weights, which no generator draws: compares proofs with trying all cuts.

#include <random>

#include "kernels/tasks/max_cut/max_cut.hpp"
#include "kernels/tasks/max_cut/max_cut_reference.hpp"
#include "tests/support/wide_proofs.hpp"

namespace optgap {
namespace {

using max_cut_task = tasks::max_cut::task;
using testing::wide_block;

wide_block random_weights(std::mt19937& random) {
    auto const n = std::int32_t(1 + random() % 10);
    std::uint32_t const permille = random() % 2 == 0 ? 1000 : 400;
    std::int32_t const top = random() % 4 == 0 ? INT32_MAX : 1 + std::int32_t(random() % 9);
    std::uint32_t const negative = random() % 3 == 0 ? 1000 : 500;
    wide_block words(std::size_t(weighted_graph_words(n)), 0);
    words[0] = n;
    for (std::int32_t u = 0; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            auto const weight = std::int32_t(1 + random() % std::uint32_t(top));
            bool const there = random() % 1000 < permille;
            std::int32_t const given = there ? (random() % 1000 < negative ? -weight : weight) : 0;
            words[std::size_t(1 + u * n + v)] = words[std::size_t(1 + v * n + u)] = given;
        }
    }
    return words;
}

TEST(max_cut, proofs_of_negative_weights_are_right) {
    std::mt19937 random(7);
    std::int32_t nothing = 0;
    for (std::int32_t round = 0; round < 1000; ++round) {
        wide_block const words = random_weights(random);
        SCOPED_TRACE(round);
        testing::expect_the_optimum<max_cut_task>(words, reference::max_cut::verify, reference::max_cut::optimum);
        nothing += reference::max_cut::optimum(words) == 0 ? 1 : 0;
    }
    EXPECT_GT(nothing, 100);
}

TEST(max_cut, teams_of_several_lanes_agree_on_negative_weights) {
    std::mt19937 random(12);
    for (std::int32_t round = 0; round < 6; ++round) {
        testing::expect_teams_agree<max_cut_task>(random_weights(random));
    }
}

TEST(max_cut, greedy_never_cuts_less_than_nothing) {
    std::mt19937 random(8);
    for (std::int32_t round = 0; round < 300; ++round) {
        wide_block const words = random_weights(random);
        words_view const instance = testing::wide_view(words);
        testing::wide_memory scratch(max_cut_task::scratch_words(instance));
        wide_block answer(std::size_t(max_cut_task::answer_words(instance)));
        solo team;
        ASSERT_EQ(max_cut_task::greedy(team, instance, answer.data(), scratch.data()), std::int64_t(answer.size()));
        EXPECT_GE(reference::max_cut::verify(words, answer).objective, 0);
    }
}

}  // namespace
}  // namespace optgap
