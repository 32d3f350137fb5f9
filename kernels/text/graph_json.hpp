#pragma once
// JSON and DIMACS forms of the unweighted graph (kernels/core/graph.hpp), the same for every graph task.
//
//   {"n": 4, "edges": [[0, 1], [1, 2], [2, 3]]}
//
// Vertices count from 0, an edge's ends come in either order, and an edge given twice counts once.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/text/task_text.hpp"

namespace optgap {

/// Edges with the smaller end first, in rising order.
json graph_to_json(words_view instance);

/// Instance words. Throws field_error for a missing or unknown field, n outside 1 … 20000, an end that is no vertex
/// ("edges[3][1]") and a self-loop ("edges[3]").
std::vector<std::int32_t> graph_from_json(json const& instance);

/// DIMACS clique and colouring files (.clq, .col): "c" comments, one "p edge n m" line (also "p col"), "e u v" lines
/// with vertices from 1. The stated m is not checked: published files count an edge once or twice. Throws field_error
/// whose field is "line 12".
std::vector<std::int32_t> read_dimacs_graph(std::string_view text);

}  // namespace optgap
