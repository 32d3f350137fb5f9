#pragma once
// Generation of instances of coloring. Purposes of the random words:
//
//   0  sizes: word 0 n, word 1 k (the paper's levels)
//   1  word i * stride + j decides the pair of the i-th and j-th vertex before relabelling, j < i, where stride is n
//      rounded up to a multiple of four, so that rows begin with a block
//   2  the shuffle of the labels
//   3  difficulty scale: the shuffles of the lines of slot 0, 1, 2, …

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::coloring {

enum purpose : std::uint32_t { draw_sizes = 0, draw_pairs, draw_labels, draw_lines };

/// The paper's ranges of n and of the number k of planted classes, and the probability of an edge between two classes.
struct level_sizes {
    std::int32_t n_low, n_high, k_low, k_high, edge_permille;
};
[[nodiscard]] OPTGAP_HD constexpr level_sizes sizes_of(difficulty level) {
    switch (level.code + 4) {
        case 0: return {8, 12, 3, 4, 200};
        case 1: return {15, 22, 4, 6, 350};
        case 2: return {25, 32, 6, 8, 500};
        default: return {32, 40, 6, 8, 500};
    }
}

/// The parameters of step d of the difficulty scale. The first vertex of each class belongs to a planted clique, so the
/// optimum is `classes`.
struct scale_sizes {
    std::int32_t n, classes;
    std::int32_t apart_permille;          ///< of the pairs of two classes: no edge
    std::int32_t planted_apart_permille;  ///< the same for pairs with one end in the planted clique
};
inline constexpr std::int32_t max_scale_vertices = 3072;
inline constexpr std::int32_t line_length = 4;
[[nodiscard]] OPTGAP_HD constexpr scale_sizes scale_of(std::int32_t d) {
    std::int32_t const last = (max_scale_vertices - 9) / 3;
    std::int32_t const step = d < last ? d : last;
    std::int32_t const n = 9 + 3 * step;
    std::int32_t const apart = n < 38 ? 160 : 6000 / n;
    return {n, 3 + step / 2, apart, apart + apart / 2};
}

[[nodiscard]] OPTGAP_HD inline std::int32_t vertices_of(draw source, difficulty level) {
    if (level.on_scale()) {
        return scale_of(level.code).n;
    }
    level_sizes const sizes = sizes_of(level);
    return uniform(source, draw_sizes, 0, sizes.n_low, sizes.n_high);
}

/// Adds the edges label[i]-label[j] for which joined(i, j, random word of the pair) holds, j < i.
template <class Team, class Joined>
OPTGAP_HD void join_pairs(Team& team, draw source, std::int32_t n, std::uint32_t* rows, std::int32_t const* label,
                          Joined const& joined) {
    std::int32_t const row_blocks = (n + 3) / 4;
    team.each(n, [&](std::int64_t row) {
        auto const i = std::int32_t(row);
        for (std::int32_t b = 0; 4 * b < i; ++b) {
            philox_block const block = random_block(source, draw_pairs, std::uint32_t(i * row_blocks + b));
            for (std::int32_t j = 4 * b; j < i && j < 4 * b + 4; ++j) {
                if (joined(i, j, block.word[j - 4 * b])) {
                    add_edge(team, rows, n, label[i], label[j]);
                }
            }
        }
    });
}

/// Vertex i before relabelling belongs to class i % k.
template <class Team>
OPTGAP_HD void generate_level(Team& team, draw source, difficulty level, std::int32_t n, std::uint32_t* rows,
                              std::int32_t const* label) {
    level_sizes const sizes = sizes_of(level);
    std::int32_t const k = uniform(source, draw_sizes, 1, sizes.k_low, sizes.k_high);
    join_pairs(team, source, n, rows, label, [=](std::int32_t i, std::int32_t j, std::uint32_t word) {
        return i % k != j % k && to_range(word, 0, 999) < sizes.edge_permille;
    });
}

/// Vertex i before relabelling belongs to class i % k and slot i / k. The vertices of slot 0 form a clique. Those of
/// another slot fall at random into lines of four that look like a class: none of its pairs is an edge.
template <class Team>
OPTGAP_HD void generate_scale(Team& team, draw source, std::int32_t d, std::uint32_t* rows, std::int32_t const* label,
                              std::int32_t* line) {
    scale_sizes const sizes = scale_of(d);
    std::int32_t const n = sizes.n;
    std::int32_t const k = sizes.classes;
    if (team.rank() == 0) {
        draw_stream stream(source, draw_lines);
        for (std::int32_t slot = 0; slot * k < n; ++slot) {
            std::int32_t const begin = slot * k;
            std::int32_t const members = k < n - begin ? k : n - begin;
            std::int32_t const length = slot == 0 ? 1 : line_length;
            for (std::int32_t i = 0; i < members; ++i) {
                line[begin + i] = begin + i / length;
            }
            shuffle(stream, line + begin, members);
        }
    }
    team.sync();
    join_pairs(team, source, n, rows, label, [=](std::int32_t i, std::int32_t j, std::uint32_t word) {
        if (i % k == j % k || line[i] == line[j]) {
            return false;
        }
        std::int32_t const apart = i < k ? 0 : j < k ? sizes.planted_apart_permille : sizes.apart_permille;
        return to_range(word, 0, 999) >= apart;
    });
}

}  // namespace tasks::coloring

OPTGAP_KERNELS_END
