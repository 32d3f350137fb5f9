// The rules of the policies on counts computed by hand, prompt limits and draws.

#include "optgap/curriculum.hpp"

#include <gtest/gtest.h>

#include <set>

#include "host/curriculum/policies.hpp"
#include "optgap/key.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

/// One task whose steps are given as sums.
class one_task {
public:
    explicit one_task(std::string const& spec, std::vector<prompt_size> prompts = {})
        : plan_(parse_curriculum_spec(spec), {{.name = "a", .prompts = std::move(prompts)}}, 1) {}

    /// Reports one step in which `correct` of `attempts` rollouts at difficulty step d were right.
    one_task& saw(std::int32_t d, std::int64_t correct, std::int64_t attempts) {
        return saw(d, rollout_counts{attempts, correct, 0, 0});
    }
    one_task& saw(std::int32_t d, rollout_counts const& counts) { return saw({{0, difficulty::scale(d), counts}}); }
    one_task& saw(std::vector<curriculum_cell> cells) {
        EXPECT_TRUE(plan_.merge({plan_.current_step(), 0, std::move(cells)}));
        plan_.step();
        return *this;
    }
    [[nodiscard]] curriculum_window const& window() const { return plan_.windows()[0]; }
    void stands_at(std::int32_t low, std::int32_t high) const {
        EXPECT_EQ(window().low, low) << "at step " << plan_.current_step();
        EXPECT_EQ(window().high, high) << "at step " << plan_.current_step();
    }
    curriculum& plan() { return plan_; }

private:
    curriculum plan_;
};

std::vector<prompt_size> scale_prompts(std::int32_t steps) {
    std::vector<prompt_size> out;
    for (std::int32_t d = 0; d < steps; ++d) {
        out.push_back({difficulty::scale(d), 100 * (d + 1)});
    }
    return out;
}

TEST(curriculum_window_policy, promotes_at_eight_times_the_rollouts_and_nine_in_ten) {
    one_task task(R"({"policy":"window","rollouts":10})");
    task.stands_at(0, 0);
    task.saw(0, 79, 79).stands_at(0, 0);  // one rollout short of 80
    task.saw(0, 0, 1).stands_at(0, 1);    // 79 of 80
    task.saw(1, 72, 80).stands_at(0, 2);  // exactly nine in ten
    task.saw(2, 71, 80).stands_at(0, 2);  // one less: refused, and forgotten
    EXPECT_EQ(task.window().since.back(), rollout_counts{});
    task.saw(2, 80, 80).stands_at(0, 3);
    task.saw(3, 80, 80).stands_at(1, 4);  // four steps wide from here on
    task.saw(4, 0, 800).stands_at(1, 4);  // never goes down
}

TEST(curriculum_window_policy, counts_the_top_of_the_window_alone) {
    one_task task(R"({"policy":"window","rollouts":10})");
    task.saw(0, 80, 80).stands_at(0, 1);
    task.saw(0, 800, 800).stands_at(0, 1);
    task.saw({{0, difficulty::hard(), {800, 800, 0, 0}}, {0, difficulty::scale(2), {800, 800, 0, 0}}});
    task.stands_at(0, 1);
    EXPECT_EQ(task.plan().totals()[0].level, difficulty::hard());
}

TEST(curriculum_window_policy, of_the_public_code_drops_groups_with_an_aborted_rollout) {
    using enum rollout_outcome;
    std::vector<rollout_outcome> const broken{correct, correct, aborted, truncated};
    std::vector<rollout_outcome> const whole{correct, wrong, truncated, correct};
    for (bool const public_code : {false, true}) {
        curriculum plan(parse_curriculum_spec(public_code ? "window_public_code" : "window"), {{.name = "a"}}, 1);
        plan.observe(0, difficulty::scale(0), broken);
        plan.observe(0, difficulty::scale(0), whole);
        rollout_counts const expected = public_code ? rollout_counts{3, 2, 1, 4} : rollout_counts{5, 4, 2, 1};
        EXPECT_EQ(plan.delta(0).cells.at(0).counts, expected);
    }
}

TEST(curriculum_window_policy, of_the_public_code_tests_at_128_whatever_the_group_size) {
    one_task task(R"({"policy":"window_public_code","rollouts":4})");
    task.saw(0, 127, 127).stands_at(0, 0);
    task.saw(0, 1, 1).stands_at(0, 1);
    EXPECT_EQ(samples_needed(parse_curriculum_spec(R"({"policy":"window","rollouts":4})")), 32);
}

TEST(curriculum_window_policy, truncated_rollouts_stand_apart_unless_told_otherwise) {
    rollout_counts const counts{80, 80, 80, 80};
    one_task(R"({"policy":"window","rollouts":10})").saw(0, counts).stands_at(0, 1);
    one_task(R"({"policy":"window","rollouts":10,"truncated":"as_wrong"})").saw(0, counts).stands_at(0, 0);
}

TEST(curriculum_stages, split_a_pass_by_the_mixture_and_replay_it) {
    curriculum plan(parse_curriculum_spec(R"({"policy":"stages","pass_steps":20,"passes":2})"), {{.name = "a"}}, 1);
    std::string seen;
    std::set<std::uint64_t> seeds;
    for (std::int32_t step = 0; step < 42; ++step) {
        EXPECT_EQ(plan.finished(), step >= 40);
        seen += level_name(plan.draw(0).level)[0];
        seeds.insert(plan.draw(0).seed);
        plan.step();
    }
    EXPECT_EQ(seen, "eeeeeeeeeemmmmmmmmhheeeeeeeeeemmmmmmmmhhhh");
    EXPECT_EQ(seeds.size(), 42U);
}

TEST(curriculum_static, gives_its_level_only) {
    curriculum const plan(parse_curriculum_spec(R"({"policy":"static","level":"d7"})"), {{.name = "a"}}, 1);
    EXPECT_EQ(plan.draw(0).level, difficulty::scale(7));
    EXPECT_EQ(plan.draw(1).level, difficulty::scale(7));
    EXPECT_TRUE(plan.windows().empty());
}

TEST(curriculum_adaptive, tests_by_the_wilson_interval) {
    // 60 of 100 compared with a half at z = 1.96: the interval is [0.5020, 0.6906].
    EXPECT_TRUE(surely_above(60, 100, 0.502, 1.96));
    EXPECT_FALSE(surely_above(60, 100, 0.503, 1.96));
    EXPECT_TRUE(surely_below(60, 100, 0.691, 1.96));
    EXPECT_FALSE(surely_below(60, 100, 0.690, 1.96));
    EXPECT_FALSE(surely_above(0, 0, 0.5, 1.96));
}

TEST(curriculum_adaptive, moves_by_all_of_its_levels) {
    std::string const spec = R"({"policy":"adaptive","samples":64,"z":2})";
    one_task task(spec);
    task.stands_at(0, 3);
    // 60 of 100 in the window: exactly two standard errors above a half. None of them at the top.
    task.saw(0, 60, 100).stands_at(1, 4);
    one_task(spec).saw(0, 59, 100).stands_at(0, 3);
    one_task(spec).saw(0, 63, 63).stands_at(0, 3);  // too few
    task.saw(2, 100, 100).stands_at(4, 7);          // mastered: three steps at once
    // The lowest step fails: 1 of 100, while 4 of 100 are two standard errors below 0.1.
    task.saw({{0, difficulty::scale(4), {100, 1, 0, 0}}, {0, difficulty::scale(5), {10, 1, 0, 0}}}).stands_at(3, 6);
    task.saw(3, 4, 100).stands_at(2, 5);
    task.saw(2, 5, 100).stands_at(2, 5);
}

TEST(curriculum_adaptive, narrows_onto_the_floor_and_reports_a_stuck_task) {
    one_task task(R"({"policy":"adaptive","width":2})");
    task.saw(0, 0, 100).stands_at(0, 0);
    EXPECT_EQ(task.window().status, curriculum_status::learning);
    task.saw(0, 0, 100).stands_at(0, 0);
    EXPECT_EQ(task.window().status, curriculum_status::stuck);
    task.saw(0, 80, 100).stands_at(0, 1);
    EXPECT_EQ(task.window().status, curriculum_status::learning);
}

TEST(curriculum_adaptive, narrows_onto_its_limit_and_reports_a_frozen_task) {
    one_task task(R"({"policy":"adaptive","max_prompt_chars":300})", scale_prompts(9));
    task.stands_at(0, 2);  // d2 has 300 characters
    task.saw(1, 100, 100).stands_at(1, 2);
    task.saw(1, 100, 100).stands_at(2, 2);
    task.saw(2, 70, 100).stands_at(2, 2);
    EXPECT_EQ(task.window().status, curriculum_status::learning) << "above a half is not mastered";
    task.saw(2, 400, 400).stands_at(2, 2);
    EXPECT_EQ(task.window().status, curriculum_status::at_limit);
}

TEST(curriculum_adaptive, forgets_old_outcomes_by_halves) {
    one_task task(R"({"policy":"adaptive","memory":100,"width":1})");
    task.saw(0, 51, 101).stands_at(0, 0);
    EXPECT_EQ(task.window().since[0], (rollout_counts{50, 25, 0, 0}));
}

TEST(curriculum_prompts, longer_than_the_limit_are_never_given) {
    for (char const* const policy : {"window", "adaptive"}) {
        one_task task("{\"policy\":\"" + std::string(policy) + "\",\"max_prompt_chars\":250}", scale_prompts(9));
        for (std::int32_t k = 0; k < 20; ++k) {
            for (std::int64_t i = 0; i < 50; ++i) {
                EXPECT_LE(task.plan().draw(i).level.code, 1);
            }
            task.saw(task.window().high, 500, 500);
        }
        EXPECT_EQ(task.window().status, curriculum_status::at_limit) << policy;
    }
}

TEST(curriculum_prompts, a_gap_in_the_scale_ends_it) {
    std::vector<prompt_size> prompts = scale_prompts(9);
    prompts[4].chars = 5000;
    EXPECT_EQ(one_task(R"({"policy":"window","max_prompt_chars":1000})", prompts).window().top, 3);
    prompts.erase(prompts.begin() + 2);
    EXPECT_EQ(one_task(R"({"policy":"window","max_prompt_chars":1000})", prompts).window().top, 1);
}

TEST(curriculum_prompts, stages_fall_back_to_an_easier_one_and_nothing_to_give_is_refused) {
    std::vector<prompt_size> const prompts{{difficulty::easy(), 100}, {difficulty::medium(), 900}};
    one_task task(R"({"policy":"stages","pass_steps":10,"max_prompt_chars":500})", prompts);
    for (std::int32_t step = 0; step < 10; ++step) {
        EXPECT_EQ(task.plan().draw(0).level, difficulty::easy());
        task.plan().step();
    }
    for (char const* const spec :
         {R"({"policy":"stages","max_prompt_chars":50})", R"({"policy":"adaptive","max_prompt_chars":50})",
          R"({"policy":"static","level":"hard","max_prompt_chars":500})"}) {
        EXPECT_THROW(one_task(spec, prompts), error) << spec;
    }
}

TEST(curriculum_outcomes, need_quality_and_an_end) {
    curriculum_spec spec;
    EXPECT_EQ(outcome_of(spec, true, 1.0, finish::stop), rollout_outcome::correct);
    EXPECT_EQ(outcome_of(spec, true, 0.99, finish::stop), rollout_outcome::wrong);
    EXPECT_EQ(outcome_of(spec, false, 1.0, finish::unknown), rollout_outcome::wrong);
    EXPECT_EQ(outcome_of(spec, true, 1.0, finish::length), rollout_outcome::truncated);
    EXPECT_EQ(outcome_of(spec, true, 1.0, finish::abort), rollout_outcome::aborted);
    spec.threshold = 0.9;
    EXPECT_EQ(outcome_of(spec, true, 0.9, finish::stop), rollout_outcome::correct);
}

TEST(curriculum_draws, are_repeatable_and_fair) {
    curriculum const plan(parse_curriculum_spec("adaptive"), {{.name = "a"}, {.name = "b", .weight = 3}}, 5);
    curriculum const twin(parse_curriculum_spec("adaptive"), {{.name = "a"}, {.name = "b", .weight = 3}}, 5);
    curriculum const other(parse_curriculum_spec("adaptive"), {{.name = "a"}, {.name = "b", .weight = 3}}, 6);
    constexpr std::int64_t draws = 40'000;
    double seen[2][4] = {};
    std::set<std::uint64_t> seeds;
    for (std::int64_t i = draws - 1; i >= 0; --i) {
        curriculum_draw const next = plan.draw(i);
        ASSERT_EQ(next, twin.draw(i));
        ASSERT_NE(next.seed, other.draw(i).seed);
        ++seen[next.task][next.level.code];
        seeds.insert(next.seed);
    }
    EXPECT_EQ(seeds.size(), std::size_t(draws));
    double chi_square = 0;
    for (int task = 0; task < 2; ++task) {
        for (double const count : seen[task]) {
            double const expected = double(draws) * (task == 0 ? 1 : 3) / 16;
            chi_square += (count - expected) * (count - expected) / expected;
        }
    }
    EXPECT_LT(chi_square, 24.3);  // 7 degrees of freedom, one in a thousand
}

TEST(curriculum_draws, of_the_mixed_order_follow_the_mixture) {
    curriculum const plan(parse_curriculum_spec("mixed"), {{.name = "a"}}, 5);
    double seen[3] = {};
    for (std::int64_t i = 0; i < 10'000; ++i) {
        ++seen[plan.draw(i).level.level()];
    }
    EXPECT_NEAR(seen[0], 5000, 200);
    EXPECT_NEAR(seen[1], 4000, 200);
    EXPECT_NEAR(seen[2], 1000, 120);
    EXPECT_THROW(static_cast<void>(plan.draw(-1)), error);
    EXPECT_THROW(static_cast<void>(plan.draw(std::int64_t(1) << 32)), error);
}

}  // namespace
}  // namespace optgap
