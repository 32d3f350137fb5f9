#pragma once
// Shared by the local searches: a move of positions, its order among equal ones, its effect on a tour, and the kick. A
// move with its ends at positions i and j:
//
//   2-opt    edges (i, i+1), (j, j+1) become (i, j), (i+1, j+1)
//   Or-opt   the segment of 1, 2 or 3 cities from position i on goes between j and j+1, unchanged or reversed

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/tsp/tsp_distance.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

inline constexpr std::int32_t matrix_cities = 512;
inline constexpr std::uint32_t kick_purpose = 16;

/// The best move of a scan: smallest delta, ties by (kind, i, j, turned), which is the order of `rank`.
struct tour_move {
    std::int32_t delta = 0;
    std::int32_t rank = INT32_MAX;

    /// kind 0 is 2-opt; kinds 1 … 3 are Or-opt with that many cities.
    OPTGAP_HD static std::int32_t rank_of(std::int32_t n, std::int32_t kind, std::int32_t i, std::int32_t j,
                                          bool turned) {
        return 2 * ((kind * n + i) * n + j) + (turned ? 1 : 0);
    }
    [[nodiscard]] OPTGAP_HD bool turned() const { return rank % 2 == 1; }
    [[nodiscard]] OPTGAP_HD std::int32_t j(std::int32_t n) const { return rank / 2 % n; }
    [[nodiscard]] OPTGAP_HD std::int32_t i(std::int32_t n) const { return rank / 2 / n % n; }
    [[nodiscard]] OPTGAP_HD std::int32_t kind(std::int32_t n) const { return rank / 2 / n / n; }
};

[[nodiscard]] OPTGAP_HD constexpr std::int32_t smaller_of(std::int32_t a, std::int32_t b) { return a < b ? a : b; }

/// Three cuts 1 <= a < b < c <= n-1 of kick `index`, at most 50 positions apart, for n >= 4: A B C D becomes A C B D.
struct double_bridge {
    std::int32_t a, b, c;

    OPTGAP_HD double_bridge(draw source, std::uint32_t index, std::int32_t n) {
        philox_block const block = random_block(source, kick_purpose, index);
        std::int32_t const reach = smaller_of(n - 4, 47);
        std::int32_t const base = 1 + to_range(block.word[3], 0, n - 4 - reach);
        std::int32_t x = to_range(block.word[0], 0, reach);
        std::int32_t y = to_range(block.word[1], 0, reach);
        std::int32_t z = to_range(block.word[2], 0, reach);
        order(x, y);
        order(y, z);
        order(x, y);
        a = base + x;
        b = base + y + 1;
        c = base + z + 2;
    }
    /// The old position of the city that is at `position` afterwards.
    [[nodiscard]] OPTGAP_HD std::int32_t source_of(std::int32_t position) const {
        if (position < a || position >= c) {
            return position;
        }
        return position < a + c - b ? position - a + b : position - (c - b);
    }

private:
    OPTGAP_HD static void order(std::int32_t& low, std::int32_t& high) {
        std::int32_t const kept = low;
        low = smaller_of(low, high);
        high = kept > high ? kept : high;
    }
};

/// Rearranges a search's tour: for size 0 by the 2-opt move of positions i < j, otherwise by the Or-opt move of `size`
/// cities.
template <class Search, class Team>
OPTGAP_HD void make_move(Search& search, Team& team, std::int32_t i, std::int32_t j, std::int32_t size, bool turned) {
    std::int32_t const n = search.n;
    if (size == 0) {
        search.rearrange(team, i + 1, j, [&](std::int32_t p) { return i + 1 + j - p; });
        return;
    }
    // Without a wrap, only the positions between the segment's old and new place change. With a wrap, the other cities
    // keep their order from position i + size - n on.
    bool const wraps = i + size > n;
    std::int32_t const first = wraps ? 0 : smaller_of(i, j + 1);
    std::int32_t const last = wraps ? n - 1 : (j > i ? j : i + size - 1);
    std::int32_t const skipped = wraps ? i + size - n : (j > i ? i + size : first);
    std::int32_t const place = wraps ? j - skipped + 1 : (j > i ? j - size + 1 : first);
    search.rearrange(team, first, last, [&](std::int32_t p) {
        if (p < place) {
            return skipped + p - first;
        }
        if (p < place + size) {
            std::int32_t const old = turned ? i + size - 1 - (p - place) : i + p - place;
            return old >= n ? old - n : old;
        }
        return wraps ? skipped + p - size : p - size;
    });
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
