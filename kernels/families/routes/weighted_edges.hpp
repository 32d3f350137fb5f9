#pragma once
// Connected graphs whose edges have lengths: the instance of tasks that ask for vertices (k_center) or for edges
// (steiner_tree). The words are those of kernels/core/weighted_graph.hpp, where weight 0 means no edge.

#include <cstdint>

#include "kernels/core/check_layout.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/weighted_graph.hpp"
#include "kernels/search/shortest_paths.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

/// The limit on vertices: greedy policies run a search of n² steps from every vertex.
inline constexpr std::int32_t max_edge_vertices = 500;
/// The limit on lengths: no tree weighs 2^26, and `unreached` is larger than any distance.
inline constexpr std::int32_t max_edge_weight = 100'000;

inline constexpr field weighted_edges_field = {
    "edges", field_kind::weighted_graph,
    "n is 1 to 500, an edge joins two different vertices and weighs 1 to 100000, and the graph is connected"};

struct weighted_edges {
    std::int32_t const* rows = nullptr;
    std::int32_t n = 0;

    [[nodiscard]] OPTGAP_HD std::int32_t weight(std::int32_t u, std::int32_t v) const {
        return rows[std::int64_t(u) * n + v];
    }
    [[nodiscard]] OPTGAP_HD std::int32_t const* row(std::int32_t v) const { return rows + std::int64_t(v) * n; }
};

OPTGAP_HD inline weighted_edges view_edges(words_view instance) { return {instance.data + 1, instance[0]}; }

/// Returns nullptr, or the rule that a graph with a valid layout breaks. Host only.
inline char const* check_weighted_edges(words_view instance) {
    weighted_edges const graph = view_edges(instance);
    if (graph.n > max_edge_vertices || !all_within({graph.rows, std::int64_t(graph.n) * graph.n}, 0, max_edge_weight)) {
        return weighted_edges_field.rule;
    }
    solo lane;
    std::int32_t distance[max_edge_vertices];
    std::int32_t settled[max_edge_vertices];
    search::shortest_paths_from(lane, 0, graph.rows, graph.n, distance, settled);
    for (std::int32_t v = 0; v < graph.n; ++v) {
        if (settled[v] == 0) {
            return weighted_edges_field.rule;
        }
    }
    return nullptr;
}

/// Returns the rows of a graph under construction: zeroed, with n written before them.
template <class Team>
OPTGAP_HD std::int32_t* begin_weighted_edges(Team& team, std::int32_t* words, std::int32_t n) {
    team.each(weighted_graph_words(n), [&](std::int64_t i) { words[i] = i == 0 ? n : 0; });
    team.sync();
    return words + 1;
}

/// Adds an edge. Called by one lane.
OPTGAP_HD inline void join(std::int32_t* rows, std::int32_t n, std::int32_t u, std::int32_t v, std::int32_t weight) {
    rows[std::int64_t(u) * n + v] = weight;
    rows[std::int64_t(v) * n + u] = weight;
}

}  // namespace families
OPTGAP_KERNELS_END
