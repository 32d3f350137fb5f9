// The proofs of subset_sum.

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/tasks/subset_sum/subset_sum_fixture.hpp"

namespace optgap {
namespace {

using namespace subset_sum_fixture;

TEST(subset_sum, proves_small_instances_of_every_shape) {
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        for (std::int32_t const largest : {2, 15, 120, 3000, 100'000'000}) {
            expect_proven(odd_instance(seed, largest));
        }
    }
}

TEST(subset_sum, proves_that_nothing_hits_the_target) {
    for (block const& instance :
         {instance_of(5, {1, 1, 2}), instance_of(3, {2, 4, 6}), instance_of(1, {5, 9}), instance_of(8, {5, 5, 5}),
          instance_of(100'000'001, {50'000'000, 50'000'000, 50'000'002})}) {
        expect_proven(instance);
        EXPECT_EQ(solve(instance, 0).result.status, baseline_status::unknown);
        EXPECT_GE(solve(instance, 0).result.bound, 0);
    }
}

TEST(subset_sum, the_table_and_the_halves_agree) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        draw_stream stream(draw{seed, 3}, 0);
        std::vector<std::int32_t> values(std::size_t(stream.uniform(1, 16)));
        std::int64_t goal = 0;
        for (std::int32_t& value : values) {
            value = stream.uniform(1, 100);
            goal += stream.chance(400) ? value : 0;
        }
        std::sort(values.begin(), values.end());
        auto const count = std::int32_t(values.size());
        std::int32_t const fitting =
            std::int32_t(std::upper_bound(values.begin(), values.end(), goal) - values.begin());
        tasks::subset_sum::table_problem const problem{values.data(), fitting, 1, goal};
        block taken(values.size());
        block large(values.size());
        block halves(values.size());
        garbage table(2 * (2 * 32 * bitset_words(goal + 1) + count * bitset_words(goal + 1)) +
                      tasks::subset_sum::table_scratch_words(problem));
        garbage memory(tasks::subset_sum::halves_scratch_words(count));
        bool const reached = tasks::subset_sum::solve_table(problem, taken.data(), table.data());
        ASSERT_EQ(reached, tasks::subset_sum::solve_large_table(problem, large.data(), table.data()));
        std::int32_t const most =
            tasks::subset_sum::solve_halves(values.data(), count, goal, halves.data(), memory.data());
        ASSERT_EQ(reached, most >= 0);
        if (reached) {
            ASSERT_EQ(std::accumulate(taken.begin(), taken.end(), 0), most);
            ASSERT_EQ(std::accumulate(large.begin(), large.end(), 0), most);
            ASSERT_EQ(std::accumulate(halves.begin(), halves.end(), 0), most);
        }
    }
}

TEST(subset_sum, meets_the_bound_on_instances_too_large_for_a_table) {
    draw_stream stream(draw{1, 1}, 0);
    std::vector<std::int32_t> values(1000);
    std::int32_t target = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = stream.uniform(1, 1000);
        target += i % 2 == 0 ? values[i] : 0;
    }
    solved const found = solve(instance_of(target, values));
    EXPECT_EQ(found.result.status, baseline_status::optimal);
    EXPECT_EQ(verified(instance_of(target, values), found.answer).objective, found.result.objective);
}

TEST(subset_sum, keeps_an_honest_bound_where_the_proof_is_out_of_reach) {
    std::vector<std::int32_t> values(100, 20'000'002);
    values.push_back(1'999'999'999);
    block const instance = instance_of(1'999'999'999, values);
    solved const found = solve(instance);
    EXPECT_EQ(found.result.status, baseline_status::unknown);
    EXPECT_STREQ(task::bound_kinds[found.result.bound_kind], "count");
    EXPECT_EQ(found.result.bound, 99);
}

TEST(subset_sum, more_budget_is_never_worse) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        block const instance = seed < 6 ? generated(seed, difficulty::scale(60)) : odd_instance(seed, 100'000'000);
        solved const best = solve(instance);
        solve_result last = solve(instance, 0).result;
        for (std::int64_t budget = 1; budget < 3'000'000; budget *= 3) {
            solved const found = solve(instance, budget);
            ASSERT_LE(found.result.steps, budget);
            ASSERT_GE(found.result.objective, last.objective);
            ASSERT_LE(found.result.bound, last.bound);
            ASSERT_GE(found.result.bound, best.result.bound);
            last = found.result;
        }
    }
}

}  // namespace
}  // namespace optgap
