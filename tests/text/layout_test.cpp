// Instances whose fields a layout declares: JSON in both directions, refusals and their places, the entry check of
// words.

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
    {"weights", field_kind::list, "each item has a weight, 1 to the capacity", 1, of(1), of(0)},
    {"pairs", field_kind::table, "there is a pair of two items for each", 0, of(0, -1), of(0), 2},
};
constexpr field graphs[] = {
    {"edges", field_kind::graph, "edges join two different vertices"},
    {"colours", field_kind::list, "a colour is 0 to n - 1", 0, of(0, -1), of(0)},
};
constexpr field families[] = {
    {"s", field_kind::size, "there are 1 to 3000 sets", 1, 3000},
    {"universe", field_kind::number, "the universe has 1 to 1000000 elements", 1, 1'000'000},
    {"sets", field_kind::sets, "each set has elements of the universe alone", 0, of(1, -1), of(0), of(1)},
};
constexpr field roads[] = {
    {"edges", field_kind::weighted_graph, "an edge joins two vertices with a weight"},
    {"towns", field_kind::list, "each vertex has 0 to 9 towns", 0, 9, of(0)},
};
constexpr field literals[] = {
    {"n", field_kind::number, "n is 1 to 9", 1, 9},
    {"m", field_kind::size, "there are 1 to 4 clauses", 1, 4},
    {"clauses", field_kind::table, "a literal is -n to n", minus(0), of(0), of(1), 2},
};
constexpr field pairs_of_graphs[] = {
    {"before", field_kind::graph, "an edge of before joins two different vertices"},
    {"after", field_kind::weighted_graph, "an edge of after joins two different vertices with a weight"},
};
char const* const good = R"({"capacity":9,"weights":[3,9],"pairs":[[0,1],[1,1]]})";
block const good_words{2, 9, 3, 9, 0, 1, 1, 1};

block read(std::span<field const> layout, char const* text) { return layout_from_json(layout, json::parse(text)); }
std::string write(std::span<field const> layout, block const& words) {
    return layout_to_json(layout, {words.data(), std::int64_t(words.size())}).dump();
}
char const* entry_check(std::span<field const> layout, block const& words) {
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
    EXPECT_EQ(entry_check(loads, good_words), nullptr);
    char const* const path = R"({"n":3,"edges":[[0,1],[1,2]],"colours":[0,2,1]})";
    block const words{3, 0b010, 0b101, 0b010, 0, 2, 1};
    EXPECT_EQ(read(graphs, path), words);
    EXPECT_EQ(write(graphs, words), path);
    EXPECT_EQ(entry_check(graphs, words), nullptr);
}

TEST(layout, a_range_may_begin_at_the_negative_of_a_field) {
    block const words{3, 2, 1, -3, 3, -2};
    EXPECT_EQ(read(literals, R"({"n":3,"clauses":[[1,-3],[3,-2]]})"), words);
    EXPECT_EQ(write(literals, words), R"({"n":3,"clauses":[[1,-3],[3,-2]]})");
    EXPECT_EQ(entry_check(literals, words), nullptr);
    EXPECT_STREQ(entry_check(literals, {3, 1, 1, -4}), "a literal is -n to n");
    EXPECT_STREQ(entry_check(literals, {3, 1, 4, -1}), "a literal is -n to n");
    EXPECT_EQ(refused(literals, R"({"n":3,"clauses":[[1,-4]]})"), "clauses[0][1]: must be an integer from -3 to 3");
}

TEST(layout, a_refusal_names_the_field_and_what_was_expected) {
    EXPECT_EQ(refused(loads, "[1]"), "instance: must be an object with capacity, weights and pairs");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1]})"), "pairs: is missing");
    EXPECT_EQ(refused(loads, R"({"items":1,"capacity":9,"weights":[1],"pairs":[[0,0]]})"),
              "items: unknown field; an instance has capacity, weights and pairs");
    EXPECT_EQ(refused(loads, R"({"capacity":101,"weights":[1],"pairs":[[0,0]]})"),
              "capacity: must be an integer from 0 to 100");
    EXPECT_EQ(refused(loads, R"({"capacity":18446744073709551615,"weights":[1],"pairs":[[0,0]]})"),
              "capacity: must be an integer from 0 to 100");
    EXPECT_EQ(refused(loads, R"({"capacity":9.0,"weights":[1],"pairs":[[0,0]]})"),
              "capacity: must be an integer from 0 to 100");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[],"pairs":[]})"), "weights: must be a list of length 1 to 4");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":3,"pairs":[]})"), "weights: must be a list of length 1 to 4");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1,10],"pairs":[[0,0],[0,0]]})"),
              "weights[1]: must be an integer from 1 to 9");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1],"pairs":[[0,0],[0,0]]})"),
              "pairs: must be a list of length 1, as weights");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1],"pairs":[[0]]})"), "pairs[0]: must be a list of length 2");
    EXPECT_EQ(refused(loads, R"({"capacity":9,"weights":[1],"pairs":[[0,1]]})"), "pairs[0][1]: must be the integer 0");
    EXPECT_EQ(refused(graphs, R"({"n":2,"edges":[[0,2]],"colours":[0,0]})"),
              "edges[0][1]: must be a vertex, an integer from 0 to 1");
    EXPECT_EQ(refused(graphs, R"({"n":2,"edges":[],"colours":[0]})"), "colours: must be a list of length 2");
}

TEST(layout, sets_are_lists_of_elements_and_rows_of_bits) {
    char const* const written = R"({"universe":40,"sets":[[0,2,39],[]]})";
    block const words{2, 40, 0b101, 1 << 7, 0, 0};
    EXPECT_EQ(read(families, written), words);
    EXPECT_EQ(read(families, R"({"sets":[[39,2,0,2],[]],"universe":40})"), words);
    EXPECT_EQ(write(families, words), written);
    EXPECT_EQ(entry_check(families, words), nullptr);
    EXPECT_EQ(refused(families, R"({"universe":40,"sets":[]})"), "sets: must be a list of length 1 to 3000");
    EXPECT_EQ(refused(families, R"({"universe":40,"sets":[[0],{}]})"), "sets[1]: must be a list of elements");
    EXPECT_EQ(refused(families, R"({"universe":40,"sets":[[0,40]]})"), "sets[0][1]: must be an integer from 0 to 39");
    EXPECT_EQ(refused(families, R"({"universe":40,"sets":[[-1]]})"), "sets[0][0]: must be an integer from 0 to 39");
    EXPECT_STREQ(entry_check(families, {1, 40, 0, 1 << 8}), families[2].rule);
    EXPECT_STREQ(entry_check(families, {2, 40, 0, 0, 0, INT32_MIN}), families[2].rule);
    EXPECT_STREQ(entry_check(families, {2, 40, 0, 0, 0}), families[2].rule);
    EXPECT_EQ(entry_check(families, {1, 32, -1}), nullptr);
    EXPECT_STREQ(entry_check(families, {3000, 1'000'000}),
                 "the sets must have at most 33554432 words, each one for 32 elements");
    json const many{{"universe", 1'000'000}, {"sets", std::vector<block>(1074)}};
    EXPECT_EQ(refused(families, many.dump().c_str()),
              "sets: must have at most 33554432 words, each one for 32 elements");
}

TEST(layout, a_weighted_graph_is_its_matrix) {
    char const* const written = R"({"n":3,"edges":[[0,1,7],[1,2,2147483647]],"towns":[1,0,9]})";
    block const words{3, 0, 7, 0, 7, 0, INT32_MAX, 0, INT32_MAX, 0, 1, 0, 9};
    EXPECT_EQ(read(roads, written), words);
    EXPECT_EQ(read(roads, R"({"n":3,"edges":[[1,0,7],[2,1,2147483647],[0,1,7],[2,0,0]],"towns":[1,0,9]})"), words);
    EXPECT_EQ(write(roads, words), written);
    EXPECT_EQ(entry_check(roads, words), nullptr);
    EXPECT_EQ(refused(roads, R"({"n":5001,"edges":[],"towns":[]})"), "n: must be an integer from 1 to 5000");
    EXPECT_EQ(refused(roads, R"({"n":2,"edges":[[0,1]],"towns":[0,0]})"), "edges[0]: must be a triple [u, v, weight]");
    EXPECT_EQ(refused(roads, R"({"n":2,"edges":[[0,1,-1]],"towns":[0,0]})"),
              "edges[0][2]: must be a weight, an integer from 0 to 2147483647");
    EXPECT_EQ(refused(roads, R"({"n":2,"edges":[[0,1,3],[1,0,4]],"towns":[0,0]})"),
              "edges[1]: gives a pair a second weight, after 3");
    EXPECT_STREQ(entry_check(roads, {2, 0, 1, 2, 0, 0, 0}), "the rows must be symmetric");
    EXPECT_STREQ(entry_check(roads, {2, 0, 1, 1}), "a weighted graph has 1 + n * n words");
    EXPECT_STREQ(entry_check(roads, {2, 0, 1, 1, 0, 0, 10}), roads[1].rule);
    EXPECT_STREQ(entry_check(roads, {2, 0, 1, 1, 0, 0}), roads[1].rule);
    EXPECT_STREQ(entry_check(roads, {5001}), "n must be at most 5000");
}

TEST(layout, two_graphs_have_one_n_and_a_refusal_names_the_right_one) {
    char const* const written = R"({"n":3,"before":[[1,2]],"after":[[0,1,4]]})";
    block const words{3, 0, 0b100, 0b010, 3, 0, 4, 0, 4, 0, 0, 0, 0, 0};
    EXPECT_EQ(read(pairs_of_graphs, written), words);
    EXPECT_EQ(write(pairs_of_graphs, words), written);
    EXPECT_EQ(entry_check(pairs_of_graphs, words), nullptr);
    EXPECT_EQ(refused(pairs_of_graphs, "3"), "instance: must be an object with n, before and after");
    EXPECT_EQ(refused(pairs_of_graphs, R"({"n":3,"before":[[0,3]],"after":[]})"),
              "before[0][1]: must be a vertex, an integer from 0 to 2");
    EXPECT_EQ(refused(pairs_of_graphs, R"({"n":3,"before":[[1,1]],"after":[]})"),
              "before[0]: must join two different vertices");
    EXPECT_EQ(refused(pairs_of_graphs, R"({"n":3,"before":7,"after":[]})"), "before: must be a list of pairs [u, v]");
    EXPECT_EQ(refused(pairs_of_graphs, R"({"n":3,"before":[],"after":[[0,1]]})"),
              "after[0]: must be a triple [u, v, weight]");
    EXPECT_EQ(refused(pairs_of_graphs, R"({"n":3,"before":[],"after":[[0,1,2],[1,2,-1]]})"),
              "after[1][2]: must be a weight, an integer from 0 to 2147483647");
    EXPECT_EQ(refused(pairs_of_graphs, R"({"n":3,"before":[],"after":[[0,1,2],[1,0,1]]})"),
              "after[1]: gives a pair a second weight, after 2");
    EXPECT_STREQ(entry_check(pairs_of_graphs, {2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                 "all graphs of an instance have the same n");
}

constexpr field board[] = {
    {"rows", field_kind::size, "there are 0 to 9 rows", 0, 9},
    {"columns", field_kind::size, "there are 2 to 9 columns", 2, 9},
    {"start", field_kind::number, "the start is a row", 1, of(0)},
    {"cells", field_kind::table, "a cell is 0 or 1", 0, 1, of(0), of(1)},
};

TEST(layout, a_table_shows_two_sizes_and_numbers_may_refer_to_them) {
    char const* const written = R"({"start":3,"cells":[[0,1],[1,1],[0,0]]})";
    EXPECT_EQ(read(board, written), (block{3, 2, 3, 0, 1, 1, 1, 0, 0}));
    EXPECT_EQ(write(board, {3, 2, 3, 0, 1, 1, 1, 0, 0}), written);
    EXPECT_EQ(refused(board, R"({"start":4,"cells":[[0,1],[1,1],[0,0]]})"), "start: must be an integer from 1 to 3");
    EXPECT_EQ(refused(board, R"({"start":1,"cells":[[0]]})"), "cells[0]: must be a list of length 2 to 9");
    EXPECT_EQ(refused(board, R"({"start":1,"cells":[[0,1],[1]]})"), "cells[1]: must be a list of length 2");
    EXPECT_EQ(refused(board, R"({"start":1,"cells":[]})"), "instance: no list shows columns");
}

constexpr field signs[] = {
    {"m", field_kind::size, "there are 1 to 3 clauses", 1, 3},
    {"k", field_kind::size, "a clause has 0 to 4 literals", 0, 4},
    {"clauses", field_kind::lists, "a literal is -9 to 9", -9, 9, of(0), of(1)},
};
constexpr field lines[] = {
    {"lines", field_kind::size, "there are 1 to 3 lines", 1, 3},
    {"most", field_kind::size, "a line has 0 to 4 runs", 0, 4},
    {"runs", field_kind::lists, "a run is 2 to 9", 2, 9, of(0), of(1)},
};

TEST(layout, lists_may_differ_in_length_and_the_longest_shows_a_size) {
    char const* const written = R"({"runs":[[2,3],[],[9]]})";
    EXPECT_EQ(read(lines, written), (block{3, 2, 2, 3, 0, 0, 9, 0}));
    EXPECT_EQ(write(lines, {3, 2, 2, 3, 0, 0, 9, 0}), written);
    EXPECT_EQ(read(lines, R"({"runs":[[],[]]})"), (block{2, 0}));
    EXPECT_EQ(write(lines, {2, 0}), R"({"runs":[[],[]]})");
    EXPECT_EQ(refused(lines, R"({"runs":[]})"), "runs: must be a list of length 1 to 3");
    EXPECT_EQ(refused(lines, R"({"runs":[[2],[2,2,2,2,2]]})"), "runs[1]: must be a list of length 0 to 4");
    EXPECT_EQ(refused(lines, R"({"runs":[[2,2],7]})"), "runs[1]: must be a list of at most 2");
    EXPECT_EQ(refused(lines, R"({"runs":[[2],[2,1]]})"), "runs[1][1]: must be an integer from 2 to 9");
    EXPECT_EQ(refused(signs, R"({"clauses":[[1,-1],[0]]})"), "clauses[1][0]: must not be 0");
    EXPECT_STREQ(entry_check(lines, {2, 2, 2, 2, 0, 2}), "a run is 2 to 9");  // a 0 inside
    EXPECT_STREQ(entry_check(lines, {2, 2, 2, 0, 0, 0}), "a run is 2 to 9");  // the longest is shorter
    EXPECT_STREQ(entry_check(lines, {2, 1, 2, 1}), "a run is 2 to 9");
    EXPECT_STREQ(entry_check(lines, {2, 1, 2}), "a run is 2 to 9");
    EXPECT_EQ(entry_check(lines, {2, 0}), nullptr);
}

constexpr field tolls[] = {
    {"s", field_kind::size, "there are 1 to 9 places", 1, 9},
    {"places", field_kind::table, "a place is two numbers, 0 to 9", 0, 9, of(0), 2},
    {"tolls", field_kind::list, "each place has a toll, 1 to 9", 1, 9, of(0)},
    {.name = "ways",
     .kind = field_kind::table,
     .rule = "in place of places there are ways, 0 to 50",
     .low = 0,
     .high = 50,
     .rows = of(0),
     .columns = of(0),
     .optional = true,
     .replaces = 1},
};
constexpr field fees[] = {
    {"s", field_kind::size, "there are 1 to 9 places", 1, 9},
    {"tolls", field_kind::list, "each place has a toll, 1 to 9", 1, 9, of(0)},
    {.name = "fees",
     .kind = field_kind::list,
     .rule = "each place has a fee, 1 to 9",
     .low = 1,
     .high = 9,
     .rows = of(0),
     .optional = true},
};

TEST(layout, an_optional_field_adds_words_and_may_replace_another_field) {
    for (auto const& [written, words] : {std::pair{R"({"tolls":[3,4]})", block{2, 3, 4}},
                                         std::pair{R"({"tolls":[3,4],"fees":[1,2]})", block{2, 3, 4, 1, 2}}}) {
        EXPECT_EQ(read(fees, written), words);
        EXPECT_EQ(write(fees, words), written);
        EXPECT_EQ(entry_check(fees, words), nullptr);
    }
    EXPECT_EQ(refused(fees, R"({"tolls":[3,4],"fees":[1]})"), "fees: must be a list of length 2, as tolls");
    EXPECT_EQ(refused(fees, R"({"tolls":[3,4],"fees":[1,0]})"), "fees[1]: must be an integer from 1 to 9");
    EXPECT_EQ(refused(fees, R"({"fees":[1,1]})"), "tolls: is missing");
    EXPECT_EQ(refused(fees, R"({"tolls":[3],"fares":[1]})"), "fares: unknown field; an instance has tolls");
    EXPECT_STREQ(entry_check(fees, {2, 3, 4, 1}), "each place has a fee, 1 to 9");
    EXPECT_STREQ(entry_check(fees, {2, 3, 4, 1, 0}), "each place has a fee, 1 to 9");
    EXPECT_STREQ(entry_check(fees, {2, 3, 4, 1, 1, 1}), "there are words after the last field");

    for (auto const& [written, words] :
         {std::pair{R"({"places":[[1,2],[0,0]],"tolls":[3,4]})", block{2, 1, 2, 0, 0, 3, 4}},
          std::pair{R"({"tolls":[3,4],"ways":[[0,9],[9,0]]})", block{2, 0, 0, 0, 0, 3, 4, 0, 9, 9, 0}}}) {
        EXPECT_EQ(read(tolls, written), words);
        EXPECT_EQ(write(tolls, words), written);
        EXPECT_EQ(entry_check(tolls, words), nullptr);
    }
    EXPECT_EQ(refused(tolls, R"({"tolls":[3,4]})"), "places: is missing");
    EXPECT_EQ(refused(tolls, R"({"places":[[1,2],[0,0]],"tolls":[3,4],"ways":[[0,9],[9,0]]})"),
              "places: unknown field; an instance has tolls and ways");
    EXPECT_STREQ(entry_check(tolls, {2, 1, 2, 0, 0, 3, 4, 0, 9, 9, 0}), "in place of places there are ways, 0 to 50");
}

TEST(layout, a_weight_may_be_negative_where_the_field_says_so) {
    constexpr field debts[] = {{"edges", field_kind::weighted_graph, "an edge has a weight", -INT32_MAX}};
    char const* const written = R"({"n":2,"edges":[[0,1,-2147483647]]})";
    block const words{2, 0, -INT32_MAX, -INT32_MAX, 0};
    EXPECT_EQ(read(debts, written), words);
    EXPECT_EQ(write(debts, words), written);
    EXPECT_EQ(entry_check(debts, words), nullptr);
    EXPECT_EQ(read(debts, R"({"n":2,"edges":[[0,1,-1],[1,0,-1]]})"), (block{2, 0, -1, -1, 0}));
    EXPECT_EQ(refused(debts, R"({"n":2,"edges":[[0,1,-1],[1,0,-2]]})"),
              "edges[1]: gives a pair a second weight, after -1");
    EXPECT_EQ(refused(debts, R"({"n":2,"edges":[[0,1,-2147483648]]})"),
              "edges[0][2]: must be a weight, an integer from -2147483647 to 2147483647");
    EXPECT_STREQ(entry_check(debts, {2, 0, INT32_MIN, INT32_MIN, 0}), "weights must be at least -2147483647");
    EXPECT_STREQ(entry_check(roads, {2, 0, -1, -1, 0, 0, 0}), "weights must be at least 0");
}

TEST(layout, words_that_break_a_rule_are_told_by_its_sentence) {
    auto const changed = [](std::size_t at, std::int32_t value) {
        block words = good_words;
        words[at] = value;
        return words;
    };
    EXPECT_STREQ(entry_check(loads, changed(0, 5)), "there are 1 to 4 items");
    EXPECT_STREQ(entry_check(loads, changed(0, 3)), "each item has a weight, 1 to the capacity");
    EXPECT_STREQ(entry_check(loads, changed(1, -1)), "the capacity is 0 to 100");
    EXPECT_STREQ(entry_check(loads, changed(3, 10)), "each item has a weight, 1 to the capacity");
    EXPECT_STREQ(entry_check(loads, changed(7, 2)), "there is a pair of two items for each");
    for (std::size_t cut = 0; cut < good_words.size(); ++cut) {
        field const& missing = loads[cut < 2 ? cut : cut < 4 ? 2 : 3];
        EXPECT_STREQ(entry_check(loads, block(good_words.begin(), good_words.begin() + std::ptrdiff_t(cut))),
                     missing.rule);
    }
    block longer = good_words;
    longer.push_back(0);
    EXPECT_STREQ(entry_check(loads, longer), "there are words after the last field");
    EXPECT_STREQ(entry_check(graphs, {3, 0b010, 0b100, 0b010, 0, 2, 1}), "the rows must be symmetric");
    EXPECT_STREQ(entry_check(graphs, {3, 0b010, 0b101}), "a graph has 1 + n * ceil(n / 32) words");
    EXPECT_STREQ(entry_check(graphs, {3, 0b010, 0b101, 0b010, 0, 3, 1}), "a colour is 0 to n - 1");
    EXPECT_STREQ(entry_check(graphs, {}), "the words must begin with n");
}

}  // namespace
}  // namespace optgap
