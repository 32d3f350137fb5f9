// The whole reward step, for every task of the registry.

#include <cmath>

#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class score_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, score_properties, ::testing::ValuesIn(all_tasks()), task_name);

std::string completion_of(std::string const& answer, format_spec const& format) {
    std::string text;
    if (format.reasoning == reasoning_rule::required) {
        text += (format.opened_in_prompt ? "" : format.markers[0].open) + "Let me see: 1 < 2.\n" +
                format.markers[0].close + "\n";
    }
    switch (format.place) {
        case answer_place::tagged: return text + format.answer_open + answer + format.answer_close;
        case answer_place::boxed: return text + "\\boxed{" + answer + "}";
        case answer_place::line: return text + "Answer: " + answer;
        case answer_place::fenced: break;  // programs alone
    }
    return text;
}

struct step {
    instance_batch instances;
    solved_batch solved;
    std::vector<std::string> texts;
    std::vector<std::int32_t> instance_of;

    score_batch score(engine const& by, reward_spec const& reward = {}) const {
        std::vector<std::string_view> const views(texts.begin(), texts.end());
        return by.score({.instances = instances.view(),
                         .baselines = solved.rows,
                         .texts = views,
                         .instance_of = instance_of,
                         .reward = reward});
    }
};

TEST_P(score_properties, the_optimum_earns_the_full_reward_in_every_format) {
    instance_batch const batch = small_instances(GetParam(), 2);
    solved_batch const solved = cpu_engine().solve(batch.view());
    for (std::size_t f = 0; f < formats().size(); ++f) {
        std::vector<std::string> texts;
        std::vector<std::int32_t> of;
        for (std::int64_t r = 0; r < batch.size(); ++r) {
            texts.push_back(completion_of(answer_text(solved.answers.row(r)), formats()[f]));
            of.push_back(std::int32_t(r));
        }
        std::vector<std::string_view> const views(texts.begin(), texts.end());
        score_batch const scored = cpu_engine().score({.instances = batch.view(),
                                                       .baselines = solved.rows,
                                                       .texts = views,
                                                       .instance_of = of,
                                                       .formats = formats().subspan(f, 1)});
        for (std::size_t r = 0; r < texts.size(); ++r) {
            EXPECT_EQ(scored.rows[r].reward, 2.0f) << texts[r];
            EXPECT_EQ(scored.rows[r].normalized, 1.0f);
            EXPECT_EQ(scored.advantage[r], 0.0f) << "a group of one";
        }
    }
}

TEST_P(score_properties, a_completion_that_repeats_its_prompt_earns_nothing) {
    instance_batch const batch = small_instances(GetParam(), 1);
    solved_batch const solved = cpu_engine().solve(batch.view());
    for (format_spec const& format : formats()) {
        std::vector<std::string> prompts;
        std::vector<std::int32_t> of;
        for (std::int64_t r = 0; r < batch.size(); ++r) {
            for (std::int32_t style = 0; style < cpu_engine().tasks()[std::size_t(GetParam())].styles; ++style) {
                prompts.push_back(prompt_text(GetParam(), batch.blocks.row(r), style, format));
                of.push_back(std::int32_t(r));
            }
        }
        std::vector<std::string_view> const views(prompts.begin(), prompts.end());
        grade_batch const scored = cpu_engine().grade({.instances = batch.view(),
                                                       .baselines = solved.rows,
                                                       .texts = views,
                                                       .instance_of = of,
                                                       .formats = {&format, 1}});
        for (std::size_t r = 0; r < prompts.size(); ++r) {
            EXPECT_EQ(scored.rows[r].feasible, 0.0f) << format.name << "\n" << prompts[r];
        }
    }
}

TEST_P(score_properties, a_text_that_is_no_answer_is_as_far_from_feasible_as_can_be) {
    step made;
    made.instances = small_instances(GetParam(), 1);
    made.solved = cpu_engine().solve(made.instances.view());
    csr_words nothing;
    std::vector<std::int32_t> of;
    for (std::int64_t r = 0; r < made.instances.size(); ++r) {
        for (char const* const text :
             {"", "I do not know.", "<answer></answer>", "<answer>[1, 2</answer>", "<answer>[0.5]</answer>",
              "<answer>[99999999999999999999]</answer>", "<answer>[[[0, 1]]]</answer>", "<answer>many</answer>"}) {
            made.texts.emplace_back(text);
            made.instance_of.push_back(std::int32_t(r));
        }
        nothing.append(words{answer_flat});
        of.push_back(std::int32_t(r));
    }
    std::vector<verdict> const worst = cpu_engine().verify(made.instances.view(), nothing.view(), of);
    reward_spec graded;
    graded.infeasible_mode = infeasible_reward::graded;
    score_batch const scored = made.score(cpu_engine(), graded);
    for (std::size_t r = 0; r < made.texts.size(); ++r) {
        verdict const& found = scored.verdicts[r];
        EXPECT_FALSE(found.feasible()) << made.texts[r];
        EXPECT_EQ(found.violation_max, worst[std::size_t(made.instance_of[r])].violation_max) << made.texts[r];
        EXPECT_EQ(found.violation, found.violation_max) << made.texts[r];
        EXPECT_GE(found.violation, 1) << made.texts[r];
        EXPECT_EQ(found.objective, 0) << made.texts[r];
        EXPECT_LE(scored.rows[r].reward, -0.5f) << made.texts[r];
    }
}

TEST_P(score_properties, what_a_text_lacks_is_the_fault_of_whatever_cut_it_off) {
    instance_batch const batch = instances_of(GetParam(), difficulty::easy(), 1);
    solved_batch const solved = cpu_engine().solve(batch.view());
    std::string const whole = completion_of(answer_text(solved.answers.row(0)), format_named("forge"));
    std::string_view const texts[] = {whole, whole, "Let me see", "Let me see", "Let me see", "Let me see"};
    finish const how[] = {finish::stop, finish::length, finish::stop, finish::unknown, finish::length, finish::abort};
    std::int32_t const of[] = {0, 0, 0, 0, 0, 0};
    score_batch const scored = cpu_engine().score(
        {.instances = batch.view(), .baselines = solved.rows, .texts = texts, .instance_of = of, .finished = how});
    std::int32_t const lacks = code_format_missing_reasoning;
    EXPECT_EQ(scored.format_codes,
              (std::vector<std::int32_t>{code_ok, code_ok, lacks, lacks, code_truncated, code_truncated}));
}

step sixteen_answers_each(std::int32_t task) {
    step made;
    std::mt19937_64 random(11);
    made.instances = instances_of(task, difficulty::benchmark(), 6);
    made.solved = cpu_engine().solve(made.instances.view());
    for (std::int64_t i = 0; i < made.instances.size(); ++i) {
        std::vector<words> const answers = answers_for(task, made.instances.blocks.row(i), 16, random);
        for (std::size_t k = 0; k < 16; ++k) {
            made.texts.push_back(completion_of(answer_text(answers[answers.size() - 1 - k]), format_named("forge")));
            made.instance_of.push_back(std::int32_t(i));
        }
    }
    return made;
}

TEST_P(score_properties, threads_do_not_change_a_byte) {
    step const made = sixteen_answers_each(GetParam());
    engine const threaded({.where = device::cpu, .threads = 4});
    score_batch const a = made.score(cpu_engine());
    score_batch const b = made.score(threaded);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.advantage, b.advantage);
    EXPECT_EQ(a.verdicts, b.verdicts);
}

TEST_P(score_properties, rewards_lie_on_the_grid_and_follow_the_formula) {
    step const made = sixteen_answers_each(GetParam());
    for (infeasible_reward mode : {infeasible_reward::flat, infeasible_reward::graded}) {
        reward_spec spec;
        spec.infeasible_mode = mode;
        score_batch const scored = made.score(cpu_engine(), spec);
        for (std::size_t r = 0; r < scored.rows.size(); ++r) {
            reward_row const& row = scored.rows[r];
            EXPECT_EQ(row.reward * 4096, std::round(row.reward * 4096));
            EXPECT_EQ(row.format, 1.0f);
            if (row.feasible > 0) {
                EXPECT_NEAR(row.reward, 1.0 + row.quality, 1.0 / 4096);
                EXPECT_GT(row.quality, 0.0f);
                EXPECT_LE(row.raw_ratio, 1.0f) << "a proven baseline is beaten";
            } else if (mode == infeasible_reward::flat) {
                EXPECT_EQ(row.reward, -0.5f);
            } else {
                EXPECT_GE(row.reward, -0.5f);
                EXPECT_LE(row.reward, 0.5f);
            }
        }
        EXPECT_TRUE(scored.beaten.empty());
    }
}

TEST_P(score_properties, a_better_answer_than_an_unproven_baseline_goes_to_the_improved_baselines_file) {
    step made = sixteen_answers_each(GetParam());
    made.texts.assign(1, completion_of(answer_text(made.solved.answers.row(0)), format_named("forge")));
    made.instance_of.assign(1, 0);
    baseline& weak = made.solved.rows[0];
    weak.status = baseline_status::bounded;
    bool const maximise = cpu_engine().tasks()[std::size_t(GetParam())].objective_sense == sense::maximise;
    weak.objective += maximise ? -1 : 1;
    score_batch const scored = made.score(cpu_engine());
    EXPECT_EQ(scored.rows[0].quality, 1.0f);
    EXPECT_GT(scored.rows[0].raw_ratio, 1.0f);
    EXPECT_EQ(scored.beaten, std::vector<std::int64_t>{0});
}

}  // namespace
}  // namespace optgap::testing
