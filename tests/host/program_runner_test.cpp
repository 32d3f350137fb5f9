// Problems for programs read from records, and a runner over a simulated sandbox: rows, groups, baselines, the end.

#include "optgap/programs/runner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stop_token>
#include <string>

#include "host/reward/group_advantages.hpp"
#include "host/rows/program/sandboxes.hpp"
#include "host/rows/score_options.hpp"
#include "host/rows/scorer.hpp"
#include "optgap/programs/codes.hpp"
#include "tests/support/sandbox_of_words.hpp"

namespace optgap {
namespace {

engine const& cpu_engine() {
    static engine const one({.where = device::cpu, .threads = 1, .server = "off"});
    return one;
}

using testing::fenced;
using testing::sandbox_of_words;

std::shared_ptr<program_problem const> problem_from(std::string const& record) {
    return std::make_shared<program_problem const>(read_program_problem(cpu_engine(), record));
}

struct held_runner {
    std::shared_ptr<sandbox_of_words> in = std::make_shared<sandbox_of_words>();
    program_runner by{cpu_engine(), {.languages = {}}};
    held_runner() { by.internals().sandboxes->hold_by(in); }
};

TEST(program_problem_record, is_the_instances_that_its_key_names) {
    auto const read = problem_from(R"({"key": "tsp@1:train:easy:4*3", "language": "cpp", "limits": {"cpu_ms": 70}})");
    EXPECT_EQ(read->count(), 3);
    EXPECT_EQ(read->key.substr(0, 21), "tsp@1:train:easy:4*3#");
    EXPECT_EQ(problem_from(R"({"key": ")" + read->key + R"(", "language": "cpp"})")->hash, read->hash);
    std::vector<instance_spec> const specs(read->specs);
    EXPECT_EQ(cpu_engine().generate(specs).blocks, read->instances.blocks);
}

TEST(program_problem_record, of_ones_own_instances_has_a_key_of_its_own) {
    auto const read = problem_from(
        R"({"task": "tsp", "language": "cpp", "instances": [{"distances": [[0, 3, 4], [3, 0, 5], [4, 5, 0]]}],
            "baselines": [{"objective": 24, "bound": 12, "proven": false}]})");
    EXPECT_EQ(read->key, "tsp@1:x:" + hex32(read->hash) + "*1");
    EXPECT_EQ(read->specs[0].task, -1);
    ASSERT_TRUE(read->given[0].has_value());
    EXPECT_EQ(read->given[0]->status, baseline_status::bounded);
}

TEST(program_problem_record, says_which_field_is_wrong) {
    std::pair<char const*, char const*> const wrong[] = {
        {R"([])", "problem"},
        {R"({"language": "cpp"})", "task"},
        {R"({"task": "tsp", "language": "cpp"})", "instances"},
        {R"({"task": "tsp@99", "language": "cpp", "instances": []})", "task"},
        {R"({"key": 7, "language": "cpp"})", "key"},
        {R"({"key": "tsp@1:train:easy:4*3#00000000", "language": "cpp"})", "key"},
        {R"({"key": "tsp@1:train:easy:4*3", "task": "knapsack", "language": "cpp"})", "task"},
        {R"({"key": "tsp@1:train:easy:4*3"})", "language"},
        {R"({"key": "tsp@1:train:easy:4*3", "language": "cobol"})", "language"},
        {R"({"key": "tsp@1:train:easy:4*3", "language": "cpp", "input": "xml"})", "input"},
        {R"({"key": "tsp@1:train:easy:4*3", "language": "cpp", "interface": "solve"})", "interface"},
        {R"({"key": "tsp@1:train:easy:4*3", "language": "python", "interface": "main"})", "interface"},
        {R"({"key": "tsp@1:train:easy:4*3", "language": "python", "interface": "solve", "input": "plain"})", "input"},
        {R"({"key": "tsp@1:train:easy:4*3", "language": "cpp", "limits": {"cpu_ms": 0}})", "limits"},
        {R"({"key": "tsp@1:train:easy:4*3", "language": "cpp", "format": "boxed"})", "format"},
        {R"({"key": "tsp@1:train:easy:4*3", "language": "cpp", "baselines": [null]})", "baselines"},
        {R"({"key": "tsp@1:train:easy:4*1", "language": "cpp", "baselines": [{"objective": 3, "bound": 2,
             "proven": true}]})",
         "baselines[0]"}};
    for (auto const& [record, field] : wrong) {
        try {
            static_cast<void>(read_program_problem(cpu_engine(), record));
            ADD_FAILURE() << record;
        } catch (field_error const& said) {
            EXPECT_EQ(said.field(), field) << said.what();
        }
    }
}

TEST(program_runner, gives_a_row_a_text_and_a_cell_an_instance) {
    held_runner here;
    auto const two = problem_from(R"({"key": "tsp@1:train:easy:4*2", "language": "cpp"})");
    auto const one = problem_from(R"({"key": "tsp@1:train:easy:9*1", "language": "cpp"})");
    std::string const texts[] = {fenced("identity"), fenced("broken"), "none", fenced("identity")};
    std::vector<std::string_view> const views(std::begin(texts), std::end(texts));
    std::shared_ptr<program_problem const> const problems[] = {two, two, two, one};
    program_batch const out = here.by.run({.problems = problems, .texts = views});
    ASSERT_EQ(out.size(), 4);
    EXPECT_EQ(out.begin, (std::vector<std::int64_t>{0, 2, 4, 6, 7}));
    EXPECT_EQ(out.codes, (std::vector<std::int32_t>{0, 0, code_compile_error, code_compile_error, code_program_missing,
                                                    code_program_missing, 0}));
    EXPECT_EQ(out.baselines.size(), 7u);
    EXPECT_EQ(out.objectives[0], cpu_engine().solve(two->instances.view(), 0).rows[0].floor);
    EXPECT_EQ(out.objectives[2], no_objective);
    EXPECT_EQ(out.trouble[1], "line 1: no");
    EXPECT_EQ(out.isolation[0], "pretended");
    EXPECT_EQ(out.counts.runs, 3);
    EXPECT_DOUBLE_EQ(here.by.counts().core_seconds, 0.015);
    EXPECT_EQ(here.by.slots(), 3);
    // Rows of the same instances are one group: the best of three is above its mean, a single row is not compared.
    EXPECT_GT(out.advantage[0], 0);
    EXPECT_LT(out.advantage[2], 0);
    EXPECT_EQ(out.advantage[3], 0);
}

TEST(program_runner, ranks_instance_by_instance_and_refuses_a_group_of_two_widths) {
    held_runner here;
    auto const two = problem_from(R"({"key": "tsp@1:train:easy:4*2", "language": "cpp"})");
    auto const one = problem_from(R"({"key": "tsp@1:train:easy:9*1", "language": "cpp"})");
    std::string const good = fenced("identity");
    std::vector<std::string_view> const views{good, "none", "none", "none"};
    std::vector<std::shared_ptr<program_problem const>> problems(4, two);
    advantage_spec const river = parse_advantage_spec("river");
    program_batch const out = here.by.run({.problems = problems, .texts = views, .advantage = river});
    EXPECT_EQ(out.advantage, (std::vector<float>{1, -1, -1, -1}));
    problems[3] = one;
    std::vector<std::int32_t> const group(4, 0);
    EXPECT_THROW(
        static_cast<void>(here.by.run({.problems = problems, .texts = views, .group = group, .advantage = river})),
        error);
}

TEST(program_runner, asked_to_stop_masks_what_did_not_end) {
    held_runner here;
    auto const two = problem_from(R"({"key": "tsp@1:train:easy:4*2", "language": "cpp"})");
    std::string const good = fenced("identity");
    std::vector<std::string_view> const views{good, "none"};
    std::vector<std::shared_ptr<program_problem const>> const problems(2, two);
    std::stop_source stop;
    here.in->before_runs = [&] { stop.request_stop(); };
    program_batch const out = here.by.run({.problems = problems, .texts = views, .stop = stop.get_token()});
    EXPECT_EQ(out.masked, (std::vector<std::uint8_t>{1, 0}));
    EXPECT_TRUE(std::isnan(out.rows[0].reward));
    EXPECT_EQ(out.advantage[0], 0);
    EXPECT_EQ(out.rows[1].code, code_program_missing);
}

TEST(program_runner, refuses_columns_that_do_not_fit) {
    held_runner here;
    auto const two = problem_from(R"({"key": "tsp@1:train:easy:4*2", "language": "cpp"})");
    std::vector<std::string_view> const views{"none", "none"};
    std::vector<std::shared_ptr<program_problem const>> const problems(1, two);
    std::vector<std::int32_t> const outside{0, 1}, short_one{0};
    EXPECT_THROW(static_cast<void>(here.by.run({.problems = problems, .texts = views})), error);
    EXPECT_THROW(static_cast<void>(here.by.run({.problems = problems, .texts = views, .problem_of = outside})), error);
    EXPECT_THROW(static_cast<void>(here.by.run({.problems = problems, .texts = views, .problem_of = short_one})),
                 error);
    EXPECT_THROW(program_runner(cpu_engine(), {.isolation = "none"}), error);
    EXPECT_THROW(program_runner(cpu_engine(), {.languages = {"cobol"}}), error);
}

std::vector<std::string> const few_texts{fenced("identity"), fenced("swapped"), "none", fenced("broken")};

std::vector<std::string> lines_of_programs() {
    std::vector<std::string> out;
    for (std::string const& text : few_texts) {
        std::string escaped;
        for (char const c : text) {
            escaped += c == '\n' ? "\\n" : std::string(1, c);
        }
        out.push_back(R"({"key": "tsp@1:train:easy:4*2", "language": "cpp", "completion": ")" + escaped + R"("})");
    }
    return out;
}

std::vector<rows::row_item> items_of(std::vector<std::string> const& lines) {
    std::vector<rows::row_item> out(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out[i].take(lines[i], std::int64_t(i) + 1);
    }
    return out;
}

rows::scorer scorer_sharing(held_runner& here, std::string const& advantage) {
    return {cpu_engine(),
            rows::parse_score_options(R"({"isolation": "auto", "advantage": ")" + advantage + R"("})"),
            {},
            nullptr,
            {.shared = rows::services_with(here.by)}};
}

TEST(program_runner, gives_a_scorer_its_sandbox_and_both_say_the_same) {
    for (std::string const advantage : {"grpo", "river", "gdpo"}) {
        held_runner here;
        auto const two = problem_from(R"({"key": "tsp@1:train:easy:4*2", "language": "cpp"})");
        std::vector<std::string_view> const views(few_texts.begin(), few_texts.end());
        std::vector<std::shared_ptr<program_problem const>> const problems(4, two);
        program_batch const out =
            here.by.run({.problems = problems, .texts = views, .advantage = parse_advantage_spec(advantage)});
        std::int64_t const before = here.in->ran;
        rows::scorer scorer = scorer_sharing(here, advantage);
        std::vector<std::string> const lines = lines_of_programs();
        std::vector<rows::row_item> items = items_of(lines);
        EXPECT_TRUE(scorer.leaves_process(items));
        rows::graded_run const run = scorer.run(items);
        EXPECT_EQ(here.in->ran - before, before) << "as many programs ran in the shared sandbox";
        for (std::size_t r = 0; r < items.size(); ++r) {
            ASSERT_TRUE(items[r].sound()) << items[r].rule;
            EXPECT_EQ(run.rows[r].value, out.rows[r]) << advantage << r;
            EXPECT_EQ(run.advantages[r], out.advantage[r]) << advantage << r;
            EXPECT_EQ(run.rows[r].answer.begin, out.span[r].begin);
        }
    }
}

TEST(program_runner, a_scorer_that_is_asked_to_stop_masks_what_did_not_end) {
    held_runner here;
    rows::scorer scorer = scorer_sharing(here, "grpo");
    std::vector<std::string> const lines = lines_of_programs();
    std::vector<rows::row_item> items = items_of(lines);
    std::stop_source stop;
    here.in->before_runs = [&] { stop.request_stop(); };
    rows::graded_run const run = scorer.run(items, {}, stop.get_token());
    EXPECT_TRUE(std::isnan(run.rows[0].value.reward));
    EXPECT_EQ(run.rows[2].value.code, code_program_missing);
    here.in->before_runs = [] {};
    items = items_of(lines);
    EXPECT_FALSE(std::isnan(scorer.run(items).rows[0].value.reward)) << "the next run is a whole one";
}

TEST(group_advantages, compares_rows_of_each_width_apart_and_masks_rows_without_a_reward) {
    float const none = std::numeric_limits<float>::quiet_NaN();
    std::vector<reward_row> rows(9);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r].reward = float(r);
        rows[r].feasible = 1;
    }
    rows[3].reward = none;
    std::vector<std::int32_t> const group{0, 0, 0, 0, 1, 1, 1, 1, -1};
    std::vector<double> const objective(9, 5.0), scores{1, 2, 3, 4, 5, 6};
    std::vector<std::int64_t> const offsets{0, 2, 4, 6, 6, 6, 6, 6, 6, 6};  // rows 0 to 2 have two, row 3 is masked
    std::vector<sense> const direction(9, sense::maximise);
    compared_rows of{.rows = rows,
                     .group = group,
                     .objective = objective,
                     .direction = direction,
                     .offsets = offsets,
                     .scores = scores};
    advantage_spec const ranking = parse_advantage_spec("instance_norm");
    std::vector<float> const found = group_advantages(cpu_engine(), of, ranking);
    std::vector<float> const alone = cpu_engine().advantages({.rewards = std::vector<float>{0, 1, 2, none},
                                                              .group = std::vector<std::int32_t>(4, 0),
                                                              .scores = std::vector<double>{1, 2, 3, 4, 5, 6, 0, 0},
                                                              .columns_of_scores = 2,
                                                              .direction = std::vector<sense>(4, sense::maximise)},
                                                             ranking);
    EXPECT_EQ(std::vector<float>(found.begin(), found.begin() + 4), alone);
    EXPECT_GT(found[2], found[0]);
    EXPECT_EQ(found[3], 0);
    EXPECT_EQ(std::vector<float>(found.begin() + 4, found.end()), std::vector<float>(5, 0.0f)) << "equal objectives";
    rows[3].reward = 1;  // now it counts, and has one score where its group has two
    EXPECT_THROW(static_cast<void>(group_advantages(cpu_engine(), of, ranking)), error);
    EXPECT_EQ(group_advantages(cpu_engine(), of, parse_advantage_spec("grpo"))[8], 0) << "means do not rank";
}

TEST(group_advantages, fills_a_group_that_rejected_rows_may_have_left_too_small) {
    std::vector<reward_row> rows(3);
    std::vector<std::int32_t> const group{0, 0, -1};
    std::vector<double> const objective{1, 2, 0};
    std::vector<sense> const direction(3, sense::maximise);
    compared_rows of{.rows = rows, .group = group, .objective = objective, .direction = direction};
    EXPECT_THROW(static_cast<void>(group_advantages(cpu_engine(), of, parse_advantage_spec("river"))), error);
    of.lost = true;
    EXPECT_EQ(group_advantages(cpu_engine(), of, parse_advantage_spec("river")), std::vector<float>(3, 0.0f));
}

}  // namespace
}  // namespace optgap
