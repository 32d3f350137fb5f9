// Problems for programs read from records, and a runner over a simulated sandbox: rows, groups, baselines, the end.

#include "optgap/programs/runner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

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
    held_runner() { by.internals().hold_by(in); }
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

}  // namespace
}  // namespace optgap
