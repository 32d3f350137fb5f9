#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "kernels/tasks/set_cover/set_cover_fixture.hpp"
#include "kernels/tasks/set_cover/set_cover_reference.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_set_cover;

namespace {

using namespace optgap;
using namespace optgap::set_cover_fixture;

block read(char const* text) { return optgap::testing::read_instance(optgap_text_set_cover, text); }

std::string refusal(char const* text) {
    try {
        read(text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.field();
    }
}

TEST(set_cover, json_errors_name_the_field) {
    EXPECT_EQ(refusal(R"([1])"), "instance");
    EXPECT_EQ(refusal(R"({"sets":[[0]]})"), "universe");
    EXPECT_EQ(refusal(R"({"universe":3})"), "sets");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[0]],"costs":[1]})"), "accepted");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[0]],"costs":[1,1]})"), "costs");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[0]],"costs":[0]})"), "costs[0]");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[0]],"prices":[1]})"), "prices");
    EXPECT_EQ(refusal(R"({"universe":0,"sets":[[]]})"), "universe");
    EXPECT_EQ(refusal(R"({"universe":3.0,"sets":[[0]]})"), "universe");
    EXPECT_EQ(refusal(R"({"universe":18446744073709551615,"sets":[[0]]})"), "universe");
    EXPECT_EQ(refusal(R"({"universe":1000001,"sets":[[0]]})"), "universe");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[]})"), "sets");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":{}})"), "sets");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[0],1]})"), "sets[1]");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[0],[1,3]]})"), "sets[1][1]");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[-1]]})"), "sets[0][0]");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[["0"]]})"), "sets[0][0]");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[true]]})"), "sets[0][0]");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[-9223372036854775809]]})"), "sets[0][0]");
    EXPECT_EQ(refusal(R"({"universe":3,"sets":[[],[0],[0]]})"), "accepted");
}

TEST(set_cover, json_comes_back_word_for_word) {
    for (std::int32_t code : {-4, -1, 0, 25}) {
        block const instance = generate(6, {code});
        EXPECT_EQ(optgap::testing::read_instance(
                      optgap_text_set_cover, optgap::testing::write_instance(optgap_text_set_cover, view(instance))),
                  instance);
    }
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_set_cover, view(paper)),
              R"({"universe":6,"sets":[[0,1,2],[2,3],[0,4],[3,4,5],[1,2,5]]})");
    EXPECT_EQ(read(R"({"universe":6,"sets":[[0,1,2],[2,3],[0,4],[3,4,5],[1,2,5]]})"), paper);
    EXPECT_EQ(read(R"({"universe":40,"sets":[[39,2,39],[]]})"), (block{40, 2, 4, 128, 0, 0}));
}

/// The "crew j: …" lines of the worked example of style 1, as an instance, and the list after them.
TEST(set_cover, worked_examples_are_right) {
    block const instance = generate(1, difficulty::easy());
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        std::string const text = optgap_text_set_cover.prompt(view(instance), 1, draw{seed, 1});
        std::istringstream lines(text.substr(text.find("sites 0 to ") + 11));
        std::string line;
        std::getline(lines, line);
        block example{line[0] - '0' + 1, 0};
        while (std::getline(lines, line) && line.starts_with("crew")) {
            std::int32_t row = 0;
            for (char const c : line.substr(line.find(':') + 1)) {
                row |= c == ' ' ? 0 : 1 << (c - '0');
            }
            example.push_back(row);
            ++example[1];
        }
        std::vector<std::int32_t> answer;
        for (char const c : line.substr(line.find('['))) {
            if (c >= '0' && c <= '9') {
                answer.push_back(c - '0');
            }
        }
        ASSERT_EQ(task::check(view(example)), nullptr) << text;
        ASSERT_EQ(verify(example, flat(answer)).code, code_ok) << text;
        ASSERT_EQ(verify(example, flat(answer)).objective, reference::set_cover::optimum(example)) << text;
    }
}

TEST(set_cover, prompts_of_all_styles_hold_the_sets) {
    std::vector<std::string> texts;
    for (std::int32_t style = 0; style < optgap_text_set_cover.styles; ++style) {
        texts.push_back(optgap_text_set_cover.prompt(view(paper), style, draw{1, 2}));
        EXPECT_NE(texts.back().find("Impossible"), std::string::npos);
    }
    EXPECT_NE(texts[0].find("S0 = {0, 1, 2}\nS1 = {2, 3}\nS2 = {0, 4}\n"), std::string::npos);
    EXPECT_NE(texts[1].find("crew 2: 0 4\ncrew 3: 3 4 5\ncrew 4: 1 2 5\n"), std::string::npos);
    EXPECT_NE(texts[2].find("element 0: 0, 2\nelement 1: 0, 4\nelement 2: 0, 1, 4\n"), std::string::npos);
    EXPECT_NE(texts[3].find("111000\n001100\n100010\n000111\n011001\n"), std::string::npos);
    EXPECT_NE(texts[4].find("\"sets\": [[0,1,2],[2,3],[0,4],[3,4,5],[1,2,5]]}"), std::string::npos);
    EXPECT_NE(optgap_text_set_cover.prompt(view(impossible), 2, {}).find("element 2: \n"), std::string::npos);
}

TEST(set_cover, prompts_of_sets_with_costs_say_them) {
    block const costly = read(R"({"universe":3,"sets":[[0,1],[1,2],[2]],"costs":[4,7,1]})");
    std::string const lines = "S0 = {0, 1}, cost 4\nS1 = {1, 2}, cost 7\nS2 = {2}, cost 1\n";
    for (std::int32_t style = 0; style + 1 < optgap_text_set_cover.styles; ++style) {
        EXPECT_NE(optgap_text_set_cover.prompt(view(costly), style, {}).find(lines), std::string::npos);
    }
    EXPECT_NE(optgap_text_set_cover.prompt(view(costly), optgap_text_set_cover.styles - 1, {})
                  .find("\"sets\": [[0,1],[1,2],[2]], \"costs\": [4,7,1]}"),
              std::string::npos);
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_set_cover, view(costly)),
              R"({"universe":3,"sets":[[0,1],[1,2],[2]],"costs":[4,7,1]})");
    EXPECT_EQ(optgap_text_set_cover.explain(view(costly), view(flat({0, 2})), verify(costly, flat({0, 2}))),
              "The 2 sets hold all 3 elements and cost 5.");
}

TEST(set_cover, the_sentence_names_the_culprits) {
    auto const sentence = [](std::vector<std::int32_t> const& values) {
        block const answer = flat(values);
        return optgap_text_set_cover.explain(view(paper), view(answer), verify(paper, answer));
    };
    EXPECT_EQ(sentence({1, 2}), "2 of 6 elements are in none of the chosen sets, the first of them is element 1.");
    EXPECT_EQ(sentence({0, 3, 0}), "Set 0 (position 2) already stands at position 0.");
    EXPECT_EQ(sentence({9}), "9 (position 0) is no set: the sets are 0 to 4.");
    EXPECT_EQ(sentence({}), "The answer chooses no set, and so covers none of the elements.");
    EXPECT_EQ(sentence({0, 3}), "The 2 sets hold all 6 elements.");
}

}  // namespace
