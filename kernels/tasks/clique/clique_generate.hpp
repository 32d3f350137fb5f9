#pragma once
// Generation of instances of clique. Purposes of the random words:
//
//   0  sizes: word 0 n, word 1 k (the paper's levels) or the number of groups (the difficulty scale)
//   1  the paper's levels: word i * stride + j decides the pair of the i-th and j-th vertex before relabelling, j < i,
//      where stride is n rounded up to a multiple of four, so that rows begin with a block
//   2  the shuffle of the labels
//   3  difficulty scale: block i is the i-th noise pair: its two groups, its kind, its ends
//   4  difficulty scale: the order in which groups get their decoy conflict

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::clique {

enum purpose : std::uint32_t { draw_sizes = 0, draw_pairs, draw_labels, draw_noise, draw_conflicts };

/// The paper's ranges of n and of the planted clique's size k.
struct level_sizes {
    std::int32_t n_low, n_high, k_low, k_high;
};
[[nodiscard]] OPTGAP_HD constexpr level_sizes sizes_of(difficulty level) {
    switch (level.code + 4) {
        case 0: return {4, 8, 2, 4};
        case 1: return {8, 12, 2, 4};
        case 2: return {12, 16, 2, 6};
        default: return {16, 20, 4, 8};
    }
}
inline constexpr std::int32_t planted_outside_permille = 700;
inline constexpr std::int32_t outside_permille = 400;

/// The parameters of step d of the difficulty scale. Vertex i before relabelling belongs to group i % groups, and a
/// group has no inner edges: a clique has at most `groups` vertices, and the plant, vertices 0 … groups-1, attains this
/// size.
struct scale_sizes {
    std::int32_t n;
    std::int32_t groups;
    std::int32_t noise;      ///< forbidden pairs drawn between groups
    std::int32_t conflicts;  ///< pairs of groups whose decoys are not adjacent: decoys alone fall short by this number
};
inline constexpr std::int32_t max_scale_vertices = 2048;
inline constexpr std::int32_t planted_permille = 500;  ///< of the noise pairs: one end in the plant
[[nodiscard]] OPTGAP_HD inline scale_sizes scale_of(draw source, std::int32_t d) {
    std::int32_t const n = d < max_scale_vertices - 8 ? 8 + d : max_scale_vertices;
    std::int32_t const groups = uniform(source, draw_sizes, 1, 9 * n / 20, n / 2);
    return {n, groups, 8 * n, 1 + groups / 8};
}

[[nodiscard]] OPTGAP_HD inline std::int32_t vertices_of(draw source, difficulty level) {
    if (level.code >= 0) {
        return scale_of(source, level.code).n;
    }
    level_sizes const sizes = sizes_of(level);
    return uniform(source, draw_sizes, 0, sizes.n_low, sizes.n_high);
}

/// The first k vertices before relabelling are the planted clique.
template <class Team>
OPTGAP_HD void generate_level(Team& team, draw source, difficulty level, std::int32_t n, std::uint32_t* rows,
                              std::int32_t const* label) {
    level_sizes const sizes = sizes_of(level);
    std::int32_t const k = uniform(source, draw_sizes, 1, sizes.k_low, sizes.k_high);
    std::int32_t const row_blocks = (n + 3) / 4;
    team.each(n, [&](std::int64_t at) {
        auto const i = std::int32_t(at);
        for (std::int32_t b = 0; 4 * b < i; ++b) {
            philox_block const block = random_block(source, draw_pairs, std::uint32_t(i * row_blocks + b));
            for (std::int32_t j = 4 * b; j < i && j < 4 * b + 4; ++j) {
                std::int32_t const permille = i < k ? 1000 : j < k ? planted_outside_permille : outside_permille;
                if (to_range(block.word[j - 4 * b], 0, 999) < permille) {
                    add_edge(team, rows, n, label[i], label[j]);
                }
            }
        }
    });
}

/// Draws the forbidden pairs, then takes the complement.
template <class Team>
OPTGAP_HD void generate_scale(Team& team, draw source, std::int32_t d, std::uint32_t* rows, std::int32_t const* label,
                              std::int32_t* order) {
    scale_sizes const sizes = scale_of(source, d);
    std::int32_t const n = sizes.n;
    std::int32_t const groups = sizes.groups;
    auto const forbid = [&](std::int32_t u, std::int32_t v) { add_edge(team, rows, n, label[u], label[v]); };
    if (team.rank() == 0) {
        for (std::int32_t g = 0; g < groups; ++g) {
            order[g] = g;
        }
        draw_stream stream(source, draw_conflicts);
        shuffle(stream, order, groups);
    }
    team.sync();
    team.each(n, [&](std::int64_t v) {
        for (auto u = std::int32_t(v) - groups; u >= 0; u -= groups) {
            forbid(u, std::int32_t(v));
        }
    });
    team.each(sizes.conflicts, [&](std::int64_t i) { forbid(groups + order[2 * i], groups + order[2 * i + 1]); });
    team.each(sizes.noise, [&](std::int64_t i) {
        philox_block const block = random_block(source, draw_noise, std::uint32_t(i));
        std::int32_t const b = to_range(block.word[0], 0, groups - 1);
        std::int32_t const other = to_range(block.word[1], 0, groups - 2);
        std::int32_t const a = other + (other >= b);
        std::int32_t const unplanted_a = (n - 1 - a) / groups;
        std::int32_t const unplanted_b = (n - 1 - b) / groups;
        std::int32_t slot_a = 0;
        std::int32_t slot_b = 0;
        if (to_range(block.word[2], 0, 999) < planted_permille) {
            slot_b = to_range(block.word[3], 1, unplanted_b);
        } else {
            std::int32_t const ends = to_range(block.word[3], 0, unplanted_a * unplanted_b - 1);
            slot_a = 1 + ends / unplanted_b;
            slot_b = 1 + ends % unplanted_b;
        }
        if (slot_a != 1 || slot_b != 1) {
            forbid(a + slot_a * groups, b + slot_b * groups);
        }
    });
    team.sync();
    std::int64_t const row_words = bitset_words(n);
    team.each(n, [&](std::int64_t v) {
        for (std::int64_t w = 0; w < row_words; ++w) {
            rows[v * row_words + w] = ~rows[v * row_words + w] & std::uint32_t(first_bits(std::int32_t(n - 32 * w)));
        }
        rows[v * row_words + v / 32] &= ~(1u << (v % 32));
    });
}

}  // namespace tasks::clique

OPTGAP_KERNELS_END
