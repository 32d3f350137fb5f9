// Laws of tasks whose answers are written as words of an alphabet or as expressions: what is shown is read back.

#include <string>

#include "kernels/text/task_text.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

std::vector<std::int32_t> tasks_that_write() {
    std::vector<std::int32_t> found;
    for (std::int32_t const task : all_tasks()) {
        task_text const& text = *registry()[std::size_t(task)].text;
        if (text.alphabet != nullptr || text.expressions) {
            found.push_back(task);
        }
    }
    return found;
}

class written_laws : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, written_laws, ::testing::ValuesIn(tasks_that_write()), task_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(written_laws);

constexpr tail_rule tails[] = {tail_rule::strict, tail_rule::lenient};

TEST_P(written_laws, an_answer_is_read_back_from_its_words) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    std::int64_t count = 0;
    for (difficulty const level : {difficulty::ladder(0), difficulty::benchmark(), difficulty::ladder(40)}) {
        instance_batch const batch = instances_of(GetParam(), level, 4);
        for (csr_words const& answers :
             {cpu_engine().solve(batch.view(), 100).answers, cpu_engine().greedy(batch.view()),
              cpu_engine().noisy_greedy(batch.view(), 8, 1)}) {
            for (std::int64_t r = 0; r < answers.rows(); ++r) {
                words const block(answers.row(r).begin(), answers.row(r).end());
                if (block.empty()) {
                    continue;
                }
                std::string const written = answer_in_words(text, block);
                SCOPED_TRACE(written);
                EXPECT_NE(written, answer_text(block)) << "shown as a list";
                for (tail_rule const tail : tails) {
                    words read;
                    EXPECT_EQ(parse_answer(written, syntax_of(text), read, tail).answer_code, code_ok);
                    EXPECT_EQ(read, block);
                }
                ++count;
            }
        }
    }
    EXPECT_GT(count, 0);
}

TEST_P(written_laws, what_a_prompt_shows_is_no_answer) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    for (tail_rule const tail : tails) {
        words read;
        EXPECT_NE(parse_answer(text.answer_form, syntax_of(text), read, tail).answer_code, code_ok) << text.answer_form;
    }
    instance_batch const batch = instances_of(GetParam(), difficulty::easy(), 1);
    for (format_spec const& format : formats()) {
        for (std::int32_t style = 0; style < text.styles; ++style) {
            std::string const prompt = cpu_engine().prompt(GetParam(), batch.blocks.row(0), style, format);
            words read;
            EXPECT_NE(parse_completion(prompt, format, syntax_of(text), read).answer_code, code_ok)
                << format.name << ", style " << style;
        }
    }
}

}  // namespace
}  // namespace optgap::testing
