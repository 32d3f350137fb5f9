// Cases that a reader of apples' rules would think of.

#include <gtest/gtest.h>

#include <vector>

#include "kernels/tasks/apples/apples.hpp"
#include "tests/support/garbage_words.hpp"

namespace optgap {
namespace {

using namespace tasks::apples;
using block = std::vector<std::int32_t>;

words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

verdict judge(block const& instance, block const& answer) {
    solo team;
    testing::garbage_words const scratch(task::scratch_words(view(instance)));
    return task::verify(team, view(instance), view_answer(view(answer)), scratch.get());
}

block generated(std::int32_t level, std::uint64_t seed) {
    solo team;
    draw const source{seed, 9};
    block words(std::size_t(task::instance_words(source, {level})));
    task::generate(team, source, {level}, words.data(), nullptr);
    return words;
}

/// A row for each machine, [-1] for -1.
block rows(block const& instance, block const& machines) {
    block answer{std::int32_t(machines.size())};
    for (std::int32_t const machine : machines) {
        answer.push_back(machine < 0 ? 1 : 2);
    }
    for (std::int32_t const machine : machines) {
        if (machine < 0) {
            answer.push_back(-1);
        } else {
            answer.insert(answer.end(), {machine / instance[2], machine % instance[2]});
        }
    }
    return answer;
}

TEST(apples, powers_of_two_and_their_neighbours_have_the_logarithms_that_they_have) {
    for (std::int32_t exponent = 1; exponent < 127; ++exponent) {
        EXPECT_EQ(worth_of(uint128(1) << exponent), exponent * std::int64_t(100'000)) << exponent;
    }
    EXPECT_EQ(worth_of(0), 0);
    EXPECT_EQ(worth_of(1), 0);
    EXPECT_EQ(worth_of(3), 158'496);
    EXPECT_EQ(worth_of(10), 332'193);
    EXPECT_EQ(worth_of(uint128(999'999'999'999)), 3'986'314);
    EXPECT_EQ(worth_of((uint128(1) << 120) + 1), 12'000'000);
}

TEST(apples, prices_are_powers_of_ten_in_integers) {
    EXPECT_EQ(times_power(1, 0), 1U);
    EXPECT_EQ(times_power(7, 0x8000), 70U);
    EXPECT_EQ(times_power(1, 0x4000), 3U);
    EXPECT_EQ(times_power(1'000'000, 0x4000), 3'162'278U);
    EXPECT_EQ(times_power(1, 0xFFFF), 100U);
    EXPECT_EQ(times_power(1'000'000, 0xFFFF), 99'992'973U);
    for (std::uint32_t word = 1; word < 65'536; ++word) {
        ASSERT_LT(power_of_ten(word - 1), power_of_ten(word)) << word;
    }
}

TEST(apples, levels_produce_in_ascending_order_within_a_turn) {
    // One kind of two levels, rate 2, prices 3 and 1, stock 9. Turn 0 buys level 0: 6 left, 8 after it. Turn 1 buys
    // level 1: 7 left; the one machine makes 2, and only then there is a second one. Turns 2 and 3 make 4 and 6.
    block const instance{4, 9, 1, 2, 2, 0, 0, 3, 1};
    EXPECT_EQ(task::check(view(instance)), nullptr);
    EXPECT_EQ(judge(instance, rows(instance, {0, 1, -1, -1})).objective, worth_of(19));
    EXPECT_EQ(judge(instance, rows(instance, {1, 0, -1, -1})).objective, worth_of(9 - 1 - 3 + 4 + 6 + 8));
}

TEST(apples, a_list_is_bought_no_later_and_ends_with_no_less_than_the_answer_it_was_read_from) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        block const instance = generated(-4, seed);
        solo team;
        testing::garbage_words const scratch(task::improve_scratch_words(view(instance)));
        block answer(std::size_t(task::answer_words(view(instance))));
        answer.resize(std::size_t(task::noisy_greedy(view(instance), {seed, 3}, answer.data(), scratch.get())));
        verdict const before = judge(instance, answer);
        ASSERT_TRUE(before.feasible());
        list_search search(view(instance), scratch.get());
        shopping_list list(instance[0], scratch.get() + list_search::words(view(instance)));
        search.read(view_answer(view(answer)), list);
        block written(std::size_t(task::answer_words(view(instance))));
        written.resize(std::size_t(search.write(list, written.data())));
        EXPECT_GE(worth_of(list.stock), before.objective);
        EXPECT_EQ(judge(instance, written).objective, worth_of(list.stock));
    }
}

TEST(apples, no_run_ends_above_the_purses) {
    for (std::int32_t const level : {-4, -3, 3, 12}) {
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            block const instance = generated(level, seed);
            testing::garbage_words const scratch(task::exact_scratch_words(view(instance)));
            block answer(std::size_t(task::answer_words(view(instance))));
            solve_result const found = task::exact(view(instance), 400, answer.data(), scratch.get());
            EXPECT_LE(found.objective, found.bound);
            EXPECT_GE(found.objective, 0);
        }
    }
}

TEST(apples, the_search_beats_the_greedy_policy_at_the_benchmark_s_size) {
    std::int64_t greedy = 0;
    std::int64_t best = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        block const instance = generated(-1, seed);
        testing::garbage_words const scratch(task::exact_scratch_words(view(instance)));
        block answer(std::size_t(task::answer_words(view(instance))));
        greedy += task::exact(view(instance), 0, answer.data(), scratch.get()).objective;
        best += task::exact(view(instance), 1'000, answer.data(), scratch.get()).objective;
    }
    EXPECT_GT(10 * best, 13 * greedy);
}

}  // namespace
}  // namespace optgap
