#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/set_cover/set_cover_fixture.hpp"
#include "kernels/tasks/set_cover/set_cover_reference.hpp"

namespace {

using namespace optgap;
using namespace optgap::set_cover_fixture;

TEST(set_cover, the_papers_answer_is_feasible_but_not_minimum) {
    EXPECT_EQ(verify(paper, flat({0, 3, 4})), (verdict{code_ok, -1, 3, 0, 6}));
    EXPECT_EQ(verify(paper, flat({0, 3})), (verdict{code_ok, -1, 2, 0, 6}));
    solved const found = solve(paper);
    EXPECT_EQ(found.answer, flat({0, 3}));
    EXPECT_EQ(found.result.status, baseline_status::optimal);
    EXPECT_EQ(found.result.bound, 2);
}

TEST(set_cover, names_the_first_broken_rule) {
    EXPECT_EQ(verify(paper, {answer_word, 0}), (verdict{code_empty, -1, 0, 6, 6}));
    EXPECT_EQ(verify(paper, flat({})), (verdict{code_empty, -1, 0, 6, 6}));
    EXPECT_EQ(verify(paper, {0}), (verdict{code_empty, -1, 0, 6, 6}));
    EXPECT_EQ(verify(paper, {2, 1, 1, 0, 3}), (verdict{code_bad_depth, -1, 0, 6, 6}));
    EXPECT_EQ(verify(paper, {1, 2, 0, 3}).code, code_bad_depth);
    EXPECT_EQ(verify(paper, flat({0, 0, 5})), (verdict{code_out_of_range, 2, 0, 6, 6}));
    EXPECT_EQ(verify(paper, flat({0, INT32_MIN, INT32_MAX})).where, 1);
    EXPECT_EQ(verify(paper, flat({0, 3, 4, 3, 0})), (verdict{code_repeated, 3, 0, 6, 6}));
    EXPECT_EQ(verify(paper, flat({1, 2})), (verdict{task::code_uncovered, -1, 0, 2, 6}));
    EXPECT_EQ(verify(paper, flat({4, 3})), (verdict{task::code_uncovered, -1, 0, 1, 6}));
}

TEST(set_cover, gives_nothing_for_one_set_two_hundred_times) {
    EXPECT_EQ(verify(paper, flat(std::vector<std::int32_t>(200, 0))), (verdict{code_repeated, 1, 0, 6, 6}));
}

TEST(set_cover, verdicts_equal_the_reference_on_random_answers) {
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        block const instance = random_cover(random, 1 + std::int32_t(random() % 70), 1 + std::int32_t(random() % 40),
                                            std::int32_t(random() % 1000));
        std::vector<std::int32_t> values(random() % 9);
        for (std::int32_t& value : values) {
            value = std::int32_t(random() % std::uint32_t(instance[1] + (round % 8 == 0 ? 2 : 0))) - (round % 16 == 0);
        }
        ASSERT_EQ(verify(instance, flat(values)), reference::set_cover::verify(instance, flat(values)));
    }
}

TEST(set_cover, proves_the_optimum_of_small_instances_of_every_density_or_that_there_is_none) {
    std::mt19937 random(5);
    int infeasible = 0;
    for (int round = 0; round < 3000; ++round) {
        block const instance =
            random_cover(random, 1 + std::int32_t(random() % 24), 1 + round % 13, 50 + std::int32_t(random() % 951));
        solved const found = solve(instance);
        auto const optimum = reference::set_cover::optimum(instance);
        if (!optimum) {
            ++infeasible;
            ASSERT_EQ(found.result.status, baseline_status::infeasible);
            ASSERT_EQ(found.result.objective, no_objective);
            ASSERT_EQ(found.result.bound, no_objective);
            ASSERT_TRUE(found.answer.empty());
            ASSERT_TRUE(greedy(instance).empty());
            ASSERT_TRUE(noisy_greedy(instance, {3, 4}).empty());
            continue;
        }
        ASSERT_EQ(found.result.status, baseline_status::optimal);
        ASSERT_EQ(found.result.objective, optimum) << round;
        ASSERT_EQ(found.result.bound, optimum);
        ASSERT_EQ(verify(instance, found.answer).objective, optimum);
    }
    EXPECT_GT(infeasible, 300);
    EXPECT_LT(infeasible, 2700);
}

TEST(set_cover, the_wide_search_agrees_with_the_word_search) {
    std::mt19937 random(8);
    for (int round = 0; round < 120; ++round) {
        block const instance = random_cover(random, 1 + std::int32_t(random() % 64), 1 + std::int32_t(random() % 64),
                                            100 + std::int32_t(random() % 500));
        auto const sets = tasks::set_cover::view_cover(view(instance));
        scratch_memory scratch(task::exact_scratch_words(view(instance)));
        block word(std::size_t(sets.s));
        block wide(std::size_t(sets.s));
        auto const fast = tasks::set_cover::min_cover_word(sets, INT64_MAX, word.data());
        auto const general = tasks::set_cover::min_cover_wide(sets, INT64_MAX, wide.data(), scratch.data());
        ASSERT_EQ(fast.size, general.size);
        ASSERT_EQ(fast.bound, general.bound);
        auto const word_greedy = tasks::set_cover::min_cover_word(sets, 0, word.data());
        auto const wide_greedy = tasks::set_cover::min_cover_wide(sets, 0, wide.data(), scratch.data());
        ASSERT_EQ(word_greedy.size, wide_greedy.size);
        ASSERT_TRUE(std::equal(word.begin(), word.begin() + word_greedy.size, wide.begin()));
        if (general.size > 0) {
            block answer = flat({});
            answer.insert(answer.end(), wide.begin(), wide.begin() + word_greedy.size);
            ASSERT_EQ(answer, greedy(instance));
        }
    }
}

TEST(set_cover, solves_edge_shapes_at_both_sides_of_a_word) {
    for (std::int32_t const n : {1, 2, 31, 32, 33, 63, 64, 65, 129}) {
        std::mt19937 random(1);
        block singles = random_cover(random, n, n, 0);
        for (std::int32_t e = 0; e < n; ++e) {
            singles[std::size_t(2 + e * bitset_words(n) + e / 32)] = std::int32_t(1u << (e % 32));
        }
        EXPECT_EQ(solve(singles).result.objective, n);
        EXPECT_EQ(solve(singles).result.status, baseline_status::optimal);
        block const full = random_cover(random, n, n, 1000);
        EXPECT_EQ(solve(full).answer, flat({0}));
        EXPECT_EQ(solve(random_cover(random, n, 3, 0)).result.status, baseline_status::infeasible);
        EXPECT_EQ(solve(random_cover(random, n, 1, 1000)).answer, flat({0}));
    }
}

TEST(set_cover, more_budget_is_never_worse_and_none_is_the_greedy_answer) {
    std::mt19937 random(21);
    for (std::int32_t const n : {40, 64, 65, 80}) {
        block const instance = random_cover(random, n, n, 180);
        ASSERT_FALSE(greedy(instance).empty());
        EXPECT_EQ(solve(instance, 0).answer, greedy(instance));
        std::int64_t const optimum = solve(instance).result.objective;
        solve_result last = solve(instance, 0).result;
        EXPECT_EQ(last.steps, 0);
        for (std::int64_t budget = 1; budget < 20000; budget += 1 + budget) {
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

TEST(set_cover, keeps_an_honest_bound_where_the_proof_does_not_end) {
    std::mt19937 random(2);
    block const instance = random_cover(random, 300, 300, 30);
    solved const found = solve(instance, 2000);
    EXPECT_EQ(found.result.status, baseline_status::bounded);
    EXPECT_STREQ(task::bound_kinds[found.result.bound_kind], "prices");
    EXPECT_LT(found.result.bound, found.result.objective);
    EXPECT_GT(found.result.bound * 4, found.result.objective * 3);
    EXPECT_LT(found.result.objective, std::int64_t(greedy(instance).size()) - 1);
}

TEST(set_cover, greedy_takes_the_largest_gain_and_then_the_lowest_id) {
    EXPECT_EQ(greedy(paper), flat({0, 3}));
    EXPECT_EQ(greedy({4, 4, 0b0001, 0b0110, 0b1100, 0b0011}), flat({1, 0, 2}));
    solo team;
    block answer(6);
    EXPECT_EQ(task::floor(team, view(paper), answer.data(), nullptr), 6);
    EXPECT_EQ(answer, flat({0, 1, 2, 3, 4}));
}

TEST(set_cover, noisy_greedy_covers_without_useless_sets_and_differs_by_its_draw) {
    block const instance = generate(3, difficulty::benchmark());
    std::set<block> answers;
    for (std::uint32_t k = 0; k < 16; ++k) {
        block const answer = noisy_greedy(instance, {3, k});
        ASSERT_EQ(verify(instance, answer).code, code_ok);
        for (std::size_t keep = 1; keep < answer.size(); ++keep) {
            block const begun(answer.begin(), answer.begin() + std::ptrdiff_t(keep));
            ASSERT_NE(verify(instance, begun).code, code_ok);
        }
        answers.insert(answer);
    }
    EXPECT_GE(answers.size(), 10U);
    EXPECT_EQ(noisy_greedy(instance, {3, 1}), noisy_greedy(instance, {3, 1}));
}

TEST(set_cover, local_search_reaches_the_optimum_of_small_instances) {
    std::mt19937 random(31);
    int compared = 0;
    for (int round = 0; round < 200; ++round) {
        block const instance = random_cover(random, 5 + round % 20, 12, 150 + std::int32_t(random() % 300));
        auto const optimum = reference::set_cover::optimum(instance);
        if (!optimum) {
            continue;
        }
        ++compared;
        improved const found = improve(instance, flat({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), 1000);
        ASSERT_EQ(found.result.objective, optimum);
        ASSERT_EQ(verify(instance, found.answer).objective, optimum);
        ASSERT_EQ(found.result.start_objective, 12);
    }
    EXPECT_GT(compared, 50);
}

TEST(set_cover, a_longer_local_search_is_never_worse) {
    block const instance = generate(4, difficulty::scale(20));
    std::vector<std::int32_t> all(static_cast<std::size_t>(instance[1]));
    for (std::size_t j = 0; j < all.size(); ++j) {
        all[j] = std::int32_t(j);
    }
    auto last = std::int64_t(all.size());
    for (std::int64_t steps = 0; steps < 400; steps += 7) {
        improved const found = improve(instance, flat(all), steps);
        ASSERT_LE(found.result.objective, last);
        ASSERT_LE(found.result.moves, steps);
        ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
        last = found.result.objective;
    }
    EXPECT_LT(last, 30);
}

TEST(set_cover, local_search_leaves_an_infeasible_start_alone) {
    improved const found = improve(paper, flat({0, 1}), 50);
    EXPECT_EQ(found.answer, flat({0, 1}));
    EXPECT_EQ(found.result, (improve_result{.answer_words = 3}));
    EXPECT_EQ(improve(paper, {answer_word, 0}, 50).answer, (block{answer_word, 0}));
}

TEST(set_cover, the_word_and_the_empty_list_claim_that_there_is_no_cover) {
    EXPECT_EQ(solve(impossible).result.status, baseline_status::infeasible);
    EXPECT_EQ(solve(impossible, 0).result.status, baseline_status::infeasible);
    EXPECT_EQ(verify(impossible, {answer_word, 0}).code, code_empty);
    EXPECT_EQ(verify(impossible, flat({})).code, code_empty);
    EXPECT_EQ(verify(impossible, flat({0, 1})), (verdict{task::code_uncovered, -1, 0, 1, 3}));
}

TEST(set_cover, levels_keep_to_the_papers_ranges) {
    std::int32_t const least[4][2] = {{10, 5}, {20, 10}, {25, 15}, {30, 20}};
    std::int32_t const most[4][2] = {{20, 10}, {25, 15}, {30, 25}, {40, 30}};
    for (std::int32_t code = -4; code < 0; ++code) {
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            block const instance = generate(seed, {code});
            ASSERT_EQ(task::check(view(instance)), nullptr);
            for (std::size_t i = 0; i < 2; ++i) {
                ASSERT_GE(instance[i], least[code + 4][i]);
                ASSERT_LE(instance[i], most[code + 4][i]);
            }
            ASSERT_EQ(solve(instance).result.status, baseline_status::optimal);
        }
    }
}

TEST(set_cover, labels_carry_no_information_on_the_plant) {
    difficulty const level = difficulty::scale(6);
    std::int64_t low_half = 0;
    std::int64_t members = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        draw const source{seed, 0x5e7};
        block words(std::size_t(task::instance_words(source, level)));
        scratch_memory scratch(task::generate_scratch_words(source, level));
        solo team;
        task::generate(team, source, level, words.data(), scratch.data());
        block answer = flat({});
        for (std::int32_t group = 0; group < 8; ++group, ++members) {
            // Generation leaves the sets' labels in scratch; each third set is planted.
            answer.push_back(scratch.data()[3 * group]);
            low_half += answer.back() < words[1] / 2;
        }
        ASSERT_EQ(verify(words, answer).code, code_ok);
    }
    EXPECT_NEAR(double(low_half) / double(members), 0.5, 0.03);
}

TEST(set_cover, the_scale_grows_and_its_plant_has_one_set_a_group) {
    std::int32_t last = 0;
    for (std::int32_t d = 0; d < 24; ++d) {
        block const instance = generate(9, difficulty::scale(d));
        ASSERT_EQ(task::check(view(instance)), nullptr);
        ASSERT_GT(instance[0], last);
        ASSERT_EQ(solve(instance).result.objective, d + 2) << d;
        ASSERT_EQ(solve(instance).result.status, baseline_status::optimal) << d;
        last = instance[0];
    }
    EXPECT_EQ(generate(1, difficulty::scale(max_scale_step))[0], 4608);
}

TEST(set_cover, a_greedy_pass_is_seldom_optimal_on_the_scale) {
    int optimal = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        optimal += greedy(generate(seed, difficulty::scale(6))).size() == 9;
    }
    EXPECT_LE(optimal, 60);
}

TEST(set_cover, a_team_of_five_gives_the_bytes_of_one_lane) {
    std::mt19937 random(17);
    for (difficulty const level : {difficulty::easy(), difficulty::benchmark(), difficulty::scale(4)}) {
        draw const source{random(), 0x5e7};
        block const instance = generate(source.seed, level);
        block drawn(instance.size());
        scratch_memory drawing(task::generate_scratch_words(source, level));
        run_as_team<5>([&](auto& team) { task::generate(team, source, level, drawn.data(), drawing.data()); });
        ASSERT_EQ(drawn, instance);

        scratch_memory scratch(task::scratch_words(view(instance)));
        std::int32_t const s = instance[1];
        std::vector<block> answers{greedy(instance), flat({}), {answer_word, 0}, flat({0, s, 0}), flat({1, 2, 1})};
        std::vector<std::int32_t> all(static_cast<std::size_t>(s));
        for (std::int32_t j = 0; j < s; ++j) {
            all[std::size_t(j)] = j;
        }
        answers.push_back(flat({all.begin() + 1, all.end()}));
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
        block floor(built.size());
        block better(built.size());
        std::vector<std::int64_t> sizes(5);
        std::vector<improve_result> results(5);
        run_as_team<5>([&](auto& team) {
            auto const rank = std::size_t(team.rank());
            sizes[rank] = task::greedy(team, view(instance), built.data(), scratch.data());
            std::int64_t const floor_size = task::floor(team, view(instance), floor.data(), scratch.data());
            task::floor(team, view(instance), better.data(), scratch.data());
            results[rank] = task::improve(team, view(instance), better.data(), {.answer_words = floor_size}, {0, 60},
                                          draw{3, 7}, scratch.data());
        });
        improved const alone = improve(instance, flat(all), 60);
        built.resize(std::size_t(sizes[4]));
        better.resize(std::size_t(results[4].answer_words));
        ASSERT_EQ(built, greedy(instance));
        ASSERT_EQ(floor, flat(all));
        ASSERT_EQ(better, alone.answer);
        for (improve_result const& result : results) {
            ASSERT_EQ(result, alone.result);
        }
    }
}

TEST(set_cover, check_refuses_words_that_are_no_instance) {
    auto const rule = [](block const& words) { return std::string(task::check(view(words))); };
    EXPECT_EQ(task::check(view({1, 1, 0})), nullptr);
    EXPECT_EQ(rule({}), "the universe has 1 to 1000000 elements");
    EXPECT_EQ(rule({4}), "there are 1 to 1000000 sets");
    EXPECT_EQ(rule({0, 1}), "the universe has 1 to 1000000 elements");
    EXPECT_EQ(rule({INT32_MIN, 1}), "the universe has 1 to 1000000 elements");
    EXPECT_EQ(rule({INT32_MAX, 1}), "the universe has 1 to 1000000 elements");
    EXPECT_EQ(rule({1, 0}), "there are 1 to 1000000 sets");
    EXPECT_EQ(rule({1, INT32_MAX, 0}), "there are 1 to 1000000 sets");
    EXPECT_EQ(rule({1'000'000, 1'000'000}), "the sets must have at most 33554432 words, each one for 32 elements");
    EXPECT_EQ(rule({33, 1, 1}), "each of the sets has elements 0 to universe - 1 alone");
    EXPECT_EQ(rule({2, 2, 3, 4}), "each of the sets has elements 0 to universe - 1 alone");
}

}  // namespace
