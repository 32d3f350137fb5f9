#include "kernels/tasks/knapsack/knapsack.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/core/thread_team.hpp"
#include "kernels/tasks/knapsack/knapsack_fixture.hpp"
#include "kernels/tasks/knapsack/knapsack_reference.hpp"

namespace optgap {
namespace {

using namespace knapsack_fixture;
using task = tasks::knapsack::task;

block generated(std::uint64_t seed, difficulty level) {
    draw const source{seed, 7};
    block words(std::size_t(task::instance_words(source, level)));
    block scratch(std::size_t(task::generate_scratch_words(source, level)), 0x5a5a5a5a);
    solo team;
    task::generate(team, source, level, words.data(), scratch.data());
    return words;
}

/// Scratch that is 64-byte aligned and filled with arbitrary values.
struct garbage {
    explicit garbage(std::int64_t count) : lines(std::size_t(count / 16 + 1)) {
        std::memset(static_cast<void*>(lines.data()), 0x5a, lines.size() * sizeof(line));
    }
    struct alignas(64) line {
        std::int32_t words[16];
    };
    std::int32_t* data() { return lines[0].words; }
    std::vector<line> lines;
};

verdict verified(block const& instance, block const& answer) {
    garbage scratch(task::scratch_words(view(instance)));
    solo team;
    verdict const found = task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
    EXPECT_EQ(found, reference::knapsack::verify(instance, answer));
    return found;
}

struct solved {
    solve_result result;
    block answer;
};

solved solve(block const& instance, std::int64_t budget = task::default_budget) {
    garbage scratch(task::exact_scratch_words(view(instance)));
    solved out;
    out.answer.resize(std::size_t(task::answer_words(view(instance))));
    out.result = task::exact(view(instance), budget, out.answer.data(), scratch.data());
    out.answer.resize(std::size_t(out.result.answer_words));
    return out;
}

enum class policy { floor, greedy };

block policy_answer(block const& instance, policy which) {
    garbage scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    solo team;
    answer.resize(std::size_t(which == policy::floor
                                  ? task::floor(team, view(instance), answer.data(), scratch.data())
                                  : task::greedy(team, view(instance), answer.data(), scratch.data())));
    return answer;
}

/// Small instances of many shapes: ties, zeros, tiny capacities, strong correlation, subset sum.
block odd_instance(std::uint64_t seed) {
    draw_stream stream(draw{seed, 99}, 0);
    std::int32_t const n = stream.uniform(1, 14);
    std::int32_t const shape = stream.uniform(0, 6);
    std::int32_t const top = stream.uniform(0, 3) == 0 ? 3 : 60;
    block words(std::size_t(2 + 2 * n));
    words[0] = n;
    std::int32_t total = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        std::int32_t const w = stream.uniform(shape == 0 ? 0 : 1, top);
        std::int32_t const values[7] = {stream.uniform(0, top),       w, w + 5, stream.uniform(1, 2), w * 2, top,
                                        w + stream.uniform(-1, 1) + 1};
        words[std::size_t(2 + i)] = w;
        words[std::size_t(2 + n + i)] = values[shape];
        total += w;
    }
    words[1] = stream.uniform(0, stream.uniform(0, 3) == 0 ? 5 : total + 1);
    return words;
}

TEST(knapsack, judges_the_papers_example) {
    EXPECT_EQ(verified(paper(), {-1, 0, 2, 3}), (verdict{code_ok, -1, 25, 0, 2}));
    EXPECT_EQ(verified(paper(), {-1, 1, 2, 3}), (verdict{code_ok, -1, 26, 0, 2}));
    EXPECT_EQ(solve(paper()).result.objective, 26);
    EXPECT_EQ(solve(paper()).answer, (block{-1, 1, 2, 3}));
}

TEST(knapsack, names_the_item_at_which_the_capacity_is_passed) {
    EXPECT_EQ(verified(paper(), {-1, 3, 2, 0, 1}), (verdict{task::code_over_capacity, 3, 0, 2, 2}));
    block const tight = {3, 5, 4, 4, 4, 1, 1, 1};
    EXPECT_EQ(verified(tight, {-1, 2, 0, 1}), (verdict{task::code_over_capacity, 1, 0, 7, 7}));
}

TEST(knapsack, reports_the_first_broken_rule_in_order) {
    EXPECT_EQ(verified(paper(), {answer_word, 0}).code, code_unparsable);
    EXPECT_EQ(verified(paper(), {1, 2, 0, 1}).code, code_bad_depth);
    EXPECT_EQ(verified(paper(), {2, 0, 0}).code, code_bad_depth);
    EXPECT_EQ(verified(paper(), {-1}).code, code_empty);
    EXPECT_EQ(verified(paper(), {-1, 0, 0, 4}), (verdict{code_out_of_range, 2, 0, 2, 2}));
    EXPECT_EQ(verified(paper(), {-1, INT32_MIN, INT32_MAX}), (verdict{code_out_of_range, 0, 0, 2, 2}));
    EXPECT_EQ(verified(paper(), {-1, 0, 1, 2, 3, 1}), (verdict{code_repeated, 4, 0, 2, 2}));
    block flood(201, 3);
    flood[0] = answer_flat;
    EXPECT_EQ(verified(paper(), flood), (verdict{code_repeated, 1, 0, 2, 2}));
}

TEST(knapsack, accepts_the_empty_list_only_when_nothing_of_value_fits) {
    EXPECT_EQ(verified({2, 3, 4, 5, 9, 9}, {-1}), (verdict{code_ok, -1, 0, 0, 6}));
    EXPECT_EQ(verified({2, 3, 3, 5, 0, 9}, {-1}).code, code_ok);
    EXPECT_EQ(verified({2, 3, 3, 5, 1, 9}, {-1}).code, code_empty);
    EXPECT_EQ(verified({1, 0, 0, 1}, {-1}).code, code_empty);
}

TEST(knapsack, sums_past_int32) {
    std::int32_t const top = INT32_MAX;
    block const huge = {3, top, top, top, 1, top, top, 1};
    EXPECT_EQ(verified(huge, {-1, 0, 1}).violation, top);
    block const weightless = {3, 0, 0, 0, 0, top, top, top};
    EXPECT_EQ(verified(weightless, {-1, 0, 1, 2}).objective, 3 * std::int64_t(top));
    EXPECT_EQ(solve(weightless).result.objective, 3 * std::int64_t(top));
    EXPECT_EQ(solve(huge).result.objective, top);
}

TEST(knapsack, checks_explicit_words) {
    EXPECT_EQ(task::check(view(paper())), nullptr);
    for (block const& bad : {block{}, block{0, 5}, block{1, 5, 2}, block{1, -1, 2, 2}, block{1, 5, -2, 2},
                             block{1, 5, 2, -1}, block{INT32_MAX, 1, 1, 1}, block{-1, 1}}) {
        EXPECT_NE(task::check(view(bad)), nullptr);
    }
}

TEST(knapsack, draws_its_levels_within_their_ranges) {
    struct {
        difficulty level;
        int low, high, lightest;
    } const levels[] = {{difficulty::easy(), 15, 25, 3},
                        {difficulty::medium(), 25, 35, 20},
                        {difficulty::hard(), 35, 60, 50},
                        {difficulty::benchmark(), 55, 80, 50}};
    for (auto const& [level, low, high, lightest] : levels) {
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            block const words = generated(seed, level);
            EXPECT_EQ(task::check(view(words)), nullptr);
            EXPECT_GE(words[0], low);
            EXPECT_LE(words[0], high);
            for (std::int32_t i = 0; i < words[0]; ++i) {
                EXPECT_GE(words[std::size_t(2 + i)], lightest);
            }
            EXPECT_EQ(words, generated(seed, level));
            EXPECT_NE(words, generated(seed + 1, level));
        }
    }
}

TEST(knapsack, climbs_a_scale_that_never_shrinks) {
    std::int64_t before = 0;
    for (std::int32_t d : {0, 1, 2, 30, 1000, 9999, 10000, max_scale_step}) {
        std::int64_t const size = task::instance_words({1, 7}, difficulty::scale(d));
        EXPECT_GE(size, before);
        before = size;
        EXPECT_EQ(task::check(view(generated(1, difficulty::scale(d)))), nullptr);
    }
}

TEST(knapsack, fills_in_index_order_and_by_ratio) {
    EXPECT_EQ(policy_answer(paper(), policy::floor), (block{-1, 0, 1, 2}));
    EXPECT_EQ(policy_answer(paper(), policy::greedy), (block{-1, 0, 2, 3}));
    EXPECT_EQ(policy_answer({4, 5, 0, 6, 5, 0, 0, 99, 1, 7}, policy::greedy), (block{-1, 0, 2, 3}));
    EXPECT_EQ(policy_answer({3, 4, 2, 4, 2, 3, 6, 3}, policy::greedy), (block{-1, 0, 2}));
    EXPECT_EQ(policy_answer({1, 0, 1, 1}, policy::floor), (block{-1}));
}

TEST(knapsack, orders_long_lists_like_short_ones) {
    block words = {1000, 5000};
    for (std::int32_t i = 0; i < 2000; ++i) {
        words.push_back(uniform({3, 3}, 0, std::uint32_t(i), 0, 30));
    }
    auto const all = tasks::knapsack::items_of(view(words));
    block order(1000);
    block spare(1000);
    solo team;
    tasks::knapsack::order_by_ratio(team, all, order.data(), spare.data());
    for (std::size_t k = 1; k < order.size(); ++k) {
        ASSERT_TRUE(tasks::knapsack::goes_before(all, order[k - 1], order[k])) << k;
    }
}

TEST(knapsack, proves_what_the_oracle_finds) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        block const instance = odd_instance(seed);
        solved const found = solve(instance);
        ASSERT_EQ(found.result.status, baseline_status::optimal) << seed;
        ASSERT_EQ(found.result.objective, reference::knapsack::optimum(instance)) << seed;
        ASSERT_EQ(found.result.bound, found.result.objective) << seed;
        ASSERT_EQ(verified(instance, found.answer).objective, found.result.objective) << seed;
        ASSERT_TRUE(verified(instance, found.answer).feasible()) << seed;
    }
}

TEST(knapsack, proves_instances_whose_sums_need_the_wide_states) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        block instance = odd_instance(seed);
        for (std::size_t i = 1; i < instance.size(); ++i) {
            instance[i] *= 1'000'000;
        }
        ASSERT_EQ(solve(instance).result.objective, reference::knapsack::optimum(instance)) << seed;
    }
}

TEST(knapsack, proves_the_benchmark_level) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        block const instance = generated(seed, difficulty::benchmark());
        solved const found = solve(instance);
        EXPECT_EQ(found.result.status, baseline_status::optimal);
        EXPECT_EQ(found.result.objective, reference::knapsack::optimum(instance));
        EXPECT_EQ(verified(instance, found.answer).objective, found.result.objective);
    }
}

TEST(knapsack, never_gets_worse_with_more_budget) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        block const instance = generated(seed, difficulty::benchmark());
        solved before = solve(instance, 0);
        EXPECT_EQ(before.result.objective, verified(instance, policy_answer(instance, policy::greedy)).objective);
        for (std::int64_t budget = 1; budget < 100'000; budget = budget * 3 / 2 + 1) {
            solved const now = solve(instance, budget);
            ASSERT_GE(now.result.objective, before.result.objective);
            ASSERT_LE(now.result.bound, before.result.bound);
            ASSERT_GE(now.result.bound, now.result.objective);
            ASSERT_LE(now.result.steps, budget);
            before = now;
        }
        EXPECT_EQ(before.result.status, baseline_status::optimal);
    }
}

TEST(knapsack, bounds_what_it_cannot_prove) {
    // Even weights and values, an odd capacity: no choice reaches the bound and the list of states keeps growing.
    block hard = {60, 0};
    std::int64_t total = 0;
    for (std::uint32_t i = 0; i < 60; ++i) {
        hard.push_back(uniform({11, 3}, 0, i, 5'000'000, 15'000'000) * 2);
        total += hard.back();
    }
    for (std::size_t i = 2; i < 62; ++i) {
        hard.push_back(hard[i]);
    }
    hard[1] = std::int32_t(total / 2) | 1;
    solved const found = solve(hard, 20'000);
    EXPECT_EQ(found.result.status, baseline_status::bounded);
    EXPECT_EQ(found.result.bound_kind, 1);
    EXPECT_GT(found.result.bound, found.result.objective);
    EXPECT_EQ(verified(hard, found.answer).objective, found.result.objective);
}

TEST(knapsack, improves_without_ever_losing_ground) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        block const instance = generated(seed, difficulty::medium());
        garbage scratch(task::scratch_words(view(instance)));
        std::int64_t before = 0;
        for (std::int64_t steps : {0, 1, 2, 5, 20, 100, 400}) {
            block answer = policy_answer(instance, policy::floor);
            auto const size = std::int64_t(answer.size());
            answer.resize(std::size_t(task::answer_words(view(instance))));
            solo team;
            improve_result const result = task::improve(team, view(instance), answer.data(), {.answer_words = size},
                                                        {0, steps}, {seed, 5}, scratch.data());
            answer.resize(std::size_t(result.answer_words));
            EXPECT_EQ(verified(instance, answer).objective, result.objective);
            EXPECT_GE(result.objective, before);
            EXPECT_LE(result.objective, *reference::knapsack::optimum(instance));
            EXPECT_LE(result.moves, steps);
            before = result.objective;
        }
    }
    block bad = {-1, 0, 0, 0, 0};
    garbage scratch(task::scratch_words(view(paper())));
    solo team;
    EXPECT_EQ(task::improve(team, view(paper()), bad.data(), {.answer_words = 3}, {0, 9}, {1, 1}, scratch.data()),
              (improve_result{no_objective, no_objective, 0, 0, 3}));
}

TEST(knapsack, gives_the_same_bytes_from_a_team_of_five) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        draw const source{seed, 7};
        block const expected = generated(seed, difficulty::easy());
        block words(expected.size());
        garbage scratch(task::scratch_words(view(expected)));
        run_as_team<5>(
            [&](auto& team) { task::generate(team, source, difficulty::easy(), words.data(), scratch.data()); });
        ASSERT_EQ(words, expected);
        block const floor_answer = policy_answer(expected, policy::floor);
        block answer(std::size_t(task::answer_words(view(words))));
        std::int64_t size = 0;
        auto const run = [&](auto const& work) {
            run_as_team<5>([&](auto& team) {
                auto const done = work(team);
                if (team.rank() == 0) {
                    size = done;
                }
            });
            return block(answer.begin(), answer.begin() + size);
        };
        EXPECT_EQ(run([&](auto& team) { return task::floor(team, view(words), answer.data(), scratch.data()); }),
                  floor_answer);
        EXPECT_EQ(run([&](auto& team) { return task::greedy(team, view(words), answer.data(), scratch.data()); }),
                  policy_answer(expected, policy::greedy));
        auto const improve = [&](auto& team) {
            return task::improve(team, view(words), answer.data(), {.answer_words = std::int64_t(floor_answer.size())},
                                 {0, 12}, source, scratch.data());
        };
        std::copy(floor_answer.begin(), floor_answer.end(), answer.begin());
        solo one;
        improve_result const alone = improve(one);
        block const alone_answer(answer.begin(), answer.begin() + alone.answer_words);
        std::copy(floor_answer.begin(), floor_answer.end(), answer.begin());
        EXPECT_EQ(run([&](auto& team) {
                      improve_result const together = improve(team);
                      EXPECT_EQ(together, alone);
                      return together.answer_words;
                  }),
                  alone_answer);
        block all(std::size_t(words[0] + 1));
        std::iota(all.begin(), all.end(), -1);
        for (block const& tried : {all, alone_answer, block{-1, 3, 4, 3}, block{-1, 1, 2, 99}, block{-1}}) {
            verdict const expected_verdict = verified(words, tried);
            run_as_team<5>([&](auto& team) {
                EXPECT_EQ(task::verify(team, view(words), view_answer(view(tried)), scratch.data()), expected_verdict);
            });
        }
    }
}

}  // namespace
}  // namespace optgap
