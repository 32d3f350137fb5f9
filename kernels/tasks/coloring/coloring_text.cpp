// Prompts, JSON, DIMACS files and sentences of coloring.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/tasks/coloring/coloring.hpp"
#include "kernels/text/files/graph_files.hpp"
#include "kernels/text/graph_json.hpp"
#include "kernels/text/graph_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::coloring {
std::string picture(words_view instance, words_view answer);  // coloring_picture.cpp
}

namespace optgap {
namespace {

/// Purpose of the worked example's random words, separate from the generator's.
constexpr std::uint32_t draw_example = 1000;

struct worked_example {
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> answer;
};

graph_view view(worked_example const& example) {
    return view_graph({example.words.data(), std::int64_t(example.words.size())});
}

/// Whether the colouring is valid so far, on the vertices up to v.
bool fits(graph_view graph, std::vector<std::int32_t> const& colours, std::int32_t v) {
    for (std::int32_t u = 0; u < v; ++u) {
        if (graph.adjacent(u, v) && colours[std::size_t(u)] == colours[std::size_t(v)]) {
            return false;
        }
    }
    return true;
}

/// The first colouring with `limit` colours in lexicographic order; empty if there is none.
std::vector<std::int32_t> first_colouring(graph_view graph, std::int32_t limit) {
    std::vector<std::int32_t> colours(std::size_t(graph.n), -1);
    for (std::int32_t v = 0; v >= 0 && v < graph.n;) {
        std::int32_t& c = colours[std::size_t(v)];
        do {
            ++c;
        } while (c < limit && !fits(graph, colours, v));
        if (c < limit) {
            ++v;
        } else {
            c = -1;
            --v;
        }
    }
    return colours.front() < 0 ? std::vector<std::int32_t>{} : colours;
}

/// Five or six vertices with at least one edge, and the first of their best colourings.
worked_example draw_worked_example(draw source) {
    draw_stream stream(source, draw_example);
    std::int32_t const n = stream.uniform(5, 6);
    worked_example example{std::vector<std::int32_t>(std::size_t(graph_words(n))), {}};
    solo team;
    std::uint32_t* const rows = begin_graph(team, example.words.data(), n);
    add_edge(team, rows, n, 0, stream.uniform(1, n - 1));
    for (std::int32_t u = 1; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            if (stream.chance(500)) {
                add_edge(team, rows, n, u, v);
            }
        }
    }
    for (std::int32_t limit = 2; example.answer.empty(); ++limit) {
        example.answer = first_colouring(view(example), limit);
    }
    return example;
}

std::vector<std::int32_t> complement(graph_view graph) {
    std::vector<std::int32_t> words(std::size_t(graph_words(graph.n)));
    solo team;
    std::uint32_t* const rows = begin_graph(team, words.data(), graph.n);
    for (std::int32_t u = 0; u < graph.n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            if (!graph.adjacent(u, v)) {
                add_edge(team, rows, graph.n, u, v);
            }
        }
    }
    return words;
}

void append_answer(std::string& text, worked_example const& example) {
    append_list(text, example.answer.data(), std::int64_t(example.answer.size()));
}

void edge_list_prompt(std::string& text, graph_view graph) {
    text +=
        "Colour the vertices of the undirected graph below with as few different colours as possible, so that the two "
        "ends of every edge have different colours.\n\nThe graph has ";
    append_vertices(text, graph.n);
    text += ". Its edges are:\n";
    append_edges(text, graph, {});
    text += "\nColours are numbers 0, 1, 2 and so on. Answer with a list of exactly ";
    append_integer(text, graph.n);
    text +=
        " colours: the colour of vertex 0 first, then that of vertex 1, and so on in the order of the vertices. A list "
        "with one edge whose ends share a colour is worth nothing; among the valid lists one with fewer colours is "
        "better.\n";
}

void neighbours_prompt(std::string& text, graph_view graph, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "Graph colouring. You are given the neighbours of each vertex of an undirected graph. Give each vertex a "
        "colour, "
        "a whole number from 0 on, such that no vertex has the colour of one of its neighbours, and use the smallest "
        "possible number of different colours.\n\nExample graph:\n";
    append_neighbours(text, view(example));
    text += "A best colouring of the example, one colour per vertex from vertex 0 on: ";
    append_answer(text, example);
    text += "\n\nYour graph has ";
    append_vertices(text, graph.n);
    text += ":\n";
    append_neighbours(text, graph);
    text += "\nGive the colours as one list of ";
    append_integer(text, graph.n);
    text += " numbers in the order of the vertices.\n";
}

void matrix_prompt(std::string& text, graph_view graph) {
    text += "Below is the adjacency matrix of an undirected graph with ";
    append_vertices(text, graph.n);
    text += ". Digit j of row i (both counted from 0) is 1 exactly when vertices i and j are adjacent.\n\n";
    append_matrix(text, graph);
    text +=
        "\nTask: divide the vertices into as few groups as possible so that the matrix has a 0 wherever two vertices "
        "of one group meet. Number the groups from 0 and answer with a list of ";
    append_integer(text, graph.n);
    text += " group numbers, entry i being the group of vertex i.\n";
}

void exams_prompt(std::string& text, graph_view graph, draw source) {
    worked_example const example = draw_worked_example(source);
    auto const append_compatible = [&](graph_view clashing) {
        std::vector<std::int32_t> const words = complement(clashing);
        append_edges(text, view_graph({words.data(), std::int64_t(words.size())}), {"(", ", ", ")", " "});
    };
    text +=
        "Exams have to be put into time slots. Two exams may share a slot only if no student takes both; the pairs of "
        "exams for which this is so are listed, and every pair that is not listed has a student in common. Any number "
        "of exams may share a slot if all their pairs are listed. Use as few slots as possible.\n\nA small case: exams "
        "0 to ";
    append_integer(text, view(example).n - 1);
    text += ", pairs that may share a slot: ";
    append_compatible(view(example));
    text += "There, a best plan gives the exams, in their order, the slots ";
    append_answer(text, example);
    text += ".\n\nThe case to solve: exams 0 to ";
    append_integer(text, graph.n - 1);
    text += ", pairs that may share a slot:\n";
    append_compatible(graph);
    text += "\nList the slot of each exam, exam 0 first: ";
    append_integer(text, graph.n);
    text += " slot numbers, counted from 0.\n";
}

void json_prompt(std::string& text, graph_view graph) {
    text += "{\"problem\": \"graph coloring\", \"vertices\": ";
    append_integer(text, graph.n);
    text += ", \"edges\": [";
    append_json_edges(text, graph);
    text +=
        "]}\n\nThe object above describes an undirected graph on the vertices 0, 1, 2 and so on. Return an array with "
        "one non-negative integer for each vertex, in vertex order, in which the entries of the two ends of an edge "
        "always differ and the number of distinct entries is minimal.\n";
}

std::string prompt(words_view instance, std::int32_t style, draw source) {
    graph_view const graph = view_graph(instance);
    std::string text;
    switch (style) {
        case 0: edge_list_prompt(text, graph); break;
        case 1: neighbours_prompt(text, graph, source); break;
        case 2: matrix_prompt(text, graph); break;
        case 3: exams_prompt(text, graph, source); break;
        default: json_prompt(text, graph); break;
    }
    return text;
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    graph_view const graph = view_graph(instance);
    answer_view const list = view_answer(answer);
    auto const at = [&](std::int64_t i) { return std::to_string(list.values[i]); };
    switch (found.code) {
        case code_ok:
            return "A colouring with " + std::to_string(found.objective) + " colours: no edge has one colour twice.";
        case code_unparsable: return "The answer is a word; a list of colours is needed.";
        case code_bad_depth: return "The answer is a list of lists; one flat list of colours is needed.";
        case code_empty:
            return "The list is empty; it needs " + std::to_string(graph.n) + " colours, one for each vertex.";
        case code_out_of_range:
            return at(found.where) + ", the colour of vertex " + std::to_string(found.where) +
                   ", is negative: colours are 0, 1, 2 and so on.";
        case code_wrong_length:
            return "The list has " + std::to_string(list.count) + " colours; it needs " + std::to_string(graph.n) +
                   ", one for each vertex.";
        case tasks::coloring::task::code_conflict: {
            std::int32_t earlier = 0;
            while (!graph.adjacent(earlier, found.where) || list.values[earlier] != list.values[found.where]) {
                ++earlier;
            }
            return "Vertices " + std::to_string(earlier) + " and " + std::to_string(found.where) +
                   " are adjacent and both have colour " + at(found.where) + "; " + std::to_string(found.violation) +
                   " of " + std::to_string(found.violation_max) + " edges join vertices of one colour.";
        }
        default: return "The answer breaks a rule of its format.";
    }
}

constexpr char const* words[] = {nullptr};
constexpr file_format files[] = {{".col", read_dimacs_graph}, {".col.b", read_dimacs_bits}, {nullptr, nullptr}};
constexpr symmetry relabels{
    .axes = {{.name = "vertex", .count = "n"}},
    .fields = {{.name = "edges", .names = {"vertex", "vertex"}}},
    .answer = {.rows = "vertex"},
};

}  // namespace
}  // namespace optgap

namespace {
constexpr char const* coloring_tags[] = {"graph", nullptr};
constexpr char const* coloring_rlve[] = {"MinimumChromaticNumber", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_coloring;
optgap::task_text const optgap_text_coloring = {
    .title = "Graph colouring",
    .summary = "the fewest colours such that adjacent vertices differ",
    .category = "graph clustering",
    .objective = "number of colours",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::words,
    .styles = 5,
    .files = optgap::files,
    .prompt = optgap::prompt,
    .explain = optgap::explain,
    .picture = optgap::text::coloring::picture,
    .twins = &optgap::relabels,
    .layout = optgap::graph_layout,
    .family = "labels",
    .tags = coloring_tags,
    .rlve = coloring_rlve,
    .expensive_steps = 512,
};
