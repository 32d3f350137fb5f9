#pragma once
// A line of cells, each 0 or 1, whose blocks of 1 have given lengths in a given order: computes which cells may still
// be 0 and which 1. The result is exact. It uses sets of positions that are reachable from the left and from the right,
// one word each, as nonogram solvers do (Batenburg and Kosters 2009).

#include <cstdint>

#include "kernels/core/bitset.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

inline constexpr std::int32_t max_line_cells = 63;  ///< so that the position behind the last cell has a bit, too
inline constexpr std::int32_t max_runs = (max_line_cells + 1) / 2;

/// Bit i stands for cell i.
struct line_sets {
    std::uint64_t zero;
    std::uint64_t one;
};

/// The positions at which runs of `length` cells in `ones` begin.
[[nodiscard]] OPTGAP_HD inline std::uint64_t run_starts(std::uint64_t ones, std::int32_t length) {
    for (std::int32_t have = 1; have < length;) {
        std::int32_t const more = have < length - have ? have : length - have;
        ones &= ones >> more;
        have += more;
    }
    return ones;
}

/// The cells of runs of `length` that begin at `starts`.
[[nodiscard]] OPTGAP_HD inline std::uint64_t run_cells(std::uint64_t starts, std::int32_t length) {
    for (std::int32_t have = 1; have < length;) {
        std::int32_t const more = have < length - have ? have : length - have;
        starts |= starts << more;
        have += more;
    }
    return starts;
}

/// The positions reached from `places` by going right through cells of `zeros`: from p to p + 1 through cell p.
[[nodiscard]] OPTGAP_HD inline std::uint64_t pass_right(std::uint64_t places, std::uint64_t zeros) {
    std::uint64_t open = zeros << 1;
    for (std::int32_t step = 1; step < 64; step *= 2) {
        places |= open & (places << step);
        open &= open << step;
    }
    return places;
}

[[nodiscard]] OPTGAP_HD inline std::uint64_t pass_left(std::uint64_t places, std::uint64_t zeros) {
    for (std::int32_t step = 1; step < 64; step *= 2) {
        places |= zeros & (places >> step);
        zeros &= zeros >> step;
    }
    return places;
}

/// The values that cells 0 … count-1 have in some arrangement of the runs that `may` allows; empty sets if there is
/// none. There are at most `runs` lengths; a 0 ends the list. They fit into the line.
[[nodiscard]] OPTGAP_HD inline line_sets runs_left(line_sets may, std::int32_t count, std::int32_t const* lengths,
                                                   std::int32_t runs) {
    std::uint64_t behind[max_runs + 1];  // positions behind the first k runs and some zeros
    std::uint64_t starts[max_runs + 1];  // of run k
    behind[0] = pass_right(1, may.zero);
    std::int32_t k = 0;
    while (k < runs && lengths[k] != 0) {
        std::int32_t const length = lengths[k++];
        std::uint64_t const from = k == 1 ? behind[0] : (behind[k - 1] & may.zero) << 1;
        starts[k] = from & run_starts(may.one, length);
        behind[k] = pass_right(starts[k] << length, may.zero);
    }
    if ((behind[k] & bit(count)) == 0) {
        return {0, 0};
    }
    std::uint64_t before = pass_left(bit(count), may.zero);  // positions before runs k + 1, … and some zeros
    line_sets left{behind[k] & may.zero & before >> 1, 0};
    for (bool last = true; k > 0; --k, last = false) {
        std::int32_t const length = lengths[k - 1];
        std::uint64_t const ends = last ? before : may.zero & before >> 1;
        std::uint64_t const own = starts[k] & ends >> length;
        left.one |= run_cells(own, length);
        before = pass_left(own, may.zero);
        left.zero |= behind[k - 1] & may.zero & before >> 1;
    }
    return left;
}

/// Whether the blocks of ones in the line have these lengths.
[[nodiscard]] OPTGAP_HD inline bool has_runs(std::uint64_t ones, std::int32_t const* lengths, std::int32_t runs) {
    for (std::int32_t k = 0; k < runs && lengths[k] != 0; ++k) {
        if (ones == 0) {
            return false;
        }
        ones >>= lowest(ones);
        if (lowest(~ones) != lengths[k]) {
            return false;
        }
        ones >>= lengths[k];
    }
    return ones == 0;
}

}  // namespace families
OPTGAP_KERNELS_END
