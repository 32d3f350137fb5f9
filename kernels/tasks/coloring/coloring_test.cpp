#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/coloring/coloring_fixture.hpp"
#include "kernels/tasks/coloring/coloring_reference.hpp"

namespace {

using namespace optgap;
using namespace optgap::coloring_fixture;

TEST(coloring, refuses_the_papers_colouring_and_accepts_the_corrected_one) {
    EXPECT_EQ(verify(paper, flat({1, 2, 1, 2})), (verdict{task::code_conflict, 2, 0, 2, 4}));
    EXPECT_EQ(verify(paper, flat({1, 2, 2, 1})), (verdict{code_ok, -1, 2, 0, 4}));
    EXPECT_EQ(solve(paper).result.objective, 2);
    EXPECT_EQ(solve(paper).result.status, baseline_status::optimal);
}

TEST(coloring, names_the_first_broken_rule) {
    EXPECT_EQ(verify(paper, {answer_word, 0}), (verdict{code_unparsable, -1, 0, 4, 4}));
    EXPECT_EQ(verify(paper, {2, 2, 2, 1, 2, 2, 1}).code, code_bad_depth);
    EXPECT_EQ(verify(paper, {1, 4, 1, 2, 2, 1}), (verdict{code_bad_depth, -1, 0, 4, 4}));
    EXPECT_EQ(verify(paper, {1, 0}).code, code_bad_depth);
    EXPECT_EQ(verify(paper, flat({})), (verdict{code_empty, -1, 0, 4, 4}));
    EXPECT_EQ(verify(paper, {0}).code, code_empty);
    EXPECT_EQ(verify(paper, flat({1, 2, -1, 1, 0})), (verdict{code_out_of_range, 2, 0, 4, 4}));
    EXPECT_EQ(verify(paper, flat({INT32_MIN, 2, 2, 1})), (verdict{code_out_of_range, 0, 0, 4, 4}));
    EXPECT_EQ(verify(paper, flat({1, 2, 2})), (verdict{code_wrong_length, -1, 0, 4, 4}));
    EXPECT_EQ(verify(paper, flat({1, 2, 2, 1, 1})), (verdict{code_wrong_length, -1, 0, 4, 4}));
    EXPECT_EQ(verify(paper, flat({7, 7, 7, 7})), (verdict{task::code_conflict, 1, 0, 4, 4}));
    EXPECT_EQ(verify(graph(R"({"n":1,"edges":[]})"), flat({0, 0})), (verdict{code_wrong_length, -1, 0, 1, 1}));
}

TEST(coloring, counts_distinct_colours_however_large_they_are) {
    EXPECT_EQ(verify(paper, flat({INT32_MAX, 0, 0, INT32_MAX})).objective, 2);
    EXPECT_EQ(verify(paper, flat({INT32_MAX, 4, INT32_MAX - 1, 3})).objective, 4);
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        block const instance = random_graph(random, 1 + round % 90, 0);
        std::vector<std::int32_t> colours(static_cast<std::size_t>(instance[0]));
        for (std::int32_t& colour : colours) {
            colour = std::int32_t(random() % 50) * (round % 3 == 0 ? 42'949'672 : 1 + round % 3);
        }
        std::set<std::int32_t> const distinct(colours.begin(), colours.end());
        ASSERT_EQ(verify(instance, flat(colours)).objective, std::int64_t(distinct.size()));
    }
}

TEST(coloring, verdicts_equal_the_reference_on_random_answers) {
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        block const instance = random_graph(random, 1 + std::int32_t(random() % 70), std::int32_t(random() % 300));
        std::vector<std::int32_t> colours(std::size_t(instance[0] + (round % 16 == 0 ? 1 : 0)));
        for (std::int32_t& colour : colours) {
            colour = std::int32_t(random() % (round % 2 == 0 ? 100 : 5)) - (round % 32 == 1);
        }
        ASSERT_EQ(verify(instance, flat(colours)), reference::coloring::verify(instance, flat(colours)));
    }
}

TEST(coloring, proves_the_optimum_of_small_graphs_of_every_density) {
    std::mt19937 random(5);
    for (int round = 0; round < 3000; ++round) {
        block const instance = random_graph(random, 1 + round % 13, std::int32_t(random() % 1001));
        solved const found = solve(instance);
        ASSERT_EQ(found.result.status, baseline_status::optimal);
        ASSERT_EQ(found.result.objective, found.result.bound);
        ASSERT_EQ(found.result.objective, reference::coloring::optimum(instance)) << round;
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
    }
}

TEST(coloring, the_wide_search_walks_the_tree_of_the_word_search) {
    using namespace optgap::tasks::coloring;
    std::mt19937 random(8);
    for (int round = 0; round < 200; ++round) {
        std::int32_t const n = 1 + std::int32_t(random() % 45);
        block const instance = random_graph(random, n, 50 + std::int32_t(random() % 900));
        graph_view const given = view_graph(view(instance));
        block clique(64);
        auto const size =
            std::int32_t(search::max_clique_word(given, vertex_set::clique, INT64_MAX, clique.data()).size);
        scratch_memory scratch(wide_search::scratch_words(n));
        for (std::int64_t const budget : {std::int64_t(30), INT64_MAX}) {
            block word(static_cast<std::size_t>(n), -1);
            block wide(static_cast<std::size_t>(n), -1);
            auto const a = word_search(given).run(clique.data(), size, budget, word.data(), n + 1);
            auto const b = wide_search(given, scratch.data()).run(clique.data(), size, budget, wide.data(), n + 1);
            ASSERT_EQ(a.colours, b.colours);
            ASSERT_EQ(a.steps, b.steps);
            ASSERT_EQ(a.proven, b.proven);
            ASSERT_EQ(word, wide);
        }
    }
}

TEST(coloring, solves_edge_shapes_at_both_sides_of_a_word) {
    std::mt19937 random(1);
    for (std::int32_t const n : {1, 2, 3, 31, 32, 33, 63, 64, 65, 128, 129}) {
        EXPECT_EQ(solve(random_graph(random, n, 0)).result.objective, 1);
        EXPECT_EQ(solve(random_graph(random, n, 1000)).result.objective, n);
        block const path = graph_of(n, [](std::int32_t u, std::int32_t v) { return v == u + 1; });
        EXPECT_EQ(solve(path).result.objective, n < 2 ? 1 : 2);
        if (n > 2) {
            solved const ring = solve(cycle(n));
            EXPECT_EQ(ring.result.objective, 2 + n % 2) << n;
            EXPECT_EQ(ring.result.status, baseline_status::optimal) << n;
            EXPECT_EQ(verify(cycle(n), ring.answer).objective, 2 + n % 2);
        }
    }
}

TEST(coloring, finds_the_published_numbers_of_queens_and_mycielski_graphs) {
    auto const colours = [](block const& instance) {
        solved const found = solve(instance);
        EXPECT_EQ(found.result.status, baseline_status::optimal);
        EXPECT_EQ(verify(instance, found.answer).objective, found.result.objective);
        return found.result.objective;
    };
    EXPECT_EQ(colours(queens(5)), 5);
    EXPECT_EQ(colours(queens(6)), 7);
    EXPECT_EQ(colours(queens(7)), 7);
    block const grotzsch = mycielski(cycle(5));
    EXPECT_EQ(grotzsch[0], 11);
    EXPECT_EQ(colours(grotzsch), 4);
    EXPECT_EQ(colours(mycielski(grotzsch)), 5);
    EXPECT_EQ(colours(mycielski(mycielski(grotzsch))), 6);
}

TEST(coloring, more_budget_is_never_worse_and_none_is_the_greedy_answer) {
    std::mt19937 random(21);
    for (std::int32_t const n : {30, 48, 64, 65, 80}) {
        block const instance = random_graph(random, n, 300);
        EXPECT_EQ(solve(instance, 0).answer, greedy(instance));
        EXPECT_EQ(solve(instance, 0).result.bound, 2);
        solve_result last = solve(instance, 0).result;
        for (std::int64_t budget = 1; budget < 20'000; budget += 1 + budget / 3) {
            solved const found = solve(instance, budget);
            ASSERT_LE(found.result.steps, budget);
            ASSERT_LE(found.result.objective, last.objective);
            ASSERT_GE(found.result.bound, last.bound);
            ASSERT_LE(found.result.bound, found.result.objective);
            ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
            ASSERT_EQ(found.result.status == baseline_status::optimal, found.result.objective == found.result.bound);
            last = found.result;
        }
    }
}

TEST(coloring, keeps_the_clique_as_bound_where_the_proof_does_not_end) {
    std::mt19937 random(2);
    block const instance = random_graph(random, 200, 500);
    solved const found = solve(instance, 5000);
    EXPECT_EQ(found.result.status, baseline_status::bounded);
    EXPECT_STREQ(task::bound_kinds[found.result.bound_kind], "clique");
    EXPECT_LT(found.result.bound, found.result.objective);
    EXPECT_LT(found.result.objective, 36);
    EXPECT_EQ(verify(instance, found.answer).objective, found.result.objective);
}

TEST(coloring, keeps_the_clique_as_bound_where_its_proof_ends_and_the_colourings_does_not) {
    std::mt19937 random(2);
    for (std::int32_t const n : {60, 64, 65, 100}) {
        block const instance = random_graph(random, n, 500);
        block clique(static_cast<std::size_t>(n));
        scratch_memory scratch(search::max_clique_scratch_words(n));
        std::int64_t const largest = search::max_clique(view_graph(view(instance)), vertex_set::clique, INT64_MAX,
                                                        clique.data(), 0, scratch.data())
                                         .size;
        solved const found = solve(instance, 3000);
        EXPECT_EQ(found.result.steps, 3000) << n;
        EXPECT_EQ(found.result.bound, largest) << n;
        EXPECT_GT(found.result.objective, largest) << n;
    }
}

TEST(coloring, greedy_takes_the_highest_degrees_and_then_the_lowest_colours) {
    EXPECT_EQ(greedy(paper), flat({0, 1, 1, 0}));
    EXPECT_EQ(greedy(graph(R"({"n":5,"edges":[[0,4],[1,4],[2,4],[2,3]]})")), flat({1, 1, 1, 0, 0}));
    solo team;
    block answer(5);
    EXPECT_EQ(task::floor(team, view(paper), answer.data(), nullptr), 5);
    EXPECT_EQ(answer, all_different(paper));
}

TEST(coloring, noisy_greedy_answers_are_feasible_and_repeat) {
    block const instance = generate(3, difficulty::benchmark());
    scratch_memory scratch(task::scratch_words(view(instance)));
    std::set<block> seen;
    for (std::uint32_t k = 0; k < 16; ++k) {
        block answer(std::size_t(task::answer_words(view(instance))));
        block again(answer.size());
        task::noisy_greedy(view(instance), draw{3, k}, answer.data(), scratch.data());
        task::noisy_greedy(view(instance), draw{3, k}, again.data(), scratch.data());
        ASSERT_EQ(answer, again);
        ASSERT_EQ(verify(instance, answer).code, code_ok);
        ASSERT_GE(verify(instance, answer).objective, solve(instance).result.objective);
        seen.insert(answer);
    }
    EXPECT_EQ(seen.size(), 16u);
}

TEST(coloring, local_search_reaches_the_optimum_of_small_graphs) {
    std::mt19937 random(31);
    for (int round = 0; round < 200; ++round) {
        block const instance = random_graph(random, 2 + round % 12, 100 + std::int32_t(random() % 800));
        improved const found = improve(instance, all_different(instance), 2000);
        ASSERT_EQ(found.result.objective, reference::coloring::optimum(instance)) << round;
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        ASSERT_EQ(found.result.start_objective, instance[0]);
    }
}

TEST(coloring, local_search_starts_from_any_colours) {
    improved const found = improve(paper, flat({INT32_MAX, 9, 1'000'000, 8}), 50);
    EXPECT_EQ(found.result.start_objective, 4);
    EXPECT_EQ(found.result.objective, 2);
    EXPECT_EQ(improve(paper, flat({9, 5, 5, 9}), 50).answer, flat({9, 5, 5, 9}));
}

TEST(coloring, a_longer_local_search_is_never_worse) {
    block const instance = generate(4, difficulty::scale(20));
    std::int64_t last = instance[0];
    for (std::int64_t steps = 0; steps < 600; steps += 11) {
        improved const found = improve(instance, all_different(instance), steps);
        ASSERT_LE(found.result.objective, last);
        ASSERT_LE(found.result.moves, steps);
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        last = found.result.objective;
    }
    EXPECT_LT(last, 20);
}

TEST(coloring, local_search_leaves_an_infeasible_start_alone) {
    improved const found = improve(paper, flat({0, 0, 1, 1}), 50);
    EXPECT_EQ(found.answer, flat({0, 0, 1, 1}));
    EXPECT_EQ(found.result, (improve_result{.answer_words = 5}));
    EXPECT_EQ(improve(paper, {answer_word, 0}, 50).answer, (block{answer_word, 0}));
}

TEST(coloring, levels_keep_to_the_papers_ranges) {
    std::int32_t const low[] = {8, 15, 25, 32};
    std::int32_t const high[] = {12, 22, 32, 40};
    std::int32_t const planted[] = {4, 6, 8, 8};
    for (std::int32_t code = -4; code < 0; ++code) {
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            block const instance = generate(seed, {code});
            ASSERT_EQ(task::check(view(instance)), nullptr);
            ASSERT_GE(instance[0], low[code + 4]);
            ASSERT_LE(instance[0], high[code + 4]);
            ASSERT_LE(solve(instance).result.objective, planted[code + 4]);
        }
    }
}

TEST(coloring, labels_carry_no_information_on_the_classes) {
    std::int64_t alike = 0;
    std::int64_t pairs = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        block const instance = generate(seed, difficulty::scale(9));
        block const answer = solve(instance).answer;
        std::int32_t const k = tasks::coloring::scale_of(9).classes;
        for (std::size_t i = 1; i + std::size_t(k) < answer.size(); ++i, ++pairs) {
            alike += answer[i] == answer[i + std::size_t(k)];
        }
    }
    EXPECT_NEAR(double(alike) / double(pairs), 4.2 / 35, 0.02);
}

TEST(coloring, the_scale_grows_and_its_optimum_is_the_number_of_classes) {
    std::int32_t last = 0;
    for (std::int32_t d = 0; d < 24; ++d) {
        block const instance = generate(9, difficulty::scale(d));
        ASSERT_EQ(task::check(view(instance)), nullptr);
        ASSERT_GT(instance[0], last);
        ASSERT_EQ(solve(instance).result.objective, tasks::coloring::scale_of(d).classes) << d;
        last = instance[0];
    }
    EXPECT_EQ(task::instance_words({}, difficulty::scale(max_scale_step)), graph_words(3072));
}

TEST(coloring, a_greedy_pass_is_seldom_optimal_on_the_scale) {
    int optimal = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        block const instance = generate(seed, difficulty::scale(9));
        optimal += verify(instance, greedy(instance)).objective == tasks::coloring::scale_of(9).classes;
    }
    EXPECT_LE(optimal, 60);
}

TEST(coloring, a_team_of_five_gives_the_bytes_of_one_lane) {
    std::mt19937 random(17);
    for (difficulty const level : {difficulty::easy(), difficulty::medium(), difficulty::scale(3)}) {
        draw const source{random(), 0x1d5};
        block const instance = generate(source.seed, level);
        block drawn(instance.size());
        scratch_memory drawing(task::generate_scratch_words(source, level));
        run_as_team<5>([&](auto& team) { task::generate(team, source, level, drawn.data(), drawing.data()); });
        ASSERT_EQ(drawn, instance);

        scratch_memory scratch(task::scratch_words(view(instance)));
        block spread = all_different(instance);
        for (std::size_t v = 1; v < spread.size(); ++v) {
            spread[v] = spread[v] % 5 * 400'000'000;
        }
        block const start = all_different(instance);
        std::vector<block> answers{greedy(instance), start, spread, flat({}), {answer_word, 0}, flat({1, -1, 0})};
        for (int round = 0; round < 5; ++round) {
            answers.push_back(greedy(instance));
            answers.back()[1 + random() % (answers.back().size() - 1)] = std::int32_t(random() % 4) - 1;
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
        block built(start.size());
        block better = start;
        std::vector<improve_result> results(5);
        run_as_team<5>([&](auto& team) {
            task::greedy(team, view(instance), built.data(), scratch.data());
            results[std::size_t(team.rank())] =
                task::improve(team, view(instance), better.data(), {.answer_words = std::int64_t(better.size())},
                              {0, 40}, draw{3, 7}, scratch.data());
        });
        improved const alone = improve(instance, start, 40);
        ASSERT_EQ(built, greedy(instance));
        ASSERT_EQ(better, alone.answer);
        for (improve_result const& result : results) {
            ASSERT_EQ(result, alone.result);
        }
    }
}

TEST(coloring, check_refuses_words_that_are_no_graph) {
    EXPECT_EQ(task::check(view({1, 0})), nullptr);
    EXPECT_STREQ(task::check(view({0})), "n must be at least 1");
    EXPECT_STREQ(task::check(view({2, 2, 0})), "the rows must be symmetric");
}

}  // namespace
