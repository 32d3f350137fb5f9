// Problems for programs as text: keys, limits, inputs and outputs, statements, and programs in completions.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "host/programs/extract.hpp"
#include "host/programs/input_form.hpp"
#include "host/programs/limits.hpp"
#include "host/programs/output.hpp"
#include "host/programs/problem.hpp"
#include "host/programs/statement.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/answer.hpp"
#include "optgap/programs/codes.hpp"
#include "tests/text/reference_scanner.hpp"

namespace optgap::programs {
namespace {

engine const& shared_engine() {
    static engine const one({.where = device::cpu, .threads = 1, .server = "off"});
    return one;
}

words_view view_of_words(std::span<std::int32_t const> words) { return {words.data(), std::int64_t(words.size())}; }

std::string refused_key(char const* text) {
    try {
        parse_problem_key(text);
        return "accepted";
    } catch (field_error const& broken) {
        return broken.field();
    }
}

TEST(problem_key, reads_back_as_it_was_written) {
    for (char const* text : {"tsp@1:train:hard:42*10#9f3a1c2e", "tsp@1:test:d7:0*1",
                             "tsp@1:val:easy:5*1000:s2#00000000", "tsp@1:x:0123456789abcdef0123456789abcdef*3"}) {
        EXPECT_TRUE(is_problem_key(text));
        EXPECT_EQ(to_string(parse_problem_key(text)), text);
    }
    problem_key const key = parse_problem_key("tsp@1:train:hard:42*10:s1#9f3a1c2e");
    EXPECT_EQ(key.count, 10);
    EXPECT_EQ(key.first.seed, 42u);
    EXPECT_EQ(key.first.style, 1);
    EXPECT_EQ(key.first.hash, "9f3a1c2e");
    EXPECT_FALSE(is_problem_key("tsp@1:train:hard:42#9f3a1c2e"));
}

TEST(problem_key, refuses_what_is_none) {
    for (char const* text :
         {"tsp@1:train:hard:42*0", "tsp@1:train:hard:42*", "tsp@1:train:hard:42*1001", "tsp@1:train:hard:42*01",
          "tsp@1:train:hard:42*-1", "tsp@1:train:hard:*3", "tsp@1:train:hard:42*3*3", "tsp@1:train:hard:42*99999999999",
          "tsp@1:train:hard:42#9f3a1c2e"}) {
        EXPECT_EQ(refused_key(text), "key") << text;
    }
    EXPECT_THROW(static_cast<void>(specs_of(parse_problem_key("tsp@1:train:easy:18446744073709551615*2"), 0)),
                 field_error);
}

TEST(problem_key, names_the_seeds_from_its_own_on_and_an_example_that_is_none_of_them) {
    problem_key const easy = parse_problem_key("tsp@1:train:easy:42*3");
    std::vector<instance_spec> const hidden = specs_of(easy, 0);
    ASSERT_EQ(hidden.size(), 3u);
    EXPECT_EQ(hidden[2].seed, 44u);
    EXPECT_EQ(example_of(easy, 0).seed, 45u);
    EXPECT_EQ(example_of(parse_problem_key("tsp@1:train:easy:18446744073709551613*3"), 0).seed, 18446744073709551612u);
    EXPECT_EQ(example_of(parse_problem_key("tsp@1:val:hard:42*3"), 0).seed, 42u);
}

TEST(program_limits, presets_and_fields_read_back) {
    EXPECT_EQ(parse_limits("train").run.cpu_ms, 500);
    EXPECT_EQ(parse_limits("river").run.cpu_ms, 5000);
    EXPECT_EQ(parse_limits("ahc").run.memory_mb, 1024);
    program_limits const own = parse_limits(R"({"preset": "ahc", "cpu_ms": 250, "source_kb": 8})");
    EXPECT_EQ(own.run.cpu_ms, 250);
    EXPECT_EQ(own.run.memory_mb, 1024);
    EXPECT_EQ(own.source_kb, 8);
    for (program_limits const& one : {own, parse_limits("river"), program_limits{}}) {
        EXPECT_EQ(parse_limits(limits_text(one)), one);
        EXPECT_EQ(parse_limits(limits_json(one)), one);
    }
    for (char const* text : {"fast", R"({"cpu_ms": 0})", R"({"cpu_ms": 600001})", R"({"memory_mb": 1.5})",
                             R"({"wall_ms": 3})", R"({"preset": 3})", "{", R"({"steps": 18446744073709551615})"}) {
        EXPECT_THROW(parse_limits(text), error) << text;
    }
}

/// Visits instances of every task, at levels of every kind.
template <class Visit>
void each_instance(Visit const& visit) {
    for (std::size_t t = 0; t < registry().size(); ++t) {
        for (difficulty const level : {difficulty::easy(), difficulty::medium(), difficulty::scale(2)}) {
            std::vector<instance_spec> specs;
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                specs.push_back({std::int32_t(t), level, split::train, seed});
            }
            visit(std::int32_t(t), shared_engine().generate(specs));
        }
    }
}

TEST(program_input, plain_text_json_and_words_say_the_same_for_every_task) {
    std::int64_t seen = 0;
    each_instance([&](std::int32_t task, instance_batch const& made) {
        task_text const& text = *registry()[std::size_t(task)].text;
        for (std::int64_t i = 0; i < made.size(); ++i) {
            json const shown = instance_to_json(text, view_of_words(made.blocks.row(i)));
            std::vector<input_field> const fields = input_fields(text, shown);
            for (input_form const form : {input_form::plain, input_form::json}) {
                json const back = read_input(fields, write_input(fields, shown, form), form);
                ASSERT_EQ(back, shown) << text.title;
                auto const row = made.blocks.row(i);
                EXPECT_EQ(instance_from_json(text, back), std::vector<std::int32_t>(row.begin(), row.end()))
                    << text.title;
                ++seen;
            }
        }
    });
    EXPECT_GE(seen, 30 * 3 * 2 * 3);
}

TEST(program_input, a_list_of_lists_of_lists_and_decimals_keep_their_shape) {
    std::vector<input_field> const fields{{"k", 0, ""}, {"deep", 3, ""}, {"flat", 1, ""}};
    json const given = json::parse(R"({"k": -2.5, "deep": [[[1, 2], []], []], "flat": []})");
    std::string const plain = write_input(fields, given, input_form::plain);
    EXPECT_EQ(plain, "-2.5\n2\n2\n2 1 2\n0\n0\n0\n\n");
    EXPECT_EQ(read_input(fields, plain, input_form::plain), given);
    for (char const* text : {"", "1", "1\n2\n9 1", "1 1 1 3 1 2", "1 0 0 7", "1 -1 0", "1 99999999999999999999"}) {
        EXPECT_THROW(read_input(fields, text, input_form::plain), field_error) << text;
    }
}

TEST(program_input, arguments_of_solve_have_the_types_of_all_instances) {
    std::vector<input_field> const fields{{"capacity", 0, ""}, {"names", 1, ""}, {"rows", 2, ""}, {"shares", 1, ""}};
    json const first = json::parse(R"({"capacity": 20, "names": ["it's", "b"], "rows": [[1, 2], []], "shares": [1]})");
    json const second = json::parse(R"({"capacity": -3, "names": [], "rows": [], "shares": [0.5]})");
    EXPECT_EQ(
        solve_signature(fields, {first, second}),
        "def solve(capacity: int, names: list[str], rows: list[list[int]], shares: list[int | float]) -> list[str]:");
    EXPECT_EQ(solve_signature(fields, {second}),
              "def solve(capacity: int, names: list[int], rows: list[list[int]], shares: list[float]) -> list[str]:");
    EXPECT_EQ(solve_call(fields, first),
              "solve(capacity=20, names=[\"it's\", \"b\"], rows=[[1, 2], []], shares=[1])\n");
    EXPECT_EQ(solve_value("0 1\n2\n"), "[\"0 1\", \"2\"]\n");
    EXPECT_THROW(static_cast<void>(input_form_of("plain", program_interface::solve)), error);
    EXPECT_EQ(input_form_of("plain", program_interface::stdio), input_form::plain);
    EXPECT_THROW(static_cast<void>(interface_named("solve", program_language::cpp)), error);
}

TEST(program_output, a_printed_answer_gets_the_verdict_of_the_answer_for_every_task) {
    std::int64_t in_rows = 0, in_brackets = 0;
    each_instance([&](std::int32_t task, instance_batch const& made) {
        task_info const& info = shared_engine().tasks()[std::size_t(task)];
        task_text const& text = *registry()[std::size_t(task)].text;
        solved_batch const solved = shared_engine().solve(made.view(), 2000);
        for (std::int64_t i = 0; i < made.size(); ++i) {
            auto const block = solved.answers.row(i);
            if (block.empty()) {
                continue;
            }
            std::string const printed = write_output(info, text, block);
            for (std::string const& output : {printed, "\n \n" + printed + "\r\n\n "}) {
                csr_words read;
                std::vector<std::int32_t> words;
                parsed_text const parsed = read_output(shared_engine(), task, output, words);
                ASSERT_EQ(parsed.answer_code, code_ok) << info.name << ": " << output;
                read.append(words);
                instance_batch one;
                one.append(task, made.blocks.row(i));
                EXPECT_EQ(shared_engine().verify(one.view(), read.view())[0].objective,
                          solved.rows[std::size_t(i)].objective)
                    << info.name << ": " << output;
            }
            (printed[0] == '[' ? in_brackets : in_rows) += 1;
        }
    });
    EXPECT_GT(in_rows, 100);
    EXPECT_EQ(in_brackets, 0);  // no solved answer is empty or has an empty row
    task_info const& halves = shared_engine().tasks()[std::size_t(shared_engine().task_index("bisection"))];
    task_text const& text = *registry()[std::size_t(shared_engine().task_index("bisection"))].text;
    EXPECT_EQ(write_output(halves, text, std::vector<std::int32_t>{2, 0, 1, 7}), "[[], [7]]\n");
    EXPECT_EQ(write_output(halves, text, std::vector<std::int32_t>{answer_flat}), "[]\n");
    EXPECT_EQ(write_output(halves, text, std::vector<std::int32_t>{2, 1, 2, 7, 8, 9}), "7\n8 9\n");
}

TEST(program_output, says_what_is_wrong_with_it) {
    std::int32_t const tsp = shared_engine().task_index("tsp");
    auto const code = [&](std::string_view output) {
        std::vector<std::int32_t> words;
        return read_output(shared_engine(), tsp, output, words).answer_code;
    };
    EXPECT_EQ(code(""), code_run_no_output);
    EXPECT_EQ(code(" \n\t\r\n"), code_run_no_output);
    EXPECT_EQ(code("0 1\n2 3\n"), code_ok);
    EXPECT_EQ(code("[0, 1, 2]"), code_ok);
    EXPECT_EQ(code("0 1 2 done"), code_unparsable);
    EXPECT_EQ(code("0 1 2\nscore: 999"), code_unparsable);
    EXPECT_EQ(code("[0, 1] 2"), code_unparsable);
    EXPECT_EQ(code("0 1.0"), code_not_integer);
    EXPECT_EQ(code("0 01"), code_not_integer);
    EXPECT_EQ(code("0, 1"), code_not_integer);
    EXPECT_EQ(code("-"), code_unparsable);
    EXPECT_EQ(code("2147483648"), code_overflow);
    EXPECT_EQ(code("-2147483648 " + std::string(1'000'000, '7')), code_overflow);
    EXPECT_EQ(code(std::string(1'000'000, '[')), code_bad_depth);
    EXPECT_EQ(code("NaN"), code_unparsable);
    EXPECT_EQ(code(std::string("0 1\0 2", 6)), code_not_integer);
    EXPECT_EQ(code("\xEF\xBC\x91 2"), code_unparsable);
    std::vector<std::int32_t> words;
    read_output(shared_engine(), tsp, "3 1\n2", words);
    EXPECT_EQ(words, (std::vector<std::int32_t>{answer_flat, 3, 1, 2}));
    words.clear();
    read_output(shared_engine(), shared_engine().task_index("bisection"), "3 1\n\n2\n", words);
    EXPECT_EQ(words, (std::vector<std::int32_t>{2, 2, 1, 3, 1, 2}));
}

std::vector<std::string> field_names_said(std::string_view statement) {
    std::vector<std::string> names;
    for (std::size_t at = statement.find("\n- "); at != std::string_view::npos; at = statement.find("\n- ", at + 1)) {
        std::string_view const line = statement.substr(at + 3);
        std::size_t const colon = line.find(": ");
        if (line.substr(0, line.find('\n')).find(". Here: ") != std::string_view::npos) {
            names.emplace_back(line.substr(0, colon));
        }
    }
    return names;
}

TEST(statement, names_every_field_and_shows_a_feasible_answer_for_every_task_and_style) {
    engine const& by = shared_engine();
    for (std::int32_t task = 0; task < std::int32_t(registry().size()); ++task) {
        problem_key key = parse_problem_key("tsp@1:train:d3:7*3");
        instance_batch const hidden = by.generate(specs_of(key, task));
        std::vector<std::vector<std::int32_t>> words;
        for (std::int64_t k = 0; k < hidden.size(); ++k) {
            words.emplace_back(hidden.blocks.row(k).begin(), hidden.blocks.row(k).end());
        }
        instance_spec const shown = example_of(key, task);
        instance_batch const example = by.generate({&shown, 1});
        task_text const& text = *registry()[std::size_t(task)].text;
        task_info const& info = by.tasks()[std::size_t(task)];
        json const first = instance_to_json(text, view_of_words(words[0]));
        std::vector<std::string> wanted;
        for (input_field const& own : input_fields(text, first)) {
            wanted.push_back(own.name);
        }
        std::string seen;
        for (std::int32_t style = 0; style < statement_styles; ++style) {
            program_language const language = style == 1 ? program_language::cpp : program_language::python;
            std::string const statement =
                write_statement(by, {task, words, example.blocks.row(0), language, usual_form(language),
                                     parse_limits("ahc"), style, program_formats()[0]});
            EXPECT_EQ(field_names_said(statement), wanted) << info.name << " " << style;
            EXPECT_NE(statement.find("2000 ms"), std::string::npos);
            EXPECT_NE(statement.find(std::string(info.objective)), std::string::npos);
            EXPECT_NE(statement.find(language == program_language::cpp ? "```cpp\n" : "```python\n"),
                      std::string::npos);
            EXPECT_EQ(statement.find('{' + std::string("title") + '}'), std::string::npos);
            EXPECT_NE(statement, seen);
            seen = statement;
        }
        example_answer const answer = answer_of_example(by, task, example.blocks.row(0));
        if (!answer.block.empty() && answer.block[0] != answer_word) {
            csr_words block;
            block.append(answer.block);
            verdict const found = by.verify(example.view(), block.view())[0];
            EXPECT_TRUE(found.feasible()) << info.name;
            EXPECT_EQ(found.objective, answer.objective) << info.name;
        }
    }
}

found_program extracted(std::string_view text, finish how = finish::unknown, std::size_t format = 0,
                        program_language language = program_language::python, std::int64_t most = 1 << 16) {
    return extract_program(text, program_formats()[format], language, how, most);
}

TEST(extraction, takes_the_last_complete_block_of_the_language) {
    found_program const one = extracted(
        "<think>```python\nno()\n```</think>So:\n```py\nfirst()\n```\nor\n```Python "
        "title=x\r\nlast()\r\n\r\n```<|im_end|>\n");
    EXPECT_EQ(one.code, code_ok);
    EXPECT_EQ(one.source, "last()");
    EXPECT_EQ(extracted("  ~~~python\n   a\n    b\n  ~~~").source, " a\n  b");
    EXPECT_EQ(extracted("```cpp\nint main(){}\n```", finish::stop, 0, program_language::cpp).source, "int main(){}");
}

TEST(extraction, says_what_is_missing) {
    EXPECT_EQ(extracted("").code, code_program_missing);
    EXPECT_EQ(extracted("```python\nx").code, code_program_missing);
    EXPECT_EQ(extracted("```python\nx", finish::length).code, code_truncated);
    EXPECT_EQ(extracted("```python\nx\n```\n```python\ny").code, code_program_missing);
    EXPECT_EQ(extracted("<think>```python\nx\n```</think>").code, code_program_missing);
    EXPECT_EQ(extracted("<think>```python\nx\n```").code, code_program_missing);
    EXPECT_EQ(extracted("```python\n \n```").code, code_program_missing);
    EXPECT_EQ(extracted("```\nx\n```").code, code_program_language);
    EXPECT_EQ(extracted("```cpp\nx\n```").code, code_program_language);
    EXPECT_EQ(extracted("```python\nx\n```\nThat is it.").code, code_program_trailing);
    EXPECT_EQ(extracted("```python\nx\n```\n```text\ny\n```").code, code_program_trailing);
    EXPECT_EQ(extracted("```python\nx\n```\n```python\ny\n```").code, code_ok);
    EXPECT_EQ(extracted("```python\nx\n```\n```python\ny\n```", finish::stop, 1).code, code_program_repeated);
    EXPECT_EQ(extracted("```text\nx\n```\n```python\ny\n```", finish::stop, 1).code, code_ok);
    EXPECT_EQ(extracted("```python\n12345\n```", finish::stop, 0, program_language::python, 4).code,
              code_program_too_long);
    EXPECT_EQ(extracted("```python\n1234\n```", finish::stop, 0, program_language::python, 4).code, code_ok);
}

/// The same rules over lines in memory, in their simplest form.
std::pair<std::int32_t, std::string> slowly_extracted(std::string const& text, format_spec const& format, finish how) {
    namespace twin = text_reference;
    bool const cut = how == finish::length || how == finish::abort;
    std::int32_t const nothing = cut ? std::int32_t(code_truncated) : std::int32_t(code_program_missing);
    twin::thoughts const thought = twin::thoughts_of(text, twin::tags_of(text, format), format);
    if (thought.unfinished) {
        return {nothing, ""};
    }
    bool closed = true;
    std::vector<twin::part> const blocks = twin::blocks_of(text, thought.behind, format.ends, closed);
    if (!closed || blocks.empty()) {
        return {nothing, ""};
    }
    std::vector<twin::part> mine;
    for (twin::part const& block : blocks) {
        std::size_t opening = block.begin;  // the line before the content
        opening = opening > thought.behind ? text.rfind('\n', opening - 2) + 1 : opening;
        opening = std::max(opening == 0 ? 0 : opening, thought.behind);
        std::string info = text.substr(opening, block.begin - opening);
        info.erase(0, info.find_first_not_of(' '));
        info.erase(0, info.find_first_not_of(info[0]));
        info.erase(0, info.find_first_not_of(" \t"));
        info = info.substr(0, info.find_first_of(" \t\r\n"));
        if (info == "python" || info == "py") {
            mine.push_back(block);
        }
    }
    if (mine.empty()) {
        return {cut ? std::int32_t(code_truncated) : std::int32_t(code_program_language), ""};
    }
    std::string source = text.substr(mine.back().begin, mine.back().end - mine.back().begin);
    for (std::size_t at = source.find("\r\n"); at != std::string::npos; at = source.find("\r\n")) {
        source.erase(at, 1);
    }
    source = source.substr(0, source.find_last_not_of(" \t\r\n") + 1);
    if (source.empty()) {
        return {code_program_missing, ""};
    }
    if (format.one_block && mine.size() > 1) {
        return {code_program_repeated, source};
    }
    bool const ends = twin::only_turn_ends(text.substr(mine.back().behind), format.ends);
    return {ends ? std::int32_t(code_ok) : std::int32_t(code_program_trailing), source};
}

TEST(extraction, agrees_with_its_twin) {
    std::mt19937_64 random(99);
    std::vector<std::string> const pieces{"```",  "```python\n", "```py\n", "```cpp\n", "\n```\n",  "\n```\n",
                                          "\n",   "print(1)",    "x = `1`", "<think>",  "</think>", "<|im_end|>",
                                          "````", "~~~",         "\r\n",    "\t",       " y"};
    std::int64_t seen[program_code_end] = {};
    for (int i = 0; i < 120'000; ++i) {
        std::string text;
        for (std::size_t k = random() % 14; k > 0; --k) {
            text += pieces[random() % pieces.size()];
        }
        format_spec const& format = program_formats()[random() % 2];
        auto const how = finish(random() % 4);
        found_program const fast = extract_program(text, format, program_language::python, how, 1 << 16);
        auto const [code, source] = slowly_extracted(text, format, how);
        ASSERT_EQ(fast.code, code) << format.name << int(how) << ": " << text;
        ASSERT_EQ(fast.source, source) << text;
        ++seen[fast.code];
    }
    for (std::int32_t const code : {std::int32_t(code_ok), std::int32_t(code_truncated),
                                    std::int32_t(code_program_missing), std::int32_t(code_program_repeated),
                                    std::int32_t(code_program_trailing), std::int32_t(code_program_language)}) {
        EXPECT_GT(seen[code], 20) << "the generator hardly reaches code " << code;
    }
}

TEST(extraction, is_linear_in_the_text) {
    std::string text;
    for (int i = 0; i < 400'000; ++i) {
        text += "```\n";
    }
    EXPECT_EQ(extracted(text).code, code_program_language);
    EXPECT_EQ(extracted(text + "```").code, code_program_missing);
    EXPECT_EQ(extracted(std::string(4'000'000, '`')).code, code_program_missing);
}

}  // namespace
}  // namespace optgap::programs
