#pragma once
// The greedy policy of hamiltonian: Warnsdorff's path from vertex 0 and its longest prefix that closes to a cycle.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

[[nodiscard]] OPTGAP_HD constexpr std::int64_t warnsdorff_scratch_words(std::int64_t n) { return n + bitset_words(n); }

/// Rows of up to this many words are counted for each candidate; for longer rows, counts are kept for all vertices.
inline constexpr std::int32_t counted_words = 2;

/// The candidates for the next vertex of a path: the neighbours of its end that are not on the path.
struct path_choice {
    graph_view graph;
    std::uint32_t const* row;  ///< of the path's end
    std::uint32_t const* unvisited;
    std::int32_t const* kept;

    /// The number of u's neighbours that are not on the path.
    [[nodiscard]] OPTGAP_HD std::int32_t open(std::int32_t u) const {
        if (graph.row_words > counted_words) {
            return kept[u];
        }
        std::int32_t count = 0;
        for (std::int32_t w = 0; w < graph.row_words; ++w) {
            count += popcount(graph.row(u)[w] & unvisited[w]);
        }
        return count;
    }

    /// Calls f(u, k) for the candidates u in rising order; k counts them.
    template <class Function>
    OPTGAP_HD void each(Function const& function) const {
        std::int32_t k = 0;
        for (std::int32_t w = 0; w < graph.row_words; ++w) {
            for (std::uint32_t bits = row[w] & unvisited[w]; bits != 0; bits &= bits - 1) {
                function(32 * w + lowest(bits), k++);
            }
        }
    }
};

/// Writes the path from vertex 0 to `path` (room for n) until `choose(path_choice)` returns -1. Returns the length of
/// its longest prefix of at least three vertices whose last is adjacent to vertex 0, 0 for none; the same on all lanes,
/// synced. O(n) for each vertex.
template <class Team, class Choose>
OPTGAP_HD std::int32_t closable_path(Team& team, graph_view graph, std::int32_t* path, std::int32_t* scratch,
                                     Choose const& choose) {
    std::int32_t const n = graph.n;
    std::int32_t* const kept = scratch;
    auto* const unvisited = reinterpret_cast<std::uint32_t*>(kept + n);
    bool const keeps = graph.row_words > counted_words;
    team.each(graph.row_words,
              [&](std::int64_t w) { unvisited[w] = std::uint32_t(first_bits(n - 32 * std::int32_t(w))); });
    team.each(keeps ? n : 0, [&](std::int64_t u) { kept[u] = graph.degree(std::int32_t(u)); });
    team.sync();
    std::int32_t closable = 0;
    std::int32_t next = 0;
    for (std::int32_t length = 0; next >= 0;) {
        std::uint32_t const* const row = graph.row(next);
        if (team.rank() == 0) {
            path[length] = next;
            unvisited[next >> 5] &= ~(1u << (next & 31));
        }
        team.each(keeps ? n : 0, [&](std::int64_t u) { kept[u] -= std::int32_t(row[u >> 5] >> (u & 31) & 1u); });
        team.sync();
        ++length;
        if (length >= 3 && contains(row, 0)) {
            closable = length;
        }
        next = choose(path_choice{graph, row, unvisited, kept});
    }
    return closable;
}

/// Warnsdorff's rule: the candidate with the fewest open neighbours, ties by index.
template <class Team>
OPTGAP_HD std::int32_t fewest_open(Team& team, path_choice const& choice) {
    std::int64_t key = INT64_MAX;  // {open, u}
    choice.each([&](std::int32_t u, std::int32_t k) {
        std::int64_t const own = std::int64_t(choice.open(u)) << 32 | u;
        key = k % team.size() == team.rank() && own < key ? own : key;
    });
    key = team.min_by(key, 0).key;
    return key == INT64_MAX ? -1 : std::int32_t(key & INT32_MAX);
}

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
