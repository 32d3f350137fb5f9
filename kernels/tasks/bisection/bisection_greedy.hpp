#pragma once
// Greedy bisections: vertices by falling weighted degree, each to the part that holds more of its weight as long as
// that part has room; with random mistakes for the noisy policy.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/bisection/bisection_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

/// Parts under construction.
struct placement {
    std::int64_t* degree;  ///< weighted
    std::int32_t* side;    ///< 0, 1, or `unplaced`
    std::int32_t* order;
    weighted_graph graph;
    std::int32_t placed[2] = {0, 0};

    static constexpr std::int32_t unplaced = 2;

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t n) { return 4 * n; }
    OPTGAP_HD placement(weighted_graph graph_, std::int32_t* scratch)
        : degree(reinterpret_cast<std::int64_t*>(scratch)),
          side(scratch + 2 * graph_.n),
          order(side + graph_.n),
          graph(graph_) {}

    [[nodiscard]] OPTGAP_HD bool has_room(std::int32_t part) const { return placed[part] < graph.half(); }
};

template <class Team>
OPTGAP_HD void begin_placement(Team& team, placement const& at) {
    team.each(at.graph.n, [&](std::int64_t v) {
        std::int32_t const* const row = at.graph.row(std::int32_t(v));
        std::int64_t sum = 0;
        for (std::int32_t u = 0; u < at.graph.n; ++u) {
            sum += row[u];
        }
        at.degree[v] = sum;
        at.side[v] = placement::unplaced;
    });
    team.sync();
}

/// The weight of v into part 1 minus that into part 0.
template <class Team>
OPTGAP_HD std::int64_t pull_of(Team& team, placement const& at, std::int32_t v) {
    std::int32_t const* const row = at.graph.row(v);
    std::int64_t pull = 0;
    for (std::int32_t u = team.rank(); u < at.graph.n; u += team.size()) {
        std::int64_t const weight = row[u];
        pull += at.side[u] == 1 ? weight : at.side[u] == 0 ? -weight : 0;
    }
    return team.sum(pull);
}

/// Fills `side`. Ties go to the smaller vertex; among parts to the smaller one, then to part 0.
template <class Team>
OPTGAP_HD void place_greedily(Team& team, placement& at) {
    std::int32_t const n = at.graph.n;
    begin_placement(team, at);
    team.each(n, [&](std::int64_t v) {
        std::int32_t rank = 0;
        for (std::int32_t u = 0; u < n; ++u) {
            rank += at.degree[u] > at.degree[v] || (at.degree[u] == at.degree[v] && u < v);
        }
        at.order[rank] = std::int32_t(v);
    });
    team.sync();
    for (std::int32_t i = 0; i < n; ++i) {
        std::int32_t const v = at.order[i];
        std::int64_t const pull = pull_of(team, at, v);
        std::int32_t const wanted = pull > 0 || (pull == 0 && at.placed[1] < at.placed[0]) ? 1 : 0;
        std::int32_t const part = at.has_room(wanted) ? wanted : 1 - wanted;
        if (team.rank() == 0) {
            at.side[v] = part;
        }
        ++at.placed[part];
        team.sync();
    }
}

/// The same with random mistakes, by one lane: one noisy pick chooses the vertex, another its part among those with
/// room.
OPTGAP_HD inline void place_noisily(placement& at, draw source) {
    solo team;
    begin_placement(team, at);
    draw_stream stream(source, 0);
    for (std::int32_t i = 0; i < at.graph.n; ++i) {
        search::noisy_pick vertex(stream);
        for (std::int32_t v = 0; v < at.graph.n; ++v) {
            if (at.side[v] == placement::unplaced) {
                vertex.offer(v, -at.degree[v]);
            }
        }
        std::int32_t const v = vertex.chosen();
        std::int64_t const pull = pull_of(team, at, v);
        search::noisy_pick part(stream);
        for (std::int32_t p = 0; p < 2; ++p) {
            if (at.has_room(p)) {
                part.offer(p, p == 0 ? pull : -pull);
            }
        }
        at.side[v] = part.chosen();
        ++at.placed[part.chosen()];
    }
}

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
