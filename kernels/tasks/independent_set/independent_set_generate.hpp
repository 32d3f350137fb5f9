#pragma once
// Generation of instances of independent_set. Purposes of the random words:
//
//   0  sizes: word 0 n, word 1 k (the paper's levels)
//   1  the paper's levels: word i * stride + j decides the pair of the i-th and j-th vertex before relabelling, j < i,
//      where stride is n rounded up to a multiple of four, so that rows begin with a block
//   2  the shuffle of the labels
//   3  difficulty scale: word i is how many vertices group 2i lends to group 2i + 1
//   4  difficulty scale: block i is the i-th noise edge: its two groups, its kind, its ends
//   5  difficulty scale: the order in which groups get their conflict

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::independent_set {

enum purpose : std::uint32_t { draw_sizes = 0, draw_pairs, draw_labels, draw_groups, draw_noise, draw_conflicts };

/// The paper's ranges of n and of the planted set's size k.
struct level_sizes {
    std::int32_t n_low, n_high, k_low, k_high;
};
[[nodiscard]] OPTGAP_HD constexpr level_sizes sizes_of(difficulty level) {
    switch (level.code + 4) {
        case 0: return {12, 20, 4, 8};
        case 1: return {20, 30, 8, 12};
        case 2: return {30, 40, 12, 16};
        default: return {40, 50, 16, 20};
    }
}
inline constexpr std::int32_t pair_permille = 400;

/// The parameters of step d of the difficulty scale. A group is a hidden clique, so an optimum has at most `groups`
/// vertices, and the plant, one vertex of each group, attains this size.
struct scale_sizes {
    std::int32_t groups;     ///< of three vertices on average
    std::int32_t noise;      ///< edges drawn between groups
    std::int32_t conflicts;  ///< pairs of groups whose decoys are adjacent: decoys alone fall short by this number
};
inline constexpr std::int32_t max_groups = 1024;
inline constexpr std::int32_t planted_permille = 720;  ///< of the noise edges: one end in the plant
[[nodiscard]] OPTGAP_HD constexpr scale_sizes scale_of(std::int32_t d) {
    std::int32_t const groups = d < max_groups - 3 ? 3 + d : max_groups;
    return {groups, 10 * groups, 1 + groups / 8};
}

[[nodiscard]] OPTGAP_HD inline std::int32_t vertices_of(draw source, difficulty level) {
    if (level.code >= 0) {
        return 3 * scale_of(level.code).groups;
    }
    level_sizes const sizes = sizes_of(level);
    return uniform(source, draw_sizes, 0, sizes.n_low, sizes.n_high);
}

template <class Team>
OPTGAP_HD void generate_level(Team& team, draw source, difficulty level, std::int32_t n, std::uint32_t* rows,
                              std::int32_t const* label) {
    level_sizes const sizes = sizes_of(level);
    std::int32_t const k = uniform(source, draw_sizes, 1, sizes.k_low, sizes.k_high);
    std::int32_t const row_blocks = (n + 3) / 4;
    team.each(n - k, [&](std::int64_t r) {
        std::int32_t const i = k + std::int32_t(r);
        for (std::int32_t b = 0; 4 * b < i; ++b) {
            philox_block const block = random_block(source, draw_pairs, std::uint32_t(i * row_blocks + b));
            for (std::int32_t j = 4 * b; j < i && j < 4 * b + 4; ++j) {
                if (to_range(block.word[j - 4 * b], 0, 999) < pair_permille) {
                    add_edge(team, rows, n, label[i], label[j]);
                }
            }
        }
    });
}

/// Vertices 3g + … before relabelling: slot 0 of a group is its planted vertex, slot 1 its decoy, other slots are
/// neutral.
template <class Team>
OPTGAP_HD void generate_scale(Team& team, draw source, std::int32_t d, std::int32_t n, std::uint32_t* rows,
                              std::int32_t const* label, std::int32_t* first) {
    scale_sizes const sizes = scale_of(d);
    std::int32_t const groups = sizes.groups;
    std::int32_t* const order = first + groups + 1;
    team.each(groups + 1, [&](std::int64_t g) {
        bool const second = g % 2 == 1;
        first[g] = 3 * std::int32_t(g) + (second ? uniform(source, draw_groups, std::uint32_t(g / 2), -1, 1) : 0);
        if (g < groups) {
            order[g] = std::int32_t(g);
        }
    });
    team.sync();
    if (team.rank() == 0) {
        first[groups] = n;
        draw_stream stream(source, draw_conflicts);
        shuffle(stream, order, groups);
    }
    team.sync();
    team.each(groups, [&](std::int64_t g) {
        for (std::int32_t u = first[g]; u < first[g + 1]; ++u) {
            for (std::int32_t v = first[g]; v < u; ++v) {
                add_edge(team, rows, n, label[u], label[v]);
            }
        }
    });
    team.each(sizes.conflicts, [&](std::int64_t i) {
        add_edge(team, rows, n, label[first[order[2 * i]] + 1], label[first[order[2 * i + 1]] + 1]);
    });
    team.each(sizes.noise, [&](std::int64_t i) {
        philox_block const block = random_block(source, draw_noise, std::uint32_t(i));
        std::int32_t const a = to_range(block.word[0], 0, groups - 1);
        std::int32_t const other = to_range(block.word[1], 0, groups - 2);
        std::int32_t const b = other + (other >= a);
        std::int32_t const unplanted_a = first[a + 1] - first[a] - 1;
        std::int32_t const unplanted_b = first[b + 1] - first[b] - 1;
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
            add_edge(team, rows, n, label[first[a] + slot_a], label[first[b] + slot_b]);
        }
    });
}

}  // namespace tasks::independent_set

OPTGAP_KERNELS_END
