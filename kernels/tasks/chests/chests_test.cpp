// Cases that a reader of chests' rules would think of.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/tasks/chests/chests.hpp"
#include "tests/support/garbage_words.hpp"

namespace optgap {
namespace {

using namespace tasks::chests;
using block = std::vector<std::int32_t>;

words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

verdict judge(block const& instance, block const& answer) {
    solo team;
    testing::garbage_words const scratch(task::scratch_words(view(instance)));
    return task::verify(team, view(instance), view_answer(view(answer)), scratch.get());
}

block generated(difficulty level, std::uint64_t seed) {
    solo team;
    draw const source{seed, 9};
    block words(std::size_t(task::instance_words(source, level)));
    task::generate(team, source, level, words.data(), nullptr);
    return words;
}

TEST(chests, damage_is_five_hundred_over_a_number_from_one_to_five_hundred) {
    EXPECT_EQ(damage_of(0), 500);
    EXPECT_EQ(damage_of(0xFFFFFFFFu), 1);
    EXPECT_EQ(damage_of(0x80000000u), 2);  // 500 / 250.5
    EXPECT_EQ(damage_of(std::uint32_t((std::uint64_t(99) << 32) / 499)), 5);
    for (std::uint32_t word = 1; word < 64; ++word) {
        EXPECT_LE(damage_of(word << 26), damage_of((word - 1) << 26));
    }
}

TEST(chests, a_plan_that_is_read_is_no_longer_than_its_answer_and_writes_what_it_says) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        block const instance = generated(difficulty::scale(std::int32_t(seed)), seed);
        testing::garbage_words const scratch(task::improve_scratch_words(view(instance)));
        block answer(std::size_t(task::answer_words(view(instance))));
        answer.resize(std::size_t(task::noisy_greedy(view(instance), {seed, 3}, answer.data(), scratch.get())));
        ASSERT_TRUE(judge(instance, answer).feasible());
        plan own(view(instance), scratch.get());
        own.prepare();
        own.read(view_answer(view(answer)));
        for (std::int64_t step = 0; step < 400; ++step) {
            block written(std::size_t(task::answer_words(view(instance))));
            written.resize(std::size_t(own.write(written.data())));
            verdict const found = judge(instance, written);
            ASSERT_TRUE(found.feasible()) << step << ", code " << found.code << " at " << found.where;
            ASSERT_EQ(written[0], own.turns());
            EXPECT_TRUE(step > 0 || own.turns() <= answer[0]);
            own.step({seed, 4}, step, 3000);
        }
    }
}

TEST(chests, a_step_that_is_not_kept_leaves_the_plan_as_it_was) {
    block const instance = generated(difficulty::medium(), 5);
    testing::garbage_words const scratch(task::improve_scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    solo team;
    task::greedy(team, view(instance), answer.data(), scratch.get());
    plan own(view(instance), scratch.get());
    own.prepare();
    own.read(view_answer(view(answer)));
    std::int64_t kept = 0;
    for (std::int64_t step = 0; step < 3000; ++step) {
        block before(own.targets(), own.targets() + own.slots());
        before.insert(before.end(), own.order(), own.order() + instance[0]);
        std::int64_t const turns = own.turns();
        own.step({1, 2}, step, 0);
        block after(own.targets(), own.targets() + own.slots());
        after.insert(after.end(), own.order(), own.order() + instance[0]);
        ASSERT_LE(own.turns(), turns);
        kept += before == after ? 1 : 0;
    }
    EXPECT_GT(kept, 500);
    EXPECT_LT(kept, 2900);
}

TEST(chests, the_search_beats_the_greedy_policy_and_no_plan_beats_the_bound) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        block const instance = generated(difficulty::hard(), seed);
        testing::garbage_words const scratch(task::exact_scratch_words(view(instance)));
        block answer(std::size_t(task::answer_words(view(instance))));
        std::int64_t const greedy = task::exact(view(instance), 0, answer.data(), scratch.get()).objective;
        solve_result const found = task::exact(view(instance), 50'000, answer.data(), scratch.get());
        EXPECT_GT(found.objective, greedy);
        EXPECT_LE(found.objective, found.bound);
    }
}

}  // namespace
}  // namespace optgap
