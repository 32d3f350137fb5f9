#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/subset_sum/subset_sum_fixture.hpp"

namespace optgap {
namespace {

using namespace subset_sum_fixture;

TEST(subset_sum, accepts_the_papers_worked_example) {
    EXPECT_EQ(verified(paper(), flat({0, 1, 4})), (verdict{code_ok, -1, 3, 0, 15}));
    EXPECT_EQ(solve(paper()).result.objective, 3);
    EXPECT_EQ(solve(paper()).result.status, baseline_status::optimal);
}

TEST(subset_sum, names_the_first_broken_rule) {
    EXPECT_EQ(verified(paper(), {answer_word, 0}).code, code_unparsable);
    EXPECT_EQ(verified(paper(), {1, 3, 0, 1, 4}), (verdict{code_bad_depth, -1, 0, 15, 15}));
    EXPECT_EQ(verified(paper(), flat({})), (verdict{code_empty, -1, 0, 15, 15}));
    EXPECT_EQ(verified(paper(), {0}).code, code_empty);
    EXPECT_EQ(verified(paper(), flat({0, 0, 5})), (verdict{code_out_of_range, 2, 0, 15, 15}));
    EXPECT_EQ(verified(paper(), flat({0, INT32_MIN, INT32_MAX})).where, 1);
    EXPECT_EQ(verified(paper(), flat({4, 4})), (verdict{code_repeated, 1, 0, 15, 15}));
    EXPECT_EQ(verified(paper(), flat({0, 1})), (verdict{task::code_wrong_sum, -1, 0, 5, 15}));
    EXPECT_EQ(verified(paper(), flat({0, 1, 2, 3})), (verdict{task::code_wrong_sum, 2, 0, 10, 15}));
}

TEST(subset_sum, repeated_indices_that_hit_the_target_give_nothing) {
    block const ones = instance_of(200, {1, 1});
    EXPECT_EQ(verified(ones, flat(std::vector<std::int32_t>(200, 0))).code, code_repeated);
}

TEST(subset_sum, the_empty_list_is_right_when_the_target_is_zero) {
    EXPECT_EQ(verified(instance_of(0, {4, 7}), flat({})), (verdict{code_ok, -1, 0, 0, 11}));
    EXPECT_EQ(solve(instance_of(0, {4, 7})).answer, flat({}));
    EXPECT_EQ(solve(instance_of(0, {4, 7})).result.status, baseline_status::optimal);
    EXPECT_EQ(solve(instance_of(0, {4, 0, 7, 0})).answer, flat({1, 3}));
    EXPECT_EQ(verified(instance_of(0, {0}), flat({0})), (verdict{code_ok, -1, 1, 0, 1}));
}

TEST(subset_sum, sums_past_int32_are_exact) {
    block const large = instance_of(INT32_MAX, std::vector<std::int32_t>(5, INT32_MAX));
    EXPECT_EQ(verified(large, flat({0, 1, 2})),
              (verdict{task::code_wrong_sum, 1, 0, 2 * std::int64_t(INT32_MAX), 4 * std::int64_t(INT32_MAX)}));
    EXPECT_EQ(solve(large).answer, flat({0}));
}

TEST(subset_sum, verdicts_equal_the_reference_on_random_answers) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        block const instance = odd_instance(seed, 9);
        draw_stream stream(draw{seed, 5}, 1);
        std::vector<std::int32_t> values(std::size_t(stream.uniform(0, 6)));
        for (std::int32_t& value : values) {
            value = stream.uniform(seed % 16 == 0 ? -1 : 0, instance[0] - (seed % 8 == 0 ? 0 : 1));
        }
        verified(instance, flat(values));
    }
}

TEST(subset_sum, greedy_takes_the_smallest_values_while_they_fit) {
    EXPECT_EQ(greedy(paper()), flat({0, 1, 4}));
    EXPECT_EQ(greedy(instance_of(9, {4, 3, 4, 3})), flat({1, 3}));
    EXPECT_EQ(verified(instance_of(9, {4, 3, 4, 3}), greedy(instance_of(9, {4, 3, 4, 3}))).violation, 3);
    EXPECT_EQ(greedy(instance_of(1, {2})), flat({}));
    EXPECT_EQ(solve(paper(), 0).answer, greedy(paper()));
    solo team;
    EXPECT_EQ(task::floor(team, view(paper()), nullptr, nullptr), 0);
}

TEST(subset_sum, values_are_sorted_across_runs) {
    for (std::int32_t const n : {1, 2, 63, 64, 65, 130, 1000}) {
        block instance{n, 0};
        for (std::int32_t i = 0; i < n; ++i) {
            instance.push_back(uniform({5, 5}, 0, std::uint32_t(i), 0, 50));
        }
        block order(static_cast<std::size_t>(n));
        block spare(order.size());
        block expected(order.size());
        std::iota(expected.begin(), expected.end(), 0);
        std::stable_sort(expected.begin(), expected.end(), [&](std::int32_t a, std::int32_t b) {
            return instance[std::size_t(2 + a)] < instance[std::size_t(2 + b)];
        });
        solo team;
        tasks::subset_sum::sort_by_value(team, tasks::subset_sum::numbers_of(view(instance)), order.data(),
                                         spare.data());
        ASSERT_EQ(order, expected);
    }
}

TEST(subset_sum, local_search_exchanges_one_value_for_two) {
    block const instance = instance_of(10, {2, 3, 7, 8, 5});
    improved const found = improve(instance, flat({0, 3}), 60);
    EXPECT_EQ(found.result.start_objective, 2);
    EXPECT_EQ(found.result.objective, 3);
    EXPECT_EQ(verified(instance, found.answer).objective, 3);
}

TEST(subset_sum, local_search_never_hurts_and_more_steps_are_never_worse) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        block const instance = generated(seed, difficulty::scale(20));
        block start = noisy(instance, seed, 0);
        for (std::uint32_t k = 1; !verified(instance, start).feasible(); ++k) {
            start = noisy(instance, seed, k);
        }
        std::int64_t last = 0;
        for (std::int64_t steps : {0, 1, 2, 5, 20, 100, 300}) {
            improved const found = improve(instance, start, steps);
            ASSERT_GE(found.result.objective, last);
            ASSERT_LE(found.result.moves, steps);
            ASSERT_EQ(verified(instance, found.answer).objective, found.result.objective);
            last = found.result.objective;
        }
        ASSERT_LE(last, solve(instance).result.objective);
        ASSERT_GE(last + 1, solve(instance).result.objective);
    }
}

TEST(subset_sum, local_search_leaves_an_infeasible_start_alone) {
    improved const found = improve(paper(), flat({0, 1}), 50);
    EXPECT_EQ(found.answer, flat({0, 1}));
    EXPECT_EQ(found.result, (improve_result{.answer_words = 3}));
}

TEST(subset_sum, levels_keep_to_the_papers_ranges_and_can_be_solved) {
    std::int32_t const low[] = {5, 8, 12, 15};
    std::int32_t const high[] = {10, 12, 15, 20};
    std::int32_t const largest[] = {5, 10, 15, 15};
    for (std::int32_t code = -4; code < 0; ++code) {
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            block const instance = generated(seed, {code});
            ASSERT_EQ(task::check(view(instance)), nullptr);
            ASSERT_GE(instance[0], low[code + 4]);
            ASSERT_LE(instance[0], high[code + 4]);
            ASSERT_GE(*std::min_element(instance.begin() + 2, instance.end()), 1);
            ASSERT_LE(*std::max_element(instance.begin() + 2, instance.end()), largest[code + 4]);
            expect_proven(instance);
        }
    }
}

TEST(subset_sum, the_scale_grows_and_can_be_solved) {
    for (std::int32_t d = 0; d < 40; ++d) {
        block const instance = generated(9, difficulty::scale(d));
        ASSERT_EQ(instance[0], 8 + d);
        ASSERT_EQ(task::check(view(instance)), nullptr);
        expect_proven(instance);
    }
    block const last = generated(1, difficulty::scale(max_scale_step));
    EXPECT_EQ(last[0], 4096);
    EXPECT_EQ(task::check(view(last)), nullptr);
}

TEST(subset_sum, the_scale_binds_from_the_benchmarks_size_on) {
    int optimal = 0;
    std::vector<std::size_t> distinct;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        block const instance = generated(seed, difficulty::scale(12));
        std::int64_t const optimum = solve(instance).result.objective;
        verdict const start = verified(instance, greedy(instance));
        optimal += start.feasible() && start.objective == optimum ? 1 : 0;
        std::set<std::int64_t> qualities;
        for (std::uint32_t k = 0; k < 16; ++k) {
            verdict const found = verified(instance, noisy(instance, seed, k));
            qualities.insert(found.feasible() ? found.objective : -1);
        }
        distinct.push_back(qualities.size());
    }
    std::nth_element(distinct.begin(), distinct.begin() + 100, distinct.end());
    EXPECT_LE(optimal, 60);
    EXPECT_GE(distinct[100], 4);
}

TEST(subset_sum, a_team_of_five_gives_the_bytes_of_one_lane) {
    for (difficulty const level : {difficulty::easy(), difficulty::benchmark(), difficulty::scale(20)}) {
        draw const source{11, 7};
        block const instance = generated(source.seed, level);
        block drawn(instance.size());
        garbage drawing(task::generate_scratch_words(source, level));
        run_as_team<5>([&](auto& team) { task::generate(team, source, level, drawn.data(), drawing.data()); });
        ASSERT_EQ(drawn, instance);

        garbage scratch(task::scratch_words(view(instance)));
        block const optimum = solve(instance).answer;
        block everything(static_cast<std::size_t>(instance[0]));
        std::iota(everything.begin(), everything.end(), 0);
        for (block const& answer : {greedy(instance), optimum, flat(everything), flat({}), flat({0, 1, 0, 1}),
                                    flat({0, -1}), block{answer_word, 0}, block{2, 1, 1, 0, 1}}) {
            std::vector<verdict> lanes(5);
            run_as_team<5>([&](auto& team) {
                lanes[std::size_t(team.rank())] =
                    task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
            });
            for (verdict const& lane : lanes) {
                ASSERT_EQ(lane, verified(instance, answer));
            }
        }
        block start = noisy(instance, 1, 0);
        for (std::uint32_t k = 1; !verified(instance, start).feasible(); ++k) {
            start = noisy(instance, 1, k);
        }
        block built(std::size_t(task::answer_words(view(instance))));
        block better = start;
        better.resize(built.size());
        std::vector<std::int64_t> sizes(5);
        std::vector<improve_result> results(5);
        run_as_team<5>([&](auto& team) {
            auto const rank = std::size_t(team.rank());
            sizes[rank] = task::greedy(team, view(instance), built.data(), scratch.data());
            results[rank] =
                task::improve(team, view(instance), better.data(), {.answer_words = std::int64_t(start.size())},
                              {0, 40}, draw{3, 7}, scratch.data());
        });
        improved const alone = improve(instance, start, 40);
        built.resize(std::size_t(sizes[4]));
        better.resize(std::size_t(results[4].answer_words));
        ASSERT_EQ(built, greedy(instance));
        ASSERT_EQ(better, alone.answer);
        for (improve_result const& result : results) {
            ASSERT_EQ(result, alone.result);
        }
    }
}

TEST(subset_sum, check_refuses_words_that_are_no_instance) {
    auto const rule = [](block const& words) { return std::string(task::check(view(words))); };
    EXPECT_EQ(task::check(view({1, 0, 0})), nullptr);
    EXPECT_EQ(rule({}), "there are 1 to 10000000 values");
    EXPECT_EQ(rule({0, 3}), "there are 1 to 10000000 values");
    EXPECT_EQ(rule({INT32_MAX, 3, 1}), "there are 1 to 10000000 values");
    EXPECT_EQ(rule({2, 3, 1}), "each of the n values is 0 to 2147483647");
    EXPECT_EQ(rule({1, 3, 1, 1}), "there are words after the last field");
    EXPECT_EQ(rule({1, -3, 1}), "the target is 0 to 2147483647");
    EXPECT_EQ(rule({1, 3, -1}), "each of the n values is 0 to 2147483647");
}

}  // namespace
}  // namespace optgap
