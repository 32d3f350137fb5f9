// Prompts of hard clauses, which no generator draws.

#include "kernels/text/task_text.hpp"
#include "tests/support/wide_proofs.hpp"

extern optgap::task_text const optgap_text_max_sat;

namespace optgap {
namespace {

std::string max_sat_prompt(testing::wide_block const& words, std::int32_t style) {
    return optgap_text_max_sat.prompt(testing::wide_view(words), style, {});
}

TEST(max_sat, every_prompt_says_which_clauses_are_hard) {
    testing::wide_block const plain{2, 2, 2, 1, -2, 2, 0, 1, 7};
    testing::wide_block hard = plain;
    hard.insert(hard.end(), {1, 0});
    for (std::int32_t style = 0; style < optgap_text_max_sat.styles; ++style) {
        std::string const text = max_sat_prompt(hard, style);
        EXPECT_NE(text.find("hard"), std::string::npos) << text;
        EXPECT_NE(text.find("must"), std::string::npos) << text;
        EXPECT_EQ(text.find("none hard"), std::string::npos) << text;
        EXPECT_EQ(max_sat_prompt(plain, style).find("must"), std::string::npos);
    }
    EXPECT_NE(max_sat_prompt(plain, 3).find("2 soft clauses, none hard."), std::string::npos);
    EXPECT_NE(max_sat_prompt(hard, 0).find("hard (x1 | ~x2)\n7 (x2)\n"), std::string::npos);
}

}  // namespace
}  // namespace optgap
