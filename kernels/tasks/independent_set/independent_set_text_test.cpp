#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "kernels/tasks/independent_set/independent_set_fixture.hpp"
#include "kernels/tasks/independent_set/independent_set_reference.hpp"
#include "kernels/text/files/graph_files.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_independent_set;

namespace {

using namespace optgap;
using namespace optgap::independent_set_fixture;

std::string refusal(char const* text) {
    try {
        optgap::testing::read_graph(text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.field();
    }
}

TEST(independent_set, json_errors_name_the_field) {
    EXPECT_EQ(refusal(R"([1])"), "instance");
    EXPECT_EQ(refusal(R"({"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":3})"), "edges");
    EXPECT_EQ(refusal(R"({"n":0,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":3.0,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":99999999999999999999,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":18446744073709551615,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":20001,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[],"m":1})"), "m");
    EXPECT_EQ(refusal(R"({"n":3,"edges":{}})"), "edges");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[1]]})"), "edges[1]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1,2]]})"), "edges[0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[0,3]]})"), "edges[1][1]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[-1,1]]})"), "edges[0][0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[["0",1]]})"), "edges[0][0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[true,1]]})"), "edges[0][0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[2,2]]})"), "edges[0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[1,0],[0,1]]})"), "accepted");
}

TEST(independent_set, json_comes_back_word_for_word) {
    for (std::int32_t code : {-4, -1, 0, 25}) {
        block const instance = generate(6, {code});
        EXPECT_EQ(optgap::testing::read_instance(
                      optgap_text_independent_set,
                      optgap::testing::write_instance(optgap_text_independent_set, view(instance))),
                  instance);
    }
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_independent_set, view(paper)),
              R"({"n":4,"edges":[[0,1],[0,2],[1,2],[1,3],[2,3]]})");
}

TEST(independent_set, dimacs_files_are_read_and_bad_lines_named) {
    EXPECT_EQ(read_dimacs_graph("c a comment\r\np edge 4 5\r\ne 1 2\ne 1 3\ne 2 3\ne 2 4\n\ne 4 3"), paper);
    auto const bad_line = [](char const* text) -> std::string {
        try {
            read_dimacs_graph(text);
            return "accepted";
        } catch (field_error const& problem) {
            return problem.field();
        }
    };
    EXPECT_EQ(bad_line(""), "line 1");
    EXPECT_EQ(bad_line("e 1 2\np edge 2 1\n"), "line 1");
    EXPECT_EQ(bad_line("p edge 2 1\ne 1 3\n"), "line 2");
    EXPECT_EQ(bad_line("p 2edge 2 1\n"), "line 1");
    EXPECT_EQ(bad_line("p\n"), "line 1");
    EXPECT_EQ(bad_line("p edge 2 1\ne 1 2 3\n"), "line 2");
    EXPECT_EQ(bad_line("p edge 2 1\np edge 2 1\n"), "line 2");
    EXPECT_EQ(bad_line("p col 0 0\n"), "line 1");
    EXPECT_EQ(bad_line("p edge 2 1\nx\n"), "line 2");
}

TEST(independent_set, dimacs_files_are_read_as_they_are_published) {
    // No word in the problem line, comments behind it, an edge in both directions, a loop, blank lines, CRLF.
    EXPECT_EQ(read_dimacs_graph("\r\np 4 7\r\nc NAME : graph.hcp\r\ne 1 2\r\ne 2 1 \r\n \t\r\ne 1 3\r\nc\r\n"
                                "e 3 3\r\ne 2 3\r\ne 2 4\r\ne 4 3\r\n\r\n"),
              paper);
    // m may be the number of lines, of edges, or of edges counted at both ends, if all edges are listed equally often.
    auto const counted = [](std::string const& m, bool twice) {
        std::string const edges = "e 1 2\ne 1 3\ne 2 3\ne 2 4\ne 3 4\n";
        try {
            return read_dimacs_graph("p edge 4 " + m + "\n" + edges +
                                     (twice ? "e 2 1\ne 3 1\ne 3 2\ne 4 2\ne 4 3\n" : "")) == paper;
        } catch (field_error const& problem) {
            EXPECT_NE(problem.rule().find("the problem line says " + m + " edges, but there are 5"), std::string::npos);
            return false;
        }
    };
    for (bool const twice : {false, true}) {
        EXPECT_TRUE(counted("5", twice));
        EXPECT_TRUE(counted("10", twice));
        EXPECT_FALSE(counted("7", twice));
        EXPECT_FALSE(counted("20", twice));
    }
    // Cut off in its second half: half of the count is no explanation.
    EXPECT_THROW(read_dimacs_graph("p edge 4 5\ne 1 2\ne 1 3\ne 2 3\ne 2 4\ne 3 4\ne 2 1\n"), field_error);
    // Cut off at its half. No count distinguishes this from a file that counts each edge twice, but vertex 5 does.
    EXPECT_THROW(read_dimacs_graph("p edge 5 8\ne 1 2\ne 1 3\ne 2 3\ne 1 4\n"), field_error);
    std::string const preamble = "c bits\np col 4 5\n";
    std::string const length = std::to_string(preamble.size()) + "\n";
    // Rows 1, 10, 110 and 0110, highest bit first; the bits of the diagonal have no meaning.
    std::string const bits = {'\x80', '\x80', '\xc0', '\x60'};
    EXPECT_EQ(read_dimacs_bits(length + preamble + bits), paper);
    EXPECT_EQ(read_dimacs_bits(length + preamble + bits + "\n"), paper);
    block wide = read_dimacs_bits("12\np edge 10 1\n" + std::string(10, '\0') + std::string({'\x01', '\x40'}));
    EXPECT_EQ(wide, read_dimacs_graph("p edge 10 1\ne 10 8\n"));
    auto const problem = [](std::string const& text) -> std::string {
        try {
            read_dimacs_bits(text);
            return "accepted";
        } catch (field_error const& found) {
            return found.field();
        }
    };
    EXPECT_EQ(problem(""), "line 1");
    EXPECT_EQ(problem("17"), "line 1");
    EXPECT_EQ(problem("-3\n"), "line 1");
    EXPECT_EQ(problem("17x" + preamble + bits), "line 1");
    EXPECT_EQ(problem("99999999999999999999\n" + preamble + bits), "line 1");
    EXPECT_EQ(problem("99\n" + preamble + bits), "line 1");
    EXPECT_EQ(problem(length + preamble + bits.substr(1)), "row 4");
    EXPECT_EQ(problem(length + preamble + bits + "x"), "row 5");
    EXPECT_EQ(problem("12\np edge 4 9\n\n" + bits), "the preamble");
}

/// The lines "u: a, b" of the worked example of style 1, as an instance, and the list after them.
TEST(independent_set, worked_examples_are_right) {
    block const instance = generate(1, difficulty::easy());
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const text = optgap_text_independent_set.prompt(view(instance), 1, draw{seed, 1});
        std::istringstream lines(text.substr(text.find("Example graph:\n") + 15));
        std::vector<std::vector<std::int32_t>> neighbours;
        std::string line;
        while (std::getline(lines, line) && line.find("A largest set") == std::string::npos) {
            neighbours.emplace_back();
            for (std::size_t i = line.find(':'); i < line.size(); ++i) {
                if (line[i] >= '0' && line[i] <= '9') {
                    neighbours.back().push_back(line[i] - '0');
                }
            }
        }
        auto const n = std::int32_t(neighbours.size());
        block example(std::size_t(graph_words(n)));
        solo team;
        std::uint32_t* const rows = begin_graph(team, example.data(), n);
        for (std::int32_t u = 0; u < n; ++u) {
            for (std::int32_t const v : neighbours[std::size_t(u)]) {
                add_edge(team, rows, n, u, v);
            }
        }
        std::vector<std::int32_t> answer;
        for (char const c : line.substr(line.find('['))) {
            if (c >= '0' && c <= '9') {
                answer.push_back(c - '0');
            }
        }
        ASSERT_EQ(verify(example, flat(answer)).objective, reference::independent_set::optimum(example)) << text;
    }
}

TEST(independent_set, prompts_of_all_styles_differ_and_hold_the_graph) {
    std::vector<std::string> texts;
    for (std::int32_t style = 0; style < optgap_text_independent_set.styles; ++style) {
        texts.push_back(optgap_text_independent_set.prompt(view(paper), style, draw{1, 2}));
    }
    EXPECT_NE(texts[0].find("0-1, 0-2, 1-2, 1-3, 2-3\n"), std::string::npos);
    EXPECT_NE(texts[1].find("0: 1, 2\n1: 0, 2, 3\n2: 0, 1, 3\n3: 1, 2\n"), std::string::npos);
    EXPECT_NE(texts[2].find("0110\n1011\n1101\n0110\n"), std::string::npos);
    EXPECT_NE(texts[3].find("(0, 1) (0, 2) (1, 2) (1, 3) (2, 3)\n"), std::string::npos);
    EXPECT_NE(texts[4].find("\"edges\": [[0,1],[0,2],[1,2],[1,3],[2,3]]}"), std::string::npos);
    block const no_edge = graph(R"({"n":2,"edges":[]})");
    EXPECT_NE(optgap_text_independent_set.prompt(view(no_edge), 4, {}).find("\"edges\": []}"), std::string::npos);
}

TEST(independent_set, the_sentence_names_the_culprits) {
    auto const sentence = [](std::vector<std::int32_t> const& values) {
        block const answer = flat(values);
        return optgap_text_independent_set.explain(view(paper), view(answer), verify(paper, answer));
    };
    EXPECT_EQ(sentence({0, 3, 2}), "Vertices 0 (position 0) and 2 (position 2) are adjacent; 2 of 3 pairs are.");
    EXPECT_EQ(sentence({0, 3, 0}), "Vertex 0 (position 2) already stands at position 0.");
    EXPECT_EQ(sentence({9}), "9 (position 0) is no vertex: the vertices are 0 to 3.");
}

}  // namespace
