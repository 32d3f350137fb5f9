// Policies that choose steps by posteriors and ranks: the Beta variates against binomial tails, choices on counts
// computed by hand, ranges, and equality on every machine.

#include <gtest/gtest.h>

#include <cmath>

#include "host/curriculum/policies.hpp"
#include "optgap/curriculum.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

curriculum one_task_plan(std::string const& spec, std::vector<prompt_size> prompts = {}) {
    return {parse_curriculum_spec(spec), {{.name = "a", .prompts = std::move(prompts)}}, 5};
}

/// Reports one step with these outcomes.
void saw(curriculum& plan, std::vector<std::pair<std::int32_t, rollout_counts>> const& steps) {
    std::vector<curriculum_cell> cells;
    for (auto const& [d, counts] : steps) {
        cells.push_back({0, difficulty::scale(d), counts});
    }
    ASSERT_TRUE(plan.merge({plan.current_step(), 0, cells}));
    plan.step();
}

/// Shares of the steps 0 … `size` - 1 among `count` draws.
std::vector<double> shares(curriculum const& plan, std::size_t size, std::int64_t count = 4000) {
    std::vector<double> out(size);
    for (std::int64_t i = 0; i < count; ++i) {
        out.at(std::size_t(plan.draw(i).level.code)) += 1;
    }
    for (double& share : out) {
        share /= double(count);
    }
    return out;
}

/// P(Beta(a, b) <= x): the probability that of a + b - 1 uniform numbers at least a are below x.
double beta_below(int a, int b, double x) {
    int const n = a + b - 1;
    double sum = 0;
    for (int k = a; k <= n; ++k) {
        sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(x) +
                        (n - k) * std::log1p(-x));
    }
    return sum;
}

TEST(curriculum_beta, variates_have_the_distribution) {
    for (auto const& [a, b] : {std::pair{1, 1}, {1, 17}, {9, 9}, {40, 3}, {200, 313}}) {
        constexpr int draws = 4000;
        std::vector<double> values;
        for (std::uint64_t seed = 0; seed < draws; ++seed) {
            draw_stream words({seed, 1}, 0);
            values.push_back((double(draw_beta(words, a, b)) + 0.5) / 4294967296.0);
        }
        std::sort(values.begin(), values.end());
        double worst = 0;  // the Kolmogorov-Smirnov distance
        for (int k = 0; k < draws; ++k) {
            worst = std::max(worst, std::abs(beta_below(a, b, values[std::size_t(k)]) - (k + 0.5) / draws));
        }
        EXPECT_LT(worst, 1.95 / std::sqrt(double(draws))) << a << ' ' << b;  // one in a thousand
    }
}

TEST(curriculum_beta, variates_are_the_same_on_every_machine) {
    std::vector<std::uint32_t> found;
    for (auto const& [a, b] : {std::pair{1, 1}, {3, 5}, {100, 413}}) {
        draw_stream words({7, 1}, 0);
        found.push_back(draw_beta(words, a, b));
    }
    EXPECT_EQ(found, (std::vector<std::uint32_t>{2126179728, 1194696077, 874444632}));
}

TEST(curriculum_beta, tries_everything_first_and_the_step_nearest_the_target_then) {
    curriculum plan = one_task_plan(R"({"policy":"beta","range":[0,3]})");
    for (double const share : shares(plan, 4)) {
        EXPECT_NEAR(share, 0.25, 0.03);
    }
    saw(plan, {{0, {200, 190, 0, 0}}, {1, {200, 150, 0, 0}}, {2, {200, 96, 0, 0}}, {3, {200, 20, 0, 0}}});
    EXPECT_GT(shares(plan, 4)[2], 0.99);
    curriculum easier = one_task_plan(R"({"policy":"beta","range":[0,3],"target":0.75})");
    saw(easier, {{0, {200, 190, 0, 0}}, {1, {200, 150, 0, 0}}, {2, {200, 96, 0, 0}}, {3, {200, 20, 0, 0}}});
    EXPECT_GT(shares(easier, 4)[1], 0.99);
}

TEST(curriculum_beta, discounts_the_counts_of_steps_that_have_new_ones) {
    curriculum plan = one_task_plan(R"({"policy":"beta","range":[2,4],"decay":0.25,"truncated":"as_wrong"})");
    saw(plan, {{2, {103, 50, 7, 1}}, {3, {8, 8, 0, 0}}, {9, {5, 5, 0, 0}}});
    saw(plan, {{2, {10, 1, 0, 0}}});
    EXPECT_EQ(plan.windows()[0].since,
              (std::vector<rollout_counts>{{35, 13, 1, 0}, {8, 8, 0, 0}, {0, 0, 0, 0}}));  // a quarter, rounded down
    EXPECT_EQ(plan.windows()[0].high, 4);
}

TEST(curriculum_replay, sees_every_step_once_and_then_goes_by_rank) {
    curriculum plan = one_task_plan(R"({"policy":"replay","range":[0,3],"stale":0,"rank_power":1})");
    for (double const share : shares(plan, 4)) {
        EXPECT_NEAR(share, 0.25, 0.03);
    }
    saw(plan, {{0, {100, 99, 0, 0}}, {1, {100, 30, 0, 0}}, {2, {100, 50, 0, 0}}});
    std::vector<double> found = shares(plan, 4);
    EXPECT_NEAR(found[3], 0.25, 0.03);           // one of four steps is new
    EXPECT_NEAR(found[2], 0.75 * 6 / 11, 0.03);  // ranks 1, 2, 3: weights 1, 1/2, 1/3
    EXPECT_NEAR(found[1], 0.75 * 3 / 11, 0.03);
    EXPECT_NEAR(found[0], 0.75 * 2 / 11, 0.03);
    saw(plan, {{2, {10, 10, 0, 0}}, {3, {4, 0, 4, 0}}});  // only the last outcomes count; two scores of 0: d2 before d3
    found = shares(plan, 4);
    EXPECT_NEAR(found[1], 12.0 / 25, 0.03);
    EXPECT_NEAR(found[0], 6.0 / 25, 0.03);
    EXPECT_NEAR(found[2], 4.0 / 25, 0.03);
    EXPECT_NEAR(found[3], 3.0 / 25, 0.03);
}

TEST(curriculum_replay, gives_a_share_by_staleness) {
    curriculum plan = one_task_plan(R"({"policy":"replay","range":[0,2],"stale":0.5,"rank_power":40})");
    saw(plan, {{0, {9, 9, 0, 0}}, {1, {9, 9, 0, 0}}, {2, {9, 4, 0, 0}}});
    EXPECT_EQ(shares(plan, 3)[2], 1) << "nothing is stale yet";
    saw(plan, {{1, {9, 9, 0, 0}}, {2, {9, 4, 0, 0}}});
    saw(plan, {{2, {9, 4, 0, 0}}});
    std::vector<double> const found = shares(plan, 3);
    EXPECT_NEAR(found[0], 0.5 * 2 / 3, 0.03);
    EXPECT_NEAR(found[1], 0.5 * 1 / 3, 0.03);
    EXPECT_NEAR(found[2], 0.5, 0.03);
}

TEST(curriculum_static, gives_its_range_evenly_within_the_prompt_limit) {
    curriculum const plan = one_task_plan(R"({"policy":"static","range":[2,6]})");
    std::vector<double> const found = shares(plan, 7);
    EXPECT_EQ(found[0] + found[1], 0);
    for (std::size_t d = 2; d <= 6; ++d) {
        EXPECT_NEAR(found[d], 0.2, 0.03);
    }
    EXPECT_EQ(shares(one_task_plan(R"({"policy":"static","range":[3,3]})"), 4)[3], 1);

    std::vector<prompt_size> prompts;
    for (std::int32_t d = 2; d < 9; ++d) {
        prompts.push_back({difficulty::scale(d), 100 * d});
    }
    for (char const* const policy : {"static", "beta", "replay"}) {
        std::string const spec = R"({"policy":")" + std::string(policy) + R"(","range":[2,6],"max_prompt_chars":400})";
        std::vector<double> const limited = shares(one_task_plan(spec, prompts), 5);
        EXPECT_GT(std::min({limited[2], limited[3], limited[4]}), 0.3) << policy;
        EXPECT_THROW(one_task_plan(spec, {{difficulty::scale(3), 100}}), error) << policy << ": d2 is not listed";
    }
}

TEST(curriculum_adaptive, chooses_the_step_of_its_window_nearest_a_half) {
    curriculum plan = one_task_plan("adaptive");
    saw(plan, {{0, {200, 180, 0, 0}}, {1, {200, 120, 0, 0}}, {2, {200, 95, 0, 0}}, {3, {200, 5, 0, 0}}});
    EXPECT_EQ(plan.windows()[0].low, 0);
    EXPECT_GT(shares(plan, 4)[2], 0.9);
    curriculum even = one_task_plan(R"({"policy":"adaptive","choice":"uniform"})");
    saw(even, {{0, {200, 180, 0, 0}}, {1, {200, 120, 0, 0}}, {2, {200, 95, 0, 0}}, {3, {200, 5, 0, 0}}});
    for (double const share : shares(even, 4)) {
        EXPECT_NEAR(share, 0.25, 0.03);
    }
}

TEST(curriculum_adaptive, goes_back_to_a_step_below_its_window_that_was_forgotten) {
    curriculum plan = one_task_plan(R"({"policy":"adaptive","samples":50})");
    saw(plan, {{0, {99, 99, 0, 0}}, {1, {400, 396, 0, 0}}, {2, {400, 400, 0, 0}}, {3, {400, 400, 0, 0}}});
    curriculum_window const& window = plan.windows()[0];
    EXPECT_EQ(window.low, 3);  // mastered: three steps up
    EXPECT_EQ(window.below, (std::vector<rollout_counts>{{99, 99, 0, 0}, {200, 198, 0, 0}, {200, 200, 0, 0}}));
    saw(plan, {{3, {40, 18, 0, 0}}, {4, {9, 2, 0, 0}}});
    EXPECT_LT(shares(plan, 7)[1], 0.01);
    saw(plan, {{1, {250, 30, 0, 0}}});
    EXPECT_EQ(window.below[1], (rollout_counts{450, 228, 0, 0}));
    EXPECT_EQ(window.low, 3) << "what is below is no test of the window";
    EXPECT_GT(shares(plan, 7)[1], 0.3);
    saw(plan, {{3, {400, 1, 0, 0}}});
    EXPECT_EQ(window.low, 2) << "one down";
    EXPECT_EQ(window.below, (std::vector<rollout_counts>{{99, 99, 0, 0}, {225, 114, 0, 0}}));
    EXPECT_EQ(window.since.front(), rollout_counts{});
}

TEST(curriculum_draws, by_posterior_and_rank_are_the_same_on_every_machine) {
    for (auto const& [spec, expected] :
         {std::pair{"adaptive", "2 1 4 2 2 4 2 2 4 4 3 4 "},
          {"beta", "14 16 14 14 15 16 17 17 15 15 17 14 "},
          {R"({"policy":"replay","rank_power":1})", "17 17 17 17 24 16 13 21 15 7 12 11 "}}) {
        curriculum plan = one_task_plan(spec);
        std::vector<std::pair<std::int32_t, rollout_counts>> outcomes;
        for (std::int32_t d = 0; d < 31; ++d) {
            outcomes.push_back({d, {40 + d, (40 + d) * (31 - d) / 31, 0, 0}});
        }
        saw(plan, outcomes);
        std::string found;
        for (std::int64_t i = 0; i < 12; ++i) {
            found += std::to_string(plan.draw(i).level.code) + " ";
        }
        EXPECT_EQ(found, expected) << spec;
    }
}

}  // namespace
}  // namespace optgap
