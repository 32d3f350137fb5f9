#pragma once
// Texts shared by tasks on graphs whose edges have lengths: {n}, {last}, {edges} "0-3: 7, …", {pairs} "(0, 3, 7) …",
// {neighbours} and {roads}, and a picture of the graph on a ring. Host only.

#include <string>

#include "kernels/families/routes/weighted_edges.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/graph_picture.hpp"
#include "kernels/text/number_text.hpp"

namespace optgap::families {

/// Calls write(u, v, weight) for each edge, u < v, in rising order.
template <class Write>
void each_edge(words_view instance, Write const& write) {
    weighted_edges const graph = view_edges(instance);
    for (std::int32_t u = 0; u < graph.n; ++u) {
        for (std::int32_t v = u + 1; v < graph.n; ++v) {
            if (graph.weight(u, v) > 0) {
                write(u, v, graph.weight(u, v));
            }
        }
    }
}

/// Each edge is written as open u between v before weight close; edges are joined by `separator`.
struct length_style {
    char const* open = "";
    char const* between = "-";
    char const* before = ": ";
    char const* close = "";
    char const* separator = ", ";
};
inline void append_lengths(std::string& text, words_view instance, length_style const& style) {
    bool first = true;
    each_edge(instance, [&](std::int32_t u, std::int32_t v, std::int32_t weight) {
        text += first ? "" : style.separator;
        first = false;
        text += style.open;
        append_integer(text, u);
        text += style.between;
        append_integer(text, v);
        text += style.before;
        append_integer(text, weight);
        text += style.close;
    });
    text += first ? "none\n" : "\n";
}

/// One line "0: 3 (7), 5 (2)" for each vertex.
inline void append_neighbour_lengths(std::string& text, words_view instance) {
    weighted_edges const graph = view_edges(instance);
    for (std::int32_t u = 0; u < graph.n; ++u) {
        append_integer(text, u);
        char const* before = ": ";
        for (std::int32_t v = 0; v < graph.n; ++v) {
            if (graph.weight(u, v) > 0) {
                text += before;
                append_integer(text, v);
                text += " (";
                append_integer(text, graph.weight(u, v));
                text += ")";
                before = ", ";
            }
        }
        text += "\n";
    }
}

inline constexpr filler weighted_edges_fillers[] = {
    {"n", [](std::string& text, words_view on) { append_integer(text, on[0]); }},
    {"last", [](std::string& text, words_view on) { append_integer(text, on[0] - 1); }},
    {"edges", [](std::string& text, words_view on) { append_lengths(text, on, {}); }},
    {"pairs",
     [](std::string& text, words_view on) {
         append_lengths(text, on, {"(", ", ", ", ", ")", " "});
     }},
    {"roads",
     [](std::string& text, words_view on) {
         append_lengths(text, on, {"", " - ", ", ", " km", "\n"});
     }},
    {"neighbours", append_neighbour_lengths},
};

/// Vertices may be renamed; answers are lists of vertices, or of pairs of them.
inline constexpr symmetry weighted_edges_symmetry{
    .axes = {{.name = "vertex", .count = "n"}},
    .fields = {{.name = "edges", .names = {"vertex", "vertex", ""}}, {.name = "terminals", .names = {"vertex"}}},
    .answer = {.names = {"vertex"}},
};

}  // namespace optgap::families
