#pragma once
// Generation of instances of set_cover. Purposes of the random words:
//
//   0  sizes: word 0 u, word 1 s (the paper's levels)
//   1  the paper's levels: words i * stride … of set i before relabelling: its size, then its elements; stride is a
//      multiple of four, so that sets begin with a block
//   2  the paper's levels: word e chooses the set that element e is added to if no set has it
//   3  the shuffle of the labels: sets, then elements
//   4  difficulty scale: words 1 and 2 of block i choose the groups of the i-th shared element's decoys
//   5  difficulty scale: words 7 b … choose the elements of bait b

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/set_cover/set_cover_instance.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

enum purpose : std::uint32_t { draw_sizes = 0, draw_sets, draw_homes, draw_labels, draw_shared, draw_baits };

struct cover_sizes {
    std::int32_t u, s;
};

/// The parameters of step d of the difficulty scale. A group is three sets that share an element contained in no other
/// set. A cover therefore has at least `groups` sets, and the plant, one set of each group, attains this number.
struct scale_sizes {
    std::int32_t groups;
    std::int32_t shared;  ///< elements besides the groups' own
    std::int32_t baits;   ///< sets of shared elements only, larger than most
    [[nodiscard]] OPTGAP_HD constexpr cover_sizes all() const { return {groups + shared, 3 * groups + baits}; }
};
inline constexpr std::int32_t max_groups = 1024;
inline constexpr std::int32_t largest_bait = 7;
[[nodiscard]] OPTGAP_HD constexpr scale_sizes scale_of(std::int32_t d) {
    std::int32_t const groups = d < max_groups - 2 ? 2 + d : max_groups;
    return {groups, groups * 7 / 2, 1 + groups / 5};
}

OPTGAP_HD inline cover_sizes sizes_of(draw source, difficulty level) {
    if (level.code >= 0) {
        return scale_of(level.code).all();
    }
    struct {
        std::int32_t u_low, u_high, s_low, s_high;
    } const ranges[4] = {{10, 20, 5, 10}, {20, 25, 10, 15}, {25, 30, 15, 25}, {30, 40, 20, 30}};
    auto const& range = ranges[level.level()];
    return {uniform(source, draw_sizes, 0, range.u_low, range.u_high),
            uniform(source, draw_sizes, 1, range.s_low, range.s_high)};
}

/// A row under construction.
template <class Team>
OPTGAP_HD void put(Team& team, std::uint32_t* rows, std::int32_t u, std::int32_t j, std::int32_t e) {
    team.fetch_or(&rows[j * bitset_words(u) + (e >> 5)], 1u << (e & 31));
}

/// Puts `size` distinct elements of element[0 … count) into `row`, by one lane: Floyd's method (Bentley & Floyd 1987).
OPTGAP_HD inline void put_sample(draw source, std::uint32_t purpose, std::uint32_t first_word, std::int32_t size,
                                 std::int32_t const* element, std::int32_t count, std::uint32_t* row) {
    philox_block block{};
    for (std::int32_t k = 0; k < size; ++k) {
        std::uint32_t const at = first_word + std::uint32_t(k);
        if (k == 0 || at % 4 == 0) {
            block = random_block(source, purpose, at / 4);
        }
        std::int32_t const last = count - size + k;
        std::int32_t const drawn = to_range(block.word[at % 4], 0, last);
        std::int32_t const e = element[contains(row, element[drawn]) ? last : drawn];
        row[e >> 5] |= 1u << (e & 31);
    }
}

/// Random sets, then a set for each element that is in none. `covered` has room for a set over u.
template <class Team>
OPTGAP_HD void generate_level(Team& team, draw source, cover_sizes sizes, std::uint32_t* rows, std::int32_t const* set,
                              std::int32_t const* element, std::uint32_t* covered) {
    std::int32_t const u = sizes.u;
    std::int64_t const row_words = bitset_words(u);
    std::int32_t const largest = 2 * u / 5;
    std::int32_t const stride = (1 + largest + 3) / 4 * 4;
    team.each(sizes.s, [&](std::int64_t i) {
        std::uint32_t const first = std::uint32_t(i) * std::uint32_t(stride);
        std::int32_t const size = uniform(source, draw_sets, first, 1, largest);
        put_sample(source, draw_sets, first + 1, size, element, u, rows + set[i] * row_words);
    });
    team.sync();
    team.each(row_words, [&](std::int64_t w) {
        covered[w] = 0;
        for (std::int32_t j = 0; j < sizes.s; ++j) {
            covered[w] |= rows[j * row_words + w];
        }
    });
    team.sync();
    team.each(u, [&](std::int64_t e) {
        if (!contains(covered, element[e])) {
            put(team, rows, u, set[uniform(source, draw_homes, std::uint32_t(e), 0, sizes.s - 1)], element[e]);
        }
    });
}

/// Before relabelling, sets 3g, 3g + 1 and 3g + 2 are group g's planted set and its two decoys; the baits follow.
/// Element g is the group's own. A shared element is in the planted set of one group, in the first decoy of another and
/// in the second decoy of a third.
template <class Team>
OPTGAP_HD void generate_scale(Team& team, draw source, std::int32_t d, std::uint32_t* rows, std::int32_t const* set,
                              std::int32_t const* element) {
    scale_sizes const sizes = scale_of(d);
    std::int32_t const groups = sizes.groups;
    std::int32_t const u = sizes.all().u;
    std::int32_t const bait_size = sizes.shared < largest_bait ? sizes.shared : largest_bait;
    team.each(sizes.baits, [&](std::int64_t b) {
        put_sample(source, draw_baits, std::uint32_t(b * largest_bait), bait_size, element + groups, sizes.shared,
                   rows + set[3 * groups + b] * bitset_words(u));
    });
    team.each(3 * groups, [&](std::int64_t j) { put(team, rows, u, set[j], element[j / 3]); });
    team.each(sizes.shared, [&](std::int64_t i) {
        philox_block const block = random_block(source, draw_shared, std::uint32_t(i));
        std::int32_t const home = std::int32_t(i % groups);
        put(team, rows, u, set[3 * home], element[groups + i]);
        for (std::int32_t slot = 1; slot < 3; ++slot) {
            std::int32_t const other = to_range(block.word[slot], 0, groups - 2);
            put(team, rows, u, set[3 * (other + (other >= home)) + slot], element[groups + i]);
        }
    });
}

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
