#pragma once
// A task of a user's own: sources of least weight such that every vertex is one or has a neighbour with a lower number
// that is.
//
//   edges 01 12, weights 1 9 2:   [0, 2] waters all three for 3, the optimum

#include "kernels/families/subset/covering_set.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::downhill {

// Random words by purpose.
inline constexpr std::uint32_t draw_edges = 0;
inline constexpr std::uint32_t draw_weights = 1;

/// A chosen vertex marks itself and its higher neighbours, and a vertex is open without a mark.
struct task : families::covering_set<task> {
    static constexpr char const* codes[] = {"dry", nullptr};
    static constexpr bool empty_is_wrong = true;

    OPTGAP_HD static std::int32_t size_of(difficulty level) { return 6 + step_of(level); }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return graph_words(size_of(level)) + size_of(level);
    }
    /// Two edges a vertex.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = size_of(level);
        std::uint32_t* const rows = begin_graph(team, words, n);
        if (team.rank() == 0) {
            draw_stream stream(source, draw_edges);
            families::add_random_edges(stream, rows, n, 2 * std::int64_t(n));
        }
        fill_uniform(team, source, draw_weights, 1, 20, words + graph_words(n), n);
        team.sync();
    }

    OPTGAP_HD static std::uint32_t marked(graph_view graph, std::int32_t v, std::int32_t w) {
        std::uint32_t const here = 1u << (v % 32);
        std::uint32_t const above = w > v / 32 ? ~0u : w < v / 32 ? 0u : ~(here | (here - 1));
        return (graph.row(v)[w] & above) | (v / 32 == w ? here : 0u);
    }
    OPTGAP_HD static std::int64_t open(graph_view, std::uint32_t const* marks, std::int32_t v) {
        return contains(marks, v) ? 0 : 1;
    }
    OPTGAP_HD static std::int64_t gain(graph_view graph, std::uint32_t const* marks, std::int32_t v) {
        std::int64_t vertices = 0;
        for (std::int32_t w = 0; w < graph.row_words; ++w) {
            vertices += popcount(marked(graph, v, w) & ~marks[w]);
        }
        return vertices;
    }
    template <class Emit>
    static void each_demand(graph_view graph, std::int32_t v, Emit& emit) {
        emit.begin();
        emit.vertex(v);
        families::each_neighbour(graph, v, -1, [&](std::int32_t u) {
            if (u < v) {
                emit.vertex(u);
            }
        });
    }
};

}  // namespace tasks::downhill
OPTGAP_KERNELS_END
