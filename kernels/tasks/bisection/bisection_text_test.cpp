#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "kernels/tasks/bisection/bisection_fixture.hpp"
#include "kernels/tasks/bisection/bisection_reference.hpp"
#include "tests/support/instance_json.hpp"

namespace {

using namespace optgap;
using namespace optgap::bisection_fixture;

std::string refusal(char const* text) {
    try {
        graph(text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.field();
    }
}

TEST(bisection, json_errors_name_the_field) {
    EXPECT_EQ(refusal(R"([1])"), "instance");
    EXPECT_EQ(refusal(R"({"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":3})"), "edges");
    EXPECT_EQ(refusal(R"({"n":0,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":3.0,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":18446744073709551615,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":5001,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[],"m":1})"), "m");
    EXPECT_EQ(refusal(R"({"n":3,"edges":{}})"), "edges");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,1],[1,2]]})"), "edges[1]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,1],[0,3,1]]})"), "edges[1][1]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[-1,1,1]]})"), "edges[0][0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[true,1,1]]})"), "edges[0][0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[2,2,1]]})"), "edges[0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,-1]]})"), "edges[0][2]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,1.5]]})"), "edges[0][2]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,2147483648]]})"), "edges[0][2]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,2147483647]]})"), "accepted");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,4],[1,0,4],[0,1,4]]})"), "accepted");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,4],[1,0,5]]})"), "edges[1]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,0],[1,0,5]]})"), "edges[1]");
}

TEST(bisection, json_comes_back_word_for_word) {
    for (std::int32_t code : {-4, -1, 0, 25}) {
        block const instance = generate(6, {code});
        EXPECT_EQ(optgap::testing::read_instance(
                      optgap_text_bisection, optgap::testing::write_instance(optgap_text_bisection, view(instance))),
                  instance);
    }
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_bisection, view(paper())),
              R"({"n":4,"edges":[[0,1,3],[0,2,1],[1,2,2],[1,3,2],[2,3,3]]})");
}

std::vector<std::int32_t> integers_of(std::string const& text) {
    std::vector<std::int32_t> found;
    bool inside = false;
    for (char const c : text) {
        bool const digit = c >= '0' && c <= '9';
        if (digit && !inside) {
            found.push_back(0);
        }
        if (digit) {
            found.back() = 10 * found.back() + (c - '0');
        }
        inside = digit;
    }
    return found;
}

/// The lines "u: a (w), b (w)" of the worked example of style 1, and the division and cost after them.
TEST(bisection, worked_examples_are_right) {
    block const instance = generate(1, difficulty::scale(0));
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const text = optgap_text_bisection.prompt(view(instance), 1, draw{seed, 1});
        std::istringstream lines(text.substr(text.find("Example graph:\n") + 15));
        std::vector<std::vector<std::int32_t>> rows;
        std::string line;
        while (std::getline(lines, line) && line.find("A best division") == std::string::npos) {
            rows.push_back(integers_of(line));
        }
        auto const n = rows.size();
        block example(1 + n * n);
        example[0] = std::int32_t(n);
        for (std::size_t u = 0; u < n; ++u) {
            for (std::size_t i = 1; i < rows[u].size(); i += 2) {
                example[1 + u * n + std::size_t(rows[u][i])] = rows[u][i + 1];
            }
        }
        ASSERT_EQ(task::check(view(example)), nullptr) << text;
        std::size_t const middle = line.find("], [");
        block const first = integers_of(line.substr(0, middle));
        block second = integers_of(line.substr(middle));
        std::int32_t const cost = second.back();
        second.pop_back();
        ASSERT_EQ(verify(example, parts(first, second)), (verdict{code_ok, -1, cost, 0, 2 * std::int64_t(n)})) << text;
        ASSERT_EQ(cost, reference::bisection::optimum(example)) << text;
    }
}

TEST(bisection, prompts_of_all_styles_hold_the_graph) {
    std::vector<std::string> texts;
    for (std::int32_t style = 0; style < optgap_text_bisection.styles; ++style) {
        texts.push_back(optgap_text_bisection.prompt(view(paper()), style, draw{1, 2}));
    }
    EXPECT_NE(texts[0].find("0-1:3, 0-2:1, 1-2:2, 1-3:2, 2-3:3\n"), std::string::npos);
    EXPECT_NE(texts[0].find("2 vertices each"), std::string::npos);
    EXPECT_NE(texts[1].find("0: 1 (3), 2 (1)\n1: 0 (3), 2 (2), 3 (2)\n"), std::string::npos);
    EXPECT_NE(texts[2].find("0 3 1 0\n3 0 2 2\n1 2 0 3\n0 2 3 0\n"), std::string::npos);
    EXPECT_NE(texts[3].find("(0, 1, 3) (0, 2, 1) (1, 2, 2) (1, 3, 2) (2, 3, 3)\n"), std::string::npos);
    EXPECT_NE(texts[4].find("\"edges\": [[0,1,3],[0,2,1],[1,2,2],[1,3,2],[2,3,3]]}"), std::string::npos);
    block const no_edge = graph(R"({"n":3,"edges":[]})");
    EXPECT_NE(optgap_text_bisection.prompt(view(no_edge), 4, {}).find("\"edges\": []}"), std::string::npos);
    EXPECT_NE(optgap_text_bisection.prompt(view(no_edge), 0, {}).find("are:\nnone\n"), std::string::npos);
    EXPECT_NE(optgap_text_bisection.prompt(view(no_edge), 0, {}).find("1 and 2 vertices, in either"),
              std::string::npos);
}

TEST(bisection, the_sentence_names_the_culprits) {
    auto const sentence = [](block const& answer) {
        return optgap_text_bisection.explain(view(paper()), view(answer), verify(paper(), answer));
    };
    EXPECT_EQ(sentence(parts({0, 1}, {2, 3})), "The edges between the parts weigh 5.");
    EXPECT_EQ(sentence(parts({0, 1}, {2, 1})), "Vertex 1 (part 2, position 1) already stands in part 1, position 1.");
    EXPECT_EQ(sentence(parts({0, 9}, {2, 1})), "9 (part 1, position 1) is no vertex: the vertices are 0 to 3.");
    EXPECT_EQ(sentence(parts({0, 1}, {3})), "Vertex 2 is in neither part; 3 of 4 vertices are placed.");
    EXPECT_EQ(sentence(parts({0, 1, 2}, {3})), "The parts have 3 and 1 vertices; the sizes may differ by 1 at most.");
    EXPECT_EQ(sentence({1, 4, 0, 1, 2, 3}), "The answer has 1 list; it must have two.");
}

/// The error of the file reader for `text`: the field and the rule that it breaks.
std::string file_error(std::string const& text) {
    try {
        optgap_text_bisection.files[0].read(text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.what();
    }
}

TEST(bisection, reads_metis_graphs_and_names_bad_lines) {
    EXPECT_STREQ(optgap_text_bisection.files[0].extension, ".graph");
    auto const read = optgap_text_bisection.files[0].read;
    // Blanks in front, comments anywhere, CRLF; vertex 3 has no neighbours, which is a blank line.
    EXPECT_EQ(read("% a graph\n\n 4 2\r\n 2 4\r\n% between\n1\n\n 1 \n"),
              graph(R"({"n":4,"edges":[[0,1,1],[0,3,1]]})"));
    EXPECT_EQ(read("3 2 001\n2 7 3 0\n1 7\n1 0"), graph(R"({"n":3,"edges":[[0,1,7]]})"));
    std::pair<char const*, char const*> const cases[] = {
        {"% nothing\n", "line 1: there is no line"},
        {"5001 1\n", "line 1: the number of vertices must be in 1 ... 5000"},
        {"2\n", "line 1: the number of edges must be an integer"},
        {"2 1 10\n2\n1\n", "line 1: the format must be in 0 ... 1"},
        {"2 1 0 1\n2\n1\n", "line 1: must be n m or n m format"},
        {"2 1\n%\n3\n1\n", "line 3: a neighbour must be in 1 ... 2"},
        {"2 1\n1\n\n", "line 2: a vertex must not be its own neighbour"},
        {"2 1 1\n2\n1 1\n", "line 2: a weight must be an integer, found 'the end"},
        {"2 1 1\n2 5\n1 4\n", "vertex 2: must list 1 with the weight"},
        {"3 1\n2\n1\n", "vertex 3: the file ended"},
        {"2 2\n2\n1\n", "accepted"},  // each end counted
        {"2 3\n2\n1\n", "line 1: the head says 3 edges, but there are 1"},
        {"2 1\n2\n1\n\n1 2\n", "line 5: there is a line behind those of the 2 vertices"},
        {"2 1\n2 2\n1\n", "line 2: neighbour 2 is there twice"},
    };
    for (auto const& [text, expected] : cases) {
        EXPECT_EQ(file_error(text).rfind(expected, 0), 0u) << text << " gave " << file_error(text);
    }
}

}  // namespace
