// The examples in a task's text table, and what they must show together.

#include <set>

#include "tests/support/instance_json.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

std::vector<std::int32_t> tasks_with_examples() {
    std::vector<std::int32_t> found;
    for (std::int32_t const task : all_tasks()) {
        if (registry()[std::size_t(task)].text->examples != nullptr) {
            found.push_back(task);
        }
    }
    return found;
}

class example_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, example_properties, ::testing::ValuesIn(tasks_with_examples()), task_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(example_properties);

/// Calls f(instance JSON, example) for each row.
template <class Function>
void each_example(std::int32_t task, Function const& function) {
    std::string instance;
    for (example const* row = registry()[std::size_t(task)].text->examples; row->instance != nullptr; ++row) {
        instance = *row->instance != 0 ? row->instance : instance;
        SCOPED_TRACE(instance + " " + row->answer);
        function(instance, *row);
    }
}

std::string refused_field(task_text const& text, std::string const& instance) {
    try {
        read_instance(text, instance);
        return "nothing is refused";
    } catch (field_error const& problem) {
        return problem.field();
    }
}

TEST_P(example_properties, verifier_and_reference_say_of_each_what_stands_there) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    each_example(GetParam(), [&](std::string const& form, example const& row) {
        if (std::string_view(row.code) == "refused") {
            EXPECT_EQ(refused_field(text, form), row.answer);
            return;
        }
        instance_batch one;
        one.append(GetParam(), read_instance(text, form));
        words block;
        ASSERT_EQ(parse_answer(row.answer, syntax_of(text), block).answer_code, code_ok);
        csr_words answers;
        answers.append(block);
        verdict const found = cpu_engine().verify(one.view(), answers.view())[0];
        verdict const twin = oracles()[std::size_t(GetParam())]->verify(one.blocks.row(0), block);
        EXPECT_EQ(cpu_engine().code_name(GetParam(), found.code), row.code);
        EXPECT_EQ(found, twin);
        if (found.feasible()) {
            EXPECT_EQ(found.objective, row.objective);
        }
        words_view const instance{one.blocks.row(0).data(), std::int64_t(one.blocks.row(0).size())};
        std::string const sentence = text.explain(instance, {block.data(), std::int64_t(block.size())}, found);
        EXPECT_TRUE(sentence.ends_with('.') && sentence.find('{') == std::string::npos) << sentence;
    });
}

TEST_P(example_properties, they_show_a_feasible_answer_every_code_of_the_task_and_a_refused_instance) {
    std::set<std::string_view> shown;
    each_example(GetParam(), [&](std::string const&, example const& row) { shown.insert(row.code); });
    EXPECT_TRUE(shown.contains("ok"));
    EXPECT_TRUE(shown.contains("refused"));
    for (std::string_view const code : cpu_engine().tasks()[std::size_t(GetParam())].codes) {
        EXPECT_TRUE(shown.contains(code)) << code;
    }
}

TEST_P(example_properties, the_table_of_verdicts_holds_the_codes_that_the_verifier_gives_and_no_other) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    if (text.rules == nullptr) {
        GTEST_SKIP() << "this task's table is written by hand";
    }
    std::set<std::string_view> said{"ok"};
    for (code_rule const* row = text.rules; row->code != nullptr; ++row) {
        if (row->rule != nullptr) {
            said.insert(row->code);
        }
    }
    for (std::string_view const code : cpu_engine().tasks()[std::size_t(GetParam())].codes) {
        said.insert(code);
    }
    std::mt19937_64 random(4);
    std::set<std::string_view> given;
    instance_batch batch = small_instances(GetParam(), 2);
    for (example const* row = text.examples; row->instance != nullptr;
         ++row) {  // tasks of a wider kind have more codes
        if (*row->instance != 0 && std::string_view(row->code) != "refused") {
            batch.append(GetParam(), read_instance(text, row->instance));
        }
    }
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        instance_batch one;
        one.append(GetParam(), batch.blocks.row(r));
        csr_words answers;
        for (words const& answer : answers_for(GetParam(), batch.blocks.row(r), 100, random)) {
            answers.append(answer);
        }
        std::vector<std::int32_t> const of(std::size_t(answers.rows()), 0);
        for (verdict const& found : cpu_engine().verify(one.view(), answers.view(), of)) {
            given.insert(cpu_engine().code_name(GetParam(), found.code));
        }
    }
    EXPECT_EQ(said, given);
}

TEST_P(example_properties, an_answer_in_words_reads_back_as_itself) {
    task_text const& text = *registry()[std::size_t(GetParam())].text;
    std::mt19937_64 random(5);
    instance_batch const batch = small_instances(GetParam(), 2);
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        for (words const& answer : answers_for(GetParam(), batch.blocks.row(r), 100, random)) {
            if (answer[0] == answer_word || answer == words{0}) {
                continue;  // JSON has its own spelling of a word; a list without lists is written as the empty list
            }
            words back;
            std::string const written = answer_in_words(text, answer);
            ASSERT_EQ(parse_answer(written, syntax_of(text), back).answer_code, code_ok) << written;
            EXPECT_EQ(back, answer) << written;
        }
    }
}

TEST_P(example_properties, letters_are_no_marks_of_the_grammar_and_digits_stand_for_themselves) {
    answer_syntax const syntax = syntax_of(*registry()[std::size_t(GetParam())].text);
    std::string_view const alphabet = syntax.alphabet != nullptr ? syntax.alphabet : "";
    int const ways =
        (alphabet.empty() ? 0 : 1) + (syntax.expressions ? 1 : 0) + (syntax.numbers == bare_number::none ? 0 : 1);
    EXPECT_LE(ways, 1);
    for (std::size_t k = 0; k < alphabet.size(); ++k) {
        char const letter = alphabet[k];
        EXPECT_TRUE(letter > ' ' && letter <= '~' &&
                    std::string_view("[](){}\"',:=`\\").find(letter) == std::string_view::npos)
            << letter;
        EXPECT_EQ(alphabet.find(letter), k);
        if (letter >= '0' && letter <= '9') {
            EXPECT_EQ(syntax.first_letter + std::int32_t(k), letter - '0');
        }
    }
}

}  // namespace
}  // namespace optgap::testing
