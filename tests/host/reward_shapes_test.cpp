// Shapes, bonus and range of the reward, and their specs as text.

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/reward/reward.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

constexpr std::int64_t optimum = 100;

baseline known(std::int64_t floor = 50, std::int64_t greedy = 80) {
    return {
        .objective = optimum, .bound = optimum, .floor = floor, .greedy = greedy, .status = baseline_status::optimal};
}

verdict feasible_answer(std::int64_t objective) {
    return {.code = code_ok, .objective = objective, .violation_max = 10};
}

verdict infeasible_answer(std::int64_t violation) {
    return {.code = first_task_code, .where = 0, .objective = 0, .violation = violation, .violation_max = 10};
}

/// A maximised answer's reward under a spec's text, exact to the grid of 2^-12.
float earned(char const* spec, verdict const& found, baseline const& base = known(), std::int32_t format = code_ok,
             finish how = finish::stop) {
    return reward_of(found, format, how, 0, base, sense::maximise, parse_reward_spec(spec)).reward;
}

TEST(reward_shapes, binary_rewards_a_proven_optimum_alone) {
    EXPECT_EQ(earned("binary", feasible_answer(100)), 1.0f);
    EXPECT_EQ(earned("binary", feasible_answer(99)), 0.0f);
    EXPECT_EQ(earned("binary", infeasible_answer(3)), 0.0f);
    EXPECT_EQ(earned("binary", feasible_answer(100), known(), code_format_trailing), 0.0f);
    baseline open = known();
    open.bound = 101;
    open.status = baseline_status::bounded;
    EXPECT_EQ(earned("binary", feasible_answer(100), open), 0.0f) << "as good as the incumbent, but not proven";
    EXPECT_EQ(earned("binary", feasible_answer(101), open), 1.0f) << "it meets the bound in integers";
}

TEST(reward_shapes, binary_rewards_feasible_answers_when_told_to) {
    EXPECT_EQ(earned(R"({"shape":"binary","rewarded":"feasible"})", feasible_answer(1)), 1.0f);
    EXPECT_EQ(earned(R"({"shape":"binary","pays":"feasible"})", feasible_answer(1)), 1.0f);  // the former name
    EXPECT_EQ(earned(R"({"shape":"binary","rewarded":"feasible"})", infeasible_answer(1)), 0.0f);
}

TEST(reward_shapes, power_is_rlve_s_with_its_constants) {
    char const* const squared = R"({"shape":"power","exponent":2,"grid":0})";
    EXPECT_FLOAT_EQ(earned(squared, feasible_answer(90)), 0.81f);
    EXPECT_EQ(earned(squared, feasible_answer(100)), 1.0f);
    EXPECT_EQ(earned(squared, infeasible_answer(3)), -0.5f);
    EXPECT_EQ(earned(squared, feasible_answer(100), known(), code_format_repeated), -1.0f);
    EXPECT_FLOAT_EQ(earned(R"({"shape":"power","grid":0})", feasible_answer(90)), float(std::pow(0.9, 10)));
}

TEST(reward_shapes, environment_hands_a_given_reward_through) {
    auto const handed = [](char const* spec, verdict const& found, double given, std::int32_t format = code_ok) {
        baseline const base = known();
        reward_row row;
        write_reward(row, {found, format, finish::stop, 0, base, sense::maximise, zero_answers::refused, &given},
                     parse_reward_spec(spec));
        return row.reward;
    };
    EXPECT_EQ(handed("environment", feasible_answer(90), 0.123456789), float(0.123456789)) << "on no grid";
    EXPECT_EQ(handed("environment", infeasible_answer(3), -0.25), -0.25f);
    EXPECT_EQ(handed("environment", feasible_answer(90), 0.75, code_format_trailing), -1.0f);
    EXPECT_EQ(
        handed(R"({"shape":"environment","format_gates":false})", feasible_answer(90), 0.75, code_format_trailing),
        0.75f);
    EXPECT_EQ(handed(R"({"shape":"environment","range":[0,1]})", infeasible_answer(3), -0.5), 0.25f);
    // A task's own answer has none.
    EXPECT_EQ(earned("environment", feasible_answer(90)), float(2 * 0.9 - 1));
    EXPECT_EQ(earned("environment", infeasible_answer(3)), -1.0f);
    EXPECT_EQ(earned("environment", feasible_answer(90), known(), code_format_trailing), -1.0f);
}

TEST(reward_shapes, threshold_rewards_the_highest_step_reached) {
    char const* const steps = R"({"shape":"threshold","steps":[[0.5,0.25],[0.9,0.5],[1,1]]})";
    EXPECT_EQ(earned(steps, feasible_answer(100)), 1.0f);
    EXPECT_EQ(earned(steps, feasible_answer(90)), 0.5f) << "a step is reached by equality";
    EXPECT_EQ(earned(steps, feasible_answer(89)), 0.25f);
    EXPECT_EQ(earned(steps, feasible_answer(49)), 0.0f) << "below the first step";
}

TEST(reward_shapes, normalized_runs_between_any_two_anchors_and_is_clipped) {
    char const* const spec = R"({"shape":"normalized","from":"greedy","to":"baseline","grid":0})";
    EXPECT_EQ(earned(spec, feasible_answer(100)), 2.0f);
    EXPECT_EQ(earned(spec, feasible_answer(80)), 1.0f);
    EXPECT_EQ(earned(spec, feasible_answer(90)), 1.5f);
    EXPECT_EQ(earned(spec, feasible_answer(20)), 0.0f) << "clipped at -1";
    EXPECT_EQ(earned(R"({"shape":"normalized","to":"greedy","grid":0})", feasible_answer(100)), 2.0f) << "clipped at 1";
}

TEST(reward_shapes, normalized_between_equal_anchors_is_one_from_there_on) {
    char const* const spec = R"({"shape":"normalized","from":"greedy"})";
    EXPECT_EQ(earned(spec, feasible_answer(100), known(50, 100)), 2.0f);
    EXPECT_EQ(earned(spec, feasible_answer(99), known(50, 100)), 1.0f);
    EXPECT_EQ(earned(R"({"shape":"normalized","to":"greedy"})", feasible_answer(60), known(50, no_objective)), 2.0f)
        << "greedy is infeasible: its quality, 0, lies below the floor's";
}

TEST(reward_shapes, the_bonus_is_rewarded_for_a_proven_optimum) {
    EXPECT_EQ(earned(R"({"proven_bonus":0.5})", feasible_answer(100)), 2.5f);
    EXPECT_EQ(earned(R"({"proven_bonus":0.5})", feasible_answer(75)), 1.75f);
    baseline none;
    none.status = baseline_status::infeasible;
    EXPECT_EQ(earned(R"({"proven_bonus":0.5})", {.code = code_empty, .violation_max = 1}, none), 2.5f)
        << "the right claim that no answer exists is proven as well";
}

TEST(reward_shapes, weighted_sums_named_components) {
    char const* const spec = R"({"shape":"weighted","weights":{"format":0.25,"quality":1,"optimal":0.5}})";
    EXPECT_EQ(earned(spec, feasible_answer(75)), 1.0f);
    EXPECT_EQ(earned(spec, feasible_answer(100)), 1.75f);
    EXPECT_EQ(earned(spec, infeasible_answer(2)), 0.25f);
    EXPECT_EQ(earned(spec, feasible_answer(100), known(), code_format_trailing), 0.0f);
}

TEST(reward_shapes, the_range_maps_the_least_and_the_greatest_reward_onto_its_ends) {
    EXPECT_EQ(earned(R"({"range":[0,1]})", feasible_answer(100)), 1.0f);
    EXPECT_EQ(earned(R"({"range":[0,1]})", feasible_answer(100), known(), code_format_trailing), 0.0f);
    EXPECT_EQ(earned(R"({"range":[0,9],"grid":0})", infeasible_answer(1)), 4.0f) << "-0.5 on the way from -2.5 to 2";
    EXPECT_EQ(earned(R"({"range":[0,1],"proven_bonus":1})", feasible_answer(100)), 1.0f);
    EXPECT_EQ(earned(R"({"shape":"weighted","weights":{"normalized":2},"range":[0,1]})", feasible_answer(50)), 0.5f);
}

TEST(reward_shapes, graded_infeasibility_stays_below_zero_whatever_the_shape) {
    char const* const spec = R"({"shape":"power","infeasible":"graded"})";
    EXPECT_EQ(earned(spec, infeasible_answer(10)), -0.5f);
    EXPECT_EQ(earned(spec, infeasible_answer(5)), -0.25f);
    EXPECT_EQ(earned(R"({"infeasible":"graded","graded_span":0.5})", infeasible_answer(5)), -0.25f)
        << "+1 - 1.5 + 0.5 / 2";
}

TEST(reward_shapes, a_cut_off_row_s_policy_comes_after_the_range) {
    EXPECT_EQ(earned(R"({"range":[1,2],"truncated":"zero"})", feasible_answer(100), known(), code_ok, finish::length),
              0.0f);
    EXPECT_TRUE(std::isnan(
        earned(R"({"range":[1,2],"truncated":"exclude"})", feasible_answer(100), known(), code_ok, finish::abort)));
}

TEST(reward_shapes, lie_on_the_dyadic_grid_after_the_range) {
    for (std::int64_t objective = 1; objective < 100; ++objective) {
        for (char const* spec : {R"({"range":[0,0.3]})", R"({"shape":"power","exponent":3})"}) {
            float const reward = earned(spec, feasible_answer(objective));
            EXPECT_EQ(reward * 4096.0f, std::nearbyint(reward * 4096.0f)) << spec;
        }
    }
}

TEST(reward_spec, survives_its_own_json) {
    for (char const* text :
         {"forge", "binary", "power", R"({"shape":"threshold","steps":[[0,0.5],[1,1]],"format_broken":-1})",
          R"({"shape":"normalized","from":"greedy","infeasible":"graded","graded_span":0.25})",
          R"({"shape":"weighted","weights":{"quality":0.7},"range":[0,1],"truncated":"zero","grid":0})",
          R"({"format_gates":false,"proven_bonus":0.1,"truncated":"exclude"})"}) {
        std::string const once = to_json(parse_reward_spec(text));
        EXPECT_EQ(to_json(parse_reward_spec(once)), once) << text;
    }
}

TEST(reward_spec, reads_names_and_objects) {
    EXPECT_EQ(parse_reward_spec("forge").grid, 1.0 / 4096);
    reward_spec const spec = parse_reward_spec(
        R"({"shape":"forge","infeasible":"graded","truncated":"exclude","grid":0,"format_gates":false})");
    EXPECT_EQ(spec.infeasible_mode, infeasible_reward::graded);
    EXPECT_EQ(spec.truncated, truncation::exclude);
    EXPECT_EQ(spec.grid, 0.0);
    EXPECT_EQ(spec.format_gates, 0);
}

TEST(reward_spec, refuses_what_it_does_not_know_and_names_it) {
    for (char const* text : {"gold", "{}x", R"({"shape":"gold"})", R"({"colour":1})", R"({"grid":-1})",
                             R"({"grid":"x"})", R"({"infeasible":1})", R"({"format_gates":1})"}) {
        EXPECT_THROW(parse_reward_spec(text), error) << text;
    }
    for (char const* text :
         {R"({"shape":"forge","exponent":2})", R"({"shape":"power","exponent":0})", R"({"shape":"threshold"})",
          R"({"shape":"threshold","steps":[[0.5,1],[0.5,2]]})", R"({"shape":"threshold","steps":[[2,1]]})",
          R"({"shape":"threshold","steps":[[0.1]]})", R"({"shape":"normalized","from":"floor","to":"floor"})",
          R"({"shape":"normalized","from":"roof"})", R"({"shape":"weighted"})",
          R"({"shape":"weighted","weights":{"speed":1}})", R"({"shape":"weighted","weights":{"quality":1e9}})",
          R"({"shape":"weighted","weights":{"quality":1},"infeasible":"graded"})", R"({"range":[1,0]})",
          R"({"range":[1]})", R"({"shape":"binary","infeasible":"graded"})", R"({"shape":"binary","pays":"all"})",
          R"({"shape":"binary","pays":"feasible","rewarded":"feasible"})"}) {
        EXPECT_THROW(parse_reward_spec(text), error) << text;
    }
}

}  // namespace
}  // namespace optgap
