#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/clique/clique_fixture.hpp"
#include "kernels/tasks/clique/clique_reference.hpp"

namespace {

using namespace optgap;
using namespace optgap::clique_fixture;

TEST(clique, accepts_the_papers_worked_example) {
    EXPECT_EQ(verify(paper, flat({0, 1, 3, 4})), (verdict{code_ok, -1, 4, 0, 6}));
    EXPECT_EQ(solve(paper).result.objective, 4);
    EXPECT_EQ(solve(paper).result.status, baseline_status::optimal);
}

TEST(clique, names_the_first_broken_rule) {
    EXPECT_EQ(verify(paper, {answer_word, 0}).code, code_unparsable);
    EXPECT_EQ(verify(paper, {1, 2, 0, 1}), (verdict{code_bad_depth, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, flat({})), (verdict{code_empty, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, {0}).code, code_empty);
    EXPECT_EQ(verify(paper, flat({0, 0, 5})), (verdict{code_out_of_range, 2, 0, 3, 3}));
    EXPECT_EQ(verify(paper, flat({0, INT32_MIN, INT32_MAX})).where, 1);
    EXPECT_EQ(verify(paper, flat({1, 2, 0, 2, 1})), (verdict{code_repeated, 3, 0, 10, 10}));
    EXPECT_EQ(verify(paper, flat({0, 1, 2, 4})), (verdict{task::code_not_adjacent, 2, 0, 2, 6}));
    EXPECT_EQ(verify(paper, flat({4, 2})), (verdict{task::code_not_adjacent, 1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, flat({2})), (verdict{code_ok, -1, 1, 0, 1}));
}

TEST(clique, gives_nothing_for_one_vertex_two_hundred_times) {
    EXPECT_EQ(verify(paper, flat(std::vector<std::int32_t>(200, 0))), (verdict{code_repeated, 1, 0, 19900, 19900}));
}

TEST(clique, verdicts_equal_the_reference_on_random_answers) {
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        block const instance =
            random_graph(random, 1 + std::int32_t(random() % 70), std::int32_t(700 + random() % 301));
        std::vector<std::int32_t> values(random() % 9);
        for (std::int32_t& value : values) {
            value = std::int32_t(random() % std::uint32_t(instance[0] + (round % 8 == 0 ? 2 : 0))) - (round % 16 == 0);
        }
        ASSERT_EQ(verify(instance, flat(values)), reference::clique::verify(instance, flat(values)));
    }
}

TEST(clique, proves_the_optimum_of_small_graphs_of_every_density) {
    std::mt19937 random(5);
    for (int round = 0; round < 1500; ++round) {
        block const instance = random_graph(random, 1 + round % 14, std::int32_t(random() % 1001));
        solved const found = solve(instance);
        ASSERT_EQ(found.result.status, baseline_status::optimal);
        ASSERT_EQ(found.result.objective, found.result.bound);
        ASSERT_EQ(found.result.objective, reference::clique::optimum(instance)) << round;
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
    }
}

TEST(clique, solves_edge_shapes_at_both_sides_of_a_word) {
    for (std::int32_t const n : {1, 2, 31, 32, 33, 63, 64, 65, 129}) {
        std::mt19937 random(1);
        EXPECT_EQ(solve(random_graph(random, n, 0)).result.objective, 1);
        solved const complete = solve(random_graph(random, n, 1000));
        EXPECT_EQ(complete.result.objective, n);
        EXPECT_EQ(complete.result.status, baseline_status::optimal);
        block const dense = random_graph(random, n, 900);
        EXPECT_EQ(verify(dense, solve(dense).answer).objective, solve(dense).result.objective);
        EXPECT_LE(improve(dense, flat({0}), 300).result.objective, solve(dense).result.objective) << n;
    }
}

TEST(clique, more_budget_is_never_worse_and_none_is_the_greedy_answer) {
    std::mt19937 random(21);
    for (std::int32_t const n : {40, 64, 65, 110}) {
        block const instance = random_graph(random, n, 850);
        EXPECT_EQ(solve(instance, 0).answer, greedy(instance));
        EXPECT_EQ(solve(instance, 0).result.bound, n);
        std::int64_t const optimum = solve(instance).result.objective;
        solve_result last = solve(instance, 0).result;
        for (std::int64_t budget = 1; budget < 3000; budget += 1 + budget / 3) {
            solved const found = solve(instance, budget);
            ASSERT_LE(found.result.steps, budget);
            ASSERT_GE(found.result.objective, last.objective);
            ASSERT_LE(found.result.bound, last.bound);
            ASSERT_GE(found.result.bound, optimum);
            ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
            last = found.result;
        }
    }
}

TEST(clique, greedy_takes_the_highest_degrees_and_then_the_lowest_vertices) {
    EXPECT_EQ(greedy(paper), flat({0, 3, 1, 4}));
    EXPECT_EQ(greedy(graph(R"({"n":5,"edges":[[4,1],[4,2],[4,3],[1,2]]})")), flat({4, 1, 2}));
    solo team;
    block answer(2);
    EXPECT_EQ(task::floor(team, view(paper), answer.data(), nullptr), 2);
    EXPECT_EQ(answer, flat({0}));
}

TEST(clique, local_search_reaches_the_optimum_of_small_graphs) {
    std::mt19937 random(31);
    for (int round = 0; round < 150; ++round) {
        block const instance = random_graph(random, 2 + round % 13, 300 + std::int32_t(random() % 600));
        improved const found = improve(instance, flat({0}), 2000);
        ASSERT_EQ(found.result.objective, reference::clique::optimum(instance));
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
    }
}

TEST(clique, local_search_leaves_an_infeasible_start_alone) {
    improved const found = improve(paper, flat({1, 2}), 50);
    EXPECT_EQ(found.answer, flat({1, 2}));
    EXPECT_EQ(found.result, (improve_result{.answer_words = 3}));
}

TEST(clique, levels_keep_to_the_papers_ranges) {
    std::int32_t const low[] = {4, 8, 12, 16};
    std::int32_t const high[] = {8, 12, 16, 20};
    std::int32_t const planted[] = {2, 2, 2, 4};
    for (std::int32_t code = -4; code < 0; ++code) {
        std::set<std::int32_t> sizes;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            block const instance = generate(seed, {code});
            ASSERT_EQ(task::check(view(instance)), nullptr);
            sizes.insert(instance[0]);
            ASSERT_GE(solve(instance).result.objective, planted[code + 4]);
        }
        EXPECT_EQ(*sizes.begin(), low[code + 4]);
        EXPECT_EQ(*sizes.rbegin(), high[code + 4]);
    }
}

TEST(clique, labels_carry_no_information_on_the_plant) {
    std::int64_t low_half = 0;
    std::int64_t members = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        block const instance = generate(seed, difficulty::scale(12));
        block const answer = solve(instance).answer;
        for (std::size_t i = 1; i < answer.size(); ++i, ++members) {
            low_half += answer[i] < instance[0] / 2;
        }
    }
    EXPECT_NEAR(double(low_half) / double(members), 0.5, 0.03);
}

TEST(clique, the_scale_grows_and_its_optimum_is_the_number_of_groups) {
    for (std::int32_t d = 0; d < 40; ++d) {
        block const instance = generate(9, difficulty::scale(d));
        auto const sizes = tasks::clique::scale_of(draw{9, 0x1d5}, d);
        ASSERT_EQ(task::check(view(instance)), nullptr);
        ASSERT_EQ(instance[0], 8 + d);
        ASSERT_LE(sizes.groups, sizes.n / 2);
        ASSERT_GE(sizes.groups, 9 * sizes.n / 20);
        ASSERT_EQ(solve(instance).result.objective, sizes.groups) << d;
    }
    EXPECT_EQ(generate(1, difficulty::scale(max_scale_step))[0], 2048);
}

TEST(clique, the_scale_binds_from_the_benchmarks_size_on) {
    int optimal = 0;
    std::vector<std::size_t> distinct;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        block const instance = generate(seed, difficulty::scale(12));
        optimal += std::int64_t(greedy(instance).size()) - 1 == solve(instance).result.objective;
        std::set<std::int64_t> qualities;
        scratch_memory scratch(task::scratch_words(view(instance)));
        block answer(std::size_t(task::answer_words(view(instance))));
        for (std::uint32_t k = 0; k < 16; ++k) {
            qualities.insert(task::noisy_greedy(view(instance), {seed, k}, answer.data(), scratch.data()));
        }
        distinct.push_back(qualities.size());
    }
    std::nth_element(distinct.begin(), distinct.begin() + 100, distinct.end());
    EXPECT_LE(optimal, 60);
    EXPECT_GE(distinct[100], 4);
}

TEST(clique, noisy_greedy_answers_are_maximal_cliques) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        block const instance = generate(seed, difficulty::scale(15));
        scratch_memory scratch(task::scratch_words(view(instance)));
        block answer(std::size_t(task::answer_words(view(instance))));
        answer.resize(std::size_t(task::noisy_greedy(view(instance), {seed, 1}, answer.data(), scratch.data())));
        ASSERT_TRUE(verify(instance, answer).feasible());
        for (std::int32_t v = 0; v < instance[0]; ++v) {
            block more = answer;
            more.push_back(v);
            ASSERT_FALSE(verify(instance, more).feasible());
        }
    }
}

TEST(clique, a_team_of_five_gives_the_bytes_of_one_lane) {
    std::mt19937 random(17);
    for (difficulty const level : {difficulty::easy(), difficulty::benchmark(), difficulty::scale(4)}) {
        draw const source{random(), 0x1d5};
        block const instance = generate(source.seed, level);
        block drawn(instance.size());
        scratch_memory drawing(task::generate_scratch_words(source, level));
        run_as_team<5>([&](auto& team) { task::generate(team, source, level, drawn.data(), drawing.data()); });
        ASSERT_EQ(drawn, instance);

        scratch_memory scratch(task::scratch_words(view(instance)));
        std::int32_t const n = instance[0];
        std::vector<block> answers{
            greedy(instance), flat({}), {answer_word, 0}, flat({0, n, 0}), flat({1, 2, 1, n - 1})};
        for (std::int32_t count = 2; count <= std::min(n, 7); ++count) {
            std::vector<std::int32_t> values;
            for (std::int32_t v = 0; v < count; ++v) {
                values.push_back((v * 5 + count) % n);
            }
            answers.push_back(flat(values));
        }
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
        block better(built.size());
        better[0] = answer_flat;
        better[1] = 0;
        std::vector<std::int64_t> sizes(5);
        std::vector<improve_result> results(5);
        run_as_team<5>([&](auto& team) {
            auto const rank = std::size_t(team.rank());
            sizes[rank] = task::greedy(team, view(instance), built.data(), scratch.data());
            results[rank] = task::improve(team, view(instance), better.data(), {.answer_words = 2}, {0, 40}, draw{3, 7},
                                          scratch.data());
        });
        improved const alone = improve(instance, flat({0}), 40);
        built.resize(std::size_t(sizes[4]));
        better.resize(std::size_t(results[4].answer_words));
        ASSERT_EQ(built, greedy(instance));
        ASSERT_EQ(better, alone.answer);
        for (improve_result const& result : results) {
            ASSERT_EQ(result, alone.result);
        }
    }
}

}  // namespace
