// Prompts, JSON, DIMACS files and sentences of hamiltonian.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian.hpp"
#include "kernels/text/files/graph_files.hpp"
#include "kernels/text/graph_json.hpp"
#include "kernels/text/graph_text.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::hamiltonian {
std::string picture(words_view instance, words_view answer);  // hamiltonian_picture.cpp
std::vector<std::int32_t> read_hcp(std::string_view text);    // hamiltonian_files.cpp
}  // namespace optgap::text::hamiltonian

namespace optgap {
namespace {

/// Purpose of the worked example's random words, separate from the generator's.
constexpr std::uint32_t draw_example = 1000;

struct worked_example {
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> cycle;
};

graph_view view(worked_example const& example) {
    return view_graph({example.words.data(), std::int64_t(example.words.size())});
}

/// Extends `path` in every way and keeps the first longest cycle that it closes.
void keep_longest_cycle(worked_example& example, std::vector<std::int32_t>& path) {
    graph_view const graph = view(example);
    if (path.size() >= 3 && path.size() > example.cycle.size() && graph.adjacent(path.back(), path.front())) {
        example.cycle = path;
    }
    std::uint32_t on_path = 0;
    for (std::int32_t const v : path) {
        on_path |= 1u << v;
    }
    std::uint32_t next = *graph.row(path.back()) & ~on_path;
    for (; next != 0; next &= next - 1) {
        path.push_back(lowest(next));
        keep_longest_cycle(example, path);
        path.pop_back();
    }
}

/// Five or six vertices with at least one triangle, and the longest cycle that comes first when paths are compared from
/// their smallest vertex on.
worked_example draw_worked_example(draw source) {
    draw_stream stream(source, draw_example);
    std::int32_t const n = stream.uniform(5, 6);
    std::int32_t label[6] = {0, 1, 2, 3, 4, 5};
    shuffle(stream, label, n);
    worked_example example{std::vector<std::int32_t>(std::size_t(graph_words(n))), {}};
    solo team;
    std::uint32_t* const rows = begin_graph(team, example.words.data(), n);
    for (std::int32_t u = 1; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            if (u < 3 || stream.chance(450)) {
                add_edge(team, rows, n, label[u], label[v]);
            }
        }
    }
    for (std::int32_t v = 0; v < n; ++v) {
        std::vector<std::int32_t> path{v};
        keep_longest_cycle(example, path);
    }
    return example;
}

void append_example_cycle(std::string& text, worked_example const& example) {
    append_list(text, example.cycle.data(), std::int64_t(example.cycle.size()));
}

void edge_list_prompt(std::string& text, graph_view graph) {
    text +=
        "Find a cycle through as many vertices as possible in the undirected graph below. A cycle visits at least "
        "three vertices, none of them twice, moves along an edge at each step and returns along an edge from the last "
        "vertex to the first.\n\nThe graph has ";
    append_vertices(text, graph.n);
    text += ". Its edges are:\n";
    append_edges(text, graph, {});
    text +=
        "\nAnswer with the vertices in the order in which the cycle visits them; the first may be repeated at the end. "
        "The more vertices, the better; a list with a step that is no edge is worth nothing.\n";
}

void neighbours_prompt(std::string& text, graph_view graph, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "Longest cycle. For each vertex of an undirected graph you are told its neighbours. Walk from neighbour to "
        "neighbour without visiting a vertex twice and come back to where you started; the walk should visit as many "
        "vertices as you can manage, and three at least.\n\nExample graph:\n";
    append_neighbours(text, view(example));
    text += "A longest cycle of the example, in visiting order: ";
    append_example_cycle(text, example);
    text += " (from its last vertex the walk returns to its first)\n\nYour graph has ";
    append_vertices(text, graph.n);
    text += ":\n";
    append_neighbours(text, graph);
    text +=
        "\nGive the cycle as one list of vertices in visiting order. It need not contain every vertex, but longer is "
        "better.\n";
}

void matrix_prompt(std::string& text, graph_view graph) {
    text += "Below is the adjacency matrix of an undirected graph with ";
    append_vertices(text, graph.n);
    text += ". Digit j of row i (both counted from 0) is 1 exactly when vertices i and j are adjacent.\n\n";
    append_matrix(text, graph);
    text +=
        "\nTask: arrange distinct vertices v1, v2, ..., vk, k at least 3, so that the matrix has a 1 at (v1, v2), "
        "(v2, v3), ..., and also at (vk, v1), with k as large as possible. The answer is the list of v1 to vk in this "
        "order; v1 may be appended once more.\n";
}

void tram_prompt(std::string& text, graph_view graph, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "A city plans a circular tram line. Tracks run between some pairs of stops; the line follows tracks, calls at "
        "every stop it uses exactly once and, after its last stop, returns by a track to its first. It needs three "
        "stops or more, and it should call at as many stops as possible.\n\nA small case: stops 0 to ";
    append_integer(text, view(example).n - 1);
    text += " with the tracks ";
    append_edges(text, view(example), {"(", ", ", ")", " "});
    text += "There, the line ";
    append_example_cycle(text, example);
    text += " calls at as many stops as any can.\n\nThe case to solve: stops 0 to ";
    append_integer(text, graph.n - 1);
    text += " with the tracks\n";
    append_edges(text, graph, {"(", ", ", ")", " "});
    text += "\nList the stops in the order in which the line calls at them.\n";
}

void json_prompt(std::string& text, graph_view graph) {
    text += "{\"problem\": \"longest cycle\", \"vertices\": ";
    append_integer(text, graph.n);
    text += ", \"edges\": [";
    append_json_edges(text, graph);
    text +=
        "]}\n\nThe object above describes an undirected graph on the vertices 0, 1, 2 and so on. Return a simple cycle "
        "with the greatest number of vertices that you can find, as the sequence of its vertices: any two that follow "
        "each other must be joined by a listed edge, as must the last and the first, and no vertex may occur twice "
        "(except that the sequence may end with its first vertex).\n";
}

std::string prompt(words_view instance, std::int32_t style, draw source) {
    graph_view const graph = view_graph(instance);
    std::string text;
    switch (style) {
        case 0: edge_list_prompt(text, graph); break;
        case 1: neighbours_prompt(text, graph, source); break;
        case 2: matrix_prompt(text, graph); break;
        case 3: tram_prompt(text, graph, source); break;
        default: json_prompt(text, graph); break;
    }
    return text;
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    answer_view const list = view_answer(answer);
    auto const at = [&](std::int64_t i) { return std::to_string(list.values[i]); };
    auto const place = [](std::int64_t i) { return " (position " + std::to_string(i) + ")"; };
    switch (found.code) {
        case code_ok: return "The list is a cycle through " + std::to_string(found.objective) + " vertices.";
        case code_unparsable: return "The answer is a word; a list of vertices is needed.";
        case code_bad_depth: return "The answer is a list of lists; one flat list of vertices is needed.";
        case code_empty: return "The list is empty; a cycle has at least three vertices.";
        case code_out_of_range:
            return at(found.where) + place(found.where) + " is no vertex: the vertices are 0 to " +
                   std::to_string(instance[0] - 1) + ".";
        case code_repeated: {
            std::int64_t first = 0;
            while (list.values[first] != list.values[found.where]) {
                ++first;
            }
            return "Vertex " + at(found.where) + place(found.where) + " already stands at position " +
                   std::to_string(first) + ".";
        }
        case code_wrong_length:
            return "The list visits " + std::to_string(found.violation_max) + " of the at least 3 vertices of a cycle.";
        case tasks::hamiltonian::task::code_no_edge: {
            std::int64_t const next = found.where + 1 < found.violation_max ? found.where + 1 : 0;
            return "There is no edge from vertex " + at(found.where) + place(found.where) + " to " + at(next) +
                   place(next) + "; " + std::to_string(found.violation) + " of " + std::to_string(found.violation_max) +
                   " steps lack one.";
        }
        default: return "The answer breaks a rule of its format.";
    }
}

constexpr char const* words[] = {nullptr};
constexpr file_format files[] = {{".hcp", text::hamiltonian::read_hcp}, {".clq", read_dimacs_graph},
                                 {".col", read_dimacs_graph},           {".clq.b", read_dimacs_bits},
                                 {".col.b", read_dimacs_bits},          {nullptr, nullptr}};

}  // namespace
}  // namespace optgap

namespace {
constexpr char const* hamiltonian_tags[] = {"graph", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_hamiltonian;
optgap::task_text const optgap_text_hamiltonian = {
    .title = "Longest cycle",
    .summary = "the longest cycle of a graph in which a Hamiltonian cycle is hidden",
    .category = "path planning",
    .objective = "number of vertices on the cycle",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::words,
    .styles = 5,
    .files = optgap::files,
    .prompt = optgap::prompt,
    .explain = optgap::explain,
    .picture = optgap::text::hamiltonian::picture,
    .twins = &optgap::vertex_symmetry,
    .layout = optgap::graph_layout,
    .family = "routes",
    .tags = hamiltonian_tags,
    .expensive_steps = 16,
};
