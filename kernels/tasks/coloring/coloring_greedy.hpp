#pragma once
// The greedy policies: every vertex gets the lowest colour that its neighbours leave free.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/search/noisy_pick.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::coloring {

inline constexpr std::int32_t no_colour = -1;

[[nodiscard]] OPTGAP_HD constexpr std::int64_t greedy_scratch_words(std::int64_t n) {
    return 3 * n + 1 + bitset_words(n);
}

/// The vertices by falling degree, ties by index: a counting sort by one lane. `scratch` has room for 2n + 1; synced.
template <class Team>
OPTGAP_HD void falling_degree_order(Team& team, graph_view graph, std::int32_t* order, std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    std::int32_t* const rank = scratch;
    std::int32_t* const first = rank + n;  // n + 1 entries: where the vertices of a rank begin
    team.each(n, [&](std::int64_t v) { rank[v] = n - 1 - graph.degree(std::int32_t(v)); });
    team.each(n + 1, [&](std::int64_t i) { first[i] = 0; });
    team.sync();
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
}

/// Marks in `closed`, a set over `used` colours and one more, the colours of v's neighbours; synced.
template <class Team>
OPTGAP_HD void close_colours(Team& team, graph_view graph, std::int32_t v, std::int32_t const* colours,
                             std::int32_t used, std::uint32_t* closed) {
    clear(team, closed, used + 1);
    std::uint32_t const* const row = graph.row(v);
    team.each(graph.row_words, [&](std::int64_t w) {
        for (std::uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
            std::int32_t const c = colours[32 * w + lowest(bits)];
            if (c != no_colour) {
                team.fetch_or(&closed[c >> 5], 1u << (c & 31));
            }
        }
    });
    team.sync();
}

/// Lowest colour outside `closed`; one is.
OPTGAP_HD inline std::int32_t lowest_free(std::uint32_t const* closed) {
    std::int32_t w = 0;
    while (closed[w] == ~0u) {
        ++w;
    }
    return 32 * w + lowest(~closed[w]);
}

/// Colours the vertex with the largest degree first. Writes a colour for each vertex and returns the number of colours,
/// the same on all lanes; synced.
template <class Team>
OPTGAP_HD std::int32_t greedy_colouring(Team& team, graph_view graph, std::int32_t* colours, std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    std::int32_t* const order = scratch;
    falling_degree_order(team, graph, order, scratch + n);
    auto* const closed = reinterpret_cast<std::uint32_t*>(scratch + n);
    team.each(n, [&](std::int64_t v) { colours[v] = no_colour; });
    team.sync();
    std::int32_t used = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        std::int32_t const v = order[i];
        close_colours(team, graph, v, colours, used, closed);
        std::int32_t const c = lowest_free(closed);
        used += c == used;
        team.sync();
        if (team.rank() == 0) {
            colours[v] = c;
        }
        team.sync();
    }
    return used;
}

/// The same with random mistakes, by one lane: a noisy pick of the vertex by its degree, and one of its colour among
/// the used colours that are free; a new colour only if there is none.
OPTGAP_HD inline void noisy_greedy_colouring(graph_view graph, draw source, std::int32_t* colours,
                                             std::int32_t* scratch) {
    solo team;
    std::int32_t const n = graph.n;
    std::int32_t* const degree = scratch;
    auto* const closed = reinterpret_cast<std::uint32_t*>(degree + n);
    for (std::int32_t v = 0; v < n; ++v) {
        degree[v] = graph.degree(v);
        colours[v] = no_colour;
    }
    draw_stream stream(source, 0);
    std::int32_t used = 0;
    for (std::int32_t coloured = 0; coloured < n; ++coloured) {
        search::noisy_pick vertex(stream);
        for (std::int32_t v = 0; v < n; ++v) {
            if (colours[v] == no_colour) {
                vertex.offer(v, -degree[v]);
            }
        }
        close_colours(team, graph, vertex.chosen(), colours, used, closed);
        search::noisy_pick colour(stream);
        for (std::int32_t c = 0; c < used; ++c) {
            if (!contains(closed, c)) {
                colour.offer(c, c);
            }
        }
        bool const none = colour.chosen() < 0;
        colours[vertex.chosen()] = none ? used++ : colour.chosen();
    }
}

}  // namespace tasks::coloring

OPTGAP_KERNELS_END
