// Prompts, JSON and sentences of the knapsack task.

#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/tasks/knapsack/knapsack_fixture.hpp"
#include "kernels/tasks/knapsack/knapsack_reference.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_knapsack;

namespace optgap {
namespace {

using namespace knapsack_fixture;

block drawn_instance(std::uint64_t seed) {
    block words = {20, uniform({seed, 1}, 0, 0, 0, 5000)};
    for (std::uint32_t i = 0; i < 40; ++i) {
        words.push_back(uniform({seed, 1}, 1, i, 0, 999));
    }
    return words;
}

TEST(knapsack_text, tells_each_instance_in_five_ways) {
    block const instance = drawn_instance(3);
    std::vector<std::string> seen;
    for (std::int32_t style = 0; style < optgap_text_knapsack.styles; ++style) {
        std::string const text = optgap_text_knapsack.prompt(view(instance), style, {3, 7});
        for (std::string const& other : seen) {
            EXPECT_NE(text, other);
        }
        EXPECT_NE(text.find(std::to_string(instance[1])), std::string::npos);
        for (std::size_t i = 2; i < instance.size(); ++i) {
            EXPECT_NE(text.find(std::to_string(instance[i])), std::string::npos);
        }
        seen.push_back(text);
    }
}

TEST(knapsack_text, shows_worked_examples_that_are_right) {
    std::string shown;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const text = optgap_text_knapsack.prompt(view(paper()), seed % 2 == 0 ? 2 : 3, {seed, 7});
        std::string const example = text.substr(text.find("Worked example"));
        int capacity = 0, weight = 0, value = 0, w[4], v[4];
        char choice[64];
        ASSERT_EQ(
            std::sscanf(example.c_str(),
                        "Worked example (a different instance): capacity %d, weights [%d, %d, %d, %d], values [%d, "
                        "%d, %d, %d]. The choice [%60[^]]] weighs %d and is worth %d;",
                        &capacity, w, w + 1, w + 2, w + 3, v, v + 1, v + 2, v + 3, choice, &weight, &value),
            12);
        block const instance = {4, capacity, w[0], w[1], w[2], w[3], v[0], v[1], v[2], v[3]};
        block answer = {-1};
        std::int64_t chosen_weight = 0;
        for (char const* at = choice; *at != 0; at += *at == ',' ? 2 : 1) {
            if (*at != ',') {
                answer.push_back(*at - '0');
                chosen_weight += w[*at - '0'];
            }
        }
        verdict const found = reference::knapsack::verify(instance, answer);
        EXPECT_TRUE(found.feasible());
        EXPECT_EQ(found.objective, value);
        EXPECT_EQ(chosen_weight, weight);
        EXPECT_EQ(value, *reference::knapsack::optimum(instance));
        EXPECT_NE(example, shown);
        shown = example;
    }
}

TEST(knapsack_text, reads_back_the_json_it_writes) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        block const instance = drawn_instance(seed);
        EXPECT_EQ(optgap::testing::read_instance(optgap_text_knapsack,
                                                 optgap::testing::write_instance(optgap_text_knapsack, view(instance))),
                  instance);
    }
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_knapsack, view(paper())),
              R"({"capacity":20,"weights":[3,4,7,8],"values":[4,5,10,11]})");
}

TEST(knapsack_text, names_the_field_that_breaks_a_rule) {
    char const* const bad[][2] = {{"[]", "instance"},
                                  {R"({"weights":[1],"values":[1]})", "capacity"},
                                  {R"({"capacity":5,"values":[1]})", "weights"},
                                  {R"({"capacity":5,"weights":[1],"values":[1],"x":0})", "x"},
                                  {R"({"capacity":-1,"weights":[1],"values":[1]})", "capacity"},
                                  {R"({"capacity":5,"weights":[],"values":[]})", "weights"},
                                  {R"({"capacity":5,"weights":[1,2],"values":[1]})", "values"},
                                  {R"({"capacity":5,"weights":[1.5],"values":[1]})", "weights[0]"},
                                  {R"({"capacity":5,"weights":[1,true],"values":[1,1]})", "weights[1]"},
                                  {R"({"capacity":5,"weights":7,"values":[1]})", "weights"},
                                  {R"({"capacity":2147483648,"weights":[1],"values":[1]})", "capacity"},
                                  {R"({"capacity":5,"weights":[1],"values":[18446744073709551615]})", "values[0]"}};
    for (auto const& [text, field] : bad) {
        try {
            optgap::testing::read_instance(optgap_text_knapsack, text);
            ADD_FAILURE() << text;
        } catch (field_error const& caught) {
            EXPECT_EQ(caught.field(), field) << text;
        }
    }
}

TEST(knapsack_text, explains_an_overweight_answer_with_its_numbers) {
    block const answer = {-1, 3, 2, 0, 1};
    verdict const found = reference::knapsack::verify(paper(), answer);
    std::string const said = optgap_text_knapsack.explain(view(paper()), view(answer), found);
    EXPECT_EQ(said,
              "The items weigh 22, which is 2 over the capacity of 20; item 1 at entry 3 (counted from 0) is the first "
              "that no longer fits.");
}

/// The error of the file reader for `text`: the field and the rule that it breaks.
std::string file_error(std::string const& text) {
    try {
        optgap_text_knapsack.files[0].read(text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.what();
    }
}

TEST(knapsack_text, reads_files_of_items_and_names_bad_lines) {
    EXPECT_STREQ(optgap_text_knapsack.files[0].extension, ".kp");
    for (char const* const text :
         {"4\r\n0 4 3\n1 5 4\n2 10 7\n3 11 8\n20\n\n", "4\n1 4 3\n2 5 4\n3 10 7\n4 11 8\n20\n",
          "4\n2 5 4\n4 11 8\n1 4 3\n3 10 7\n20\n", "4 20\n4 3\n5 4\n10 7\n11 8\n",
          " 4 20\n4 3\n\n5 4\n10 7\n11 8\n0 1 0 1\n", "name,value,weight\na,4,3\nb,5,4\nc,10,7\nd,11,8\ncapacity,20,\n",
          "Weight;Profit\n3;4\n4;5\n7;10\n8;11\ncapacity;20\n"}) {
        EXPECT_EQ(optgap_text_knapsack.files[0].read(text), paper()) << text;
    }
    std::pair<char const*, char const*> const cases[] = {
        {"", "line 1: the file is empty"},
        {"0\n5\n", "line 1: n must be in 1"},
        {"0 5\n", "line 1: n must be in 1"},
        {"a letter\n", "line 1: expected a header with the columns value and weight"},
        {"1 2 3\n", "line 1: expected n and the capacity"},
        {"1\n0 -4 3\n5\n", "line 2: a value must be in 0"},
        {"2 9\n4 3\n", "line 2: the head says 2 items, but the file ended behind 1"},
        {"2 9\n4 3\n5\n", "line 3: expected an item's value and weight, found 1"},
        {"2 9\n4 3\n5 4\n6 5\n", "line 4: behind the 2 items that the head says there may be one line more"},
        {"2 9\n4 3\n5 4\n1 0\n0 1\n", "line 5: the file must end with the line of the solution"},
        {"3 9\n4 3\n5 4\n6 5\n1 0\n", "line 5: behind the 3 items"},
        {"2\n0 4 3\n2 5 4\n9\n", "line 3: numbers must be 0 to 1 or 1 to 2, each of one item, found both 0 and 2"},
        {"2\n1 4 3\n1 5 4\n9\n", "line 3: item 1 is there twice"},
        {"2\n1 4 3\n9\n", "line 3: expected an item's number, value and weight, found 1"},
        {"1\n1 4 3\n2 4 3\n9\n", "line 3: expected the capacity alone behind the 1 items"},
        {"value,weight\n4,3\n", "line 2: the table ended without a capacity"},
        {"value,weight\n4,3\n5\ncapacity,9\n", "line 3: expected 2 cells, as in the header, found 1"},
        {"value,weight\n4,x\ncapacity,9\n", "line 2: a weight must be an integer in 0 ... 2147483647, found 'x'"},
        {"value,weight\ncapacity,9\n", "line 2: there is no item"},
        {"value,weight\n4,3\ncapacity,9\n5,4\n", "line 4: the table must end with its capacity"},
        {"1\n0 4 2147483648\n5\n", "line 2: a weight must be in 0 ... 2147483647"},
        {"1\n0 4 3\n", "line 2: the file ended before the capacity"},
        {"1\n0 4 3\n5\n6\n", "line 4: the file must end"},
    };
    for (auto const& [text, expected] : cases) {
        EXPECT_EQ(file_error(text).rfind(expected, 0), 0u) << text << " gave " << file_error(text);
    }
}

}  // namespace
}  // namespace optgap
