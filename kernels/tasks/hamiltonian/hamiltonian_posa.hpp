#pragma once
// Rotation and extension (Posa 1976) on graphs of up to 64 vertices, with a set of vertices in one word. Finds a
// Hamiltonian cycle of most graphs that are not sparse, in about n steps. A cycle of length n is its own proof.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

/// Writes a Hamiltonian cycle to `path` (room for n) and returns true, or gives up and returns false. 3 <= n <= 64. The
/// path begins at vertex 0 and is extended by the neighbour with the fewest neighbours off the path. If it cannot be
/// extended, it is rotated: to an end from which it can be extended or closed, otherwise to the smallest vertex that
/// has not been an end at this length. Gives up when all vertices have been ends.
OPTGAP_HD inline bool posa_cycle(graph_view graph, std::int32_t* path) {
    std::int32_t const n = graph.n;
    std::uint64_t rows[64];
    for (std::int32_t v = 0; v < n; ++v) {
        rows[v] = graph.row64(v);
    }
    std::uint64_t unvisited = first_bits(n) & ~bit(0);
    std::int32_t length = 1;
    path[0] = 0;
    std::int32_t end = 0;
    std::uint64_t tried = 0;
    while (true) {
        std::uint64_t candidates = rows[end] & unvisited;
        if (candidates != 0) {
            std::int32_t fewest = 65;
            for (; candidates != 0; candidates &= candidates - 1) {
                std::int32_t const u = lowest(candidates);
                std::int32_t const open = popcount(rows[u] & unvisited);
                if (open < fewest) {
                    fewest = open;
                    end = u;
                }
            }
            path[length++] = end;
            unvisited &= ~bit(end);
            tried = 0;
            continue;
        }
        if (length == n && (rows[end] & bit(path[0])) != 0) {
            return true;
        }
        tried |= bit(end);
        std::uint64_t const wanted = length == n ? bit(path[0]) : unvisited;
        std::int32_t from = 0;
        for (std::int32_t i = 1; i + 1 < length; ++i) {
            std::int32_t const u = path[i];
            if ((rows[end] & bit(path[i - 1])) == 0 || (tried & bit(u)) != 0) {
                continue;
            }
            if ((rows[u] & wanted) != 0) {
                from = i;
                break;
            }
            if (from == 0 || u < path[from]) {
                from = i;
            }
        }
        if (from == 0) {
            return false;
        }
        for (std::int32_t left = from, right = length - 1; left < right; ++left, --right) {
            std::int32_t const kept = path[left];
            path[left] = path[right];
            path[right] = kept;
        }
        end = path[length - 1];
    }
}

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
