// The prompts of bisection: five wordings, five encodings of a weighted graph.

#include "kernels/tasks/bisection/bisection_prompt.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/bitset.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/bisection/bisection_instance.hpp"
#include "kernels/text/number_text.hpp"

namespace optgap::text::bisection {
namespace {

using namespace optgap::tasks::bisection;

/// Each edge once as open u between v before weight close, joined by `separator`; "none" if there is no edge.
struct edge_style {
    char const* open;
    char const* between;
    char const* before_weight;
    char const* close;
    char const* separator;
};

void append_edges(std::string& text, weighted_graph graph, edge_style const& style, char const* none = "none") {
    bool first = true;
    for (std::int32_t u = 0; u < graph.n; ++u) {
        for (std::int32_t v = u + 1; v < graph.n; ++v) {
            if (graph.weight(u, v) == 0) {
                continue;
            }
            text += first ? "" : style.separator;
            first = false;
            text += style.open;
            append_integer(text, u);
            text += style.between;
            append_integer(text, v);
            text += style.before_weight;
            append_integer(text, graph.weight(u, v));
            text += style.close;
        }
    }
    text += first ? none : "";
}

void append_neighbours(std::string& text, weighted_graph graph) {
    for (std::int32_t u = 0; u < graph.n; ++u) {
        append_integer(text, u);
        text += ": ";
        bool first = true;
        for (std::int32_t v = 0; v < graph.n; ++v) {
            if (graph.weight(u, v) != 0) {
                text += first ? "" : ", ";
                first = false;
                append_integer(text, v);
                text += " (";
                append_integer(text, graph.weight(u, v));
                text += ')';
            }
        }
        text += first ? "none\n" : "\n";
    }
}

void append_matrix(std::string& text, weighted_graph graph) {
    for (std::int32_t u = 0; u < graph.n; ++u) {
        for (std::int32_t v = 0; v < graph.n; ++v) {
            text += v > 0 ? " " : "";
            append_integer(text, graph.weight(u, v));
        }
        text += '\n';
    }
}

/// Purpose of its random words, separate from the generator's.
constexpr std::uint32_t draw_example = 1000;

struct worked_example {
    std::vector<std::int32_t> words;
    std::string parts;  ///< the best parts
    std::int64_t cut = 0;
};

/// Five or six vertices, with most pairs joined, and a bisection of least weight.
worked_example draw_worked_example(draw source) {
    draw_stream stream(source, draw_example);
    std::int32_t const n = stream.uniform(5, 6);
    worked_example example{std::vector<std::int32_t>(std::size_t(weighted_graph_words(n))), "", INT64_MAX};
    example.words[0] = n;
    for (std::int32_t u = 0; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            std::int32_t const weight = v == u - 1 || stream.chance(500) ? stream.uniform(1, 9) : 0;
            example.words[std::size_t(1 + u * n + v)] = weight;
            example.words[std::size_t(1 + v * n + u)] = weight;
        }
    }
    solo team;
    weighted_graph const graph{example.words.data() + 1, n};
    for (std::uint32_t set = 0; set < 1u << n; ++set) {
        if (popcount(set) != n / 2) {
            continue;
        }
        std::array<std::int32_t, 6> side{};
        for (std::int32_t v = 0; v < n; ++v) {
            side[std::size_t(v)] = std::int32_t(set >> v & 1u);
        }
        std::int64_t const cut = cut_weight(team, graph, side.data());
        if (cut < example.cut) {
            std::array<std::int32_t, 9> answer{};
            std::int64_t const size = write_parts(team, side.data(), n, answer.data());
            example.cut = cut;
            example.parts = answer_text({answer.data(), std::size_t(size)});
        }
    }
    return example;
}

weighted_graph view(worked_example const& example) {
    return view_weighted_graph({example.words.data(), std::int64_t(example.words.size())});
}

void append_vertices(std::string& text, std::int32_t n) {
    append_integer(text, n);
    text += n == 1 ? " vertex, numbered " : " vertices, numbered 0 to ";
    append_integer(text, n - 1);
}

/// "25 vertices each", or "25 and 26 vertices in some order".
void append_sizes(std::string& text, std::int32_t n, char const* things) {
    append_integer(text, n / 2);
    if (n % 2 == 1) {
        text += " and ";
        append_integer(text, n / 2 + 1);
    }
    text += ' ';
    text += things;
    text += n % 2 == 1 ? ", in either order" : " each";
}

void edge_list_prompt(std::string& text, weighted_graph graph) {
    text +=
        "Split the vertices of a weighted undirected graph into two parts whose sizes differ by at most 1, so that "
        "the total weight of the edges between the two parts is as small as possible.\n\nThe graph has ";
    append_vertices(text, graph.n);
    text += ". Its edges, as u-v:weight, are:\n";
    append_edges(text, graph, {"", "-", ":", "", ", "});
    text +=
        "\n\nAnswer with two lists, one for each part. Every vertex must stand in exactly one of them; the parts "
        "have ";
    append_sizes(text, graph.n, "vertices");
    text += ".\n";
}

void neighbours_prompt(std::string& text, weighted_graph graph, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "Minimum bisection. For each vertex of an undirected graph you are given its neighbours, with the weight "
        "of the connecting edge in parentheses. Divide the vertices into two groups that differ in size by no "
        "more than one vertex. The cost is the sum of the weights of all edges whose ends are in different "
        "groups; make it as low as you can.\n\nExample graph:\n";
    append_neighbours(text, view(example));
    text += "A best division of the example: ";
    text += example.parts;
    text += ", of cost ";
    append_integer(text, example.cut);
    text += "\n\nYour graph has ";
    append_vertices(text, graph.n);
    text += ":\n";
    append_neighbours(text, graph);
    text += "\nGive the two groups as a list of two lists of vertices. Each vertex belongs to exactly one group.\n";
}

void matrix_prompt(std::string& text, weighted_graph graph) {
    text += "Below is the symmetric weight matrix of a graph with ";
    append_vertices(text, graph.n);
    text +=
        ". Number j of row i (both counted from 0) is the weight between vertices i and j; 0 means that there is "
        "no edge.\n\n";
    append_matrix(text, graph);
    text +=
        "\nTask: partition the vertices into A and B with | |A| - |B| | at most 1, and minimise the sum of the "
        "matrix entries in the rows of A and the columns of B. The answer is the pair of lists A, B; no vertex "
        "may be left out or appear twice.\n";
}

void offices_prompt(std::string& text, weighted_graph graph, draw source) {
    worked_example const example = draw_worked_example(source);
    constexpr edge_style triple = {"(", ", ", ", ", ")", " "};
    text +=
        "A company moves into two buildings. Pairs of employees work together a known number of hours a week; "
        "hours between people in different buildings are lost to travel. Every employee gets a place, and the "
        "buildings must be filled as evenly as possible: their head counts may differ by one at most. Lose as few "
        "hours as possible. A triple (a, b, h) says that employees a and b share h hours.\n\nA small case: "
        "employees 0 to ";
    append_integer(text, view(example).n - 1);
    text += " with ";
    append_edges(text, view(example), triple);
    text += "\nThere, ";
    text += example.parts;
    text += " loses ";
    append_integer(text, example.cut);
    text += " hours, which is the least possible.\n\nThe case to solve: employees 0 to ";
    append_integer(text, graph.n - 1);
    text += ", so the buildings hold ";
    append_sizes(text, graph.n, "people");
    text += ", with\n";
    append_edges(text, graph, triple);
    text += "\n\nList who goes into the first building and who goes into the second one.\n";
}

void json_prompt(std::string& text, weighted_graph graph) {
    text += "{\"problem\": \"minimum graph bisection\", \"n\": ";
    append_integer(text, graph.n);
    text += ", \"edges\": [";
    append_edges(text, graph, {"[", ",", ",", "]", ","}, "");
    text +=
        "]}\n\nEach entry [u,v,w] of the object above is an undirected edge of weight w between two of the nodes "
        "0 to n-1. Return two disjoint arrays of node indices that together hold all nodes and whose lengths are "
        "equal, or differ by 1 if n is odd. The smaller the total weight of the edges with one end in each array, "
        "the better.\n";
}

}  // namespace

std::string prompt(words_view instance, std::int32_t style, draw source) {
    weighted_graph const graph = view_weighted_graph(instance);
    std::string text;
    switch (style) {
        case 0: edge_list_prompt(text, graph); break;
        case 1: neighbours_prompt(text, graph, source); break;
        case 2: matrix_prompt(text, graph); break;
        case 3: offices_prompt(text, graph, source); break;
        default: json_prompt(text, graph); break;
    }
    return text;
}

}  // namespace optgap::text::bisection
