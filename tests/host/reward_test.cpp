#include "kernels/reward/reward.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "optgap/status.hpp"

namespace optgap {
namespace {

baseline proven(std::int64_t objective, std::int64_t floor = no_objective) {
    return {.objective = objective, .bound = objective, .floor = floor, .status = baseline_status::optimal};
}

verdict feasible(std::int64_t objective) { return {.code = code_ok, .objective = objective, .violation_max = 10}; }

verdict infeasible(std::int64_t violation) {
    return {.code = first_task_code, .where = 0, .objective = 0, .violation = violation, .violation_max = 10};
}

reward_row scored(verdict const& found, baseline const& base, sense direction, reward_spec const& spec = {},
                  std::int32_t format = code_ok, finish how = finish::stop) {
    return reward_of(found, format, how, 0, base, direction, spec);
}

TEST(reward, is_format_plus_quality) {
    EXPECT_EQ(scored(feasible(80), proven(100), sense::maximise).reward, float(std::rint(1.8 * 4096) / 4096));
    EXPECT_EQ(scored(feasible(125), proven(100), sense::minimise).quality, 0.8f);
    EXPECT_EQ(scored(feasible(100), proven(100), sense::minimise).reward, 2.0f);
}

TEST(reward, of_an_infeasible_answer_in_a_valid_format_is_minus_a_half) {
    reward_row const row = scored(infeasible(3), proven(100), sense::maximise);
    EXPECT_EQ(row.reward, -0.5f);
    EXPECT_EQ(row.feasible, 0.0f);
    EXPECT_EQ(row.quality, 0.0f);
    EXPECT_EQ(row.code, first_task_code);
}

TEST(reward, a_broken_format_gates_a_right_answer) {
    reward_row const row = scored(feasible(100), proven(100), sense::maximise, {}, code_format_repeated);
    EXPECT_EQ(row.reward, -2.5f);
    EXPECT_EQ(row.feasible, 0.0f);
    EXPECT_EQ(row.code, code_format_repeated);
}

TEST(reward, without_the_gate_the_two_parts_just_add) {
    reward_spec spec;
    spec.format_gates = 0;
    EXPECT_EQ(scored(feasible(100), proven(100), sense::maximise, spec, code_format_repeated).reward, 0.0f);
}

TEST(reward, graded_infeasibility_climbs_with_falling_violation) {
    reward_spec spec;
    spec.infeasible_mode = infeasible_reward::graded;
    spec.grid = 0;
    EXPECT_EQ(scored(infeasible(10), proven(100), sense::maximise, spec).reward, -0.5f);
    EXPECT_FLOAT_EQ(scored(infeasible(3), proven(100), sense::maximise, spec).reward, 0.2f);
    EXPECT_EQ(scored(infeasible(3), proven(100), sense::maximise, spec, code_format_trailing).reward, -2.5f);
}

TEST(reward, an_answer_beyond_an_unproven_baseline_is_clipped_and_its_ratio_kept) {
    baseline weak = proven(100);
    weak.status = baseline_status::bounded;
    reward_row const row = scored(feasible(110), weak, sense::maximise);
    EXPECT_EQ(row.quality, 1.0f);
    EXPECT_FLOAT_EQ(row.raw_ratio, 1.1f);
    EXPECT_EQ(row.reward, 2.0f);
}

TEST(reward, minimise_with_objective_zero_is_one) {
    EXPECT_EQ(scored(feasible(0), proven(0), sense::minimise).quality, 1.0f);
}

TEST(reward, minimise_with_baseline_zero_counts_it_as_one) {
    EXPECT_EQ(scored(feasible(4), proven(0), sense::minimise).quality, 0.25f);
}

TEST(reward, maximise_with_objective_zero_below_a_positive_baseline_is_infeasible) {
    reward_row const row = scored(feasible(0), proven(7), sense::maximise);
    EXPECT_EQ(row.feasible, 0.0f);
    EXPECT_EQ(row.code, code_empty);
    EXPECT_EQ(row.reward, -0.5f);
    EXPECT_EQ(scored(feasible(0), proven(0), sense::maximise).quality, 1.0f) << "nothing better exists";
}

TEST(reward, where_no_feasible_answer_exists_only_saying_so_earns_one) {
    baseline none;
    none.status = baseline_status::infeasible;
    verdict empty{.code = code_empty, .violation = 5, .violation_max = 5};
    EXPECT_EQ(scored(empty, none, sense::minimise).reward, 2.0f);
    EXPECT_EQ(scored(infeasible(1), none, sense::minimise).reward, -0.5f);
}

TEST(reward, truncated_rollouts_follow_the_policy) {
    reward_spec spec;
    EXPECT_EQ(scored(infeasible(10), proven(9), sense::maximise, spec, code_truncated, finish::length).reward, -2.5f);
    EXPECT_EQ(scored(feasible(9), proven(9), sense::maximise, spec, code_ok, finish::length).truncated, 1);
    spec.truncated = truncation::zero;
    EXPECT_EQ(scored(infeasible(10), proven(9), sense::maximise, spec, code_truncated, finish::abort).reward, 0.0f);
    spec.truncated = truncation::exclude;
    EXPECT_TRUE(
        std::isnan(scored(infeasible(10), proven(9), sense::maximise, spec, code_truncated, finish::length).reward));
    EXPECT_FALSE(std::isnan(scored(infeasible(10), proven(9), sense::maximise, spec, code_ok, finish::unknown).reward));
}

TEST(reward, normalized_quality_runs_from_the_floor_to_the_baseline) {
    EXPECT_EQ(scored(feasible(100), proven(100, 50), sense::maximise).normalized, 1.0f);
    EXPECT_EQ(scored(feasible(50), proven(100, 50), sense::maximise).normalized, 0.0f);
    EXPECT_EQ(scored(feasible(75), proven(100, 50), sense::maximise).normalized, 0.5f);
    EXPECT_EQ(scored(feasible(5), proven(100, 50), sense::maximise).normalized, -0.9f);
    EXPECT_EQ(scored(feasible(100), proven(100, 100), sense::maximise).normalized, 1.0f) << "the anchors coincide";
    EXPECT_EQ(scored(feasible(99), proven(100, 100), sense::maximise).normalized, 0.0f);
    EXPECT_EQ(scored(feasible(50), proven(100), sense::maximise).normalized, 0.5f) << "an infeasible floor counts as 0";
}

TEST(reward, lies_on_the_dyadic_grid) {
    for (std::int64_t objective = 1; objective < 100; ++objective) {
        float const reward = scored(feasible(objective), proven(99), sense::maximise).reward;
        EXPECT_EQ(reward * 4096.0f, std::nearbyint(reward * 4096.0f));
    }
}

}  // namespace
}  // namespace optgap
