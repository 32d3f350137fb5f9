#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "optgap/format.hpp"
#include "tests/text/reference_scanner.hpp"

namespace optgap {
namespace {

using block = std::vector<std::int32_t>;

char const* const task_words[] = {"impossible", "no tour", nullptr};
std::vector<std::string> const reference_words{"impossible", "no tour"};

constexpr std::int32_t list_mark = -1;
constexpr std::int32_t word_mark = -2;

struct accepted {
    std::string text;
    block expected;
};

struct rejected {
    std::string text;
    std::int32_t code;
    std::int32_t where = -1;
};

std::vector<accepted> accepted_answers() {
    return {
        {"[0, 3, 1, 2]", {list_mark, 0, 3, 1, 2}},
        {"[0,3,1,2]", {list_mark, 0, 3, 1, 2}},
        {" \t\r\n[ 0 ,3\n,\t1 , 2 ]\r\n", {list_mark, 0, 3, 1, 2}},
        {"(0, 3)", {list_mark, 0, 3}},
        {"[5]", {list_mark, 5}},
        {"(5)", {list_mark, 5}},
        {"(5,)", {list_mark, 5}},
        {"[1, 2,]", {list_mark, 1, 2}},
        {"[1, 2, ]", {list_mark, 1, 2}},
        {"[]", {list_mark}},
        {"( )", {list_mark}},
        {"[0]", {list_mark, 0}},
        {"[-0]", {list_mark, 0}},
        {"[-7, 10]", {list_mark, -7, 10}},
        {"[2147483647, -2147483648]", {list_mark, 2147483647, -2147483647 - 1}},
        {"[[0, 1], [2, 3, 4]]", {2, 2, 3, 0, 1, 2, 3, 4}},
        {"[(0, 1), (2, 3)]", {2, 2, 2, 0, 1, 2, 3}},
        {"([1],[2],)", {2, 1, 1, 1, 2}},
        {"[[]]", {1, 0}},
        {"[[], [1], []]", {3, 0, 1, 0, 1}},
        {"(0, 1)\n(2, 3)\n", {2, 2, 2, 0, 1, 2, 3}},
        {"[0, 1]\r\n\r\n[2]", {2, 2, 1, 0, 1, 2}},
        {"(0,1),(2,3)", {2, 2, 2, 0, 1, 2, 3}},
        {"(0, 1),\n(2, 3),", {2, 2, 2, 0, 1, 2, 3}},
        {"[[3]]", {1, 1, 3}},
        {"impossible", {word_mark, 0}},
        {"Impossible.", {word_mark, 0}},
        {"**IMPOSSIBLE**", {word_mark, 0}},
        {"No Tour", {word_mark, 1}},
        {"[1, 2].", {list_mark, 1, 2}},
        {"**[1, 2]**", {list_mark, 1, 2}},
        {"__[1, 2]__", {list_mark, 1, 2}},
        {"`[1, 2]`", {list_mark, 1, 2}},
        {"$[1, 2]$", {list_mark, 1, 2}},
        {"$$\n[1, 2]\n$$", {list_mark, 1, 2}},
        {"\\([1, 2]\\)", {list_mark, 1, 2}},
        {"\\((1, 2)\\).", {list_mark, 1, 2}},
        {"```\n[1, 2]\n```", {list_mark, 1, 2}},
        {"```json\n[1, 2]\n```", {list_mark, 1, 2}},
        {"```python \r\nTour = [1, 2]\r\n```", {list_mark, 1, 2}},
        {"```[1, 2]```", {list_mark, 1, 2}},
        {"```\nImpossible\n```", {word_mark, 0}},
        {"```Impossible\n```", {word_mark, 0}},
        {"** [1, 2]", {list_mark, 1, 2}},
        {"Tour: [1, 2]", {list_mark, 1, 2}},
        {"Final answer: [1, 2]", {list_mark, 1, 2}},
        {"**Tour**: [1, 2]", {list_mark, 1, 2}},
        {"**Tour:** `[1, 2]`.", {list_mark, 1, 2}},
        {"$x_1 = [1, 2]$", {list_mark, 1, 2}},
        {"Answer: Impossible", {word_mark, 0}},
        {"[1, 2]<|im_end|>", {list_mark, 1, 2}},
        {"[1, 2].</s>\n<|endoftext|> <|eot_id|>", {list_mark, 1, 2}},
    };
}

std::vector<rejected> rejected_answers() {
    return {
        {"", code_empty},
        {" \n", code_empty},
        {"****", code_empty},
        {"```\n```", code_empty},
        {"Tour:", code_empty},
        {".", code_empty},
        {"[[[1]]]", code_bad_depth, 0},
        {"[[1], [[2]]]", code_bad_depth, 1},
        {"[1, [2]]", code_bad_depth, 1},
        {"[[1, 2], 3]", code_bad_depth, 2},
        {"[[1]]\n[2]", code_bad_depth, 1},
        {"(1)\n((2))", code_bad_depth, 1},
        {"[0.0]", code_not_integer, 1},
        {"[1, 2.5]", code_not_integer, 2},
        {"[1e3]", code_not_integer, 1},
        {"[00]", code_not_integer, 0},
        {"[1, 01]", code_not_integer, 1},
        {"[-01]", code_not_integer, 0},
        {"[+1]", code_not_integer, 0},
        {"[--1]", code_not_integer, 0},
        {"[-]", code_not_integer, 0},
        {"['0']", code_not_integer, 0},
        {"[\"0\"]", code_not_integer, 0},
        {"[true]", code_not_integer, 0},
        {"[1, None]", code_not_integer, 1},
        {"[NaN]", code_not_integer, 0},
        {"[\xD9\xA1]", code_not_integer, 0},
        {"[\xEF\xBC\x91]", code_not_integer, 0},
        {"[\xE2\x88\x92"
         "1]",
         code_not_integer, 0},
        {"[1+1]", code_not_integer, 1},
        {"[1 2]", code_not_integer, 1},
        {"[1; 2]", code_not_integer, 1},
        {"[i for i in range(5)]", code_not_integer, 0},
        {"[1, ...]", code_not_integer, 1},
        {"[1_000]", code_not_integer, 1},
        {"[0x1F]", code_not_integer, 1},
        {"[[1], x]", code_not_integer, 1},
        {std::string("[1\0]", 4), code_not_integer, 1},
        {"[2147483648]", code_overflow, 0},
        {"[1, -2147483649]", code_overflow, 1},
        {"[99999999999999999999]", code_overflow, 0},
        {"[" + std::string(1'000'000, '9') + "]", code_overflow, 0},
        {"[" + std::string(1'000'000, '0') + "]", code_not_integer, 0},
        {"[1, 2", code_unparsable, 2},
        {"[1, 2,", code_unparsable, 2},
        {"[1, -", code_unparsable, 1},
        {"[[1, 2], [3", code_unparsable, 3},
        {"[[1, 2]", code_unparsable, 2},
        {"[", code_unparsable, 0},
        {"[1, 2)", code_unparsable, 2},
        {"[(1]]", code_unparsable, 1},
        {"[,]", code_unparsable, 0},
        {"[1,,2]", code_unparsable, 1},
        {"[[1][2]]", code_unparsable, 1},
        {"[1] [2]", code_unparsable},
        {"[1, 2],", code_unparsable},
        {"[1, 2]]", code_unparsable},
        {"[1, 2] because", code_unparsable},
        {"[1, 2]..", code_unparsable},
        {"The tour is [1, 2]", code_unparsable},
        {"Answer: Tour: [1]", code_unparsable},
        {"x == [1]", code_unparsable},
        {"1, 2, 3", code_unparsable},
        {"7", code_unparsable},
        {"{1, 2}", code_unparsable},
        {"range(5)", code_unparsable},
        {"None", code_unparsable},
        {"Impossibl", code_unparsable},
        {"\"Impossible\"", code_unparsable},
        {"\xC2\xA0[1]", code_unparsable},
        {std::string(65, 'a') + ": [1]", code_unparsable},
        {"\xFF\xFE", code_unparsable},
    };
}

std::string shown(std::string const& text) { return text.size() < 200 ? text : text.substr(0, 200) + "…"; }

TEST(grammar, accepts_what_honest_models_write) {
    for (accepted const& each : accepted_answers()) {
        block words;
        parsed_text const parsed = parse_answer(each.text, task_words, words);
        EXPECT_EQ(parsed.answer_code, code_ok) << shown(each.text);
        EXPECT_EQ(parsed.where, -1) << shown(each.text);
        EXPECT_EQ(words, each.expected) << shown(each.text);
    }
}

TEST(grammar, rejects_with_the_code_and_place_of_the_first_broken_rule) {
    for (rejected const& each : rejected_answers()) {
        block words;
        parsed_text const parsed = parse_answer(each.text, task_words, words);
        EXPECT_EQ(parsed.answer_code, each.code) << shown(each.text);
        EXPECT_EQ(parsed.where, each.where) << shown(each.text);
        EXPECT_EQ(words, block{list_mark}) << shown(each.text);
    }
}

TEST(grammar, agrees_with_its_twin_on_both_tables_and_all_their_prefixes) {
    std::vector<std::string> texts;
    for (accepted const& each : accepted_answers()) {
        texts.push_back(each.text);
    }
    for (rejected const& each : rejected_answers()) {
        texts.push_back(each.text);
    }
    for (std::string const& text : texts) {
        for (std::size_t size = 0; size <= std::min<std::size_t>(text.size(), 80); ++size) {
            std::string const prefix = text.substr(0, size);
            block words;
            parsed_text const parsed = parse_answer(prefix, task_words, words);
            text_reference::result const slow = text_reference::answer(prefix, reference_words);
            EXPECT_EQ(text_reference::reading_of(parsed, words), text_reference::reading_of(slow.parsed, slow.block))
                << prefix;
        }
    }
}

TEST(grammar, the_span_is_the_text_without_white_space_at_its_ends) {
    block words;
    EXPECT_EQ(parse_answer(" \n**[1]**. ", task_words, words).answer, (text_span{2, 10}));
    EXPECT_EQ(parse_answer("", task_words, words).answer, (text_span{0, 0}));
}

TEST(grammar, appends_behind_the_blocks_already_there) {
    block words{7, 8};
    parse_answer("[1]", task_words, words);
    parse_answer("[1.0]", task_words, words);
    parse_answer("[[1],[2]]", task_words, words);
    EXPECT_EQ(words, (block{7, 8, list_mark, 1, list_mark, 2, 1, 1, 1, 2}));
}

TEST(grammar, a_task_without_words_accepts_none) {
    block words;
    EXPECT_EQ(parse_answer("Impossible", nullptr, words).answer_code, code_unparsable);
}

TEST(grammar, reads_a_hundred_thousand_values_and_rows) {
    std::string list = "[";
    std::string rows;
    for (int i = 0; i < 100'000; ++i) {
        list += std::to_string(i) + ",";
        rows += "(" + std::to_string(i) + ",-1)\n";
    }
    block words;
    EXPECT_EQ(parse_answer(list + "]", nullptr, words).answer_code, code_ok);
    ASSERT_EQ(words.size(), 100'001u);
    EXPECT_EQ(words[100'000], 99'999);
    words.clear();
    EXPECT_EQ(parse_answer(rows, nullptr, words).answer_code, code_ok);
    ASSERT_EQ(words.size(), 300'001u);
    EXPECT_EQ(words[0], 100'000);
    EXPECT_EQ(words[100'000], 2);
    EXPECT_EQ(words[299'999], 99'999);
    EXPECT_EQ(words[300'000], -1);
}

TEST(grammar, memory_does_not_grow_with_nesting) {
    block words;
    EXPECT_EQ(parse_answer(std::string(4'000'000, '['), nullptr, words).answer_code, code_bad_depth);
    EXPECT_LT(words.capacity(), 10'000u);
}

}  // namespace
}  // namespace optgap
