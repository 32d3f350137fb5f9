// Answers in letters, as expressions and as numbers without brackets (`answer_syntax` has the rules).

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "optgap/answer.hpp"
#include "optgap/format.hpp"
#include "tests/support/sample.hpp"
#include "tests/text/fragments.hpp"
#include "tests/text/reference_scanner.hpp"
#include "tests/text/word_syntaxes.hpp"

namespace optgap {
namespace {

using block = std::vector<std::int32_t>;

constexpr std::int32_t flat = answer_flat;
constexpr std::int32_t plus = sign_plus;
constexpr std::int32_t minus = sign_minus;
constexpr std::int32_t times = sign_times;
constexpr std::int32_t over = sign_over;

struct sample {
    answer_syntax syntax;
    std::string text;
    std::int32_t code;
    block expected;
};

std::vector<sample> numbers() {
    answer_syntax const value{.numbers = bare_number::single};
    answer_syntax const number{.numbers = bare_number::digits};
    answer_syntax const rows{.numbers = bare_number::digit_rows};
    block long_number{flat};
    long_number.resize(10'001, 7);
    return {
        {value, "7", code_ok, {flat, 7}},
        {value, "-7", code_ok, {flat, -7}},
        {value, "-0", code_ok, {flat, 0}},
        {value, "**Answer:** 1,632.", code_ok, {flat, 1632}},
        {value, "2147483647", code_ok, {flat, 2147483647}},
        {value, "-2147483648", code_ok, {flat, INT32_MIN}},
        {value, "2147483648", code_overflow, {flat}},
        {value, "2,147,483,648", code_overflow, {flat}},
        {value, std::string(100'000, '9'), code_overflow, {flat}},
        {value, "[7]", code_ok, {flat, 7}},
        {value, "[-7, 1]", code_ok, {flat, -7, 1}},
        {value, "7, 8", code_unparsable, {flat}},
        {value, "--7", code_unparsable, {flat}},
        {value, "- 7", code_unparsable, {flat}},
        {value, "-", code_unparsable, {flat}},
        {value, "+7", code_unparsable, {flat}},
        {value, "07", code_not_integer, {flat}},
        {value, "7.0", code_not_integer, {flat}},
        {value, "seven", code_unparsable, {flat}},
        {number, "408", code_ok, {flat, 4, 0, 8}},
        {number, "0", code_ok, {flat, 0}},
        {number, "408.", code_ok, {flat, 4, 0, 8}},
        {number, "$408$", code_ok, {flat, 4, 0, 8}},
        {number, "Product = 408<|im_end|>", code_ok, {flat, 4, 0, 8}},
        {number, "12,408", code_ok, {flat, 1, 2, 4, 0, 8}},
        {number, "1 632 000", code_ok, {flat, 1, 6, 3, 2, 0, 0, 0}},
        {number, "1{,}632", code_ok, {flat, 1, 6, 3, 2}},
        {number, "1\u00A0632", code_ok, {flat, 1, 6, 3, 2}},
        {number, "1\u2009632", code_ok, {flat, 1, 6, 3, 2}},
        {number, "1\u202F632", code_ok, {flat, 1, 6, 3, 2}},
        {number, std::string(10'000, '7'), code_ok, long_number},
        {number, "[4, 0, 8]", code_ok, {flat, 4, 0, 8}},
        {number, "[408]", code_ok, {flat, 408}},
        {number, "", code_empty, {flat}},
        {number, "0408", code_not_integer, {flat}},
        {number, "0,408", code_not_integer, {flat}},
        {number, "40.8", code_not_integer, {flat}},
        {number, "-408", code_unparsable, {flat}},
        {number, "+408", code_unparsable, {flat}},
        {number, "4 0 8", code_unparsable, {flat}},
        {number, "4,0,8", code_unparsable, {flat}},
        {number, "1,632 000", code_unparsable, {flat}},
        {number, "1632,000", code_unparsable, {flat}},
        {number, "1,6320", code_unparsable, {flat}},
        {number, "1,632,00", code_unparsable, {flat}},
        {number, ",632", code_unparsable, {flat}},
        {number, "4e2", code_unparsable, {flat}},
        {number, "12 x 34 = 408", code_unparsable, {flat}},
        {number, "about 408", code_unparsable, {flat}},
        {rows, "12 R 3", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "12r3", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "12 Remainder: 3.", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "12, rem 3", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "q = 12, r = 3", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "12, 3", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "12;3", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "12\n3", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "1,200 R 34", code_ok, {2, 4, 2, 1, 2, 0, 0, 3, 4}},
        {rows, "1,200, 345", code_ok, {2, 4, 3, 1, 2, 0, 0, 3, 4, 5}},
        {rows, "12,345", code_ok, {1, 5, 1, 2, 3, 4, 5}},
        {rows, "12", code_ok, {1, 2, 1, 2}},
        {rows, "1; 2; 3", code_ok, {3, 1, 1, 1, 1, 2, 3}},
        {rows, "[[1, 2], [3]]", code_ok, {2, 2, 1, 1, 2, 3}},
        {rows, "[12, 3]", code_ok, {flat, 12, 3}},
        {rows, "12 3", code_unparsable, {flat}},
        {rows, "12,3", code_unparsable, {flat}},
        {rows, "12 R", code_unparsable, {flat}},
        {rows, "R 3", code_unparsable, {flat}},
        {rows, "12 R -3", code_unparsable, {flat}},
        {rows, "12 R R 3", code_unparsable, {flat}},
        {rows, "12 rest 3", code_unparsable, {flat}},
        {rows, "12 R 03", code_not_integer, {flat}},
        {rows, "12.5", code_not_integer, {flat}},
    };
}

std::vector<sample> letters_and_expressions() {
    answer_syntax const plan{.alphabet = "URDL"};
    answer_syntax const word{.alphabet = "ACGT"};
    answer_syntax const cells{.alphabet = ".#", .letter_rows = true};
    answer_syntax const bits{.alphabet = "01", .letter_rows = true};
    answer_syntax const ones{.alphabet = "123456789", .first_letter = 1};
    answer_syntax const cased{.alphabet = "aB"};
    answer_syntax const sums{.expressions = true};
    return {
        {plan, "URDL", code_ok, {flat, 0, 1, 2, 3}},
        {plan, "urdl", code_ok, {flat, 0, 1, 2, 3}},
        {plan, "U R D L", code_ok, {flat, 0, 1, 2, 3}},
        {plan, "U, R,D,\nL.", code_ok, {flat, 0, 1, 2, 3}},
        {plan, "UU\n\nDD", code_ok, {flat, 0, 0, 2, 2}},
        {plan, "**Moves:** `URDL`<|im_end|>", code_ok, {flat, 0, 1, 2, 3}},
        {plan, "```text\nURDL\n```", code_ok, {flat, 0, 1, 2, 3}},
        {plan, "```URDL\n```", code_ok, {flat, 0, 1, 2, 3}},
        {plan, "[\"U\", \"R\"]", code_ok, {flat, 0, 1}},
        {plan, "[U, R,]", code_ok, {flat, 0, 1}},
        {plan, "(URD)", code_ok, {flat, 0, 1, 2}},
        {plan, "[0, 1, 2, 3]", code_ok, {flat, 0, 1, 2, 3}},
        {plan, "U,,R", code_unparsable, {flat}},
        {plan, ",U", code_unparsable, {flat}},
        {plan, "URX", code_unparsable, {flat}},
        {plan, "U-R", code_unparsable, {flat}},
        {plan, "up", code_unparsable, {flat}},
        {plan, "[U, 1]", code_not_integer, {flat}},
        {plan, "[U", code_not_integer, {flat}},
        {plan, "[U)", code_not_integer, {flat}},
        {plan, "", code_empty, {flat}},
        {word, "\"ACGT\"", code_ok, {flat, 0, 1, 2, 3}},
        {word, "'ACGT'.", code_ok, {flat, 0, 1, 2, 3}},
        {word, "\"ACGT'", code_unparsable, {flat}},
        {word, "A\"C\"", code_unparsable, {flat}},
        {word, "\"\"", code_unparsable, {flat}},
        {cells, ".#.\n#..", code_ok, {2, 3, 3, 0, 1, 0, 1, 0, 0}},
        {cells, "```\n.#\n..\n```", code_ok, {2, 2, 2, 0, 1, 0, 0}},
        {cells, "[\".#\", \"..\"]", code_ok, {2, 2, 2, 0, 1, 0, 0}},
        {cells, "\".#\",\n\"..\"", code_ok, {2, 2, 2, 0, 1, 0, 0}},
        {cells, ". #", code_ok, {1, 2, 0, 1}},
        {cells, "[[0, 1], [1, 0]]", code_ok, {2, 2, 2, 0, 1, 1, 0}},
        {cells, ".#\n?.", code_unparsable, {flat}},
        {bits, "0110\n1001", code_ok, {2, 4, 4, 0, 1, 1, 0, 1, 0, 0, 1}},
        {bits, "0, 1\n1, 0", code_ok, {2, 2, 2, 0, 1, 1, 0}},
        {bits, "0 1 1", code_ok, {1, 3, 0, 1, 1}},
        {bits, "0110, 1001", code_unparsable, {flat}},
        {bits, "[0110]", code_not_integer, {flat}},
        {bits, "[[0, 1], [1, 0]]", code_ok, {2, 2, 2, 0, 1, 1, 0}},
        {bits, "0120", code_unparsable, {flat}},
        {ones, "371", code_ok, {flat, 3, 7, 1}},
        {ones, "10", code_unparsable, {flat}},
        {cased, "aB", code_ok, {flat, 0, 1}},
        {cased, "ab", code_unparsable, {flat}},
        {sums, "7", code_ok, {flat, 7}},
        {sums, "3 + 4 * 5", code_ok, {flat, 3, 4, 5, times, plus}},
        {sums, "3*4+5", code_ok, {flat, 3, 4, times, 5, plus}},
        {sums, "9 - 4 - 3", code_ok, {flat, 9, 4, minus, 3, minus}},
        {sums, "8 / 4 * 2", code_ok, {flat, 8, 4, over, 2, times}},
        {sums, "(25 - 5) x 4 = 80", code_ok, {flat, 25, 5, minus, 4, times}},
        {sums, "((25 − 5) × 4) ÷ 8 = 10.", code_ok, {flat, 25, 5, minus, 4, times, 8, over}},
        {sums, "((25 − 5) × 4) ÷ 8 = 999.", code_unparsable, {flat}},
        {sums, "7 / 2 = 3", code_unparsable, {flat}},
        {sums, "7 = 9999999999999999999", code_unparsable, {flat}},
        {sums, "1 / (2 - 2) = 1", code_unparsable, {flat}},
        {sums, "3 - 5 = - 2", code_ok, {flat, 3, 5, minus}},
        {sums,
         "$\\left(25-5\\right) \\times \\frac{8}{3 - 1}$",
         code_ok,
         {flat, 25, 5, minus, 8, 3, 1, minus, over, times}},
        {sums, "Expression: [(1 + 2) \\cdot {3}] \\div 9", code_ok, {flat, 1, 2, plus, 3, times, 9, over}},
        {sums, "[3, 4, -1]", code_ok, {flat, 3, 4, plus}},
        {sums, "(3)", code_ok, {flat, 3}},
        {sums, "3 +", code_unparsable, {flat}},
        {sums, "3 4", code_unparsable, {flat}},
        {sums, "3(4)", code_unparsable, {flat}},
        {sums, "-3", code_unparsable, {flat}},
        {sums, "(3 + 4", code_unparsable, {flat}},
        {sums, "3 + 4)", code_unparsable, {flat}},
        {sums, "(3 + 4]", code_unparsable, {flat}},
        {sums, "2 ** 3", code_unparsable, {flat}},
        {sums, "7 // 2", code_unparsable, {flat}},
        {sums, "3 + 4 = 7 = 7", code_unparsable, {flat}},
        {sums, "3 + 4 = seven", code_unparsable, {flat}},
        {sums, "(3 = 3)", code_unparsable, {flat}},
        {sums, "\\frac34", code_unparsable, {flat}},
        {sums, "\\frac{3}", code_unparsable, {flat}},
        {sums, "3.5 + 1", code_not_integer, {flat}},
        {sums, "03 + 1", code_not_integer, {flat}},
        {sums, "2147483648", code_overflow, {flat}},
        {sums, std::string(100'000, '9'), code_overflow, {flat}},
        {sums, std::string(64, '(') + "1" + std::string(64, ')'), code_ok, {flat, 1}},
        {sums, std::string(65, '(') + "1" + std::string(65, ')'), code_bad_depth, {flat}},
    };
}

std::vector<sample> samples() {
    std::vector<sample> all = letters_and_expressions();
    for (sample const& each : numbers()) {
        all.push_back(each);
    }
    return all;
}

void expect_twins_to_agree(std::string const& text, answer_syntax const& syntax, spelling_rule spelling) {
    block words;
    parsed_text const fast = parse_answer(text, syntax, words, spelling);
    std::span<std::string const> const ends = end_of_turn_strings();
    text_reference::result const slow =
        text_reference::answer(text, reference_words_of(syntax), spelling, {ends.begin(), ends.end()}, syntax);
    EXPECT_EQ(text_reference::reading_of(fast, words), text_reference::reading_of(slow.parsed, slow.block)) << text;
}

TEST(words, read_as_the_table_says) {
    for (sample const& each : samples()) {
        block words;
        EXPECT_EQ(parse_answer(each.text, each.syntax, words).answer_code, each.code) << each.text.substr(0, 200);
        EXPECT_EQ(words, each.expected) << each.text.substr(0, 200);
    }
}

TEST(words, agree_with_their_twin_on_the_table_and_all_its_prefixes) {
    for (sample const& each : samples()) {
        for (std::size_t size = 0; size <= std::min<std::size_t>(each.text.size(), 140); ++size) {
            expect_twins_to_agree(each.text.substr(0, size), each.syntax, spelling_rule::strict);
            expect_twins_to_agree(each.text.substr(0, size), each.syntax, spelling_rule::free);
        }
    }
}

TEST(words, agree_with_their_twin_on_texts_made_by_chance) {
    std::vector<std::string> const own{"U",
                                       "R",
                                       "UR",
                                       "a",
                                       "B",
                                       "#",
                                       ".#",
                                       "..\n",
                                       "01",
                                       "0110\n",
                                       "7",
                                       "\"",
                                       "'",
                                       "+",
                                       "*",
                                       "x",
                                       "/",
                                       "\\times ",
                                       "\\frac{",
                                       "}{",
                                       "÷",
                                       "−",
                                       "= 24",
                                       "(",
                                       "[",
                                       ",",
                                       " ",
                                       "632",
                                       ",0",
                                       " R ",
                                       "rem",
                                       ", ",
                                       "{,}",
                                       "\u202F",
                                       "0",
                                       "-",
                                       ".",
                                       "27 = ",
                                       "= 14",
                                       "(9)",
                                       "+7",
                                       "7.0",
                                       "2 × 7",
                                       "\\mathbf{",
                                       "}",
                                       "the result is ",
                                       "The sum are: "};
    std::mt19937_64 random(11);
    for (int trial = 0; trial < testing::repeats(60'000); ++trial) {
        std::string text;
        for (std::uint64_t parts = 1 + random() % 9; parts > 0; --parts) {
            auto const& from = random() % 5 == 0 ? fragments() : own;
            text += from[random() % from.size()];
        }
        answer_syntax const& syntax = word_syntaxes()[random() % word_syntaxes().size()];
        expect_twins_to_agree(text, syntax, random() % 2 == 0 ? spelling_rule::strict : spelling_rule::free);
    }
}

TEST(words, a_list_reads_as_it_does_without_letters) {
    for (answer_syntax const& syntax : word_syntaxes()) {
        for (std::string const text : {"[0, 1, 1]", "(0, 1)\n(1, 0)", "[[0, 1], [1]]", "[]", "[10, 11]", "[[]]"}) {
            block with;
            block without;
            parse_answer(text, syntax, with);
            parse_answer(text, nullptr, without);
            EXPECT_EQ(with, without) << text;
        }
    }
}

TEST(words, a_megabyte_that_breaks_at_its_end_leaves_nothing) {
    answer_syntax const syntax{.alphabet = "UD"};
    block words{7};
    EXPECT_EQ(parse_answer(std::string(1'000'000, 'U') + "?", syntax, words).answer_code, code_unparsable);
    EXPECT_EQ(words, (block{7, flat}));
    answer_syntax const sums{.expressions = true};
    words = block();
    EXPECT_EQ(parse_answer(std::string(1'000'000, '('), sums, words).answer_code, code_bad_depth);
    std::string sum = "1";
    for (int i = 0; i < 500'000; ++i) {
        sum += "+1";
    }
    EXPECT_EQ(parse_answer(sum, sums, words).answer_code, code_overflow);
    EXPECT_LT(words.capacity(), 20'000u);
    words = {7};
    answer_syntax const number{.numbers = bare_number::digits};
    EXPECT_EQ(parse_answer(std::string(1'000'000, '7') + "?", number, words).answer_code, code_unparsable);
    EXPECT_EQ(words, (block{7, flat}));
}

TEST(words, a_million_digits_are_a_number) {
    std::string number = "7";
    for (int i = 0; i < 333'333; ++i) {
        number += ",777";
    }
    block words;
    EXPECT_EQ(parse_answer(number, {.numbers = bare_number::digits}, words).answer_code, code_ok);
    EXPECT_EQ(words.size(), 1'000'001u);
}

}  // namespace
}  // namespace optgap
