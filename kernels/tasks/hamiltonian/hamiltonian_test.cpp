#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_fixture.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_reference.hpp"

namespace {

using namespace optgap;
using namespace optgap::hamiltonian_fixture;

TEST(hamiltonian, accepts_a_cycle_with_and_without_its_first_vertex_repeated) {
    EXPECT_EQ(verify(square, flat({0, 1, 2, 3})), (verdict{code_ok, -1, 4, 0, 4}));
    EXPECT_EQ(verify(square, flat({2, 3, 0, 1, 2})), (verdict{code_ok, -1, 4, 0, 4}));
    EXPECT_EQ(verify(square, flat({0, 1, 2})), (verdict{code_ok, -1, 3, 0, 3}));
    EXPECT_EQ(verify(square, flat({2, 1, 0, 2})), (verdict{code_ok, -1, 3, 0, 3}));
}

TEST(hamiltonian, names_the_first_broken_rule) {
    EXPECT_EQ(verify(square, {answer_word, 0}).code, code_unparsable);
    EXPECT_EQ(verify(square, {2, 2, 2, 0, 1, 2, 3}), (verdict{code_bad_depth, -1, 0, 4, 4}));
    EXPECT_EQ(verify(square, {1, 4, 0, 1, 2, 3}).code, code_bad_depth);
    EXPECT_EQ(verify(square, flat({})), (verdict{code_empty, -1, 0, 1, 1}));
    EXPECT_EQ(verify(square, {0}).code, code_empty);
    EXPECT_EQ(verify(square, flat({0, 0, 4})), (verdict{code_out_of_range, 2, 0, 3, 3}));
    EXPECT_EQ(verify(square, flat({0, INT32_MIN, INT32_MAX, 0})), (verdict{code_out_of_range, 1, 0, 3, 3}));
    EXPECT_EQ(verify(square, flat({0, 1, 2, 3, 1})), (verdict{code_repeated, 4, 0, 5, 5}));
    EXPECT_EQ(verify(square, flat({0, 1, 2, 0, 3, 0})), (verdict{code_repeated, 3, 0, 5, 5}));
    EXPECT_EQ(verify(square, flat({0, 1, 2, 3, 0, 0})), (verdict{code_repeated, 4, 0, 5, 5}));
    EXPECT_EQ(verify(square, flat({1, 3, 0})), (verdict{task::code_no_edge, 0, 0, 1, 3}));
    EXPECT_EQ(verify(square, flat({3, 0, 1, 3})), (verdict{task::code_no_edge, 2, 0, 1, 3}));
    EXPECT_EQ(verify(square, flat({0, 1, 3, 2})), (verdict{task::code_no_edge, 1, 0, 1, 4}));
}

TEST(hamiltonian, one_vertex_or_an_edge_there_and_back_is_no_cycle) {
    EXPECT_EQ(verify(square, flat({0})), (verdict{code_wrong_length, -1, 0, 1, 1}));
    EXPECT_EQ(verify(square, flat({0, 0})), (verdict{code_wrong_length, -1, 0, 1, 1}));
    EXPECT_EQ(verify(square, flat({0, 1})), (verdict{code_wrong_length, -1, 0, 2, 2}));
    EXPECT_EQ(verify(square, flat({0, 1, 0})), (verdict{code_wrong_length, -1, 0, 2, 2}));
    EXPECT_EQ(verify(square, flat(words(200, 0))), (verdict{code_repeated, 1, 0, 199, 199}));
}

TEST(hamiltonian, verdicts_equal_the_reference_on_random_answers) {
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        words const instance = random_graph(random, 1 + std::int32_t(random() % 70), std::int32_t(random() % 1000));
        words values(random() % 9);
        for (std::int32_t& value : values) {
            value = std::int32_t(random() % std::uint32_t(instance[0] + (round % 8 == 0 ? 2 : 0))) - (round % 16 == 0);
        }
        if (!values.empty() && round % 3 == 0) {
            values.push_back(values[0]);
        }
        ASSERT_EQ(verify(instance, flat(values)), reference::hamiltonian::verify(instance, flat(values)));
    }
}

TEST(hamiltonian, greedy_walks_to_the_fewest_open_neighbours_and_closes_the_longest_prefix) {
    // From 0 the rule goes to 1 (one open neighbour), 2, 3, 4 and ends at 5; 4 is the last that closes to 0.
    words const instance = graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {4, 5}, {3, 0}});
    EXPECT_EQ(greedy(instance), flat({0, 1, 2, 3, 4}));
    EXPECT_TRUE(greedy(graph(3, {{0, 1}, {1, 2}})).empty());
    EXPECT_TRUE(greedy(graph(4, {{1, 2}, {2, 3}, {3, 1}})).empty());
    EXPECT_TRUE(greedy(graph(1, {})).empty());
    solo team;
    words answer(8);
    EXPECT_EQ(task::floor(team, view(square), answer.data(), nullptr), 0);
}

TEST(hamiltonian, noisy_greedy_writes_cycles_of_many_lengths_and_repeats) {
    words const instance = generate(3, difficulty::scale(13));
    std::set<std::size_t> lengths;
    for (std::uint32_t k = 0; k < 16; ++k) {
        words const answer = noisy_greedy(instance, draw{9, k});
        EXPECT_EQ(answer, noisy_greedy(instance, draw{9, k}));
        lengths.insert(answer.size());
        EXPECT_TRUE(answer.empty() || verify(instance, answer).feasible());
    }
    EXPECT_GE(lengths.size(), 4u);
}

TEST(hamiltonian, local_search_finds_the_longest_cycle_of_small_graphs) {
    std::mt19937 random(31);
    int started = 0;
    for (int round = 0; round < 300; ++round) {
        words const instance = random_graph(random, 3 + round % 12, 250 + std::int32_t(random() % 500));
        words const start = greedy(instance);
        if (start.empty()) {
            continue;
        }
        ++started;
        improved const found = improve(instance, start, 2000);
        ASSERT_EQ(found.result.objective, reference::hamiltonian::optimum(instance)) << round;
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        ASSERT_EQ(found.result.start_objective, std::int64_t(start.size()) - 1);
    }
    EXPECT_GT(started, 150);
}

TEST(hamiltonian, a_longer_local_search_is_never_worse) {
    words const instance = generate(4, difficulty::scale(30));
    words const start = greedy(instance);
    ASSERT_FALSE(start.empty());
    std::int64_t last = std::int64_t(start.size()) - 1;
    std::int64_t const before = last;
    for (std::int64_t steps = 0; steps < 1000; steps += 1 + steps / 8) {
        improved const found = improve(instance, start, steps);
        ASSERT_GE(found.result.objective, last);
        ASSERT_LE(found.result.moves, steps);
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        last = found.result.objective;
    }
    EXPECT_GT(last, before);
}

TEST(hamiltonian, local_search_keeps_a_start_it_cannot_use_or_better) {
    improved const broken = improve(square, flat({0, 1, 3}), 50);
    EXPECT_EQ(broken.answer, flat({0, 1, 3}));
    EXPECT_EQ(broken.result, (improve_result{.answer_words = 4}));
    EXPECT_EQ(improve(square, {answer_word, 0}, 50).answer, (words{answer_word, 0}));
    improved const closed = improve(square, flat({0, 1, 2, 3, 0}), 50);
    EXPECT_EQ(closed.answer, flat({0, 1, 2, 3, 0}));
    EXPECT_EQ(closed.result.objective, 4);
    EXPECT_EQ(improve(square, flat({0, 1, 2, 0}), 50).result.objective, 4);
}

TEST(hamiltonian, levels_keep_to_the_papers_ranges_and_hide_a_hamiltonian_cycle) {
    std::int32_t const low[] = {15, 20, 30, 40};
    std::int32_t const high[] = {20, 30, 40, 50};
    for (std::int32_t code = -4; code < 0; ++code) {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            words const instance = generate(seed, {code});
            ASSERT_EQ(task::check(view(instance)), nullptr);
            ASSERT_GE(instance[0], low[code + 4]);
            ASSERT_LE(instance[0], high[code + 4]);
            ASSERT_EQ(solve(instance).result.objective, instance[0]);
        }
    }
}

TEST(hamiltonian, the_scale_grows_and_its_optimum_is_every_vertex) {
    std::int32_t last = 0;
    for (std::int32_t d = 0; d < 30; ++d) {
        words const instance = generate(9, difficulty::scale(d));
        ASSERT_EQ(task::check(view(instance)), nullptr);
        ASSERT_EQ(instance[0], 9 + 3 * d);
        ASSERT_GE(instance[0], last);
        ASSERT_EQ(solve(instance).result.objective, instance[0]) << d;
        last = instance[0];
    }
    EXPECT_EQ(generate(1, difficulty::scale(max_scale_step))[0], 3072);
}

TEST(hamiltonian, labels_carry_no_information_on_the_cycle) {
    int consecutive = 0;
    int steps = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        words const instance = generate(seed, difficulty::scale(13));
        words const answer = solve(instance).answer;
        for (std::size_t i = 2; i < answer.size(); ++i, ++steps) {
            consecutive += std::abs(answer[i] - answer[i - 1]) == 1;
        }
    }
    EXPECT_NEAR(double(consecutive) / steps, 2.0 / 48, 0.01);
}

TEST(hamiltonian, a_greedy_pass_is_seldom_optimal_on_the_scale_and_noise_has_many_qualities) {
    int optimal = 0;
    int varied = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        words const instance = generate(seed, difficulty::scale(13));
        optimal += greedy(instance).size() == std::size_t(instance[0]) + 1;
        std::set<std::size_t> lengths;
        for (std::uint32_t k = 0; k < 16; ++k) {
            lengths.insert(noisy_greedy(instance, draw{seed, k}).size());
        }
        varied += lengths.size() >= 4;
    }
    EXPECT_LE(optimal, 10);
    EXPECT_GE(varied, 90);
}

TEST(hamiltonian, a_team_of_five_gives_the_bytes_of_one_lane) {
    std::mt19937 random(17);
    for (difficulty const level : {difficulty::easy(), difficulty::medium(), difficulty::scale(4)}) {
        draw source{random(), 0x1d5};
        words instance = generate(source.seed, level);
        while (greedy(instance).empty()) {
            instance = generate(++source.seed, level);
        }
        words drawn(instance.size());
        scratch_memory drawing(task::generate_scratch_words(source, level));
        run_as_team<5>([&](auto& team) { task::generate(team, source, level, drawn.data(), drawing.data()); });
        ASSERT_EQ(drawn, instance);

        scratch_memory scratch(task::scratch_words(view(instance)));
        std::int32_t const n = instance[0];
        words const start = greedy(instance);
        std::vector<words> answers{start, flat({}), {answer_word, 0}, flat({0, n, 0}), flat({1, 2, 1, n - 1})};
        words closed = start;
        closed.push_back(start[1]);
        answers.push_back(closed);
        for (int round = 0; round < 6; ++round) {
            words values(static_cast<std::size_t>(n));
            for (std::int32_t v = 0; v < n; ++v) {
                values[std::size_t(v)] = v;
            }
            std::shuffle(values.begin(), values.end(), random);
            values.resize(3 + std::size_t(round));
            answers.push_back(flat(values));
        }
        for (words const& answer : answers) {
            std::vector<verdict> lanes(5);
            run_as_team<5>([&](auto& team) {
                lanes[std::size_t(team.rank())] =
                    task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
            });
            for (verdict const& lane : lanes) {
                ASSERT_EQ(lane, verify(instance, answer));
            }
        }
        words built(std::size_t(task::answer_words(view(instance))));
        words better = built;
        std::copy(start.begin(), start.end(), better.begin());
        std::vector<std::int64_t> sizes(5);
        std::vector<improve_result> results(5);
        run_as_team<5>([&](auto& team) {
            auto const rank = std::size_t(team.rank());
            sizes[rank] = task::greedy(team, view(instance), built.data(), scratch.data());
            results[rank] =
                task::improve(team, view(instance), better.data(), {.answer_words = std::int64_t(start.size())},
                              {0, 60}, draw{3, 7}, scratch.data());
        });
        improved const alone = improve(instance, start, 60);
        built.resize(std::size_t(sizes[4]));
        better.resize(std::size_t(results[4].answer_words));
        ASSERT_EQ(built, start);
        ASSERT_EQ(better, alone.answer);
        for (improve_result const& result : results) {
            ASSERT_EQ(result, alone.result);
        }
    }
}

}  // namespace
