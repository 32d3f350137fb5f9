// Prompts, JSON, DIMACS files and sentences of clique.

#include <string>

#include <nlohmann/json.hpp>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/families/subset/vertex_set_text.hpp"
#include "kernels/text/files/graph_files.hpp"
#include "kernels/text/graph_json.hpp"
#include "kernels/text/graph_text.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::clique {
std::string picture(words_view instance, words_view answer);  // clique_picture.cpp
}

namespace optgap {
namespace {

using search::worked_example;

worked_example draw_worked_example(draw source) { return search::draw_worked_example(vertex_set::clique, source); }

void edge_list_prompt(std::string& text, graph_view graph) {
    text +=
        "Find a maximum clique of the undirected graph below: as many vertices as possible, every two of which are "
        "joined by an edge.\n\nThe graph has ";
    append_vertices(text, graph.n);
    text += ". Its edges are:\n";
    append_edges(text, graph, {});
    text +=
        "\nAnswer with the list of the clique's vertices, in any order and none twice. If some pair of them is not "
        "joined, the answer counts for nothing; otherwise the longer the list the better.\n";
}

void neighbours_prompt(std::string& text, graph_view graph, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "Maximum clique. For each vertex of an undirected graph you are told its neighbours. Choose a set of vertices "
        "that are all neighbours of one another, and make the set as large as you can.\n\nExample graph:\n";
    append_neighbours(text, example.graph());
    text += "A largest clique of the example: ";
    append_list(text, example.answer.data(), std::int64_t(example.answer.size()));
    text += "\n\nYour graph has ";
    append_vertices(text, graph.n);
    text += ":\n";
    append_neighbours(text, graph);
    text += "\nGive the chosen vertices as one list without repetitions; the order does not matter.\n";
}

void matrix_prompt(std::string& text, graph_view graph) {
    text += "The square of digits below is the adjacency matrix of an undirected graph with ";
    append_vertices(text, graph.n);
    text += ": the digit in row i and column j, both counted from 0, is 1 if i and j are adjacent and 0 if not.\n\n";
    append_matrix(text, graph);
    text +=
        "\nSelect as many rows as possible such that every selected row has a 1 in the column of each other selected "
        "row, in other words a largest clique. The answer is the list of the selected row numbers, each at most "
        "once.\n";
}

/// Writes the pairs that are not adjacent, each once: a short list if the graph is dense.
void append_missing_pairs(std::string& text, graph_view graph) {
    bool first = true;
    for (std::int32_t u = 0; u < graph.n; ++u) {
        for (std::int32_t v = u + 1; v < graph.n; ++v) {
            if (!graph.adjacent(u, v)) {
                text += first ? "" : ", ";
                append_integer(text, u);
                text += " & ";
                append_integer(text, v);
                first = false;
            }
        }
    }
    text += first ? "none\n" : "\n";
}

void crew_prompt(std::string& text, graph_view graph, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "A ship's captain hires as large a crew as possible. Some pairs of candidates refuse to sail together, and no "
        "such pair may be hired; all other pairs get along.\n\nA small case: candidates 0 to ";
    append_integer(text, example.graph().n - 1);
    text += ", pairs that refuse: ";
    append_missing_pairs(text, example.graph());
    text += "A largest crew there is ";
    append_list(text, example.answer.data(), std::int64_t(example.answer.size()));
    text += ".\n\nYour case: candidates 0 to ";
    append_integer(text, graph.n - 1);
    text += ", pairs that refuse:\n";
    append_missing_pairs(text, graph);
    text += "\nList the numbers of the candidates to hire, none twice, in any order.\n";
}

void json_prompt(std::string& text, graph_view graph) {
    text += "{\"problem\": \"maximum clique\", \"vertices\": ";
    append_integer(text, graph.n);
    text += ", \"adjacent\": {";
    for (std::int32_t u = 0; u < graph.n; ++u) {
        text += u > 0 ? ",\"" : "\"";
        append_integer(text, u);
        text += "\":[";
        bool first = true;
        for (std::int32_t v = 0; v < graph.n; ++v) {
            if (graph.adjacent(u, v)) {
                text += first ? "" : ",";
                append_integer(text, v);
                first = false;
            }
        }
        text += ']';
    }
    text +=
        "}}\n\nThe object above maps each vertex of an undirected graph to the vertices it shares an edge with. Return "
        "the numbers of a largest possible collection of distinct vertices in which any two share an edge.\n";
}

std::string prompt(words_view instance, std::int32_t style, draw source) {
    graph_view const graph = view_graph(instance);
    std::string text;
    switch (style) {
        case 0: edge_list_prompt(text, graph); break;
        case 1: neighbours_prompt(text, graph, source); break;
        case 2: matrix_prompt(text, graph); break;
        case 3: crew_prompt(text, graph, source); break;
        default: json_prompt(text, graph); break;
    }
    return text;
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    return search::explain_vertex_set(vertex_set::clique, instance, answer, found);
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
constexpr char const* clique_tags[] = {"graph", nullptr};
constexpr char const* clique_rlve[] = {"MaximumClique", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_clique;
optgap::task_text const optgap_text_clique = {
    .title = "Maximum clique",
    .summary = "the largest set of pairwise adjacent vertices of a graph",
    .category = "graph clustering",
    .objective = "number of vertices",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::words,
    .styles = 5,
    .files = optgap::files,
    .prompt = optgap::prompt,
    .explain = optgap::explain,
    .picture = optgap::text::clique::picture,
    .twins = &optgap::vertex_symmetry,
    .layout = optgap::graph_layout,
    .family = "subset",
    .tags = clique_tags,
    .rlve = clique_rlve,
    .expensive_steps = 64,
};
