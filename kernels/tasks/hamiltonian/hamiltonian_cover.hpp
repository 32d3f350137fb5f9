#pragma once
// A bound on cycles. A cycle gives each of its vertices one vertex that follows it and one that precedes it. It is
// therefore a matching between the vertices and a second copy of them along the edges. No cycle has more vertices than
// the largest such matching, which in a bipartite graph is at most twice the smaller side.

#include <cstdint>

#include "kernels/tasks/hamiltonian/hamiltonian_blocks.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

[[nodiscard]] OPTGAP_HD constexpr std::int64_t max_on_cycles_scratch_words(std::int64_t n) { return 6 * n; }

/// The size of a largest matching of vertices to followers, by augmenting paths: disjoint ones in each phase of linear
/// time.
OPTGAP_HD inline std::int32_t max_on_cycles(sparse_graph const& graph, std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    std::int32_t* const follower = scratch;
    std::int32_t* const leader = follower + n;
    std::int32_t* const seen = leader + n;  // phase in which a path reached the vertex as a follower
    std::int32_t* const next = seen + n;
    std::int32_t* const path = next + n;  // vertices without a follower, or whose follower will change
    std::int32_t* const step = path + n;  // the follower that path[i] would get
    for (std::int32_t v = 0; v < n; ++v) {
        follower[v] = leader[v] = -1;
        seen[v] = 0;
    }
    std::int32_t matched = 0;
    bool grew = true;
    for (std::int32_t phase = 1; grew; ++phase) {
        grew = false;
        for (std::int32_t root = 0; root < n; ++root) {
            std::int32_t depth = follower[root] < 0 ? 1 : 0;
            path[0] = root;
            next[root] = graph.first[root];
            while (depth > 0) {
                std::int32_t const u = path[depth - 1];
                if (next[u] == graph.first[u + 1]) {
                    --depth;
                    continue;
                }
                std::int32_t const v = graph.to[next[u]++];
                if (seen[v] == phase) {
                    continue;
                }
                seen[v] = phase;
                step[depth - 1] = v;
                if (leader[v] >= 0) {
                    path[depth++] = leader[v];
                    next[leader[v]] = graph.first[leader[v]];
                    continue;
                }
                while (depth > 0) {
                    --depth;
                    follower[path[depth]] = step[depth];
                    leader[step[depth]] = path[depth];
                }
                ++matched;
                grew = true;
            }
        }
    }
    return matched;
}

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
