// The example in a statement for programs, and prompts' words on answers without value.

#include <gtest/gtest.h>

#include "host/programs/input_form.hpp"
#include "host/programs/limits.hpp"
#include "host/programs/output.hpp"
#include "host/programs/problem.hpp"
#include "host/programs/statement.hpp"
#include "kernels/registry/registry.hpp"
#include "kernels/reward/reward.hpp"

namespace optgap::programs {
namespace {

engine const& statement_engine() {
    static engine const one({.where = device::cpu, .threads = 1, .server = "off"});
    return one;
}

/// The statement's own copy of an output; "not found" where it shows another one.
std::string example_output(std::string const& statement, std::string const& printed) {
    std::size_t const at = statement.find("\n" + printed);
    return at == std::string::npos ? std::string("not found") : statement.substr(at + 1, printed.size());
}

TEST(statement, shows_an_example_that_is_rewarded_as_an_answer_and_as_output_for_every_task_and_style) {
    engine const& by = statement_engine();
    for (std::int32_t task = 0; task < std::int32_t(registry().size()); ++task) {
        task_info const& info = by.tasks()[std::size_t(task)];
        task_text const& text = *registry()[std::size_t(task)].text;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            problem_key key = parse_problem_key("tsp@1:train:d3:7*1");
            key.first.seed = seed;
            instance_spec const shown = example_of(key, task);
            instance_batch const example = by.generate({&shown, 1});
            example_answer const answer = answer_of_example(by, task, example.blocks.row(0));
            if (answer.block.empty()) {
                continue;  // the statement reports that none is known
            }
            std::string const printed = write_output(info, text, answer.block);
            solved_batch const solved = by.solve(example.view());
            for (std::int32_t style = 0; style < statement_styles; ++style) {
                std::vector<std::vector<std::int32_t>> const hidden{
                    {example.blocks.row(0).begin(), example.blocks.row(0).end()}};
                std::string const statement = write_statement(
                    by, {task, hidden, example.blocks.row(0), program_language::cpp, usual_form(program_language::cpp),
                         parse_limits("ahc"), style, program_formats()[0]});
                // As a program prints it.
                csr_words read;
                std::vector<std::int32_t> block;
                EXPECT_EQ(read_output(by, task, example_output(statement, printed), block).answer_code, code_ok)
                    << info.name << " " << printed;
                read.append(block);
                verdict const found = by.verify(example.view(), read.view())[0];
                EXPECT_EQ(code_against(found, solved.rows[0], info.objective_sense), code_ok)
                    << info.name << " " << printed;
                if (info.objective_sense == sense::maximise && solved.rows[0].objective > 0) {
                    EXPECT_GT(found.objective, 0) << info.name;
                }
                // As a model answers.
                std::vector<std::int32_t> as_answer;
                std::string const said = answer_in_words(text, answer.block);
                EXPECT_EQ(by.parse_answer(task, said, as_answer).answer_code, code_ok) << info.name << " " << said;
                EXPECT_EQ(as_answer, block) << info.name << " " << said;
            }
        }
    }
}

TEST(prompt, says_what_an_answer_worth_nothing_counts_as_where_a_policy_gives_one) {
    engine const& by = statement_engine();
    for (std::int32_t task = 0; task < std::int32_t(registry().size()); ++task) {
        task_info const& info = by.tasks()[std::size_t(task)];
        if (!info.direct || info.objective_sense != sense::maximise) {
            continue;
        }
        instance_spec const spec{task, difficulty::scale(3), split::train, 11};
        instance_batch const one = by.generate({&spec, 1});
        baseline const solved = by.solve(one.view()).rows[0];
        bool const said = by.prompt(task, one.blocks.row(0), 0, format_named("forge")).find(" is 0 counts as none") !=
                          std::string::npos;
        if (solved.floor == 0 && solved.objective > 0) {
            EXPECT_TRUE(said) << info.name;
        }
    }
}

}  // namespace
}  // namespace optgap::programs
