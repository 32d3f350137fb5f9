#pragma once
// The greedy anchor of clique and independent set. Vertices are visited in one fixed order of their degrees, and each
// is taken if it is compatible with all taken before. Degrees are those of the whole graph and are not updated; ties go
// to the smaller index.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/search/noisy_pick.hpp"

OPTGAP_KERNELS_BEGIN

/// The condition on a vertex set: pairwise adjacent, or pairwise non-adjacent (a clique of the complement).
enum class vertex_set : std::int32_t { clique, independent };

namespace search {

[[nodiscard]] OPTGAP_HD constexpr std::int64_t degree_greedy_scratch_words(std::int64_t n) {
    return 3 * n + 1 + bitset_words(n);
}

/// Writes the greedy set to `chosen` (room for n) and returns its size, the same on all lanes; synced. Cliques take the
/// highest degree first, independent sets the lowest. One lane does a counting sort, then all lanes make one pass: O(n
/// + size n / 32).
template <class Team>
OPTGAP_HD std::int32_t degree_greedy(Team& team, graph_view graph, vertex_set kind, std::int32_t* chosen,
                                     std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    std::int32_t* const rank = scratch;
    std::int32_t* const first = rank + n;  // n + 1 entries: where the vertices of a rank begin
    std::int32_t* const order = first + n + 1;
    auto* const blocked = reinterpret_cast<std::uint32_t*>(order + n);
    team.each(n, [&](std::int64_t v) {
        std::int32_t const degree = graph.degree(std::int32_t(v));
        rank[v] = kind == vertex_set::independent ? degree : n - 1 - degree;
    });
    team.each(n + 1, [&](std::int64_t i) { first[i] = 0; });
    clear(team, blocked, n);
    if (team.rank() == 0) {
        for (std::int32_t v = 0; v < n; ++v) {
            ++first[rank[v] + 1];
        }
        for (std::int32_t i = 1; i <= n; ++i) {
            first[i] += first[i - 1];
        }
        for (std::int32_t v = 0; v < n; ++v) {
            order[first[rank[v]]++] = v;
        }
    }
    team.sync();
    std::int32_t size = 0;
    std::uint32_t const flip = kind == vertex_set::clique ? ~0u : 0u;
    for (std::int32_t i = 0; i < n; ++i) {
        std::int32_t const v = order[i];
        if (contains(blocked, v)) {
            continue;
        }
        if (team.rank() == 0) {
            chosen[size] = v;
        }
        ++size;
        team.sync();
        team.each(graph.row_words, [&](std::int64_t w) { blocked[w] |= graph.row(v)[w] ^ flip; });
        team.sync();
    }
    return size;
}

/// The greedy set with random mistakes, by one lane; scratch as above. O(size n).
OPTGAP_HD inline std::int32_t noisy_degree_greedy(graph_view graph, vertex_set kind, draw source, std::int32_t* chosen,
                                                  std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    std::int32_t* const rank = scratch;
    auto* const blocked = reinterpret_cast<std::uint32_t*>(rank + n);
    std::uint32_t const flip = kind == vertex_set::clique ? ~0u : 0u;
    solo team;
    for (std::int32_t v = 0; v < n; ++v) {
        std::int32_t const degree = graph.degree(v);
        rank[v] = kind == vertex_set::independent ? degree : -degree;
    }
    clear(team, blocked, n);
    draw_stream stream(source, 0);
    for (std::int32_t size = 0;; ++size) {
        noisy_pick pick(stream);
        for (std::int32_t v = 0; v < n; ++v) {
            if (!contains(blocked, v)) {
                pick.offer(v, rank[v]);
            }
        }
        std::int32_t const v = pick.chosen();
        if (v < 0) {
            return size;
        }
        chosen[size] = v;
        blocked[v >> 5] |= 1u << (v & 31);
        for (std::int32_t w = 0; w < graph.row_words; ++w) {
            blocked[w] |= graph.row(v)[w] ^ flip;
        }
    }
}

}  // namespace search

OPTGAP_KERNELS_END
