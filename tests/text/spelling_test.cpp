// The parser reads the tables of docs/formats.md, "Spelling".

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "optgap/format.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/source_folder.hpp"

namespace optgap {
namespace {

using block = std::vector<std::int32_t>;

struct page_row {
    std::string kind;
    std::vector<std::string> written;
    std::string read_as;
};

/// Decodes "\u00A0" to UTF-8, and "\|", which a table needs, to "|".
std::string decoded(std::string const& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const code = text.compare(i, 2, "\\u") == 0 && i + 6 <= text.size() &&
                          text.find_first_not_of("0123456789ABCDEF", i + 2) >= i + 6;
        if (code) {
            unsigned const c = unsigned(std::stoul(text.substr(i + 2, 4), nullptr, 16));
            out += c < 0x800 ? std::string{char(0xC0 | c >> 6), char(0x80 | (c & 0x3F))}
                             : std::string{char(0xE0 | c >> 12), char(0x80 | (c >> 6 & 0x3F)), char(0x80 | (c & 0x3F))};
            i += 5;
        } else if (text.compare(i, 2, "\\|") != 0) {
            out += text[i];
        }
    }
    return out;
}

std::vector<std::string> code_spans(std::string const& cell) {
    std::vector<std::string> found;
    for (std::size_t open = cell.find('`'); open != std::string::npos;) {
        std::size_t const close = cell.find('`', open + 1);
        found.push_back(decoded(cell.substr(open + 1, close - open - 1)));
        open = cell.find('`', close + 1);
    }
    return found;
}

/// The cells of a table's line; a | after a backslash is no border.
std::vector<std::string> cells(std::string const& line) {
    std::vector<std::string> found;
    for (std::size_t begin = 1; begin < line.size();) {
        std::size_t end = begin;
        while (end < line.size() && (line[end] != '|' || line[end - 1] == '\\')) {
            ++end;
        }
        found.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return found;
}

std::vector<page_row> rows_of_the_page() {
    std::ifstream page(testing::source_folder() / "docs/formats.md");
    std::vector<page_row> rows;
    bool here = false;
    for (std::string line; std::getline(page, line);) {
        here = line.starts_with("## ") ? line == "## Spelling" : here;
        if (here && line.starts_with("| ") && line.find('`') != std::string::npos) {
            std::vector<std::string> const found = cells(line);
            std::vector<std::string> const value = code_spans(found.at(2));
            rows.push_back({found.at(0), code_spans(found.at(1)), value.empty() ? "refused" : value[0]});
        }
    }
    return rows;
}

TEST(spelling, is_read_as_the_page_says) {
    std::vector<page_row> const rows = rows_of_the_page();
    ASSERT_GT(rows.size(), 20u);
    std::string kind = "list";
    int texts = 0;
    for (page_row const& each : rows) {
        kind = each.kind.starts_with(" number") ? "number" : each.kind.starts_with(" expression") ? "expression" : kind;
        answer_syntax const syntax{.expressions = kind == "expression",
                                   .numbers = kind == "number" ? bare_number::digits : bare_number::none};
        block expected;
        if (each.read_as != "refused") {
            ASSERT_EQ(parse_answer(each.read_as, {}, expected).answer_code, code_ok) << each.read_as;
        }
        for (std::string const& text : each.written) {
            block words;
            parsed_text const read = parse_answer(text, syntax, words, spelling_rule::free);
            EXPECT_EQ(read.answer_code == code_ok, each.read_as != "refused") << kind << ": " << text;
            if (each.read_as != "refused") {
                EXPECT_EQ(words, expected) << kind << ": " << text;
            }
            ++texts;
        }
    }
    EXPECT_GT(texts, 100);
}

TEST(spelling, that_is_strict_leaves_a_text_as_the_grammar_reads_it) {
    format_spec strict = format_named("answer_only");
    strict.spelling = spelling_rule::strict;
    for (std::string const text : {"\\mathbf{[1, 2]}", "1 and 2", "[1\uFF0C 2]", "\\boxed{[1, 2]}"}) {
        block words;
        EXPECT_NE(parse_completion("<answer>" + text + "</answer>", strict, nullptr, words).answer_code, code_ok)
            << text;
        words.clear();
        EXPECT_EQ(
            parse_completion("<answer>" + text + "</answer>", format_named("answer_only"), nullptr, words).answer_code,
            code_ok)
            << text;
    }
}

TEST(spelling, a_division_is_held_against_its_quotient_and_remainder) {
    answer_syntax const syntax{.numbers = bare_number::digit_rows};
    for (auto const& [text, right] : std::vector<std::pair<std::string, bool>>{{"17 ÷ 5 = 3 R 2", true},
                                                                               {"17 \\div 5 = 3 R 2", true},
                                                                               {"15 / 5 = 3", true},
                                                                               {"17 ÷ 5 = 3 R 1", false},
                                                                               {"17 ÷ 5 = 3", false}}) {
        block words;
        EXPECT_EQ(parse_answer(text, syntax, words, spelling_rule::free).answer_code == code_ok, right) << text;
    }
}

TEST(spelling, a_megabyte_of_any_mark_is_read_in_linear_time) {
    for (std::string const piece :
         {"\\",       "{",   "}", "*",   "\"", "and ",   "& ",  "\\color", "\\color{", "\\boxed{",
          "<answer>", "(a)", ".", "is ", "~",  "\u00A0", "\\[", "= ",      "1 = ",     "1 + "}) {
        std::string text = "1";
        while (text.size() < std::size_t(testing::repeats(1'000'000))) {
            text += piece;
        }
        for (bare_number const numbers : {bare_number::none, bare_number::digits}) {
            block words;
            parse_answer(text, {.expressions = numbers == bare_number::none, .numbers = numbers}, words,
                         spelling_rule::free);
            parse_answer(text, {.numbers = numbers}, words, spelling_rule::free);
            parse_completion(text, format_named("boxed"), nullptr, words);
            parse_completion(text, format_named("answer_line"), nullptr, words);
        }
    }
}

}  // namespace
}  // namespace optgap
