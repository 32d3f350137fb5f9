#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/tasks/coloring/coloring_fixture.hpp"
#include "kernels/tasks/coloring/coloring_reference.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_coloring;

namespace {

using namespace optgap;
using namespace optgap::coloring_fixture;

std::string refusal(char const* text) {
    try {
        optgap::testing::read_instance(optgap_text_coloring, text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.field();
    }
}

TEST(coloring, json_errors_name_the_field) {
    EXPECT_EQ(refusal(R"([1])"), "instance");
    EXPECT_EQ(refusal(R"({"n":3})"), "edges");
    EXPECT_EQ(refusal(R"({"n":0,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[0,3]]})"), "edges[1][1]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[2,2]]})"), "edges[0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[],"k":2})"), "k");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[1,0]]})"), "accepted");
}

TEST(coloring, json_comes_back_word_for_word) {
    for (std::int32_t code : {-4, -1, 0, 25}) {
        block const instance = generate(6, {code});
        EXPECT_EQ(optgap::testing::read_instance(optgap_text_coloring,
                                                 optgap::testing::write_instance(optgap_text_coloring, view(instance))),
                  instance);
    }
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_coloring, view(paper)),
              R"({"n":4,"edges":[[0,1],[0,2],[1,3],[2,3]]})");
}

TEST(coloring, dimacs_colouring_files_are_read) {
    file_format const& format = optgap_text_coloring.files[0];
    EXPECT_STREQ(format.extension, ".col");
    EXPECT_EQ(format.read("c a comment\np col 4 4\ne 1 2\ne 1 3\ne 2 4\ne 3 4\n"), paper);
}

std::vector<std::int32_t> numbers(std::string const& text) {
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

std::string between(std::string const& text, std::string const& before, std::string const& after) {
    std::size_t const begin = text.find(before) + before.size();
    return text.substr(begin, text.find(after, begin) - begin);
}

void expect_optimal(block const& example, std::vector<std::int32_t> const& answer, std::string const& text) {
    ASSERT_EQ(verify(example, flat(answer)).code, code_ok) << text;
    ASSERT_EQ(verify(example, flat(answer)).objective, reference::coloring::optimum(example)) << text;
}

TEST(coloring, worked_examples_are_right) {
    block const instance = generate(1, difficulty::easy());
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const listed = optgap_text_coloring.prompt(view(instance), 1, draw{seed, 1});
        std::vector<std::int32_t> const first = numbers(between(listed, "from vertex 0 on: ", "\n"));
        std::string const lines = between(listed, "Example graph:\n", "A best colouring");
        block example(std::size_t(graph_words(std::int64_t(first.size()))));
        solo team;
        std::uint32_t* const rows = begin_graph(team, example.data(), std::int32_t(first.size()));
        for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
            std::vector<std::int32_t> const line = numbers(lines.substr(at, lines.find('\n', at) - at));
            for (std::size_t i = 1; i < line.size(); ++i) {
                add_edge(team, rows, example[0], line[0], line[i]);
            }
        }
        expect_optimal(example, first, listed);

        std::string const exams = optgap_text_coloring.prompt(view(instance), 3, draw{seed, 1});
        std::vector<std::int32_t> const slots = numbers(between(exams, "their order, the slots ", ".\n"));
        std::vector<std::int32_t> const pairs = numbers(between(exams, "share a slot: ", "\n"));
        auto const n = std::int32_t(slots.size());
        expect_optimal(graph_of(n,
                                [&](std::int32_t u, std::int32_t v) {
                                    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
                                        if (pairs[i] == u && pairs[i + 1] == v) {
                                            return false;
                                        }
                                    }
                                    return true;
                                }),
                       slots, exams);
    }
}

TEST(coloring, prompts_of_all_styles_differ_and_hold_the_graph) {
    std::vector<std::string> texts;
    for (std::int32_t style = 0; style < optgap_text_coloring.styles; ++style) {
        texts.push_back(optgap_text_coloring.prompt(view(paper), style, draw{1, 2}));
    }
    EXPECT_NE(texts[0].find("0-1, 0-2, 1-3, 2-3\n"), std::string::npos);
    EXPECT_NE(texts[1].find("0: 1, 2\n1: 0, 3\n2: 0, 3\n3: 1, 2\n"), std::string::npos);
    EXPECT_NE(texts[2].find("0110\n1001\n1001\n0110\n"), std::string::npos);
    EXPECT_NE(texts[3].find("may share a slot:\n(0, 3) (1, 2)\n"), std::string::npos);
    EXPECT_NE(texts[4].find("\"edges\": [[0,1],[0,2],[1,3],[2,3]]}"), std::string::npos);
    block const no_edge = graph(R"({"n":2,"edges":[]})");
    EXPECT_NE(optgap_text_coloring.prompt(view(no_edge), 4, {}).find("\"edges\": []}"), std::string::npos);
}

TEST(coloring, the_sentence_names_the_culprits) {
    auto const sentence = [](std::vector<std::int32_t> const& values) {
        block const answer = flat(values);
        return optgap_text_coloring.explain(view(paper), view(answer), verify(paper, answer));
    };
    EXPECT_EQ(sentence({1, 2, 1, 2}),
              "Vertices 0 and 2 are adjacent and both have colour 1; 2 of 4 edges join vertices of one colour.");
    EXPECT_EQ(sentence({1, 2, 2}), "The list has 3 colours; it needs 4, one for each vertex.");
    EXPECT_EQ(sentence({1, -2, 2, 1}), "-2, the colour of vertex 1, is negative: colours are 0, 1, 2 and so on.");
}

}  // namespace
