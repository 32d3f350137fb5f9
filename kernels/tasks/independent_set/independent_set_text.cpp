// Prompts, JSON, DIMACS files and sentences of independent_set.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/families/subset/vertex_set_text.hpp"
#include "kernels/text/files/graph_files.hpp"
#include "kernels/text/graph_json.hpp"
#include "kernels/text/graph_text.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::independent_set {
std::string picture(words_view instance, words_view answer);  // independent_set_picture.cpp
}

namespace optgap {
namespace {

using search::worked_example;

worked_example draw_worked_example(draw source) { return search::draw_worked_example(vertex_set::independent, source); }

void edge_list_prompt(std::string& text, graph_view graph) {
    text +=
        "Find a maximum independent set of the undirected graph below: as many vertices as possible, no two of which "
        "are joined by an edge.\n\nThe graph has ";
    append_vertices(text, graph.n);
    text += ". Its edges are:\n";
    append_edges(text, graph, {});
    text +=
        "\nAnswer with the list of the chosen vertices, in any order. Every vertex may appear once at most; a list "
        "with "
        "two adjacent vertices is worth nothing, and among the valid lists a longer one is better.\n";
}

void neighbours_prompt(std::string& text, graph_view graph, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "Maximum independent set. You are given the neighbours of each vertex of an undirected graph. Choose a set of "
        "vertices in which no vertex is a neighbour of another, and make the set as large as you can.\n\n"
        "Example graph:\n";
    append_neighbours(text, example.graph());
    text += "A largest set of the example: ";
    append_list(text, example.answer.data(), std::int64_t(example.answer.size()));
    text += "\n\nYour graph has ";
    append_vertices(text, graph.n);
    text += ":\n";
    append_neighbours(text, graph);
    text += "\nGive the chosen vertices as one list without repetitions; the order does not matter.\n";
}

void matrix_prompt(std::string& text, graph_view graph) {
    text += "Below is the adjacency matrix of an undirected graph with ";
    append_vertices(text, graph.n);
    text += ". Digit j of row i (both counted from 0) is 1 exactly when vertices i and j are adjacent.\n\n";
    append_matrix(text, graph);
    text +=
        "\nTask: select rows so that the matrix has a 0 wherever a selected row meets a selected column, in other "
        "words "
        "an independent set, and select as many as possible. The answer is the list of selected vertex numbers, each "
        "at most once.\n";
}

void stations_prompt(std::string& text, graph_view graph, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "A regulator wants to license as many radio stations as possible on one frequency. Some pairs of stations are "
        "so close that they disturb each other; two such stations must not both be licensed.\n\nA small case: stations "
        "0 to ";
    append_integer(text, example.graph().n - 1);
    text += " with the disturbing pairs ";
    append_edges(text, example.graph(), {"(", ", ", ")", " "});
    text += "There, licensing ";
    append_list(text, example.answer.data(), std::int64_t(example.answer.size()));
    text += " is the best possible.\n\nThe case to solve: stations 0 to ";
    append_integer(text, graph.n - 1);
    text += " with the disturbing pairs\n";
    append_edges(text, graph, {"(", ", ", ")", " "});
    text += "\nList the numbers of the stations to license, no station twice.\n";
}

void json_prompt(std::string& text, graph_view graph) {
    text += "{\"problem\": \"maximum independent set\", \"vertices\": ";
    append_integer(text, graph.n);
    text += ", \"edges\": [";
    append_json_edges(text, graph);
    text +=
        "]}\n\nThe object above describes an undirected graph on the vertices 0, 1, 2 and so on. Return the indices of "
        "a largest possible collection of distinct vertices such that none of the listed edges has both its ends in "
        "the collection.\n";
}

std::string prompt(words_view instance, std::int32_t style, draw source) {
    graph_view const graph = view_graph(instance);
    std::string text;
    switch (style) {
        case 0: edge_list_prompt(text, graph); break;
        case 1: neighbours_prompt(text, graph, source); break;
        case 2: matrix_prompt(text, graph); break;
        case 3: stations_prompt(text, graph, source); break;
        default: json_prompt(text, graph); break;
    }
    return text;
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    return search::explain_vertex_set(vertex_set::independent, instance, answer, found);
}

constexpr char const* words[] = {nullptr};
constexpr file_format files[] = {{".clq", read_dimacs_graph},
                                 {".col", read_dimacs_graph},
                                 {".clq.b", read_dimacs_bits},
                                 {".col.b", read_dimacs_bits},
                                 {nullptr, nullptr}};

}  // namespace
}  // namespace optgap

namespace {
constexpr char const* independent_set_tags[] = {"graph", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_independent_set;
optgap::task_text const optgap_text_independent_set = {
    .title = "Maximum independent set",
    .summary = "the largest set of pairwise non-adjacent vertices of a graph",
    .category = "graph clustering",
    .objective = "number of vertices",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::words,
    .styles = 5,
    .files = optgap::files,
    .prompt = optgap::prompt,
    .explain = optgap::explain,
    .picture = optgap::text::independent_set::picture,
    .twins = &optgap::vertex_symmetry,
    .layout = optgap::graph_layout,
    .family = "subset",
    .tags = independent_set_tags,
    .expensive_steps = 64,
};
