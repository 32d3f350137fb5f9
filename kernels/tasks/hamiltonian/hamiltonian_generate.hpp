#pragma once
// Generation of instances of hamiltonian. Purposes of the random words:
//
//   0  sizes: word 0 n (the paper's levels)
//   1  the paper's levels: word i * stride + j decides the pair of the i-th and j-th vertex of the cycle, j < i, where
//      stride is n rounded up to a multiple of four, so that rows begin with a block
//   2  the shuffle of the labels
//   3  difficulty scale: block i is the i-th chord: its first end, its kind, its span

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

enum purpose : std::uint32_t { draw_sizes = 0, draw_pairs, draw_labels, draw_chords };

/// The paper's range of n and the probability of an edge off the cycle.
struct level_sizes {
    std::int32_t n_low, n_high, edge_permille;
};
[[nodiscard]] OPTGAP_HD constexpr level_sizes sizes_of(difficulty level) {
    switch (level.code + 4) {
        case 0: return {15, 20, 200};
        case 1: return {20, 30, 300};
        case 2: return {30, 40, 400};
        default: return {40, 50, 500};
    }
}

/// The parameters of step d of the difficulty scale.
struct scale_sizes {
    std::int32_t n;
    std::int32_t chords;         ///< number drawn; the few that coincide count once
    std::int32_t near_permille;  ///< of the chords: these span at most `near_span` steps of the cycle
};
inline constexpr std::int32_t max_scale_vertices = 3072;
inline constexpr std::int32_t near_span = 6;
[[nodiscard]] OPTGAP_HD constexpr scale_sizes scale_of(std::int32_t d) {
    std::int32_t const n = d < (max_scale_vertices - 9) / 3 ? 9 + 3 * d : max_scale_vertices;
    return {n, 2 * n / 3, d < 100 ? 200 + d : 300};
}

[[nodiscard]] OPTGAP_HD inline std::int32_t vertices_of(draw source, difficulty level) {
    if (level.code >= 0) {
        return scale_of(level.code).n;
    }
    level_sizes const sizes = sizes_of(level);
    return uniform(source, draw_sizes, 0, sizes.n_low, sizes.n_high);
}

template <class Team>
OPTGAP_HD void add_random_pairs(Team& team, draw source, difficulty level, std::int32_t n, std::uint32_t* rows,
                                std::int32_t const* label) {
    std::int32_t const edge_permille = sizes_of(level).edge_permille;
    std::int32_t const row_blocks = (n + 3) / 4;
    team.each(n, [&](std::int64_t r) {
        std::int32_t const i = std::int32_t(r);
        for (std::int32_t b = 0; 4 * b < i; ++b) {
            philox_block const block = random_block(source, draw_pairs, std::uint32_t(i * row_blocks + b));
            for (std::int32_t j = 4 * b; j < i && j < 4 * b + 4; ++j) {
                if (to_range(block.word[j - 4 * b], 0, 999) < edge_permille) {
                    add_edge(team, rows, n, label[i], label[j]);
                }
            }
        }
    });
}

template <class Team>
OPTGAP_HD void add_chords(Team& team, draw source, scale_sizes sizes, std::uint32_t* rows, std::int32_t const* label) {
    std::int32_t const n = sizes.n;
    team.each(sizes.chords, [&](std::int64_t i) {
        philox_block const block = random_block(source, draw_chords, std::uint32_t(i));
        std::int32_t const from = to_range(block.word[0], 0, n - 1);
        bool const near = to_range(block.word[1], 0, 999) < sizes.near_permille;
        std::int32_t const to = from + to_range(block.word[2], 2, near ? near_span : n - 2);
        add_edge(team, rows, n, label[from], label[to < n ? to : to - n]);
    });
}

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
