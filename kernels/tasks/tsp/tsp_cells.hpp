#pragma once
// Distances as the scans hold them: 16 bits wide, two to a word, if an instance's distances allow it, otherwise 32 bits
// wide.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/tsp/tsp_distance.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

/// The longest distance M, and the value 3 M of pairs that no move may join. With e <= M for an edge of the tour and -2
/// M <= c <= M for the terms of a row, a scan computes
///
///   cell + cell + c       at most 7 M, which a cell holds: 7 · 4681 = 32767
///   cell + cell + c - e   at least -3 M, and at least 0 when a cell is 3 M or c is M: no such sum passes for a gain
template <int Bits>
struct cell_limits {
    static_assert(Bits == 16 || Bits == 32);
    static constexpr std::int32_t longest = Bits == 16 ? 4681 : max_weight;
    static constexpr std::int32_t no_move = 3 * longest;
};

/// Scratch is declared as words; cells of either width are stored in it.
using narrow_cell [[gnu::may_alias]] = std::int16_t;

/// Whether all distances fit 16-bit cells: the longest of a matrix, the diagonal of the points' box.
template <class Team>
OPTGAP_HD bool narrow_distances(Team& team, words_view instance) {
    constexpr std::int64_t longest = cell_limits<16>::longest;
    std::int32_t const n = city_count(instance);
    if (instance[0] == matrix_form) {
        bool fits = true;
        team.each(triangle(n), [&](std::int64_t k) { fits = fits & (instance.data[2 + k] <= longest); });
        return team.all(fits);
    }
    std::int64_t side[2] = {};
    for (std::int32_t axis = 0; axis < 2; ++axis) {
        std::int32_t low = max_coordinate;
        std::int32_t high = -max_coordinate;
        team.each(n, [&](std::int64_t i) {
            std::int32_t const x = instance.data[3 + 2 * i + axis];
            low = x < low ? x : low;
            high = x > high ? x : high;
        });
        side[axis] = team.max_by(high, 0).key - team.min_by(low, 0).key;
    }
    // Doubles can round to the wrong integer only if two integers are about equally near.
    return rounded_distance(side[0], side[1], instance.data[2]) + (instance[0] == doubles_form ? 1 : 0) <= longest;
}

/// A word of cells in two's complement: columns 2w and 2w + 1 of 16 bits, the first in the low half, or column w.
template <int Bits>
struct cell_word;

template <>
struct [[gnu::may_alias]] cell_word<16> {
    using cell = narrow_cell;
    static constexpr std::int32_t columns = 2;
    std::uint32_t bits;

    OPTGAP_HD static cell_word of(std::int32_t low, std::int32_t high) {
        return {(std::uint32_t(low) & 0xFFFFu) | (std::uint32_t(high) << 16)};
    }
    OPTGAP_HD static cell_word both(std::int32_t x) { return of(x, x); }
    [[nodiscard]] OPTGAP_HD std::int32_t operator[](std::int32_t half) const {
        return std::int16_t(std::uint16_t(bits >> (16 * half)));
    }
    /// The cells, shifted by one column.
    [[nodiscard]] OPTGAP_HD cell_word shifted(cell_word following) const {
        return {(bits >> 16) | (following.bits << 16)};
    }
    /// No carry crosses the halves: the cells of a sum are not negative, and the sums are below 2^16.
    OPTGAP_HD friend cell_word operator+(cell_word a, cell_word b) { return {a.bits + b.bits}; }
    /// min(a + b, c) in each half.
    OPTGAP_HD friend cell_word min_sum(cell_word a, cell_word b, cell_word c) {
#ifdef __CUDACC__
        return {__viaddmin_s16x2(a.bits, b.bits, c.bits)};
#else
        std::int32_t const low = a[0] + b[0] < c[0] ? a[0] + b[0] : c[0];
        std::int32_t const high = a[1] + b[1] < c[1] ? a[1] + b[1] : c[1];
        return of(low, high);
#endif
    }
};

template <>
struct [[gnu::may_alias]] cell_word<32> {
    using cell = std::int32_t;
    static constexpr std::int32_t columns = 1;
    std::int32_t bits;

    OPTGAP_HD static cell_word of(std::int32_t x, std::int32_t) { return {x}; }
    OPTGAP_HD static cell_word both(std::int32_t x) { return {x}; }
    [[nodiscard]] OPTGAP_HD std::int32_t operator[](std::int32_t) const { return bits; }
    [[nodiscard]] OPTGAP_HD cell_word shifted(cell_word following) const { return following; }
    OPTGAP_HD friend cell_word operator+(cell_word a, cell_word b) { return {a.bits + b.bits}; }
    OPTGAP_HD friend cell_word min_sum(cell_word a, cell_word b, cell_word c) {
        return {a.bits + b.bits < c.bits ? a.bits + b.bits : c.bits};
    }
};

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
