#pragma once
// How instances of bisection are drawn. Purposes of the random words:
//
//   0  word 0: n of the paper's levels
//   1  word i: the community that traitor i goes over to
//   2  block i * ceil(n / 2) + j / 2: the pair of the i-th and j-th vertex before relabelling, j < i; words 0 and 1 for
//      an even j, 2 and 3 for an odd one: is there an edge, and its weight
//   3  the labels' shuffle

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

enum purpose : std::uint32_t { draw_size = 0, draw_traitors, draw_pairs, draw_labels };

struct weight_range {
    std::int32_t permille;  ///< chance of an edge
    std::int32_t low, high;
};

/// How a level makes its graphs. Vertex i before relabelling belongs to community i % communities; the first `traitors`
/// vertices of each community are its traitors.
struct recipe {
    std::int32_t n_low, n_high;
    std::int32_t communities;
    std::int32_t traitors;
    weight_range inside, across;
};
inline constexpr std::int32_t traitor_inside_permille = 300;
inline constexpr weight_range traitor_across = {600, 6, 10};

inline constexpr std::int32_t max_step = 496;  ///< later steps of the difficulty scale are like this one: n = 1000

[[nodiscard]] OPTGAP_HD constexpr recipe recipe_of(difficulty level) {
    switch (level.code + 4) {
        case 0: return {28, 32, 2, 0, {600, 1, 10}, {100, 1, 10}};
        case 1: return {40, 44, 3, 0, {500, 1, 10}, {150, 1, 10}};
        case 2: return {43, 47, 3, 2, {900, 8, 10}, {100, 1, 3}};
        case 3: return {48, 52, 3, 2, {900, 8, 10}, {20, 1, 3}};
        default: break;
    }
    std::int32_t const d = level.code < max_step ? level.code : max_step;
    std::int32_t const n = 8 + 2 * d;
    std::int32_t const traitors = d < 60 ? 1 + d / 12 : 6;
    return {n, n, 3 + 2 * (d / 24), traitors, {900, 8, 10}, {20, 1, 3}};
}

[[nodiscard]] OPTGAP_HD inline std::int32_t vertices_of(draw source, difficulty level) {
    recipe const how = recipe_of(level);
    return uniform(source, draw_size, 0, how.n_low, how.n_high);
}

/// `label` and `target` are scratch of n words each.
template <class Team>
OPTGAP_HD void generate_graph(Team& team, draw source, recipe const& how, std::int32_t n, std::int32_t* rows,
                              std::int32_t* label, std::int32_t* target) {
    std::int32_t const k = how.communities;
    team.each(n, [&](std::int64_t i) {
        label[i] = std::int32_t(i);
        std::int32_t const other =
            i < k * how.traitors ? uniform(source, draw_traitors, std::uint32_t(i), 1, k - 1) : 0;
        target[i] = other == 0 ? -1 : std::int32_t((i + other) % k);
    });
    team.sync();
    if (team.rank() == 0) {
        draw_stream stream(source, draw_labels);
        shuffle(stream, label, n);
    }
    team.sync();
    std::int32_t const row_blocks = (n + 1) / 2;
    team.each(std::int64_t(n) * row_blocks, [&](std::int64_t index) {
        auto const i = std::int32_t(index / row_blocks);
        std::int32_t const first = 2 * std::int32_t(index % row_blocks);
        if (first > i) {
            return;
        }
        philox_block const block = random_block(source, draw_pairs, std::uint32_t(index));
        for (std::int32_t j = first; j <= i && j < first + 2; ++j) {
            weight_range range = i % k == j % k ? how.inside : how.across;
            if (i % k == j % k) {
                range.permille = target[i] < 0 && target[j] < 0 ? range.permille : traitor_inside_permille;
            } else if (target[i] == j % k || target[j] == i % k) {
                range = traitor_across;
            }
            std::uint32_t const* const word = &block.word[2 * (j - first)];
            bool const edge = i != j && to_range(word[0], 0, 999) < range.permille;
            std::int32_t const weight = edge ? to_range(word[1], range.low, range.high) : 0;
            rows[std::int64_t(label[i]) * n + label[j]] = weight;
            rows[std::int64_t(label[j]) * n + label[i]] = weight;
        }
    });
    team.sync();
}

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
