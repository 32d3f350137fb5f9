#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "kernels/tasks/hamiltonian/hamiltonian_fixture.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_reference.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_hamiltonian;

namespace {

using namespace optgap;
using namespace optgap::hamiltonian_fixture;

TEST(hamiltonian, json_comes_back_word_for_word_and_errors_name_the_field) {
    for (std::int32_t code : {-4, -1, 0, 25}) {
        words const instance = generate(6, {code});
        EXPECT_EQ(optgap::testing::read_instance(optgap_text_hamiltonian, optgap::testing::write_instance(
                                                                              optgap_text_hamiltonian, view(instance))),
                  instance);
    }
    EXPECT_EQ(optgap::testing::write_instance(optgap_text_hamiltonian, view(square)),
              R"({"n":4,"edges":[[0,1],[0,2],[0,3],[1,2],[2,3]]})");
    auto const refusal = [](char const* text) -> std::string {
        try {
            optgap::testing::read_instance(optgap_text_hamiltonian, text);
            return "accepted";
        } catch (field_error const& problem) {
            return problem.field();
        }
    };
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[0,3]]})"), "edges[1][1]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[2,2]]})"), "edges[0]");
    EXPECT_EQ(refusal(R"({"n":3})"), "edges");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[1,0]]})"), "accepted");
}

std::vector<std::int32_t> numbers_in(std::string const& text) {
    std::vector<std::int32_t> numbers;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const digit = text[i] >= '0' && text[i] <= '9';
        if (digit && i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9') {
            numbers.back() = 10 * numbers.back() + (text[i] - '0');
        } else if (digit) {
            numbers.push_back(text[i] - '0');
        }
    }
    return numbers;
}

void expect_longest_cycle(words const& example, std::string const& list) {
    verdict const found = verify(example, flat(numbers_in(list)));
    EXPECT_TRUE(found.feasible()) << list;
    EXPECT_EQ(found.objective, reference::hamiltonian::optimum(example)) << list;
}

TEST(hamiltonian, the_worked_example_of_the_neighbour_lists_is_right) {
    words const instance = generate(1, difficulty::easy());
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const text = optgap_text_hamiltonian.prompt(view(instance), 1, draw{seed, 1});
        std::istringstream lines(text.substr(text.find("Example graph:\n") + 15));
        edge_list edges;
        std::int32_t n = 0;
        std::string line;
        for (; std::getline(lines, line) && line.find("A longest cycle") == std::string::npos; ++n) {
            std::vector<std::int32_t> const row = numbers_in(line);
            for (std::size_t i = 1; i < row.size(); ++i) {
                edges.emplace_back(row[0], row[i]);
            }
        }
        expect_longest_cycle(graph(n, edges), line.substr(line.find('[')));
    }
}

TEST(hamiltonian, the_worked_example_of_the_tram_line_is_right_and_drawn_afresh) {
    words const instance = generate(1, difficulty::easy());
    std::string last;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const text = optgap_text_hamiltonian.prompt(view(instance), 3, draw{seed, 1});
        std::size_t const begin = text.find("A small case");
        std::string const example = text.substr(begin, text.find("calls at as many") - begin);
        EXPECT_NE(example, last);
        last = example;
        std::size_t const line = example.find("There, the line");
        std::vector<std::int32_t> const ends = numbers_in(example.substr(example.find('('), line - example.find('(')));
        edge_list edges;
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
            edges.emplace_back(ends[i], ends[i + 1]);
        }
        std::int32_t const n = numbers_in(example)[1] + 1;
        expect_longest_cycle(graph(n, edges), example.substr(line));
    }
}

TEST(hamiltonian, prompts_of_all_styles_hold_the_graph_and_ask_for_the_visiting_order) {
    std::vector<std::string> texts;
    for (std::int32_t style = 0; style < optgap_text_hamiltonian.styles; ++style) {
        texts.push_back(optgap_text_hamiltonian.prompt(view(square), style, draw{1, 2}));
    }
    EXPECT_NE(texts[0].find("0-1, 0-2, 0-3, 1-2, 2-3\n"), std::string::npos);
    EXPECT_NE(texts[1].find("0: 1, 2, 3\n1: 0, 2\n2: 0, 1, 3\n3: 0, 2\n"), std::string::npos);
    EXPECT_NE(texts[2].find("0111\n1010\n1101\n1010\n"), std::string::npos);
    EXPECT_NE(texts[3].find("(0, 1) (0, 2) (0, 3) (1, 2) (2, 3)\n"), std::string::npos);
    EXPECT_NE(texts[4].find("\"edges\": [[0,1],[0,2],[0,3],[1,2],[2,3]]}"), std::string::npos);
    for (std::string const& text : texts) {
        EXPECT_NE(text.find("order") == std::string::npos ? text.find("sequence") : 0, std::string::npos) << text;
    }
    words const no_edge = graph(2, {});
    EXPECT_NE(optgap_text_hamiltonian.prompt(view(no_edge), 4, {}).find("\"edges\": []}"), std::string::npos);
}

TEST(hamiltonian, the_sentence_names_the_culprits) {
    auto const sentence = [](words const& values) {
        words const answer = flat(values);
        return optgap_text_hamiltonian.explain(view(square), view(answer), verify(square, answer));
    };
    EXPECT_EQ(sentence({0, 1, 3, 2}),
              "There is no edge from vertex 1 (position 1) to 3 (position 2); 1 of 4 steps lack one.");
    EXPECT_EQ(sentence({3, 0, 1, 3}),
              "There is no edge from vertex 1 (position 2) to 3 (position 0); 1 of 3 steps lack one.");
    EXPECT_EQ(sentence({0, 1, 2, 1}), "Vertex 1 (position 3) already stands at position 1.");
    EXPECT_EQ(sentence({0, 1, 0}), "The list visits 2 of the at least 3 vertices of a cycle.");
    EXPECT_EQ(sentence({9}), "9 (position 0) is no vertex: the vertices are 0 to 3.");
}

}  // namespace
