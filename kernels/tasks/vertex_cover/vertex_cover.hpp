#pragma once
// Vertices of least weight that contain an end of every edge.
//
//   edges 01 12 23, weights 1 1 9 1:   [1, 3] covers all three for 2, the optimum

#include "kernels/families/subset/cover_flips.hpp"
#include "kernels/families/subset/covering_set.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::vertex_cover {

// Purposes of random words.
inline constexpr std::uint32_t draw_edges = 0;
inline constexpr std::uint32_t draw_weights = 1;

/// Edges between vertices that are not chosen.
class open_edges {
public:
    OPTGAP_HD static constexpr std::int64_t words(words_view) { return 0; }
    OPTGAP_HD open_edges(graph_view graph, std::uint32_t const* chosen, std::int32_t*)
        : graph_(graph), chosen_(chosen) {}

    template <class Team>
    OPTGAP_HD void look(Team&) const {}
    template <class Team>
    OPTGAP_HD std::int64_t open(Team& team) const {
        std::int64_t ends = 0;
        team.each(graph_.n,
                  [&](std::int64_t v) { ends += contains(chosen_, std::int32_t(v)) ? 0 : met(std::int32_t(v)); });
        return team.sum(ends) / 2;
    }
    [[nodiscard]] OPTGAP_HD std::int64_t lost(std::int32_t v) const { return met(v); }
    [[nodiscard]] OPTGAP_HD std::int64_t met(std::int32_t v) const {
        std::int64_t edges = 0;
        for (std::int32_t w = 0; w < graph_.row_words; ++w) {
            edges += popcount(graph_.row(v)[w] & ~chosen_[w]);
        }
        return edges;
    }
    template <class Team>
    OPTGAP_HD void changed(Team&, std::int32_t) const {}

private:
    graph_view graph_;
    std::uint32_t const* chosen_;
};

/// A chosen vertex marks itself; an edge is open if neither of its ends is marked.
struct task : families::searching<task, families::covering_set<task>> {
    using demands = open_edges;
    using neighbourhood = families::cover_flips<task>;
    static constexpr char const* codes[] = {"uncovered_edge", nullptr};
    static constexpr bool empty_is_wrong = false;  ///< a graph may have no edge

    OPTGAP_HD static std::int32_t size_of(difficulty level) { return 8 + step_of(level); }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return graph_words(size_of(level)) + size_of(level);
    }
    /// Three edges for each vertex; weights rise with the degree, so that gain per weight alone misleads.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = size_of(level);
        std::uint32_t* const rows = begin_graph(team, words, n);
        if (team.rank() == 0) {
            draw_stream stream(source, draw_edges);
            families::add_random_edges(stream, rows, n, 3 * std::int64_t(n));
        }
        team.sync();
        graph_view const graph{rows, n, std::int32_t(bitset_words(n))};
        team.each(n, [&](std::int64_t v) {
            words[graph_words(n) + v] =
                uniform(source, draw_weights, std::uint32_t(v), 1, 6) + 4 * graph.degree(std::int32_t(v));
        });
        team.sync();
    }

    OPTGAP_HD static std::uint32_t marked(graph_view, std::int32_t v, std::int32_t w) {
        return v / 32 == w ? 1u << (v % 32) : 0u;
    }
    /// The number of open edges to higher vertices.
    OPTGAP_HD static std::int64_t open(graph_view graph, std::uint32_t const* marks, std::int32_t v) {
        std::int64_t edges = 0;
        for (std::int32_t w = v / 32; w < graph.row_words && !contains(marks, v); ++w) {
            std::uint32_t const above = w == v / 32 ? ~0u << (v % 32) : ~0u;
            edges += popcount(graph.row(v)[w] & ~marks[w] & above);
        }
        return edges;
    }
    OPTGAP_HD static std::int64_t gain(graph_view graph, std::uint32_t const* marks, std::int32_t v) {
        std::int64_t edges = 0;
        for (std::int32_t w = 0; w < graph.row_words && !contains(marks, v); ++w) {
            edges += popcount(graph.row(v)[w] & ~marks[w]);
        }
        return edges;
    }
    template <class Emit>
    static void each_demand(graph_view graph, std::int32_t v, Emit& emit) {
        families::each_neighbour(graph, v, v, [&](std::int32_t u) {
            emit.begin();
            emit.vertex(v);
            emit.vertex(u);
        });
    }
};

}  // namespace tasks::vertex_cover
OPTGAP_KERNELS_END
