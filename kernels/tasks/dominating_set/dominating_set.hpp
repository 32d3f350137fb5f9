#pragma once
// Vertices of least weight such that every vertex is one of them or next to one.
//
//   edges 01 12 23, weights 1 5 2 1:   [0, 3] dominates all four for 2, the optimum

#include "kernels/core/checked.hpp"
#include "kernels/families/subset/covering_set.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::dominating_set {

// Random words by purpose.
inline constexpr std::uint32_t draw_shape = 0;
inline constexpr std::uint32_t draw_edges = 1;
inline constexpr std::uint32_t draw_labels = 2;
inline constexpr std::uint32_t draw_weights = 3;

/// A chosen vertex marks itself and its neighbours, and a vertex is open without a mark.
struct task : families::covering_set<task> {
    static constexpr char const* codes[] = {"not_dominated", nullptr};
    static constexpr bool empty_is_wrong = true;

    OPTGAP_HD static std::int32_t size_of(difficulty level) { return 8 + step_of(level); }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return graph_words(size_of(level)) + size_of(level);
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) { return size_of(level); }
    /// Every fourth a grid, its last row perhaps shorter, else two edges a vertex.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        std::int32_t const n = size_of(level);
        std::uint32_t* const rows = begin_graph(team, words, n);
        if (team.rank() == 0) {
            if (uniform(source, draw_shape, 0, 0, 3) > 0) {
                draw_stream stream(source, draw_edges);
                families::add_random_edges(stream, rows, n, 2 * std::int64_t(n));
            } else {
                add_grid(source, rows, n, scratch);
            }
        }
        fill_uniform(team, source, draw_weights, 1, 20, words + graph_words(n), n);
        team.sync();
    }

    OPTGAP_HD static std::uint32_t marked(graph_view graph, std::int32_t v, std::int32_t w) {
        return graph.row(v)[w] | (v / 32 == w ? 1u << (v % 32) : 0u);
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
        families::each_neighbour(graph, v, -1, [&](std::int32_t u) { emit.vertex(u); });
    }

private:
    /// By one lane.
    OPTGAP_HD static void add_grid(draw source, std::uint32_t* rows, std::int32_t n, std::int32_t* label) {
        solo lane;
        draw_stream stream(source, draw_labels);
        for (std::int32_t i = 0; i < n; ++i) {
            label[i] = i;
        }
        shuffle(stream, label, n);
        auto const columns = std::int32_t(integer_sqrt(n - 1)) + 1;
        for (std::int32_t i = 0; i < n; ++i) {
            if (i % columns > 0) {
                add_edge(lane, rows, n, label[i], label[i - 1]);
            }
            if (i >= columns) {
                add_edge(lane, rows, n, label[i], label[i - columns]);
            }
        }
    }
};

}  // namespace tasks::dominating_set
OPTGAP_KERNELS_END
