#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/bisection/bisection_fixture.hpp"
#include "kernels/tasks/bisection/bisection_reference.hpp"

namespace {

using namespace optgap;
using namespace optgap::bisection_fixture;

TEST(bisection, accepts_the_papers_worked_example) {
    EXPECT_EQ(verify(paper(), parts({0, 1}, {2, 3})), (verdict{code_ok, -1, 5, 0, 8}));
    EXPECT_EQ(solve(paper()).result.objective, 5);
    EXPECT_EQ(solve(paper()).result.status, baseline_status::optimal);
}

TEST(bisection, names_the_first_broken_rule) {
    EXPECT_EQ(verify(paper(), {answer_word, 0}), (verdict{code_unparsable, -1, 0, 8, 8}));
    EXPECT_EQ(verify(paper(), {answer_flat, 0, 1, 2, 3}), (verdict{code_bad_depth, -1, 0, 8, 8}));
    EXPECT_EQ(verify(paper(), {answer_flat}), (verdict{code_empty, -1, 0, 8, 8}));
    EXPECT_EQ(verify(paper(), {0}).code, code_empty);
    EXPECT_EQ(verify(paper(), {1, 4, 0, 1, 2, 3}), (verdict{task::code_not_two_parts, -1, 0, 8, 8}));
    EXPECT_EQ(verify(paper(), {3, 2, 2, 0, 0, 1, 2, 3}).code, task::code_not_two_parts);
    EXPECT_EQ(verify(paper(), parts({0, 1}, {2, 4})), (verdict{code_out_of_range, 3, 0, 8, 8}));
    EXPECT_EQ(verify(paper(), parts({0, INT32_MIN}, {INT32_MAX, 0})).where, 1);
    EXPECT_EQ(verify(paper(), parts({0, 1}, {2, 1})), (verdict{code_repeated, 3, 0, 2, 8}));
    EXPECT_EQ(verify(paper(), parts({0, 1}, {2})), (verdict{code_wrong_length, -1, 0, 1, 8}));
    EXPECT_EQ(verify(paper(), parts({0, 1, 3}, {2})), (verdict{task::code_unbalanced, -1, 0, 1, 8}));
    EXPECT_EQ(verify(paper(), parts({0, 1, 2, 3}, {})), (verdict{task::code_unbalanced, -1, 0, 3, 8}));
    EXPECT_EQ(verify(paper(), parts({}, {})), (verdict{code_wrong_length, -1, 0, 4, 8}));
}

TEST(bisection, gives_nothing_for_one_vertex_two_hundred_times_or_one_in_both_halves) {
    EXPECT_EQ(verify(paper(), parts(block(100, 1), block(100, 1))), (verdict{code_repeated, 1, 0, 4, 8}));
    EXPECT_EQ(verify(paper(), parts({0, 1, 2, 3}, {0, 1, 2, 3})), (verdict{code_repeated, 4, 0, 4, 8}));
    EXPECT_EQ(verify(paper(), parts(block(200, 1), {0})).violation, 8);
}

TEST(bisection, an_odd_graph_may_have_either_half_larger_and_one_vertex_is_a_graph) {
    block const path = graph(R"({"n":3,"edges":[[0,1,4],[1,2,7]]})");
    EXPECT_EQ(verify(path, parts({0}, {1, 2})).objective, 4);
    EXPECT_EQ(verify(path, parts({1, 2}, {0})).objective, 4);
    EXPECT_EQ(solve(path).result.objective, 4);
    block const single = graph(R"({"n":1,"edges":[]})");
    EXPECT_EQ(verify(single, parts({0}, {})), (verdict{code_ok, -1, 0, 0, 2}));
    EXPECT_EQ(verify(single, parts({}, {0})).code, code_ok);
    EXPECT_EQ(solve(single).result.objective, 0);
    EXPECT_EQ(improve(single, parts({}, {0}), 9).answer, parts({}, {0}));
}

TEST(bisection, verdicts_equal_the_reference_on_random_answers) {
    std::mt19937 random(11);
    for (int round = 0; round < 4000; ++round) {
        std::int32_t const n = 1 + std::int32_t(random() % 40);
        block const instance = random_graph(random, n, std::int32_t(random() % 1000), 20);
        block order(static_cast<std::size_t>(n));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        for (auto slips = random() % 3; slips > 0; --slips) {
            order[random() % order.size()] = std::int32_t(random() % std::uint32_t(n + 1)) - (random() % 16 == 0);
        }
        order.resize(order.size() - std::min<std::size_t>(order.size(), random() % 4 == 0));
        auto const cut = std::ptrdiff_t(random() % 4 == 0 ? random() % (order.size() + 1) : (order.size() + 1) / 2);
        block const answer = parts({order.begin(), order.begin() + cut}, {order.begin() + cut, order.end()});
        ASSERT_EQ(verify(instance, answer), reference::bisection::verify(instance, answer)) << round;
    }
}

TEST(bisection, proves_the_optimum_of_small_graphs_of_every_density_and_weight) {
    std::mt19937 random(5);
    std::int32_t const heaviest[] = {1, 10, 40, 1000, 1 << 20, INT32_MAX};
    for (int round = 0; round < 900; ++round) {
        block const instance =
            random_graph(random, 1 + round % 13, std::int32_t(random() % 1001), heaviest[random() % 6]);
        solved const found = solve(instance);
        ASSERT_EQ(found.result.status, baseline_status::optimal);
        ASSERT_EQ(found.result.objective, found.result.bound);
        ASSERT_EQ(found.result.objective, reference::bisection::optimum(instance)) << round;
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
    }
}

TEST(bisection, rounding_weights_down_to_levels_proves_the_same_optimum) {
    std::mt19937 random(6);
    for (int round = 0; round < 12; ++round) {
        block const few = random_graph(random, 22 + round % 2, 400, 16);
        block many = few;
        for (std::size_t i = 1; i < many.size(); ++i) {
            many[i] *= 1000;
        }
        std::int32_t const n = few[0];
        for (std::int32_t v = 0; v + 1 < n; ++v) {  // more distinct weights than levels, the optimum's order unchanged
            many[std::size_t(1 + v * n + v + 1)] += v > 0 ? 0 : 1;
            many[std::size_t(1 + (v + 1) * n + v)] += v > 0 ? 0 : 1;
        }
        EXPECT_EQ(solve(many).result.objective / 1000, solve(few).result.objective);
    }
}

TEST(bisection, the_optimum_grows_with_the_weights_whatever_the_labels) {
    std::mt19937 random(8);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        block const instance = generate(seed, seed % 2 == 0 ? difficulty::easy() : difficulty::hard());
        std::int32_t const n = instance[0];
        std::int64_t const optimum = solve(instance).result.objective;
        block names(static_cast<std::size_t>(n));
        std::iota(names.begin(), names.end(), 0);
        for (auto const& [factor, more] : {std::pair{1, 7}, {3000, 0}, {20'000'000, 1'000'000}}) {
            std::shuffle(names.begin(), names.end(), random);
            block changed = instance;
            for (std::int32_t u = 0; u < n; ++u) {
                for (std::int32_t v = 0; v < n; ++v) {
                    std::int32_t const weight = instance[std::size_t(1 + u * n + v)];
                    changed[std::size_t(1 + names[std::size_t(u)] * n + names[std::size_t(v)])] =
                        u == v ? 0 : factor * weight + more;
                }
            }
            std::int64_t const pairs = std::int64_t(n / 2) * ((n + 1) / 2);
            solved const found = solve(changed);
            ASSERT_EQ(found.result.status, baseline_status::optimal);
            ASSERT_EQ(found.result.objective, factor * optimum + more * pairs) << seed;
        }
    }
}

TEST(bisection, solves_edge_shapes) {
    std::mt19937 random(1);
    for (std::int32_t const n : {1, 2, 3, 16, 17, 33, 64, 65, 130}) {
        EXPECT_EQ(solve(random_graph(random, n, 0, 1)).result.objective, 0);
        block path(std::size_t(1 + n * n));
        path[0] = n;
        for (std::int32_t v = 0; v + 1 < n; ++v) {
            path[std::size_t(1 + v * n + v + 1)] = 5;
            path[std::size_t(1 + (v + 1) * n + v)] = 5;
        }
        solved const found = solve(path, 2000);
        EXPECT_EQ(verify(path, found.answer).objective, found.result.objective);
        EXPECT_LE(found.result.bound, n > 1 ? 5 : 0);
        block const complete = random_graph(random, n, 1000, 1);
        EXPECT_EQ(solve(complete).result.objective, n / 2 * ((n + 1) / 2));
        EXPECT_EQ(solve(complete).result.status, baseline_status::optimal);
    }
}

TEST(bisection, more_budget_is_never_worse_and_none_is_the_greedy_answer) {
    std::mt19937 random(21);
    for (std::int32_t const n : {24, 31, 40}) {
        block const instance = random_graph(random, n, 150, 10);
        EXPECT_EQ(solve(instance, 0).answer, greedy(instance));
        EXPECT_EQ(solve(instance, 0).result.bound, 0);
        std::int64_t const optimum = solve(instance).result.objective;
        solve_result last = solve(instance, 0).result;
        for (std::int64_t budget = 1; budget < 3000; budget += 1 + budget / 3) {
            solved const found = solve(instance, budget);
            ASSERT_LE(found.result.steps, budget);
            ASSERT_LE(found.result.objective, last.objective);
            ASSERT_GE(found.result.bound, last.bound);
            ASSERT_LE(found.result.bound, optimum);
            ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
            ASSERT_EQ(found.result.status == baseline_status::optimal, found.result.objective == found.result.bound);
            last = found.result;
        }
    }
}

TEST(bisection, keeps_an_honest_bound_where_the_proof_does_not_end) {
    std::mt19937 random(2);
    for (std::int32_t const n : {120, 300}) {
        block const instance = random_graph(random, n, 900, 1000);
        solved const found = solve(instance, 50);
        EXPECT_EQ(found.result.status, baseline_status::bounded);
        EXPECT_STREQ(task::bound_kinds[found.result.bound_kind], "half_bound");
        EXPECT_LT(found.result.bound, found.result.objective);
        EXPECT_GT(found.result.bound, found.result.objective / 3);
        EXPECT_EQ(verify(instance, found.answer).objective, found.result.objective);
    }
}

TEST(bisection, greedy_goes_by_falling_degree_to_the_heavier_side_with_room) {
    // Degrees 4, 7, 6, 5: vertex 1 opens part 0, 2 joins it by weight 2, 3 and 0 find it full.
    EXPECT_EQ(greedy(paper()), parts({1, 2}, {0, 3}));
    EXPECT_EQ(greedy(graph(R"({"n":4,"edges":[]})")), parts({0, 2}, {1, 3}));
    EXPECT_EQ(floor(paper()), parts({0, 1}, {2, 3}));
    EXPECT_EQ(floor(graph(R"({"n":5,"edges":[]})")), parts({0, 1, 2}, {3, 4}));
}

TEST(bisection, noisy_greedy_answers_are_feasible_repeat_and_differ) {
    for (std::int32_t const code : {-4, -1, 0, 7}) {
        block const instance = generate(5, {code});
        std::vector<block> answers;
        for (std::uint32_t k = 0; k < 16; ++k) {
            answers.push_back(noisy_greedy(instance, {5, k}));
            EXPECT_EQ(verify(instance, answers.back()).code, code_ok);
            EXPECT_EQ(answers.back(), noisy_greedy(instance, {5, k}));
        }
        std::sort(answers.begin(), answers.end());
        EXPECT_GT(std::unique(answers.begin(), answers.end()) - answers.begin(), 8);
    }
}

TEST(bisection, local_search_reaches_the_optimum_of_small_graphs) {
    std::mt19937 random(31);
    for (int round = 0; round < 150; ++round) {
        block const instance = random_graph(random, 2 + round % 12, 100 + std::int32_t(random() % 900), 30);
        improved const found = improve(instance, floor(instance), 2000);
        ASSERT_EQ(found.result.objective, reference::bisection::optimum(instance));
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        ASSERT_EQ(found.result.start_objective, verify(instance, floor(instance)).objective);
    }
}

TEST(bisection, a_longer_local_search_is_never_worse) {
    block const instance = generate(4, difficulty::benchmark());
    std::int64_t last = INT64_MAX;
    for (std::int64_t steps = 0; steps < 400; steps += 7) {
        improved const found = improve(instance, floor(instance), steps);
        ASSERT_LE(found.result.objective, last);
        ASSERT_LE(found.result.moves, steps);
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        last = found.result.objective;
    }
    EXPECT_LT(last, verify(instance, floor(instance)).objective);
}

TEST(bisection, local_search_leaves_an_infeasible_start_alone) {
    improved const found = improve(paper(), parts({0, 1}, {1}), 50);
    EXPECT_EQ(found.answer, parts({0, 1}, {1}));
    EXPECT_EQ(found.result, (improve_result{.answer_words = 6}));
    EXPECT_EQ(improve(paper(), {answer_word, 0}, 50).answer, (block{answer_word, 0}));
}

TEST(bisection, levels_keep_to_the_papers_ranges) {
    std::int32_t const low[] = {28, 40, 43, 48};
    std::int32_t const high[] = {32, 44, 47, 52};
    for (std::int32_t code = -4; code < 0; ++code) {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            block const instance = generate(seed, {code});
            ASSERT_EQ(task::check(view(instance)), nullptr);
            ASSERT_GE(instance[0], low[code + 4]);
            ASSERT_LE(instance[0], high[code + 4]);
            ASSERT_LE(*std::max_element(instance.begin() + 1, instance.end()), 10);
        }
    }
}

TEST(bisection, labels_carry_no_information_on_the_communities) {
    std::int64_t floors = 0;
    std::int64_t random_halves = 0;
    std::mt19937 random(3);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        block const instance = generate(seed, difficulty::benchmark());
        floors += verify(instance, floor(instance)).objective;
        block order(static_cast<std::size_t>(instance[0]));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        auto const middle = order.begin() + instance[0] / 2;
        random_halves += verify(instance, parts({order.begin(), middle}, {middle, order.end()})).objective;
    }
    EXPECT_NEAR(double(floors) / double(random_halves), 1.0, 0.02);
}

TEST(bisection, a_team_of_five_gives_the_bytes_of_one_lane) {
    std::mt19937 random(17);
    for (difficulty const level : {difficulty::easy(), difficulty::scale(0), difficulty::scale(4)}) {
        draw const source{random(), 0xb15};
        block const instance = generate(source.seed, level);
        block drawn(instance.size());
        scratch_memory drawing(task::generate_scratch_words(source, level));
        run_as_team<5>([&](auto& team) { task::generate(team, source, level, drawn.data(), drawing.data()); });
        ASSERT_EQ(drawn, instance);

        scratch_memory scratch(task::scratch_words(view(instance)));
        std::vector<block> const answers{greedy(instance),   {answer_flat},          {answer_word, 0},
                                         parts({0, 0}, {1}), parts({0, 1}, {2, 99}), parts({0, 1, 2}, {3, 4, 5})};
        for (block const& answer : answers) {
            std::vector<verdict> lanes(5);
            run_as_team<5>([&](auto& team) {
                lanes[std::size_t(team.rank())] =
                    task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
            });
            for (verdict const& lane : lanes) {
                ASSERT_EQ(lane, verify(instance, answer));
            }
        }
        block built(std::size_t(task::answer_words(view(instance))));
        block better = floor(instance);
        std::vector<std::int64_t> sizes(5);
        std::vector<improve_result> results(5);
        run_as_team<5>([&](auto& team) {
            auto const rank = std::size_t(team.rank());
            sizes[rank] = task::greedy(team, view(instance), built.data(), scratch.data());
            results[rank] =
                task::improve(team, view(instance), better.data(), {.answer_words = std::int64_t(better.size())},
                              {0, 60}, draw{3, 7}, scratch.data());
        });
        improved const alone = improve(instance, floor(instance), 60);
        built.resize(std::size_t(sizes[4]));
        ASSERT_EQ(built, greedy(instance));
        ASSERT_EQ(better, alone.answer);
        for (improve_result const& result : results) {
            ASSERT_EQ(result, alone.result);
        }
    }
}

TEST(bisection, check_refuses_words_that_are_no_weighted_graph) {
    auto const rule = [](block const& words) { return std::string(task::check(view(words))); };
    EXPECT_EQ(task::check(view({1, 0})), nullptr);
    EXPECT_EQ(rule({}), "the words must begin with n");
    EXPECT_EQ(rule({0}), "n must be at least 1");
    EXPECT_EQ(rule({INT32_MIN}), "n must be at least 1");
    EXPECT_EQ(rule({INT32_MAX, 0}), "n must be at most 5000");
    EXPECT_EQ(rule({2, 0, 0}), "a weighted graph has 1 + n * n words");
    EXPECT_EQ(rule({2, 1, 0, 0, 0}), "a vertex must have weight 0 to itself");
    EXPECT_EQ(rule({2, 0, -1, -1, 0}), "weights must be at least 0");
    EXPECT_EQ(rule({2, 0, 1, 2, 0}), "the rows must be symmetric");
}

}  // namespace
