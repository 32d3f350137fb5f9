// Prompts, JSON, DIMACS files and sentences of independent_set.

#include <string>
#include <vector>

#include "host/graph_json.hpp"
#include "host/graph_text.hpp"
#include "host/task_text.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/tasks/independent_set/independent_set.hpp"

namespace optgap {
namespace {

/// Purpose of the worked example's random words, apart from the generator's.
constexpr std::uint32_t draw_example = 1000;

struct worked_example {
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> answer;
};

/// Five or six vertices with at least one edge, and their optimum that comes first as a set of bits.
worked_example draw_worked_example(draw source) {
    draw_stream stream(source, draw_example);
    std::int32_t const n = stream.uniform(5, 6);
    worked_example example{std::vector<std::int32_t>(std::size_t(graph_words(n))), {}};
    solo team;
    std::uint32_t* const rows = begin_graph(team, example.words.data(), n);
    add_edge(team, rows, n, 0, stream.uniform(1, n - 1));
    for (std::int32_t u = 1; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            if (stream.chance(400)) {
                add_edge(team, rows, n, u, v);
            }
        }
    }
    for (std::uint32_t set = 1; set < 1u << n; ++set) {
        bool independent = true;
        std::vector<std::int32_t> members;
        for (std::int32_t v = 0; v < n; ++v) {
            if (set >> v & 1u) {
                independent = independent && (rows[v] & set) == 0;
                members.push_back(v);
            }
        }
        if (independent && members.size() > example.answer.size()) {
            example.answer = members;
        }
    }
    return example;
}

graph_view view(worked_example const& example) {
    return view_graph({example.words.data(), std::int64_t(example.words.size())});
}

void append_vertices(std::string& text, std::int32_t n) {
    append_integer(text, n);
    text += " vertices, numbered 0 to ";
    append_integer(text, n - 1);
}

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
    append_neighbours(text, view(example));
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
    append_integer(text, view(example).n - 1);
    text += " with the disturbing pairs ";
    append_edges(text, view(example), {"(", ", ", ")", " "});
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
    append_edges(text, graph, {"[", ",", "]", ","});
    if (text.ends_with("none\n")) {
        text.resize(text.size() - 5);
    } else {
        text.pop_back();
    }
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
    graph_view const graph = view_graph(instance);
    answer_view const list = view_answer(answer);
    auto const at = [&](std::int64_t i) { return std::to_string(list.values[i]); };
    auto const place = [](std::int64_t i) { return " (position " + std::to_string(i) + ")"; };
    switch (found.code) {
        case code_ok: return "The " + std::to_string(list.count) + " vertices are pairwise non-adjacent.";
        case code_unparsable: return "The answer is a word; a list of vertices is needed.";
        case code_bad_depth: return "The answer is a list of lists; one flat list of vertices is needed.";
        case code_empty: return "The list is empty; a set of at least one vertex always exists.";
        case code_out_of_range:
            return at(found.where) + place(found.where) + " is no vertex: the vertices are 0 to " +
                   std::to_string(graph.n - 1) + ".";
        case code_repeated: {
            std::int64_t first = 0;
            while (list.values[first] != list.values[found.where]) {
                ++first;
            }
            return "Vertex " + at(found.where) + place(found.where) + " already stands at position " +
                   std::to_string(first) + ".";
        }
        case tasks::independent_set::task::code_adjacent: {
            std::int64_t earlier = 0;
            while (!graph.adjacent(list.values[earlier], list.values[found.where])) {
                ++earlier;
            }
            return "Vertices " + at(earlier) + place(earlier) + " and " + at(found.where) + place(found.where) +
                   " are adjacent; " + std::to_string(found.violation) + " of " + std::to_string(found.violation_max) +
                   " pairs are.";
        }
        default: return "The answer breaks a rule of its format.";
    }
}

constexpr char const* words[] = {nullptr};
constexpr file_format files[] = {{".clq", read_dimacs_graph}, {".col", read_dimacs_graph}, {nullptr, nullptr}};

}  // namespace
}  // namespace optgap

extern optgap::task_text const optgap_text_independent_set;
optgap::task_text const optgap_text_independent_set = {
    .title = "Maximum independent set",
    .summary = "the largest set of pairwise non-adjacent vertices of a graph",
    .objective = "number of vertices",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::words,
    .styles = 5,
    .files = optgap::files,
    .prompt = optgap::prompt,
    .to_json = optgap::graph_to_json,
    .from_json = optgap::graph_from_json,
    .explain = optgap::explain,
};
