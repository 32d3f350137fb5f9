// Rewards of judges and proposers, and a table of estimators by role. tests/python has the references over many rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include "optgap/engine.hpp"
#include "optgap/roles/advantages.hpp"
#include "optgap/roles/judge.hpp"
#include "optgap/roles/proposer.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

judged_row row_of(double value, judge_truth truth, std::int32_t group) {
    judged_row out;
    out.said.value = value;
    out.truth = truth;
    out.group = group;
    return out;
}

TEST(roles_judge, a_score_is_one_integer_between_one_pair_of_tags) {
    auto const code = [](char const* text) { return read_judgement(text, score_parser::strict).code; };
    EXPECT_EQ(code("<score>\n7 </score>"), code_ok);
    EXPECT_EQ(code("7"), code_no_score);
    EXPECT_EQ(code("</score>7<score>"), code_no_score);
    EXPECT_EQ(code("<score>8/10</score>"), code_no_score);
    EXPECT_EQ(code("<score>7</score> <score>7</score>"), code_several_scores);
    EXPECT_EQ(code("<score>99999999999999999999</score>"), code_score_out_of_range);
    EXPECT_EQ(code("<score>-1</score>"), code_score_out_of_range);
    EXPECT_EQ(read_judgement("<score>8/10</score>", score_parser::mae_repo).value, 0.0);
    EXPECT_EQ(read_judgement("", score_parser::mae_repo).value, 0.5);
}

TEST(roles_judge, a_judge_that_always_says_the_same_earns_nothing) {
    std::array<judged_row, 3> const rows = {row_of(5 / 9.0, truth_of_answer(true, true, true, 1), 0),
                                            row_of(5 / 9.0, truth_of_answer(true, false, true, 0.5), 0),
                                            row_of(5 / 9.0, truth_of_answer(false, false, true, 0), 0)};
    for (char const* name : {"band", "pairs"}) {
        float sum = 0;
        for (float const rewarded : judge_rewards(judge_reward_named(name), rows)) {
            sum += rewarded;
        }
        EXPECT_NEAR(sum, 0, 1e-6) << name;
    }
    EXPECT_FALSE(truth_of_answer(true, false, false, 0.5).known());
}

TEST(roles_proposer, numbers_that_cannot_be_are_refused) {
    proposer_row row;
    row.group.rows = 2;
    row.group.sum = 3 * role_unit;
    EXPECT_THROW(static_cast<void>(reward_proposer(proposer_reward::proof, row)), error);
    EXPECT_THROW(static_cast<void>(proposer_reward_named("prof")), error);
}

TEST(roles_proposer, a_group_that_always_fails_or_always_succeeds_has_no_signal) {
    group_sums group;
    for (int k = 0; k < 8; ++k) {
        group.add(true, true, 1.0);
    }
    EXPECT_EQ(signal_units(group), 0);
    EXPECT_EQ(mean_units(group), role_unit);
    group.add(false, false, 1.0);
    EXPECT_GT(signal_units(group), 0);
    EXPECT_EQ(novelty_units(3, 1), role_unit / 2);
    EXPECT_EQ(novelty_units(3, 2), role_unit / 4);
}

TEST(roles_advantages, a_misspelt_role_is_named_with_the_nearest_one) {
    for (auto const& [table, wrong, near] :
         {std::tuple(R"({"roles": {"propser": "rae", "solver": "rae", "judge": "rae"}})", "propser", "proposer"),
          std::tuple(R"({"roles": {"proposer": "rae", "solvers": "rae", "judge": "rae"}})", "solvers", "solver"),
          std::tuple(R"({"roles": {"jugde": "rae"}})", "jugde", "judge"),
          std::tuple(R"({"roles": {"proposer": "rae", "solver": "rae", "judge": "rae", "Judge": "rae"}})", "Judge",
                     "judge")}) {
        try {
            static_cast<void>(parse_role_table(table));
            ADD_FAILURE() << table << " is read";
        } catch (error const& refused) {
            std::string const words = refused.what();
            EXPECT_NE(words.find("advantage.roles: \"" + std::string(wrong) + "\" is no role"), words.npos) << words;
            EXPECT_NE(words.find("did you mean \"" + std::string(near) + "\"?"), words.npos) << words;
        }
    }
    try {
        static_cast<void>(parse_role_table(R"({"roles": {"proposer": "rae", "solver": "rae"}})"));
        ADD_FAILURE() << "a table without a judge is read";
    } catch (error const& refused) {
        EXPECT_NE(std::string(refused.what()).find("advantage.roles.judge: missing"), std::string::npos);
    }
}

TEST(roles_advantages, a_table_reads_back_and_rae_keeps_its_means) {
    role_table const table = parse_role_table(
        R"({"roles": {"proposer": "rae", "solver": "grpo", "judge": {"estimator": "rae", "decay": 0.5}}})");
    EXPECT_EQ(to_json(parse_role_table(to_json(table))), to_json(table));
    EXPECT_FALSE(parse_role_table("grpo").by_role);
    engine const by({.where = device::cpu, .threads = 1});
    std::array<running_means, role_count> means;
    std::array<std::int32_t, 4> const of = {0, 0, 2, 1}, zero = {};
    std::array<float, 4> const rewards = {1, 1, 1, 1};
    auto const first = role_advantages(by, table, {of, rewards, zero, zero}, means);
    EXPECT_FLOAT_EQ(first[0], 1);
    EXPECT_FLOAT_EQ(first[1], 0.95f);
    EXPECT_FLOAT_EQ(first[2], 1);
    EXPECT_EQ(first[3], 0);
    auto const second = role_advantages(by, table, {of, rewards, zero, zero}, means);
    EXPECT_FLOAT_EQ(second[2], 0.5f);
}

TEST(roles_advantages, a_mean_that_starts_at_the_first_reward_gives_a_constant_cohort_exactly_nothing) {
    role_table const table = parse_role_table(R"({"estimator": "rae", "decay": 0.3, "start": "first"})");
    EXPECT_EQ(table.of[0].start, mean_start::first);
    EXPECT_EQ(to_json(parse_role_table(to_json(table))), to_json(table));
    EXPECT_EQ(parse_role_table("rae").of[0].start, mean_start::zero);
    std::vector<float> const rewards = {NAN, 0.1f, 0.7f, 0.1f, 0.7f, 0.1f, 0.9f, 0.1f};
    std::vector<std::int32_t> const cohort = {1, 1, 2, 1, 2, 1, 2, 1};
    running_means means;
    std::vector<float> const found = running_advantages(rewards, cohort, table.of[0], means);
    EXPECT_THAT(found, ::testing::ElementsAre(0, 0, 0, 0, 0, 0, ::testing::FloatEq(0.2f), 0));
    EXPECT_EQ(means.at(1), double(0.1f));
    EXPECT_NEAR(means.at(2), 0.7 + 0.7 * 0.2, 1e-6);
    for (std::int32_t i = 0; i < 1000; ++i) {
        role_estimator const how{.running = true, .decay = double(i % 50) / 49, .start = mean_start::first, .spec = {}};
        std::vector<float> const constant(20, float(i + 1) / 7);
        std::vector<std::int32_t> const one(20, 0);
        running_means own;
        EXPECT_THAT(running_advantages(constant, one, how, own), ::testing::Each(0)) << how.decay << " " << i;
    }
}

}  // namespace
}  // namespace optgap
