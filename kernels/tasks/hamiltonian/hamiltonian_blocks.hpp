#pragma once
// Adjacency lists for solvers, and the blocks (2-connected components) of a graph. Every cycle lies in one block.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

/// Half-edge h leads to vertex to[h] and its other direction is twin[h]; those of v are first[v] … first[v + 1] - 1.
struct sparse_graph {
    std::int32_t n = 0;
    std::int32_t* first = nullptr;
    std::int32_t* to = nullptr;
    std::int32_t* twin = nullptr;

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t words(std::int64_t n, std::int64_t half_edges) {
        return n + 2 + 2 * half_edges;
    }
};

/// `each_edge(f)` calls f(u, v) for every edge once, in the same order both times it is called. `memory` holds
/// sparse_graph::words.
template <class EachEdge>
OPTGAP_HD sparse_graph build_sparse(std::int32_t n, std::int32_t* memory, EachEdge const& each_edge) {
    // Counts are stored two places behind where v's half-edges begin, so that filling moves each beginning to its
    // place.
    std::int32_t* const begin = memory;
    for (std::int32_t v = 0; v < n + 2; ++v) {
        begin[v] = 0;
    }
    std::int32_t half_edges = 0;
    each_edge([&](std::int32_t u, std::int32_t v) {
        ++begin[u + 2];
        ++begin[v + 2];
        half_edges += 2;
    });
    for (std::int32_t v = 1; v < n + 2; ++v) {
        begin[v] += begin[v - 1];
    }
    sparse_graph const graph{n, begin, begin + n + 2, begin + n + 2 + half_edges};
    each_edge([&](std::int32_t u, std::int32_t v) {
        std::int32_t const there = begin[u + 1]++;
        std::int32_t const back = begin[v + 1]++;
        graph.to[there] = v;
        graph.to[back] = u;
        graph.twin[there] = back;
        graph.twin[back] = there;
    });
    return graph;
}

[[nodiscard]] OPTGAP_HD constexpr std::int64_t each_block_scratch_words(std::int64_t n) { return 5 * n; }

/// Calls f(vertices, count, joint) for every block of the half-edges that are `usable` (both directions or none): the
/// block consists of the `count` vertices and of `joint`. Stops as soon as f returns true, and returns whether it did.
/// Linear time (Hopcroft & Tarjan 1973).
template <class Usable, class Function>
OPTGAP_HD bool each_block(sparse_graph const& graph, std::int32_t* scratch, Usable const& usable,
                          Function const& function) {
    std::int32_t const n = graph.n;
    std::int32_t* const order = scratch;  // of discovery, 0 for none
    std::int32_t* const low = order + n;  // earliest order that the subtree reaches by one half-edge
    std::int32_t* const next = low + n;
    std::int32_t* const parent = next + n;
    std::int32_t* const open = parent + n;  // vertices whose block is not complete
    for (std::int32_t v = 0; v < n; ++v) {
        order[v] = 0;
    }
    std::int32_t clock = 0;
    for (std::int32_t root = 0; root < n; ++root) {
        if (order[root] != 0) {
            continue;
        }
        std::int32_t count = 0;
        auto const discover = [&](std::int32_t v, std::int32_t from) {
            order[v] = low[v] = ++clock;
            next[v] = graph.first[v];
            parent[v] = from;
            open[count++] = v;
        };
        discover(root, -1);
        for (std::int32_t v = root; v >= 0;) {
            if (next[v] < graph.first[v + 1]) {
                std::int32_t const h = next[v]++;
                std::int32_t const u = graph.to[h];
                if (!usable(h)) {
                    continue;
                }
                if (order[u] == 0) {
                    discover(u, v);
                    v = u;
                } else if (u != parent[v] && order[u] < low[v]) {
                    low[v] = order[u];
                }
                continue;
            }
            std::int32_t const above = parent[v];
            if (above >= 0 && low[v] >= order[above]) {
                std::int32_t const end = count;
                while (open[--count] != v) {
                }
                if (function(open + count, end - count, above)) {
                    return true;
                }
            } else if (above >= 0 && low[v] < low[above]) {
                low[above] = low[v];
            }
            v = above;
        }
    }
    return false;
}

/// Colours a connected graph with two colours, side[v] 0 or 1, and returns the size of side 1. If that is not possible,
/// sets every side to 0 and returns -1. `queue` holds n words.
OPTGAP_HD inline std::int32_t two_sides(sparse_graph const& graph, std::int32_t* side, std::int32_t* queue) {
    for (std::int32_t v = 0; v < graph.n; ++v) {
        side[v] = -1;
    }
    std::int32_t count = 1;
    std::int32_t other = 0;
    queue[0] = 0;
    side[0] = 0;
    for (std::int32_t i = 0; i < count; ++i) {
        std::int32_t const v = queue[i];
        for (std::int32_t h = graph.first[v]; h < graph.first[v + 1]; ++h) {
            std::int32_t const u = graph.to[h];
            if (side[u] < 0) {
                side[u] = 1 - side[v];
                other += side[u];
                queue[count++] = u;
            } else if (side[u] == side[v]) {
                for (std::int32_t w = 0; w < graph.n; ++w) {
                    side[w] = 0;
                }
                return -1;
            }
        }
    }
    return other;
}

[[nodiscard]] OPTGAP_HD constexpr std::int64_t tree_cycle_scratch_words(std::int64_t n) { return 3 * n; }

/// Writes to `cycle` the longest cycle that one edge closes with the depth-first tree from vertex 0, and returns its
/// size, 0 for none.
OPTGAP_HD inline std::int32_t tree_cycle(sparse_graph const& graph, std::int32_t* cycle, std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    std::int32_t* const depth = scratch;  // from 1 on, 0 for undiscovered
    std::int32_t* const next = depth + n;
    std::int32_t* const parent = next + n;
    for (std::int32_t v = 0; v < n; ++v) {
        depth[v] = 0;
    }
    depth[0] = 1;
    next[0] = graph.first[0];
    parent[0] = -1;
    std::int32_t longest = 2;
    std::int32_t last = -1;
    for (std::int32_t v = 0; v >= 0;) {
        if (next[v] == graph.first[v + 1]) {
            v = parent[v];
            continue;
        }
        std::int32_t const u = graph.to[next[v]++];
        if (depth[u] == 0) {
            depth[u] = depth[v] + 1;
            next[u] = graph.first[u];
            parent[u] = v;
            v = u;
        } else if (depth[v] - depth[u] + 1 > longest) {
            longest = depth[v] - depth[u] + 1;
            last = v;
        }
    }
    if (last < 0) {
        return 0;
    }
    for (std::int32_t i = 0; i < longest; ++i) {
        cycle[i] = last;
        last = parent[last];
    }
    return longest;
}

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
