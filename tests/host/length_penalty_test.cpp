// The length penalty: DAPO's form, which rows it affects, its place among the parts of a reward, and which rows need
// lengths.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "kernels/reward/reward.hpp"
#include "optgap/engine.hpp"
#include "optgap/scheduler.hpp"
#include "tests/support/scheduler_cases.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

constexpr std::int32_t limit = 20480;
constexpr std::int32_t buffer = 4096;
constexpr char const* dapo = R"({"length":{"limit":20480,"buffer":4096},"grid":0})";

baseline const optimum{.objective = 100, .bound = 100, .status = baseline_status::optimal};
verdict const right{.code = code_ok, .objective = 100, .violation_max = 10};
verdict const wrong{.code = first_task_code, .violation = 5, .violation_max = 10};

reward_row row_of(std::string const& spec, std::int32_t length, verdict const& found = right,
                  finish how = finish::stop) {
    return reward_of(found, code_ok, how, length, optimum, sense::maximise, parse_reward_spec(spec));
}

template <class Call>
std::string refusal(Call const& call) {
    try {
        call();
    } catch (error const& problem) {
        EXPECT_EQ(problem.code(), status::invalid_argument);
        return problem.what();
    }
    ADD_FAILURE() << "not refused";
    return {};
}

TEST(length_penalty, is_dapo_s_soft_overlong_punishment) {
    EXPECT_EQ(row_of(dapo, 0).length_penalty, 0.0f);
    EXPECT_EQ(row_of(dapo, limit - buffer).length_penalty, 0.0f);
    EXPECT_FALSE(std::signbit(row_of(dapo, limit - buffer).length_penalty));
    EXPECT_EQ(row_of(dapo, limit - buffer + 1).length_penalty, float(-1.0 / buffer));
    EXPECT_EQ(row_of(dapo, limit - buffer / 2).length_penalty, -0.5f);
    EXPECT_EQ(row_of(dapo, limit).length_penalty, -1.0f);
    EXPECT_EQ(row_of(dapo, INT32_MAX).length_penalty, -1.0f);
    // Every length against the published formula, in its own order of operations.
    for (std::int32_t length = limit - buffer - 3; length <= limit + 3; ++length) {
        double const printed = length <= limit - buffer ? 0.0
                               : length <= limit        ? double((limit - buffer) - length) / buffer
                                                        : -1.0;
        EXPECT_EQ(row_of(dapo, length).length_penalty, float(printed)) << length;
        EXPECT_EQ(row_of(dapo, length).reward, float(2.0 + printed)) << length;
    }
}

TEST(length_penalty, costs_all_or_the_wrong_ones) {
    std::string const spec = R"({"length":{"limit":100,"buffer":50,"factor":2,"on":"wrong"}})";
    EXPECT_EQ(row_of(spec, 100).length_penalty, 0.0f);
    EXPECT_EQ(row_of(spec, 100).reward, 2.0f);
    EXPECT_EQ(row_of(spec, 75, wrong).length_penalty, -1.0f);
    EXPECT_EQ(row_of(spec, 75, wrong).reward, -1.5f);
    EXPECT_EQ(row_of("forge", 1 << 20, wrong).length_penalty, 0.0f) << "without the setting length costs nothing";
}

TEST(length_penalty, stands_after_shape_and_bonus_and_before_range_and_grid) {
    EXPECT_EQ(row_of(R"({"proven_bonus":0.5,"length":{"limit":10,"buffer":10}})", 10).reward, 1.5f);
    // [-2.5 - 1, 2] to [0, 1].
    EXPECT_EQ(row_of(R"({"range":[0,1],"grid":0,"length":{"limit":10,"buffer":10}})", 0).reward, 1.0f);
    EXPECT_EQ(row_of(R"({"range":[0,1],"grid":0,"length":{"limit":10,"buffer":10}})", 10).reward, float(4.5 / 5.5));
    EXPECT_EQ(row_of(R"({"grid":0.25,"length":{"limit":10,"buffer":10}})", 1).reward, 2.0f) << "1.9 to quarters";
    std::string const weighted = R"({"shape":"weighted","weights":{"optimal":1},"length":{"limit":4,"buffer":4}})";
    EXPECT_EQ(row_of(weighted, 1).reward, 0.75f);
    EXPECT_EQ(row_of(weighted, 4, wrong).reward, -1.0f);
    reward_limits const natural = natural_limits(parse_reward_spec(weighted));
    EXPECT_EQ(natural.low, -1.0);
    EXPECT_EQ(natural.high, 1.0);
    std::string const excluding = R"({"truncated":"exclude","length":{"limit":10,"buffer":10}})";
    EXPECT_TRUE(std::isnan(row_of(excluding, 10, right, finish::length).reward));
    EXPECT_EQ(row_of(excluding, 10, right, finish::length).length_penalty, -1.0f) << "the part is told all the same";
}

TEST(length_penalty, reads_back_and_refuses_what_has_no_effect) {
    std::string const spec = R"({"length":{"limit":300,"buffer":20,"factor":0.5,"on":"wrong"}})";
    std::string const written = to_json(parse_reward_spec(spec));
    EXPECT_EQ(to_json(parse_reward_spec(written)), written);
    EXPECT_NE(written.find(R"("length":)"), std::string::npos);
    EXPECT_EQ(to_json(parse_reward_spec("forge")).find("length"), std::string::npos);
    for (char const* const bad :
         {R"({"length":5})", R"({"length":{}})", R"({"length":{"limit":5}})", R"({"length":{"buffer":5}})",
          R"({"length":{"limit":5,"buffer":6}})", R"({"length":{"limit":5,"buffer":0}})",
          R"({"length":{"limit":5,"buffer":5,"factor":0}})", R"({"length":{"limit":5,"buffer":5,"factor":-1}})",
          R"({"length":{"limit":5,"buffer":5,"on":"right"}})", R"({"length":{"limit":5,"buffer":5,"cap":1}})"}) {
        std::string const why = refusal([&] { static_cast<void>(parse_reward_spec(bad)); });
        EXPECT_NE(why.find("reward.length"), std::string::npos) << bad << ": " << why;
    }
}

TEST(length_penalty, needs_the_tokens_of_every_rollout) {
    engine const& by = cpu_engine();
    instance_batch const one = by.generate(std::vector<instance_spec>{{0, difficulty::easy(), split::train, 1}});
    std::vector<baseline> const known{optimum};
    std::vector<std::string_view> const texts{"a", "b"};
    std::vector<std::int32_t> const instance_of{0, 0};
    grade_request request{.instances = one.view(), .baselines = known, .texts = texts, .instance_of = instance_of};
    request.reward = parse_reward_spec(dapo);
    EXPECT_NE(refusal([&] { static_cast<void>(by.grade(request)); }).find("length"), std::string::npos);
    std::vector<std::int32_t> lengths{limit, -1};
    request.length = lengths;
    EXPECT_NE(refusal([&] { static_cast<void>(by.grade(request)); }).find("-1 tokens in row 1"), std::string::npos);
    lengths[1] = 0;
    grade_batch const scored = by.grade(request);
    EXPECT_EQ(scored.rows[0].length_penalty, -1.0f);
    EXPECT_EQ(scored.rows[1].length_penalty, 0.0f);
    EXPECT_EQ(scored.rows[0].reward + 1.0f, scored.rows[1].reward);
}

TEST(length_penalty, a_submission_without_good_counts_is_refused_before_it_meets_others) {
    rollout_step const step(2, 3);
    auto const rule = std::make_shared<scoring_rule>();
    rule->reward = parse_reward_spec(dapo);
    scheduler by(cpu_engine());
    submission what = step.of_instance(0);
    what.rule = rule;
    std::vector<std::int32_t> lengths(what.texts.size(), 100);
    what.length = {};
    EXPECT_NE(refusal([&] { static_cast<void>(by.submit(step.problem_of(0), what)); }).find("tokens of every rollout"),
              std::string::npos);
    lengths[1] = -5;
    what.length = lengths;
    EXPECT_NE(refusal([&] { static_cast<void>(by.submit(step.problem_of(0), what)); }).find("-5 tokens in row 1"),
              std::string::npos);
    lengths[1] = limit;
    std::vector<ticket> const accepted{by.submit(step.problem_of(0), what)};
    auto const got = by.collect(accepted, std::chrono::seconds(60));
    ASSERT_TRUE(got);
    EXPECT_EQ(got->scores.rows[0].length_penalty, 0.0f);
    EXPECT_EQ(got->scores.rows[1].length_penalty, -1.0f);
}

}  // namespace
}  // namespace optgap::testing
