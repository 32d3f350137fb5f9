#pragma once
// Shortest paths in a graph given as full rows of weights, 0 for no edge (Dijkstra 1959, without a heap: each step
// reads one row from end to end, which suits lanes).

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

/// Longer than any path; twice this value fits a word.
inline constexpr std::int32_t unreached = 1 << 29;

/// On entry `distance` is 0 at the sources and `unreached` elsewhere; afterwards it holds each vertex's distance from
/// the nearest source. Among equally near vertices the one with the least number is settled first, so that `parent`
/// (the vertex before on the path, if there is one) does not depend on the team. `parent` may be nullptr. Synced on
/// entry and after.
template <class Team>
OPTGAP_HD void shortest_paths(Team& team, std::int32_t const* rows, std::int32_t n, std::int32_t* distance,
                              std::int32_t* settled, std::int32_t* parent = nullptr) {
    team.each(n, [&](std::int64_t v) { settled[v] = 0; });
    for (;;) {
        // A lane reads and writes only its own vertices.
        ranked own{unreached, n};
        team.each(n, [&](std::int64_t v) {
            if (settled[v] == 0) {
                own = smaller(own, {distance[v], std::int32_t(v)});
            }
        });
        ranked const next = team.min_by(own.key, own.index);
        if (next.key >= unreached) {
            break;
        }
        std::int32_t const* const row = rows + std::int64_t(next.index) * n;
        team.each(n, [&](std::int64_t v) {
            std::int64_t const length = next.key + row[v];
            if (v == next.index) {
                settled[v] = 1;
            } else if (row[v] > 0 && length < distance[v]) {
                distance[v] = std::int32_t(length);
                if (parent != nullptr) {
                    parent[v] = next.index;
                }
            }
        });
    }
    team.sync();
}

/// The paths from one vertex.
template <class Team>
OPTGAP_HD void shortest_paths_from(Team& team, std::int32_t source, std::int32_t const* rows, std::int32_t n,
                                   std::int32_t* distance, std::int32_t* settled, std::int32_t* parent = nullptr) {
    team.each(n, [&](std::int64_t v) { distance[v] = v == source ? 0 : unreached; });
    team.sync();
    shortest_paths(team, rows, n, distance, settled, parent);
}

}  // namespace search
OPTGAP_KERNELS_END
