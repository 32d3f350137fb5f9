// The reader of judgements against its slow reference.

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

#include "optgap/roles/judge.hpp"
#include "tests/support/judge_twin.hpp"
#include "tests/support/sample.hpp"

namespace optgap {
namespace {

constexpr std::string_view pieces[] = {"<score>",
                                       "</score>",
                                       "<SCORE>",
                                       "</Score>",
                                       "<score",
                                       "</score",
                                       "<",
                                       "</",
                                       "/",
                                       "<s",
                                       "7",
                                       "10",
                                       "8/10",
                                       "3/0",
                                       "2.5",
                                       "-4",
                                       "07",
                                       "x",
                                       " ",
                                       "\n",
                                       "é",
                                       "11",
                                       "1",
                                       ".",
                                       "_",
                                       "0",
                                       "a 9",
                                       "prose",
                                       "<score>7</score>",
                                       "<score> 10\n</score>",
                                       "<Score>2.5 of 3</SCORE>"};

std::string made_text(std::mt19937& bits) {
    std::string out(bits() % 3 == 0 ? bits() % 140 : 0, '.');  // tags at every place of a block, and between two
    for (std::size_t left = bits() % (bits() % 2 == 0 ? 3 : 12); left > 0; --left) {
        out += pieces[bits() % std::size(pieces)];
    }
    return out + std::string(bits() % 3 == 0 ? bits() % 80 : 0, '<');
}

void expect_equal(std::string const& text, score_parser by) {
    judgement const fast = read_judgement(text, by), slow = twin::read_judgement(text, by);
    ASSERT_EQ(fast.code, slow.code) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(fast.value), std::bit_cast<std::uint64_t>(slow.value)) << text;
    ASSERT_EQ(fast.form, slow.form) << text;
    ASSERT_EQ(fast.span.begin, slow.span.begin) << text;
    ASSERT_EQ(fast.span.end, slow.span.end) << text;
}

TEST(judge_reading, reads_what_its_twin_reads) {
    std::mt19937 bits(7);
    int read[2] = {0, 0};
    for (int k = testing::repeats(20'000); k > 0; --k) {
        std::string const text = made_text(bits);
        for (score_parser const by : {score_parser::strict, score_parser::mae_repo}) {
            expect_equal(text, by);
            read[int(by)] += read_judgement(text, by).code == code_ok ? 1 : 0;
        }
    }
    EXPECT_GT(read[0], 100) << "too few texts have a score for the comparison to mean anything";
    EXPECT_GT(read[1], 100);
}

TEST(judge_reading, a_tag_is_found_on_every_place_of_a_long_text) {
    for (std::size_t before = 0; before < 200; ++before) {
        for (std::size_t const behind : {0, 1, 63, 64, 65}) {
            std::string const text =
                std::string(before, 'a') + "<score>8</score>" + std::string(behind, behind % 2 == 0 ? '<' : 's');
            judgement const said = read_judgement(text, score_parser::strict);
            ASSERT_EQ(said.code, code_ok) << before << " " << behind;
            ASSERT_EQ(said.span.begin, std::int64_t(before + 7));
            ASSERT_EQ(said.span.end, std::int64_t(before + 8));
        }
    }
}

}  // namespace
}  // namespace optgap
