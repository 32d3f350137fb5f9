#pragma once
// Graphs of triples of terminals with about equal distances. Each triple has a centre that pays off for all three
// terminals together but never for two, so that trees built path by path miss it. Some centres never pay off, and
// triples overlap.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/families/routes/weighted_edges.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::steiner_tree {

// Purposes of random words.
inline constexpr std::uint32_t draw_triples = 0;
inline constexpr std::uint32_t draw_labels = 1;
inline constexpr std::uint32_t draw_edges = 2;

struct graph_shape {
    std::int32_t n;
    std::int32_t terminals;
    std::int32_t centres;
};
OPTGAP_HD inline graph_shape shape_of(std::int32_t step) {
    std::int32_t const last = families::max_edge_vertices - 8;
    std::int32_t const own = step < last ? step : last;
    std::int32_t const terminals = 3 + own / 3;
    return {8 + own, terminals, terminals / 2 + terminals / 4};
}
OPTGAP_HD inline std::int64_t generated_words(graph_shape shape) {
    return weighted_graph_words(shape.n) + 1 + shape.terminals;
}

/// A graph under construction, by one lane. Its first labels are terminals, then come centres, then the other vertices,
/// of which `used` are already on a path.
struct sketch {
    std::int32_t* rows;
    std::int32_t const* label;
    std::int32_t* scratch;  ///< 2 n words
    graph_shape shape;
    std::int32_t used = 0;

    OPTGAP_HD void edge(std::int32_t u, std::int32_t v, std::int32_t weight) const {
        families::join(rows, shape.n, u, v, weight);
    }
    [[nodiscard]] OPTGAP_HD bool free_pair(std::int32_t u, std::int32_t v) const {
        return u != v && rows[std::int64_t(u) * shape.n + v] == 0;
    }

    /// A path of U(20, 24) between two terminals; with 400 permille it contains one of the other vertices.
    OPTGAP_HD void link(draw_stream& stream, std::int32_t a, std::int32_t b) {
        std::int32_t const length = stream.uniform(20, 24);
        std::int32_t const first = stream.uniform(6, 14);
        bool const direct = !stream.chance(400);
        std::int32_t const others = shape.terminals + shape.centres;
        if (direct || used == shape.n - others) {
            if (free_pair(a, b)) {
                edge(a, b, length);
            }
            return;
        }
        std::int32_t const middle = label[others + used++];
        edge(a, middle, first);
        edge(middle, b, length - first);
    }

    /// Arms to a, b, c such that the way between two of them through the centre is as long as the shortest one, times
    /// twice `permille`.
    OPTGAP_HD void star(std::int32_t centre, std::int32_t a, std::int32_t b, std::int32_t c,
                        std::int32_t permille) const {
        solo lane;
        search::shortest_paths_from(lane, a, rows, shape.n, scratch, scratch + shape.n);
        std::int32_t const ab = scratch[b];
        std::int32_t const ac = scratch[c];
        search::shortest_paths_from(lane, b, rows, shape.n, scratch, scratch + shape.n);
        std::int32_t const bc = scratch[c];
        auto const arm = [&](std::int32_t end, std::int32_t twice) {
            std::int32_t const weight = (twice * permille + 500) / 1000;
            edge(centre, end, weight > 1 ? weight : 1);
        };
        arm(a, ab + ac - bc);
        arm(b, ab + bc - ac);
        arm(c, ac + bc - ab);
    }

    /// Triple k contains terminals that no earlier triple contains, and at least one that an earlier one contains.
    OPTGAP_HD void add_triple(draw_stream& stream, std::int32_t k) {
        std::int32_t const held = 1 + 2 * k < shape.terminals ? 1 + 2 * k : shape.terminals;
        std::int32_t at[3];
        at[0] = stream.uniform(0, held - 1);
        for (std::int32_t i = 1; i < 3; ++i) {
            std::int32_t const fresh = held + i - 1;
            do {
                at[i] = fresh < shape.terminals ? fresh : stream.uniform(0, shape.terminals - 1);
            } while (at[i] == at[0] || (i == 2 && at[2] == at[1]));
        }
        std::int32_t const a = label[at[0]];
        std::int32_t const b = label[at[1]];
        std::int32_t const c = label[at[2]];
        link(stream, a, b);
        link(stream, b, c);
        link(stream, a, c);
        star(label[shape.terminals + k], a, b, c, k == 0 ? stream.uniform(520, 580) : stream.uniform(520, 700));
    }
};

/// `scratch` is 3 n words.
template <class Team>
OPTGAP_HD void draw_instance(Team& team, draw source, graph_shape shape, std::int32_t* words, std::int32_t* scratch) {
    std::int32_t const n = shape.n;
    std::int32_t* const rows = families::begin_weighted_edges(team, words, n);
    if (team.rank() == 0) {
        std::int32_t* const label = scratch + 2 * n;
        draw_stream labels(source, draw_labels);
        for (std::int32_t v = 0; v < n; ++v) {
            label[v] = v;
        }
        shuffle(labels, label, n);
        sketch made{rows, label, scratch, shape};
        draw_stream triples(source, draw_triples);
        for (std::int32_t k = 0; k < shape.centres; ++k) {
            made.add_triple(triples, k);
        }
        // The remaining vertices are attached by two edges; then further edges join vertices that are not centres,
        // until there are 2 n.
        draw_stream edges(source, draw_edges);
        std::int32_t const others = shape.terminals + shape.centres;
        auto const any = [&](std::int32_t below) {
            std::int32_t const i = edges.uniform(0, below - shape.centres - 1);
            return label[i < shape.terminals ? i : i + shape.centres];
        };
        for (std::int32_t i = others + made.used; i < n; ++i) {
            for (std::int32_t left = 2; left > 0;) {
                std::int32_t const u = any(i);
                if (made.free_pair(u, label[i])) {
                    made.edge(u, label[i], edges.uniform(8, 30));
                    --left;
                }
            }
        }
        std::int32_t count = 0;
        for (std::int64_t i = 0; i < std::int64_t(n) * n; ++i) {
            count += rows[i] > 0 ? 1 : 0;
        }
        for (count /= 2; count < 2 * n;) {
            std::int32_t const u = any(n);
            std::int32_t const v = any(n);
            if (made.free_pair(u, v)) {
                made.edge(u, v, edges.uniform(18, 30));
                ++count;
            }
        }
        std::int32_t* const ends = words + weighted_graph_words(n);
        *ends = shape.terminals;
        std::int32_t* const is_terminal = scratch;
        for (std::int32_t v = 0; v < n; ++v) {
            is_terminal[v] = 0;
        }
        for (std::int32_t k = 0; k < shape.terminals; ++k) {
            is_terminal[label[k]] = 1;
        }
        std::int32_t written = 0;
        for (std::int32_t v = 0; v < n; ++v) {
            if (is_terminal[v] != 0) {
                ends[1 + written++] = v;
            }
        }
    }
    team.sync();
}

}  // namespace tasks::steiner_tree
OPTGAP_KERNELS_END
