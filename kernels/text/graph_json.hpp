#pragma once
// JSON and DIMACS forms of the graphs that tasks share (kernels/core/{graph,weighted_graph}.hpp).
//
//   {"n": 4, "edges": [[0, 1], [1, 2], [2, 3]]}          {"n": 3, "edges": [[0, 1, 7], [2, 0, 5]]}
//
// Vertices count from 0, an edge's ends come in either order, and an edge given twice counts once.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/text/flat/flat_json.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

/// Edges with the smaller end first, in rising order.
json graph_edges(words_view graph);
json weighted_graph_edges(words_view graph);

/// The graph's words. `name` is the field's that holds the edges. Throws field_error for n out of range, an end that is
/// no vertex ("edges[3][1]"), a self-loop ("edges[3]"), a weight out of range ("edges[3][2]") and a second weight of a
/// pair ("edges[3]").
std::vector<std::int32_t> read_graph(json const& n, json const& edges, char const* name);
std::vector<std::int32_t> read_weighted_graph(json const& n, json const& edges, char const* name,
                                              std::int32_t least_weight = 0);
std::vector<std::int32_t> read_graph(flat_value const& n, flat_value const& edges, char const* name);
std::vector<std::int32_t> read_weighted_graph(flat_value const& n, flat_value const& edges, char const* name,
                                              std::int32_t least_weight = 0);

/// DIMACS clique and colouring files (.clq, .col): "c" comments, one "p edge n m" line (also "p col n m" and "p n m"),
/// "e u v" lines with vertices from 1. Published files count an edge once or twice, list it once or twice and have an
/// edge from a vertex to itself: m is not checked, a repeated edge counts once, a loop not at all. Throws field_error
/// whose field is "line 12".
std::vector<std::int32_t> read_dimacs_graph(std::string_view text);

/// DIMACS binary files (.clq.b, .col.b): the length of the preamble, the preamble as above, then for each vertex u a
/// row of bits for the vertices 0 … u, the first one highest, filled up to whole bytes.
std::vector<std::int32_t> read_dimacs_bits(std::string_view text);

}  // namespace optgap
