#pragma once
// Encodings of an unweighted graph for prompts, appended to a text. Each ends with a line break unless stated
// otherwise.

#include <cstdint>
#include <string>

#include "kernels/core/graph.hpp"
#include "kernels/text/number_text.hpp"

namespace optgap {

/// Each edge once, smaller end first, as open u between v close, joined by `separator`: "0-3, 0-5" or "(0, 3) (0, 5)".
/// "none" if there is no edge.
struct edge_style {
    char const* open = "";
    char const* between = "-";
    char const* close = "";
    char const* separator = ", ";
};
void append_edges(std::string& text, graph_view graph, edge_style const& style);

/// "[0,3],[0,5]", without a line break; nothing if there is no edge.
void append_json_edges(std::string& text, graph_view graph);

/// One line "0: 3, 5" for each vertex; "0: none" if it has no neighbour.
void append_neighbours(std::string& text, graph_view graph);

/// n lines of n digits, 1 where two vertices are adjacent.
void append_matrix(std::string& text, graph_view graph);

/// "20 vertices, numbered 0 to 19", without a line break.
void append_vertices(std::string& text, std::int32_t n);

}  // namespace optgap
