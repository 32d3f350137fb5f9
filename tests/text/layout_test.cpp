// Instances whose fields a layout says: JSON there and back, what is refused and where, the entry check of words.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/core/check_layout.hpp"
#include "kernels/text/layout_json.hpp"

namespace optgap {
namespace {

using block = std::vector<std::int32_t>;

constexpr field loads[] = {
    {"items", field_kind::size, "there are 1 to 4 items", 1, 4},
    {"capacity", field_kind::number, "the capacity is 0 to 100", 0, 100},
    {"weights", field_kind::list, "a weight is 1 to the capacity", 1, of(1), of(0)},
    {"pairs", field_kind::table, "a pair is two items", 0, of(0, -1), of(0), 2},
};
constexpr field graphs[] = {
    {"edges", field_kind::graph, "edges join two different vertices"},
    {"colours", field_kind::list, "a colour is 0 to n - 1", 0, of(0, -1), of(0)},
};
char const* const good = R"({"capacity":9,"weights":[3,9],"pairs":[[0,1],[1,1]]})";
block const good_words{2, 9, 3, 9, 0, 1, 1, 1};

block read(std::span<field const> layout, char const* text) { return layout_from_json(layout, json::parse(text)); }
std::string write(std::span<field const> layout, block const& words) {
    return layout_to_json(layout, {words.data(), std::int64_t(words.size())}).dump();
}
char const* check(std::span<field const> layout, block const& words) {
    return check_layout(layout, {words.data(), std::int64_t(words.size())});
}
std::string refused(std::span<field const> layout, char const* text) {
    try {
        read(layout, text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.what();
    }
}

TEST(layout, json_comes_back_word_for_word) {
    EXPECT_EQ(read(loads, good), good_words);
    EXPECT_EQ(write(loads, good_words), good);
    EXPECT_EQ(check(loads, good_words), nullptr);
    char const* const path = R"({"n":3,"edges":[[0,1],[1,2]],"colours":[0,2,1]})";
    block const words{3, 0b010, 0b101, 0b010, 0, 2, 1};
    EXPECT_EQ(read(graphs, path), words);
    EXPECT_EQ(write(graphs, words), path);
    EXPECT_EQ(check(graphs, words), nullptr);
}

TEST(layout, a_refusal_names_the_field_and_what_was_expected) {
    EXPECT_EQ(refused(loads, "[1]"), "instance: must be an object with capacity, weights, pairs");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1]})"), "pairs: is missing");
    EXPECT_EQ(refused(loads, R"({"items":1,"capacity":9,"weights":[1],"pairs":[[0,0]]})"),
              "items: unknown field; an instance has capacity, weights, pairs");
    EXPECT_EQ(refused(loads, R"({"capacity":101,"weights":[1],"pairs":[[0,0]]})"),
              "capacity: must be an integer, 0 to 100");
    EXPECT_EQ(refused(loads, R"({"capacity":18446744073709551615,"weights":[1],"pairs":[[0,0]]})"),
              "capacity: must be an integer, 0 to 100");
    EXPECT_EQ(refused(loads, R"({"capacity":9.0,"weights":[1],"pairs":[[0,0]]})"),
              "capacity: must be an integer, 0 to 100");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[],"pairs":[]})"), "weights: must be a list of length 1 to 4");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":3,"pairs":[]})"), "weights: must be a list of length 1 to 4");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1,10],"pairs":[[0,0],[0,0]]})"),
              "weights[1]: must be an integer, 1 to 9");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1],"pairs":[[0,0],[0,0]]})"),
              "pairs: must be a list of length 1");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1],"pairs":[[0]]})"), "pairs[0]: must be a list of length 2");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1],"pairs":[[0,1]]})"), "pairs[0][1]: must be an integer, 0");
    EXPECT_EQ(refused(graphs, R"({"n":2,"edges":[[0,2]],"colours":[0,0]})"),
              "edges[0][1]: must be a vertex, an integer from 0 to 1");
    EXPECT_EQ(refused(graphs, R"({"n":2,"edges":[],"colours":[0]})"), "colours: must be a list of length 2");
}

TEST(layout, words_that_break_a_rule_are_told_by_its_sentence) {
    auto const changed = [](std::size_t at, std::int32_t value) {
        block words = good_words;
        words[at] = value;
        return words;
    };
    EXPECT_STREQ(check(loads, changed(0, 5)), "there are 1 to 4 items");
    EXPECT_STREQ(check(loads, changed(0, 3)), "a weight is 1 to the capacity");
    EXPECT_STREQ(check(loads, changed(1, -1)), "the capacity is 0 to 100");
    EXPECT_STREQ(check(loads, changed(3, 10)), "a weight is 1 to the capacity");
    EXPECT_STREQ(check(loads, changed(7, 2)), "a pair is two items");
    for (std::size_t cut = 0; cut < good_words.size(); ++cut) {
        EXPECT_STREQ(check(loads, block(good_words.begin(), good_words.begin() + std::ptrdiff_t(cut))),
                     "the words end before the last field");
    }
    block longer = good_words;
    longer.push_back(0);
    EXPECT_STREQ(check(loads, longer), "there are words after the last field");
    EXPECT_STREQ(check(graphs, {3, 0b010, 0b100, 0b010, 0, 2, 1}), "the rows must be symmetric");
    EXPECT_STREQ(check(graphs, {3, 0b010, 0b101}), "a graph has 1 + n * ceil(n / 32) words");
    EXPECT_STREQ(check(graphs, {3, 0b010, 0b101, 0b010, 0, 3, 1}), "a colour is 0 to n - 1");
    EXPECT_STREQ(check(graphs, {}), "the words must begin with n");
}

}  // namespace
}  // namespace optgap
