#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/independent_set/independent_set_fixture.hpp"
#include "kernels/tasks/independent_set/independent_set_reference.hpp"
#include "kernels/text/files/graph_files.hpp"
#include "tests/support/source_folder.hpp"

namespace {

using namespace optgap;
using namespace optgap::independent_set_fixture;

TEST(independent_set, accepts_the_papers_worked_example) {
    verdict const found = verify(paper, flat({0, 3}));
    EXPECT_EQ(found, (verdict{code_ok, -1, 2, 0, 1}));
    EXPECT_EQ(solve(paper).result.objective, 2);
    EXPECT_EQ(solve(paper).result.status, baseline_status::optimal);
}

TEST(independent_set, names_the_first_broken_rule) {
    EXPECT_EQ(verify(paper, {answer_word, 0}).code, code_unparsable);
    EXPECT_EQ(verify(paper, {2, 1, 1, 0, 3}).code, code_bad_depth);
    EXPECT_EQ(verify(paper, {1, 2, 0, 3}), (verdict{code_bad_depth, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, flat({})), (verdict{code_empty, -1, 0, 1, 1}));
    EXPECT_EQ(verify(paper, {0}).code, code_empty);
    EXPECT_EQ(verify(paper, flat({0, 0, 4})), (verdict{code_out_of_range, 2, 0, 3, 3}));
    EXPECT_EQ(verify(paper, flat({0, INT32_MIN, INT32_MAX})).where, 1);
    EXPECT_EQ(verify(paper, flat({1, 2, 0, 2, 1})), (verdict{code_repeated, 3, 0, 10, 10}));
    EXPECT_EQ(verify(paper, flat({0, 3, 1, 2})), (verdict{task::code_adjacent, 2, 0, 5, 6}));
    EXPECT_EQ(verify(paper, flat({3, 1})), (verdict{task::code_adjacent, 1, 0, 1, 1}));
}

TEST(independent_set, gives_nothing_for_one_vertex_two_hundred_times) {
    EXPECT_EQ(verify(paper, flat(std::vector<std::int32_t>(200, 0))), (verdict{code_repeated, 1, 0, 19900, 19900}));
}

TEST(independent_set, verdicts_equal_the_reference_on_random_answers) {
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        block const instance = random_graph(random, 1 + std::int32_t(random() % 70), std::int32_t(random() % 300));
        std::vector<std::int32_t> values(random() % 9);
        for (std::int32_t& value : values) {
            value = std::int32_t(random() % std::uint32_t(instance[0] + (round % 8 == 0 ? 2 : 0))) - (round % 16 == 0);
        }
        ASSERT_EQ(verify(instance, flat(values)), reference::independent_set::verify(instance, flat(values)));
    }
}

TEST(independent_set, proves_the_optimum_of_small_graphs_of_every_density) {
    std::mt19937 random(5);
    for (int round = 0; round < 4000; ++round) {
        block const instance = random_graph(random, 1 + round % 18, std::int32_t(random() % 1001));
        solved const found = solve(instance);
        ASSERT_EQ(found.result.status, baseline_status::optimal);
        ASSERT_EQ(found.result.objective, found.result.bound);
        ASSERT_EQ(found.result.objective, reference::independent_set::optimum(instance)) << round;
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
    }
}

TEST(independent_set, the_wide_search_agrees_with_the_word_search) {
    std::mt19937 random(8);
    for (int round = 0; round < 600; ++round) {
        std::int32_t const n = 1 + std::int32_t(random() % 64);
        block const instance = random_graph(random, n, 50 + std::int32_t(random() % 900));
        graph_view const given = view_graph(view(instance));
        scratch_memory scratch(search::wide_clique_scratch_words(n));
        for (vertex_set const kind : {vertex_set::clique, vertex_set::independent}) {
            block word(static_cast<std::size_t>(n));
            block wide(static_cast<std::size_t>(n));
            auto const fast = search::max_clique_word(given, kind, INT64_MAX, word.data());
            auto const general = search::max_clique_wide(given, kind, INT64_MAX, wide.data(), 0, scratch.data());
            ASSERT_EQ(fast.size, general.size);
            ASSERT_TRUE(fast.proven && general.proven);
            auto const word_greedy = search::max_clique_word(given, kind, 0, word.data());
            auto const wide_greedy = search::max_clique_wide(given, kind, 0, wide.data(), 0, scratch.data());
            ASSERT_EQ(word_greedy.size, wide_greedy.size);
            ASSERT_TRUE(std::equal(word.begin(), word.begin() + word_greedy.size, wide.begin()));
        }
    }
}

TEST(independent_set, solves_edge_shapes_at_both_sides_of_a_word) {
    for (std::int32_t const n : {1, 2, 31, 32, 33, 63, 64, 65, 128, 129}) {
        std::mt19937 random(1);
        EXPECT_EQ(solve(random_graph(random, n, 0)).result.objective, n);
        EXPECT_EQ(solve(random_graph(random, n, 1000)).result.objective, 1);
        block bipartite(std::size_t(graph_words(n)));
        solo team;
        std::uint32_t* const rows = begin_graph(team, bipartite.data(), n);
        for (std::int32_t v = 0; v + 1 < n; ++v) {
            add_edge(team, rows, n, v, v + 1);
        }
        solved const path = solve(bipartite);
        EXPECT_EQ(path.result.objective, (n + 1) / 2) << n;
        EXPECT_EQ(path.result.status, baseline_status::optimal) << n;
        EXPECT_EQ(verify(bipartite, path.answer).objective, (n + 1) / 2);
    }
}

TEST(independent_set, more_budget_is_never_worse_and_none_is_the_greedy_answer) {
    std::mt19937 random(21);
    for (std::int32_t const n : {40, 64, 65, 90, 130}) {
        block const instance = random_graph(random, n, 150);
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
            ASSERT_EQ(found.result.status == baseline_status::optimal, found.result.objective == found.result.bound);
            last = found.result;
        }
    }
}

TEST(independent_set, keeps_an_honest_bound_where_the_proof_does_not_end) {
    std::mt19937 random(2);
    block const instance = random_graph(random, 400, 100);
    solved const found = solve(instance, 100);
    EXPECT_EQ(found.result.status, baseline_status::bounded);
    EXPECT_STREQ(task::bound_kinds[found.result.bound_kind], "colour");
    EXPECT_LT(found.result.objective, found.result.bound);
    EXPECT_LT(found.result.bound, 200);
}

TEST(independent_set, greedy_takes_the_lowest_degrees_and_then_the_lowest_vertices) {
    EXPECT_EQ(greedy(paper), flat({0, 3}));
    EXPECT_EQ(greedy(graph(R"({"n":5,"edges":[[0,1],[0,2],[0,3],[4,1]]})")), flat({2, 3, 4}));
    solo team;
    block answer(2);
    EXPECT_EQ(task::floor(team, view(paper), answer.data(), nullptr), 2);
    EXPECT_EQ(answer, flat({0}));
}

TEST(independent_set, local_search_reaches_the_optimum_of_small_graphs) {
    std::mt19937 random(31);
    for (int round = 0; round < 200; ++round) {
        block const instance = random_graph(random, 2 + round % 17, 100 + std::int32_t(random() % 600));
        improved const found = improve(instance, flat({0}), 3000);
        ASSERT_EQ(found.result.objective, reference::independent_set::optimum(instance));
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        ASSERT_EQ(found.result.start_objective, 1);
    }
}

TEST(independent_set, a_longer_local_search_is_never_worse) {
    block const instance = generate(4, difficulty::scale(30));
    std::int64_t last = 1;
    for (std::int64_t steps = 0; steps < 400; steps += 7) {
        improved const found = improve(instance, flat({0}), steps);
        ASSERT_GE(found.result.objective, last);
        ASSERT_LE(found.result.moves, steps);
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        last = found.result.objective;
    }
    EXPECT_GT(last, 20);
}

TEST(independent_set, local_search_leaves_an_infeasible_start_alone) {
    improved const found = improve(paper, flat({0, 1}), 50);
    EXPECT_EQ(found.answer, flat({0, 1}));
    EXPECT_EQ(found.result, (improve_result{.answer_words = 3}));
    EXPECT_EQ(improve(paper, {answer_word, 0}, 50).answer, (block{answer_word, 0}));
}

TEST(independent_set, levels_keep_to_the_papers_ranges) {
    std::int32_t const low[] = {12, 20, 30, 40};
    std::int32_t const high[] = {20, 30, 40, 50};
    std::int32_t const planted[] = {4, 8, 12, 16};
    for (std::int32_t code = -4; code < 0; ++code) {
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            block const instance = generate(seed, {code});
            ASSERT_EQ(task::check(view(instance)), nullptr);
            ASSERT_GE(instance[0], low[code + 4]);
            ASSERT_LE(instance[0], high[code + 4]);
            ASSERT_GE(solve(instance).result.objective, planted[code + 4]);
        }
    }
}

TEST(independent_set, labels_carry_no_information_on_the_plant) {
    std::int64_t low_half = 0;
    std::int64_t members = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        block const instance = generate(seed, difficulty::scale(13));
        block const answer = solve(instance).answer;
        for (std::size_t i = 1; i < answer.size(); ++i, ++members) {
            low_half += answer[i] < instance[0] / 2;
        }
    }
    EXPECT_NEAR(double(low_half) / double(members), 0.5, 0.03);
}

TEST(independent_set, the_scale_grows_and_its_plant_has_one_vertex_a_group) {
    std::int32_t last = 0;
    for (std::int32_t d = 0; d < 40; ++d) {
        block const instance = generate(9, difficulty::scale(d));
        ASSERT_EQ(task::check(view(instance)), nullptr);
        ASSERT_GE(instance[0], last);
        ASSERT_EQ(solve(instance).result.objective, tasks::independent_set::scale_of(d).groups) << d;
        last = instance[0];
    }
    EXPECT_EQ(generate(1, difficulty::scale(max_scale_step))[0], 3072);
}

TEST(independent_set, a_greedy_pass_is_seldom_optimal_on_the_scale) {
    int optimal = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        block const instance = generate(seed, difficulty::scale(13));
        optimal += std::int64_t(greedy(instance).size()) - 1 == solve(instance).result.objective;
    }
    EXPECT_LE(optimal, 60);
}

TEST(independent_set, a_team_of_five_gives_the_bytes_of_one_lane) {
    std::mt19937 random(17);
    for (difficulty const level : {difficulty::easy(), difficulty::medium(), difficulty::scale(4)}) {
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
        for (int round = 0; round < 6; ++round) {
            std::vector<std::int32_t> values(static_cast<std::size_t>(n));
            for (std::int32_t v = 0; v < n; ++v) {
                values[std::size_t(v)] = v;
            }
            std::shuffle(values.begin(), values.end(), random);
            values.resize(3 + std::size_t(round));
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

TEST(independent_set, check_refuses_words_that_are_no_graph) {
    auto const rule = [](block const& words) { return std::string(task::check(view(words))); };
    EXPECT_EQ(task::check(view({1, 0})), nullptr);
    EXPECT_EQ(rule({}), "the words must begin with n");
    EXPECT_EQ(rule({0}), "n must be at least 1");
    EXPECT_EQ(rule({INT32_MIN}), "n must be at least 1");
    EXPECT_EQ(rule({INT32_MAX, 0}), "n must be at most 20000");
    EXPECT_EQ(rule({2, 2}), "a graph has 1 + n * ceil(n / 32) words");
    EXPECT_EQ(rule({2, 1, 0}), "a vertex must not be adjacent to itself");
    EXPECT_EQ(rule({2, 6, 1}), "bits past n must be 0");
    EXPECT_EQ(rule({2, 2, 0}), "the rows must be symmetric");
    block far(std::size_t(graph_words(70)));
    far[0] = 70;
    far[1 + 2] = 1 << 5;
    EXPECT_EQ(rule(far), "the rows must be symmetric");
    far[1 + 69 * 3] = 1;
    EXPECT_EQ(task::check(view(far)), nullptr);
}

TEST(independent_set, the_clique_core_finds_the_published_dimacs_numbers) {
    std::filesystem::path const folder = optgap::testing::source_folder() / "tools" / "demo" / "instances";
    struct published {
        char const* file;
        std::int64_t clique;
        std::vector<std::int32_t> (*read)(std::string_view);
    };
    for (published const& row : {published{"clique/brock200_2.clq.b", 12, read_dimacs_bits},
                                 {"clique/p_hat300-2.clq.b", 25, read_dimacs_bits},
                                 {"coloring/queen8_8.col", 8, read_dimacs_graph},
                                 {"coloring/myciel5.col", 2, read_dimacs_graph}}) {
        std::ifstream file(folder / row.file, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        block const instance = row.read(text.str());
        ASSERT_EQ(task::check(view(instance)), nullptr);
        std::int32_t const n = instance[0];
        scratch_memory scratch(search::max_clique_scratch_words(n));
        block best(static_cast<std::size_t>(n));
        auto const found = search::max_clique(view_graph(view(instance)), vertex_set::clique, INT64_MAX, best.data(), 0,
                                              scratch.data());
        EXPECT_EQ(found.size, row.clique) << row.file;
        EXPECT_TRUE(found.proven);

        block complement(instance.size());
        solo team;
        std::uint32_t* const rows = begin_graph(team, complement.data(), n);
        for (std::int32_t u = 0; u < n; ++u) {
            for (std::int32_t v = 0; v < u; ++v) {
                if (!view_graph(view(instance)).adjacent(u, v)) {
                    add_edge(team, rows, n, u, v);
                }
            }
        }
        solved const independent = solve(complement);
        EXPECT_EQ(independent.result.objective, row.clique) << row.file;
        EXPECT_EQ(verify(complement, independent.answer).objective, row.clique);
    }
}

}  // namespace
