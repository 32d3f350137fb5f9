#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "kernels/tasks/clique/clique_fixture.hpp"
#include "kernels/tasks/clique/clique_reference.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_clique;

namespace {

using namespace optgap;
using namespace optgap::clique_fixture;

std::string prompt(block const& instance, std::int32_t style, std::uint64_t seed = 1) {
    return optgap_text_clique.prompt(view(instance), style, draw{seed, 1});
}

std::string refusal(char const* text) {
    try {
        optgap::testing::read_instance(optgap_text_clique, text);
        return "accepted";
    } catch (field_error const& problem) {
        return problem.field();
    }
}

std::vector<std::int32_t> numbers(std::string const& text) {
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

TEST(clique, json_errors_name_the_field) {
    EXPECT_EQ(refusal(R"([1])"), "instance");
    EXPECT_EQ(refusal(R"({"n":0,"edges":[]})"), "n");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[],"m":1})"), "m");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[0,3]]})"), "edges[1][1]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[2,2]]})"), "edges[0]");
    EXPECT_EQ(refusal(R"({"n":3,"edges":[[0,1],[1,0],[0,1]]})"), "accepted");
}

TEST(clique, json_comes_back_word_for_word) {
    for (std::int32_t code : {-4, -1, 0, 25}) {
        block const instance = generate(6, {code});
        EXPECT_EQ(optgap::testing::read_instance(optgap_text_clique,
                                                 optgap::testing::write_instance(optgap_text_clique, view(instance))),
                  instance);
    }
}

TEST(clique, worked_examples_are_right) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::istringstream lines(prompt(paper, 1, seed).substr(prompt(paper, 1, seed).find("Example graph:\n") + 15));
        std::vector<std::vector<std::int32_t>> rows_of;
        std::string line;
        while (std::getline(lines, line) && line.find("A largest clique") == std::string::npos) {
            rows_of.push_back(numbers(line));
        }
        auto const n = std::int32_t(rows_of.size());
        block example(std::size_t(graph_words(n)));
        solo team;
        std::uint32_t* const rows = begin_graph(team, example.data(), n);
        for (std::int32_t u = 0; u < n; ++u) {
            for (std::size_t i = 1; i < rows_of[std::size_t(u)].size(); ++i) {
                add_edge(team, rows, n, u, rows_of[std::size_t(u)][i]);
            }
        }
        ASSERT_EQ(verify(example, flat(numbers(line))).objective, reference::clique::optimum(example)) << line;
    }
}

TEST(clique, the_crews_worked_examples_are_right) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::string const text = prompt(paper, 3, seed);
        std::size_t const refuse = text.find("pairs that refuse: ");
        std::size_t const crew = text.find("A largest crew there is");
        std::int32_t const n = numbers(text.substr(text.find("candidates 0 to ")))[1] + 1;
        std::vector<std::int32_t> const missing = numbers(text.substr(refuse, crew - refuse));
        std::mt19937 random(1);
        block example = random_graph(random, n, 1000);
        for (std::size_t i = 0; i < missing.size(); i += 2) {
            example[std::size_t(1 + missing[i])] &= ~(1 << missing[i + 1]);
            example[std::size_t(1 + missing[i + 1])] &= ~(1 << missing[i]);
        }
        ASSERT_EQ(task::check(view(example)), nullptr);
        std::vector<std::int32_t> const answer = numbers(text.substr(crew, text.find('\n', crew) - crew));
        ASSERT_EQ(verify(example, flat(answer)).objective, reference::clique::optimum(example)) << text;
    }
}

TEST(clique, prompts_of_all_styles_hold_the_graph) {
    EXPECT_NE(prompt(paper, 0).find("0-1, 0-2, 0-3, 0-4, 1-3, 1-4, 2-3, 3-4\n"), std::string::npos);
    EXPECT_NE(prompt(paper, 1).find("0: 1, 2, 3, 4\n1: 0, 3, 4\n2: 0, 3\n3: 0, 1, 2, 4\n4: 0, 1, 3\n"),
              std::string::npos);
    EXPECT_NE(prompt(paper, 2).find("01111\n10011\n10010\n11101\n11010\n"), std::string::npos);
    EXPECT_NE(prompt(paper, 3).find("refuse:\n1 & 2, 2 & 4\n"), std::string::npos);
    EXPECT_NE(prompt(paper, 4).find(R"({"0":[1,2,3,4],"1":[0,3,4],"2":[0,3],"3":[0,1,2,4],"4":[0,1,3]}})"),
              std::string::npos);
    EXPECT_NE(prompt(graph(R"({"n":2,"edges":[[0,1]]})"), 3).find("refuse:\nnone\n"), std::string::npos);
}

TEST(clique, the_sentence_names_the_culprits) {
    auto const sentence = [](std::vector<std::int32_t> const& values) {
        block const answer = flat(values);
        return optgap_text_clique.explain(view(paper), view(answer), verify(paper, answer));
    };
    EXPECT_EQ(sentence({0, 1, 2, 4}),
              "Vertices 1 (position 1) and 2 (position 2) are not adjacent; 2 of 6 pairs are not.");
    EXPECT_EQ(sentence({0, 3, 0}), "Vertex 0 (position 2) already stands at position 0.");
    EXPECT_EQ(sentence({0, 3}), "The 2 vertices are pairwise adjacent.");
}

}  // namespace
