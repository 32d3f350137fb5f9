#include "host/report/evaluation.hpp"
#include "host/report/shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace optgap {
namespace {

reward_row row_of(float quality) {
    reward_row row;
    row.reward = 1 + quality;
    row.feasible = quality >= 0 ? 1.0f : 0.0f;
    row.quality = std::max(quality, 0.0f);
    row.normalized = row.quality;
    return row;
}

/// Enumerates all subsets of k of the values, by counting bits.
template <class Score>
double over_subsets(std::vector<float> const& values, int k, Score score) {
    double sum = 0;
    int count = 0;
    for (unsigned set = 0; set < 1u << values.size(); ++set) {
        if (__builtin_popcount(set) != k) {
            continue;
        }
        std::vector<float> chosen;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (set >> i & 1) {
                chosen.push_back(values[i]);
            }
        }
        sum += score(chosen);
        ++count;
    }
    return sum / count;
}

TEST(evaluation, pass_and_best_at_k_are_the_means_over_all_subsets_of_k_rows) {
    std::vector<float> const values{-1, 0.25f, 1, 0.5f, -1, 1, 0.75f};
    for (int k = 1; k <= 7; ++k) {
        EXPECT_NEAR(pass_at(7, 2, k),
                    over_subsets(values, k,
                                 [](std::vector<float> const& chosen) {
                                     return std::count(chosen.begin(), chosen.end(), 1.0f) > 0 ? 1.0 : 0.0;
                                 }),
                    1e-12);
        EXPECT_NEAR(best_of({values.begin(), values.end()}, k),
                    over_subsets(values, k,
                                 [](std::vector<float> const& chosen) {
                                     return std::max(0.0, double(*std::max_element(chosen.begin(), chosen.end())));
                                 }),
                    1e-12);
    }
}

TEST(evaluation, rates_are_over_rows_and_zero_variance_groups_have_equal_rewards) {
    rollout_groups cell;
    for (float quality : {1.0f, 0.5f, -1.0f}) {
        cell.add(row_of(quality), 7);
    }
    cell.add(row_of(0.5f), 3);
    cell.add(row_of(0.5f), 3);
    rollout_groups const* const cells[] = {&cell};
    evaluation const found = evaluate(cells, {.k = {1, 3}});
    EXPECT_EQ(found.rows, 5);
    EXPECT_EQ(found.groups, 2);
    EXPECT_EQ(found.zero_variance_groups, 1);
    EXPECT_DOUBLE_EQ(found.success_rate.value, 0.8);
    EXPECT_DOUBLE_EQ(found.quality_ratio.value, 0.5);
    EXPECT_EQ(found.quality_ratio.low, found.quality_ratio.value) << "no resamples, no width";
    EXPECT_EQ(found.at[0].groups, 2);
    EXPECT_DOUBLE_EQ(found.at[0].pass.value, (1.0 / 3 + 0) / 2);
    EXPECT_EQ(found.at[1].groups, 1) << "only groups of three rows tell of three";
    EXPECT_DOUBLE_EQ(found.at[1].best.value, 1.0);
}

TEST(evaluation, the_interval_covers_the_truth_about_as_often_as_it_says) {
    int covered = 0;
    constexpr int trials = 400;
    for (int trial = 0; trial < trials; ++trial) {
        rollout_groups cell;
        std::uint64_t state = std::uint64_t(trial) * 0x9E3779B97F4A7C15u + 1;
        for (int group = 0; group < 60; ++group) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            float const quality = float(state >> 40) / float(1 << 24);  // one per group: rows add no information
            for (int i = 0; i < 8; ++i) {
                cell.add(row_of(quality), group);
            }
        }
        rollout_groups const* const cells[] = {&cell};
        evaluation const found = evaluate(cells, {.resamples = 200, .seed = std::uint64_t(trial)});
        covered += found.quality_ratio.low <= 0.5 && 0.5 <= found.quality_ratio.high ? 1 : 0;
    }
    EXPECT_GT(covered, trials * 89 / 100);
    EXPECT_LT(covered, trials * 99 / 100) << "resampling rows instead of groups would fail above, too wide here";
}

TEST(evaluation, of_nothing_has_no_rates) {
    evaluation const found = evaluate({}, {.resamples = 10, .k = {1}});
    EXPECT_EQ(found.rows, 0);
    EXPECT_TRUE(std::isnan(found.success_rate.value));
    EXPECT_TRUE(std::isnan(found.at[0].best.low));
    EXPECT_TRUE(std::isnan(found.reward));
}

}  // namespace
}  // namespace optgap
