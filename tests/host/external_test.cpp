// Rows with external verdicts: a verdict of our own, exported and given again, gets the same reward.

#include "optgap/external.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "optgap/status.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

struct outside {
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    std::vector<finish> finished;
    std::vector<std::int32_t> instance_of, length, format_of;
    std::vector<baseline> baselines;  ///< per row
    std::vector<sense> direction;
};

TEST(external, a_verdict_put_in_from_outside_earns_what_the_engine_rewards) {
    engine const& by = cpu_engine();
    instance_batch mixed;
    outside rows;
    for (std::int32_t t = 0; t < std::int32_t(by.tasks().size()); ++t) {
        instance_batch const some = instances_of(t, difficulty::easy(), 2);
        csr_words const greedy = by.greedy(some.view());
        for (std::int64_t r = 0; r < some.size(); ++r) {
            mixed.append(t, some.blocks.row(r));
            std::string const answer = answer_text(greedy.row(r));
            for (std::string const& text :
                 {"<think>1</think><answer>" + answer + "</answer>", "<think>1</think><answer>" + answer,
                  std::string("<answer>[0]</answer>"), std::string("<think>1</think><answer>[0]</answer>")}) {
                rows.texts.push_back(text);
                rows.instance_of.push_back(std::int32_t(mixed.size()) - 1);
                rows.finished.push_back(rows.texts.size() % 3 == 0 ? finish::length : finish::stop);
                rows.length.push_back(std::int32_t(rows.texts.size()) % 20);
                rows.direction.push_back(by.tasks()[std::size_t(t)].objective_sense);
            }
        }
    }
    std::vector<baseline> const known = by.solve(mixed.view()).rows;
    for (std::size_t r = 0; r < rows.texts.size(); ++r) {
        rows.views.push_back(rows.texts[r]);
        rows.baselines.push_back(known[std::size_t(rows.instance_of[r])]);
    }
    rows.format_of.assign(rows.texts.size(), 0);
    for (char const* reward :
         {"forge", "binary", R"({"shape":"power","infeasible":"graded"})", R"({"shape":"normalized","from":"greedy"})",
          R"({"truncated":"zero","length":{"limit":12,"buffer":6}})", R"({"range":[-1,1],"grid":0})"}) {
        reward_spec const spec = parse_reward_spec(reward);
        grade_batch const ours = by.grade({.instances = mixed.view(),
                                           .baselines = known,
                                           .texts = rows.views,
                                           .instance_of = rows.instance_of,
                                           .length = rows.length,
                                           .finished = rows.finished,
                                           .reward = spec});
        std::vector<answer_place_found> const places = find_answers(rows.views, rows.format_of, rows.finished);
        std::vector<std::int32_t> format_codes;
        for (answer_place_found const& place : places) {
            format_codes.push_back(place.format_code);
        }
        EXPECT_EQ(format_codes, ours.format_codes);
        std::vector<reward_row> const found = external_rewards({.verdicts = ours.verdicts,
                                                                .format_codes = format_codes,
                                                                .finished = rows.finished,
                                                                .length = rows.length,
                                                                .baselines = rows.baselines,
                                                                .direction = rows.direction},
                                                               spec);
        EXPECT_EQ(found, ours.rows) << reward;
    }
}

TEST(external, the_answer_is_all_that_stands_between_the_markers) {
    std::string_view const texts[] = {"<answer> not a list\n</answer>", "no answer", "<answer>cut"};
    std::int32_t const format = format_index("answer_only");
    std::vector<std::int32_t> const formats(3, format);
    std::vector<finish> const finished{finish::stop, finish::stop, finish::length};
    std::vector<answer_place_found> const found = find_answers(texts, formats, finished);
    EXPECT_TRUE(found[0].has_answer);
    EXPECT_EQ(
        texts[0].substr(std::size_t(found[0].answer.begin), std::size_t(found[0].answer.end - found[0].answer.begin)),
        " not a list\n");
    EXPECT_FALSE(found[1].has_answer);
    EXPECT_EQ(found[1].format_code, code_format_missing_answer);
    EXPECT_EQ(found[2].format_code, code_truncated);
}

TEST(external, columns_that_do_not_fit_are_refused) {
    verdict const one;
    std::int32_t const ok = code_ok;
    baseline const base;
    sense const up = sense::maximise;
    EXPECT_THROW(static_cast<void>(external_rewards({.verdicts = {&one, 1}}, {})), error);
    external_verdicts const row{
        .verdicts = {&one, 1}, .format_codes = {&ok, 1}, .baselines = {&base, 1}, .direction = {&up, 1}};
    EXPECT_EQ(external_rewards(row, {}).size(), 1u);
    EXPECT_THROW(static_cast<void>(external_rewards(row, parse_reward_spec(R"({"length":{"limit":9,"buffer":1}})"))),
                 error);
    double const given[] = {-0.5, 0.5};
    external_verdicts handed = row;
    handed.given = {given, 1};
    EXPECT_EQ(external_rewards(handed, parse_reward_spec("environment"))[0].reward, -0.5f);
    EXPECT_EQ(external_rewards(handed, {}), external_rewards(row, {})) << "another shape does not read it";
    handed.given = given;
    EXPECT_THROW(static_cast<void>(external_rewards(handed, {})), error);
    std::string_view const text = "x";
    EXPECT_THROW(static_cast<void>(find_answers({&text, 1}, {}, {})), error);
    std::int32_t const wild = 100'000;
    EXPECT_THROW(static_cast<void>(find_answers({&text, 1}, {&wild, 1}, {})), error);
}

}  // namespace
}  // namespace optgap::testing
