#pragma once
// JSON forms of the graphs that several tasks use (kernels/core/{graph,weighted_graph}.hpp).
//
//   {"n": 4, "edges": [[0, 1], [1, 2], [2, 3]]}          {"n": 3, "edges": [[0, 1, 7], [2, 0, 5]]}
//
// Vertices count from 0. The ends of an edge may be in either order. A repeated edge counts once.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/text/flat/flat_json.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

/// The edges, each with its smaller end first, in rising order.
json graph_edges(words_view graph);
json weighted_graph_edges(words_view graph);

/// The graph's words. `name` is the name of the field with the edges. Throws field_error for n out of range, an end
/// that is not a vertex ("edges[3][1]"), a self-loop ("edges[3]"), a weight out of range ("edges[3][2]") and a second
/// weight of a pair ("edges[3]").
std::vector<std::int32_t> read_graph(json const& n, json const& edges, char const* name);
std::vector<std::int32_t> read_weighted_graph(json const& n, json const& edges, char const* name,
                                              std::int32_t min_weight = 0);
std::vector<std::int32_t> read_graph(flat_value const& n, flat_value const& edges, char const* name);
std::vector<std::int32_t> read_weighted_graph(flat_value const& n, flat_value const& edges, char const* name,
                                              std::int32_t min_weight = 0);

}  // namespace optgap
