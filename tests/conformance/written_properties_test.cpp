// A property test of tasks whose answers are words of an alphabet, expressions or numbers: no prompt contains one.

#include <string>

#include "kernels/text/task_text.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

std::vector<std::int32_t> tasks_that_write() {
    std::vector<std::int32_t> found;
    for (std::int32_t const task : all_tasks()) {
        task_text const& text = *registry()[std::size_t(task)].text;
        if (text.alphabet != nullptr || text.expressions || text.numbers != bare_number::none) {
            found.push_back(task);
        }
    }
    return found;
}

class written_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, written_properties, ::testing::ValuesIn(tasks_that_write()), task_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(written_properties);

TEST_P(written_properties, what_a_prompt_shows_is_no_answer) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    for (spelling_rule const spelling : {spelling_rule::strict, spelling_rule::free}) {
        words read;
        EXPECT_NE(parse_answer(text.answer_form, syntax_of(text), read, spelling).answer_code, code_ok)
            << text.answer_form;
    }
    instance_batch const batch = instances_of(GetParam(), difficulty::easy(), 1);
    for (format_spec const& format : formats()) {
        for (std::int32_t style = 0; style < text.styles; ++style) {
            std::string const prompt = prompt_text(GetParam(), batch.blocks.row(0), style, format);
            words read;
            EXPECT_NE(parse_completion(prompt, format, syntax_of(text), read).answer_code, code_ok)
                << format.name << ", style " << style;
        }
    }
}

}  // namespace
}  // namespace optgap::testing
