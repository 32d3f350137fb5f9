// Prompts, JSON and sentences of subset_sum.

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/tasks/subset_sum/subset_sum_fixture.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_subset_sum;

namespace optgap {
namespace {

using namespace subset_sum_fixture;

std::string prompt(std::int32_t style, std::uint64_t seed = 1) {
    return optgap_text_subset_sum.prompt(view(paper()), style, {seed, 7});
}

std::vector<std::int32_t> numbers_in(std::string const& text) {
    std::vector<std::int32_t> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] >= '0' && text[i] <= '9') {
            std::size_t length = 0;
            found.push_back(std::stoi(text.substr(i), &length));
            i += length - 1;
        }
    }
    return found;
}

TEST(subset_sum_text, prompts_of_all_styles_hold_the_instance) {
    EXPECT_NE(prompt(0).find("numbers: [2, 3, 7, 8, 5]\ntarget: 10\n"), std::string::npos);
    EXPECT_NE(prompt(1).find("exactly 10?"), std::string::npos);
    EXPECT_NE(prompt(1).find("item 0: 2\nitem 1: 3\nitem 2: 7\nitem 3: 8\nitem 4: 5\n"), std::string::npos);
    EXPECT_NE(prompt(2).find("Now solve: values = [2, 3, 7, 8, 5], target = 10\n"), std::string::npos);
    EXPECT_NE(prompt(3).find("amount 10, coins\n0=2 1=3 2=7 3=8 4=5\n"), std::string::npos);
    EXPECT_NE(prompt(4).find(R"({"goal": 10, "bookings": {"0": 2, "1": 3, "2": 7, "3": 8, "4": 5}})"),
              std::string::npos);
}

TEST(subset_sum_text, worked_examples_are_right_and_fresh) {
    std::set<std::string> seen;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        std::string const text = prompt(2, seed);
        std::size_t const begin = text.find("Example: ");
        std::string const example = text.substr(begin, text.find("Now solve") - begin);
        std::vector<std::int32_t> const numbers = numbers_in(example);
        ASSERT_GE(numbers.size(), 8u);
        block instance{5, numbers[5]};
        instance.insert(instance.end(), numbers.begin(), numbers.begin() + 5);
        block answer(numbers.begin() + 5, numbers.end());
        answer[0] = answer_flat;
        verdict const found = reference::subset_sum::verify(instance, answer);
        ASSERT_EQ(found.code, code_ok) << example;
        ASSERT_EQ(found.objective, reference::subset_sum::optimum(instance)) << example;
        seen.insert(example);
    }
    EXPECT_GT(seen.size(), 250u);
}

TEST(subset_sum_text, the_coins_worked_examples_are_right) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const text = prompt(3, seed);
        std::size_t const begin = text.find("A small case");
        std::vector<std::int32_t> const numbers = numbers_in(text.substr(begin, text.find("The case to") - begin));
        block instance{5, numbers[10], numbers[1], numbers[3], numbers[5], numbers[7], numbers[9]};
        block answer(numbers.begin() + 10, numbers.end());
        answer[0] = answer_flat;
        verdict const found = reference::subset_sum::verify(instance, answer);
        ASSERT_EQ(found.code, code_ok) << text;
        ASSERT_EQ(found.objective, reference::subset_sum::optimum(instance)) << text;
    }
}

TEST(subset_sum_text, json_comes_back_word_for_word) {
    for (block const& instance : {paper(), block{1, 0, 0}, block{2, INT32_MAX, INT32_MAX, 1}}) {
        EXPECT_EQ(optgap::testing::read_instance(
                      optgap_text_subset_sum, optgap::testing::write_instance(optgap_text_subset_sum, view(instance))),
                  instance);
    }
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_subset_sum, view(paper())),
              R"({"target":10,"values":[2,3,7,8,5]})");
}

TEST(subset_sum_text, json_errors_name_the_field) {
    auto const refusal = [](char const* text) -> std::string {
        try {
            optgap::testing::read_instance(optgap_text_subset_sum, text);
            return "accepted";
        } catch (field_error const& problem) {
            return problem.field();
        }
    };
    EXPECT_EQ(refusal(R"([1])"), "instance");
    EXPECT_EQ(refusal(R"({"values":[1]})"), "target");
    EXPECT_EQ(refusal(R"({"target":1})"), "values");
    EXPECT_EQ(refusal(R"({"target":1,"values":[1],"n":1})"), "n");
    EXPECT_EQ(refusal(R"({"target":-1,"values":[1]})"), "target");
    EXPECT_EQ(refusal(R"({"target":1.0,"values":[1]})"), "target");
    EXPECT_EQ(refusal(R"({"target":2147483648,"values":[1]})"), "target");
    EXPECT_EQ(refusal(R"({"target":1,"values":[]})"), "values");
    EXPECT_EQ(refusal(R"({"target":1,"values":{}})"), "values");
    EXPECT_EQ(refusal(R"({"target":1,"values":[1,-1]})"), "values[1]");
    EXPECT_EQ(refusal(R"({"target":1,"values":[true]})"), "values[0]");
    EXPECT_EQ(refusal(R"({"target":1,"values":["1"]})"), "values[0]");
    EXPECT_EQ(refusal(R"({"target":1,"values":[18446744073709551615]})"), "values[0]");
    EXPECT_EQ(refusal(R"({"target":0,"values":[0]})"), "accepted");
}

TEST(subset_sum_text, the_sentence_names_the_culprit) {
    auto const sentence = [](block answer) {
        answer.insert(answer.begin(), answer_flat);
        return optgap_text_subset_sum.explain(view(paper()), view(answer),
                                              reference::subset_sum::verify(paper(), answer));
    };
    EXPECT_EQ(sentence({0, 1, 4}), "The 3 values sum to 10.");
    EXPECT_EQ(sentence({0, 1}), "The values sum to 5, which is 5 below the target of 10.");
    EXPECT_EQ(sentence({2, 3}),
              "The values sum to 15, which is 5 above the target of 10; with index 3 (position 1) the sum first passes "
              "it.");
    EXPECT_EQ(sentence({2, 2}), "Index 2 (position 1) is chosen again; each value exists once.");
    EXPECT_EQ(sentence({5}), "5 (position 0) is no index: the indices are 0 to 4.");
    EXPECT_EQ(sentence({}), "The list is empty and sums to 0, but the target is 10.");
}

}  // namespace
}  // namespace optgap
