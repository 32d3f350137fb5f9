#include <gtest/gtest.h>

#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

/// One instance of the first task and its greedy answer.
struct one_row {
    instance_batch instances = instances_of(0, difficulty::easy(), 1);
    csr_words answers = cpu_engine().greedy(instances.view());
};

template <class Call>
void expect_misuse(char const* names, Call const& call) {
    try {
        call();
        ADD_FAILURE() << "accepted; expected a complaint about " << names;
    } catch (error const& problem) {
        EXPECT_EQ(problem.code(), status::invalid_argument);
        EXPECT_NE(std::string(problem.what()).find(names), std::string::npos) << problem.what();
    }
}

TEST(engine, names_the_argument_that_is_misused) {
    one_row const row;
    std::vector<std::int32_t> const wild{7};
    std::vector<std::int32_t> const two{0, 0};
    engine const& by = cpu_engine();
    expect_misuse("instance_of", [&] { static_cast<void>(by.verify(row.instances.view(), row.answers.view(), wild)); });
    expect_misuse("instance_of", [&] { static_cast<void>(by.verify(row.instances.view(), row.answers.view(), two)); });
    expect_misuse("instance_of",
                  [&] { static_cast<void>(by.improve(row.instances.view(), row.answers.view(), 5, 0, wild)); });
    expect_misuse("steps", [&] { static_cast<void>(by.improve(row.instances.view(), row.answers.view(), -1)); });
    instance_batch strange = row.instances;
    strange.task[0] = 99;
    expect_misuse("task index 99", [&] { static_cast<void>(by.solve(strange.view())); });
    expect_misuse("threads", [] { engine const refused({.where = device::cpu, .threads = -1}); });
}

TEST(engine, refuses_rows_in_device_memory_by_name) {
    one_row const row;
    instance_view instances = row.instances.view();
    csr_view answers = row.answers.view();
    answers.space = memory::device;
    expect_misuse("answers", [&] { static_cast<void>(cpu_engine().verify(instances, answers)); });
    expect_misuse("answers", [&] { static_cast<void>(cpu_engine().improve(instances, answers, 1)); });
    instances.blocks.space = memory::device;
    expect_misuse("instances", [&] { static_cast<void>(cpu_engine().solve(instances)); });
}

TEST(engine, knows_its_tasks_by_name_and_version) {
    engine const& by = cpu_engine();
    for (std::size_t t = 0; t < by.tasks().size(); ++t) {
        EXPECT_EQ(by.task_index(by.tasks()[t].name), std::int32_t(t));
        EXPECT_THROW(static_cast<void>(by.task_index(by.tasks()[t].name, by.tasks()[t].version + 1)), error);
    }
    EXPECT_THROW(static_cast<void>(by.task_index("no_such_task")), error);
}

/// Nothing fits into this knapsack, so the empty list is its best answer. A text without a list is not an answer.
TEST(engine, does_not_take_an_unreadable_text_for_the_empty_list) {
    engine const& by = cpu_engine();
    instance_batch none_fits;
    none_fits.append(by.task_index("knapsack"), words{2, 0, 5, 6, 4, 4});
    csr_words nothing;
    nothing.append(words{answer_flat});
    verdict const empty = by.verify(none_fits.view(), nothing.view())[0];
    ASSERT_EQ(empty, (verdict{code_ok, -1, 0, 0, 11}));
    solved_batch const solved = by.solve(none_fits.view());
    std::vector<std::string_view> const texts{"<think></think><answer>[]</answer>", "<think></think><answer>[</answer>",
                                              "<think></think><answer>none</answer>", "nothing"};
    std::vector<std::int32_t> const of(texts.size(), 0);
    score_batch const scored = by.score({.instances = none_fits.view(),
                                         .baselines = solved.rows,
                                         .texts = texts,
                                         .instance_of = of,
                                         .reward = reward_spec{.infeasible_mode = infeasible_reward::graded}});
    EXPECT_EQ(scored.verdicts[0], empty);
    for (std::size_t r = 1; r < texts.size(); ++r) {
        EXPECT_FALSE(scored.verdicts[r].feasible()) << texts[r];
        EXPECT_EQ(scored.verdicts[r].violation, 11) << texts[r];
        EXPECT_EQ(scored.verdicts[r].violation_max, 11) << texts[r];
        EXPECT_EQ(scored.rows[r].feasible, 0.0f) << texts[r];
    }
}

TEST(engine, reads_the_instances_and_answers_that_it_writes) {
    engine const& by = cpu_engine();
    for (std::int32_t t = 0; t < std::int32_t(by.tasks().size()); ++t) {
        instance_batch const made = instances_of(t, difficulty::easy(), 1);
        std::string const text = by.instance_json(t, made.blocks.row(0));
        EXPECT_EQ(by.instance_words(t, text), made.blocks.words) << text;
        EXPECT_THROW(static_cast<void>(by.instance_words(t, "{")), field_error);
        EXPECT_THROW(static_cast<void>(by.instance_words(t, "[]")), field_error);
        std::vector<std::int32_t> words;
        EXPECT_EQ(by.parse_answer(t, "[3, 1]", words).answer_code, code_ok);
        EXPECT_EQ(words, (std::vector<std::int32_t>{answer_flat, 3, 1}));
        for (std::size_t w = 0; w < by.tasks()[std::size_t(t)].words.size(); ++w) {
            words.clear();
            EXPECT_EQ(by.parse_answer(t, by.tasks()[std::size_t(t)].words[w], words).answer_code, code_ok);
            EXPECT_EQ(words, (std::vector<std::int32_t>{answer_word, std::int32_t(w)}));
        }
    }
    std::int32_t const none = std::int32_t(by.tasks().size());
    std::vector<std::int32_t> words;
    expect_misuse("task", [&] { static_cast<void>(by.instance_words(none, "{}")); });
    expect_misuse("task", [&] { by.parse_answer(-1, "[]", words); });
}

TEST(engine, an_empty_batch_is_no_error) {
    engine const& by = cpu_engine();
    instance_batch const none;
    EXPECT_EQ(by.generate({}).size(), 0);
    EXPECT_TRUE(by.verify(none.view(), csr_words().view()).empty());
    EXPECT_TRUE(by.solve(none.view()).rows.empty());
    EXPECT_TRUE(by.score({}).rows.empty());
    EXPECT_TRUE(by.advantages(std::span<float const>(), {}).empty());
}

}  // namespace
}  // namespace optgap::testing
