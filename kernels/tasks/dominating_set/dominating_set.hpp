#pragma once
// Vertices of least weight such that every vertex is one of them or adjacent to one.
//
//   edges 01 12 23, weights 1 5 2 1:   [0, 3] dominates all four for 2, the optimum

#include "kernels/core/checked.hpp"
#include "kernels/families/subset/cover_flips.hpp"
#include "kernels/families/subset/covering_set.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::dominating_set {

// Purposes of random words.
inline constexpr std::uint32_t draw_shape = 0;
inline constexpr std::uint32_t draw_edges = 1;
inline constexpr std::uint32_t draw_labels = 2;
inline constexpr std::uint32_t draw_weights = 3;

/// Vertices that are neither chosen nor adjacent to a chosen one. For each vertex the number of vertices that dominate
/// it is known.
class open_vertices {
public:
    OPTGAP_HD static std::int64_t words(words_view on) { return 2 * bitset_words(on[0]) + on[0]; }
    OPTGAP_HD open_vertices(graph_view graph, std::uint32_t const* chosen, std::int32_t* tables)
        : graph_(graph),
          chosen_(chosen),
          none_(reinterpret_cast<std::uint32_t*>(tables)),
          one_(none_ + graph.row_words),
          count_(tables + 2 * std::int64_t(graph.row_words)) {}

    template <class Team>
    OPTGAP_HD void look(Team& team) const {
        team.each(graph_.n, [&](std::int64_t v) {
            std::int32_t count = contains(chosen_, std::int32_t(v)) ? 1 : 0;
            for (std::int32_t w = 0; w < graph_.row_words; ++w) {
                count += popcount(graph_.row(std::int32_t(v))[w] & chosen_[w]);
            }
            count_[v] = count;
        });
        team.sync();
        sort(team);
    }
    template <class Team>
    OPTGAP_HD std::int64_t open(Team& team) const {
        std::int64_t own = 0;
        team.each(graph_.row_words, [&](std::int64_t w) { own += popcount(none_[w]); });
        return team.sum(own);
    }
    [[nodiscard]] OPTGAP_HD std::int64_t lost(std::int32_t v) const { return near(v, one_); }
    [[nodiscard]] OPTGAP_HD std::int64_t met(std::int32_t v) const { return near(v, none_); }
    template <class Team>
    OPTGAP_HD void changed(Team& team, std::int32_t v) const {
        std::int32_t const change = contains(chosen_, v) ? 1 : -1;
        team.each(graph_.n, [&](std::int64_t u) {
            count_[u] += u == v || contains(graph_.row(v), std::int32_t(u)) ? change : 0;
        });
        team.sync();
        sort(team);
    }

private:
    /// The number of members of a set among v and its neighbours.
    [[nodiscard]] OPTGAP_HD std::int64_t near(std::int32_t v, std::uint32_t const* set) const {
        std::int64_t vertices = contains(set, v) ? 1 : 0;
        for (std::int32_t w = 0; w < graph_.row_words; ++w) {
            vertices += popcount(graph_.row(v)[w] & set[w]);
        }
        return vertices;
    }
    template <class Team>
    OPTGAP_HD void sort(Team& team) const {
        team.each(graph_.row_words, [&](std::int64_t w) {
            std::uint32_t none = 0;
            std::uint32_t one = 0;
            for (std::int32_t i = 0; i < 32 && 32 * w + i < graph_.n; ++i) {
                none |= count_[32 * w + i] == 0 ? 1u << i : 0u;
                one |= count_[32 * w + i] == 1 ? 1u << i : 0u;
            }
            none_[w] = none;
            one_[w] = one;
        });
        team.sync();
    }

    graph_view graph_;
    std::uint32_t const* chosen_;
    std::uint32_t* none_;  ///< vertices that no vertex dominates
    std::uint32_t* one_;   ///< vertices that exactly one dominates
    std::int32_t* count_;
};

/// A chosen vertex marks itself and its neighbours; a vertex without a mark is open.
struct task : families::searching<task, families::covering_set<task>> {
    using demands = open_vertices;
    using neighbourhood = families::cover_flips<task>;
    static constexpr char const* codes[] = {"not_dominated", nullptr};
    static constexpr bool empty_is_wrong = true;

    OPTGAP_HD static std::int32_t size_of(difficulty level) { return 8 + step_of(level); }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return graph_words(size_of(level)) + size_of(level);
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) { return size_of(level); }
    /// Every fourth instance is a grid, whose last row may be shorter; the others have two edges for each vertex.
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
    /// Called by one lane.
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
