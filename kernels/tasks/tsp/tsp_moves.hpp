#pragma once
// Local search for up to `matrix_cities` cities: 2-opt and Or-opt by best improvement, then double-bridge kicks from
// the best tour (iterated local search; Johnson and McGeoch 1997). The distances lie in tour order, D[i][j] =
// d(tour[i], tour[j]), so that every scan runs along rows. A move with its ends at positions i and j:
//
//   2-opt    edges (i, i+1), (j, j+1) become (i, j), (i+1, j+1)
//   Or-opt   the segment of 1, 2 or 3 cities from position i on goes between j and j+1, as it is or turned round
//
// Entries that are no move are large instead of skipped, which leaves loops without branches. One scan costs
// n(n-3)/2 + n(n-2) + 2n(n-3) + 2n(n-4) evaluations, an applied move re-permutes the rows and columns it touches.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/tsp/tsp_distance.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

inline constexpr std::int32_t matrix_cities = 512;
inline constexpr std::uint32_t kick_purpose = 16;

/// Above any sum of four distances; four of it fit an int32.
inline constexpr std::int32_t no_move = 1 << 28;

/// The best move of a scan: smallest delta, ties by (kind, i, j, turned), which is the order of `rank`.
struct tour_move {
    std::int32_t delta = 0;
    std::int32_t rank = INT32_MAX;

    /// kind 0 is 2-opt, kind 1 … 3 Or-opt with as many cities.
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
    /// Old position of what stands at `position` afterwards.
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

/// Rearranges a search's tour: for size 0 the 2-opt move of positions i < j, else the Or-opt move of `size` cities.
template <class Search, class Team>
OPTGAP_HD void make_move(Search& search, Team& team, std::int32_t i, std::int32_t j, std::int32_t size, bool turned) {
    std::int32_t const n = search.n;
    if (size == 0) {
        search.rearrange(team, i + 1, j, [&](std::int32_t p) { return i + 1 + j - p; });
        return;
    }
    // Without a wrap only the positions between the segment's old and new place change. With one, the other cities keep
    // their order from position i + size - n on.
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

/// The search's state in scratch. All lanes hold the same pointers.
struct matrix_search {
    std::int32_t n;
    std::int32_t width;   ///< scanned columns: n rounded up to whole vectors
    std::int32_t stride;  ///< of D; column n repeats column 0
    std::int32_t* tour;
    std::int32_t* next;
    std::int32_t* edge;     ///< D[i][i+1]; -no_move past n
    std::int32_t* inside2;  ///< [n + j - i] is no_move where inserting two cities from i on after j is no move
    std::int32_t* inside3;
    std::int32_t* cities;   ///< d by city, no_move on the diagonal
    std::int32_t* ordered;  ///< D

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t whole(std::int64_t words) { return (words + 15) / 16 * 16; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t words(std::int64_t n) {
        std::int64_t const wide = (n + 7) / 8 * 8;
        return 3 * whole(wide) + 2 * whole(2 * n + 16) + whole(n * n) + n * (wide + 8);
    }

    OPTGAP_HD matrix_search(words_view instance, std::int32_t* scratch)
        : n(city_count(instance)), width((n + 7) / 8 * 8), stride(width + 8) {
        tour = scratch;
        next = tour + whole(width);
        edge = next + whole(width);
        inside2 = edge + whole(width);
        inside3 = inside2 + whole(2 * n + 16);
        cities = inside3 + whole(2 * n + 16);
        ordered = cities + whole(std::int64_t(n) * n);
    }

    [[nodiscard]] OPTGAP_HD std::int32_t after(std::int32_t i) const { return i + 1 == n ? 0 : i + 1; }
    [[nodiscard]] OPTGAP_HD std::int32_t const* row(std::int32_t i) const { return ordered + std::int64_t(i) * stride; }
    [[nodiscard]] OPTGAP_HD std::int64_t evaluations_per_scan() const {
        std::int64_t const m = n;
        return m * (m - 3) / 2 + m * (m - 2) + 2 * m * (m - 3) + (m > 4 ? 2 * m * (m - 4) : 0);
    }

    /// Everything but the tour and what follows from it.
    template <class Team>
    OPTGAP_HD void load(Team& team, words_view instance) {
        distances const d(instance);
        for (std::int32_t i = 0; i < n; ++i) {
            for (std::int32_t j = team.rank(); j < n; j += team.size()) {
                cities[std::int64_t(i) * n + j] = i == j ? no_move : d(i, j);
            }
        }
        team.each(std::int64_t(n) * stride, [&](std::int64_t k) { ordered[k] = 0; });
        team.each(width, [&](std::int64_t j) { edge[j] = -no_move; });
        team.each(2 * n + 16, [&](std::int64_t k) {
            std::int64_t const ahead = (k + 1) % n;  // j - i + 1 around the tour: 0 is the edge that enters the segment
            inside2[k] = ahead <= 2 ? no_move : 0;
            inside3[k] = ahead <= 3 ? no_move : 0;
        });
        team.sync();
    }

    /// Brings D and `edge` up to date after positions first … last of the tour changed.
    template <class Team>
    OPTGAP_HD void permute(Team& team, std::int32_t first, std::int32_t last) {
        std::int32_t const* const at = tour;
        for (std::int32_t i = 0; i < n; ++i) {
            std::int32_t const* const from = cities + std::int64_t(at[i]) * n;
            std::int32_t* const to = ordered + std::int64_t(i) * stride;
            bool const whole_row = i >= first && i <= last;
            std::int32_t const end = whole_row ? n : last + 1;
            for (std::int32_t j = (whole_row ? 0 : first) + team.rank(); j < end; j += team.size()) {
                to[j] = from[at[j]];
            }
            if (team.rank() == 0) {
                to[n] = from[at[0]];
            }
        }
        team.each(n, [&](std::int64_t i) { edge[i] = cities[std::int64_t(at[i]) * n + at[after(std::int32_t(i))]]; });
        team.sync();
    }

    template <class Team>
    OPTGAP_HD std::int64_t length(Team& team) const {
        std::int64_t mine = 0;
        team.each(n, [&](std::int64_t i) { mine += edge[i]; });
        return team.sum(mine);
    }

    /// The best move of all; delta 0 when none shortens the tour.
    template <class Team>
    OPTGAP_HD tour_move scan(Team& team, std::int64_t& evaluations) const {
        evaluations += evaluations_per_scan();
        tour_move best;
        for (std::int32_t i = 0; i + 2 < n; ++i) {
            scan_two_opt(team, i, best);
        }
        for (std::int32_t i = 0; i < n; ++i) {
            scan_or_opt(team, i, best);
        }
        ranked const found = team.min_by(best.delta, best.rank);
        best.delta = std::int32_t(found.key);
        best.rank = found.index;
        return best;
    }

    /// Makes the move in `tour`, D and `edge`.
    template <class Team>
    OPTGAP_HD void apply(Team& team, tour_move const& move) {
        make_move(*this, team, move.i(n), move.j(n), move.kind(n), move.turned());
    }

    /// tour[p] = old tour[source_of(p)] for p in first … last, and what follows from it.
    template <class Team, class Source>
    OPTGAP_HD void rearrange(Team& team, std::int32_t first, std::int32_t last, Source const& source_of) {
        team.each(last - first + 1, [&](std::int64_t k) { next[k] = tour[source_of(first + std::int32_t(k))]; });
        team.sync();
        team.each(last - first + 1, [&](std::int64_t k) { tour[first + k] = next[k]; });
        team.sync();
        permute(team, first, last);
    }

private:
    /// Row i from a whole vector on: columns before i + 2 repeat moves that earlier rows ranked lower, or cost >= 0.
    template <class Team>
    OPTGAP_HD void scan_two_opt(Team& team, std::int32_t i, tour_move& best) const {
        std::int32_t const* const a = row(i);
        std::int32_t const* const b = row(i + 1) + 1;
        std::int32_t const* const e = edge;
        std::int32_t const begin = (i + 2) / 8 * 8 + team.rank();
        std::int32_t least = no_move;
        for (std::int32_t j = begin; j < width; j += team.size()) {
            least = smaller_of(least, a[j] + b[j] - e[j]);
        }
        if (least - e[i] < best.delta) {
            std::int32_t j = begin;
            while (a[j] + b[j] - e[j] != least) {
                j += team.size();
            }
            best = {least - e[i], tour_move::rank_of(n, 0, i, j, false)};
        }
    }

    /// All three segments that begin at position i, in one pass over the columns.
    template <class Team>
    OPTGAP_HD void scan_or_opt(Team& team, std::int32_t i, tour_move& best) const {
        std::int32_t const i2 = after(i);
        std::int32_t const i3 = after(i2);
        std::int32_t const i4 = after(i3);
        std::int32_t const before = i == 0 ? n - 1 : i - 1;
        std::int32_t const* const head = row(i);
        std::int32_t const* const tail2 = row(i2);
        std::int32_t const* const tail3 = row(i3);
        std::int32_t const* const bar2 = inside2 + (n - i);
        std::int32_t const* const bar3 = inside3 + (n - i);
        std::int32_t const* const e = edge;
        std::int32_t least1 = no_move;
        std::int32_t least2 = no_move;
        std::int32_t least3 = no_move;
        for (std::int32_t j = team.rank(); j < width; j += team.size()) {
            std::int32_t const forward2 = head[j] + tail2[j + 1];
            std::int32_t const turned2 = tail2[j] + head[j + 1];
            std::int32_t const forward3 = head[j] + tail3[j + 1];
            std::int32_t const turned3 = tail3[j] + head[j + 1];
            least1 = smaller_of(least1, head[j] + head[j + 1] - e[j]);
            least2 = smaller_of(least2, smaller_of(forward2, turned2) - e[j] + bar2[j]);
            least3 = smaller_of(least3, smaller_of(forward3, turned3) - e[j] + bar3[j]);
        }
        std::int32_t const* const left = row(before);
        keep_or_opt(team, best, 1, i, least1 + left[i2] - e[before] - e[i], least1, head, head, nullptr);
        keep_or_opt(team, best, 2, i, least2 + left[i3] - e[before] - e[i2], least2, head, tail2, bar2);
        keep_or_opt(team, best, 3, i, least3 + left[i4] - e[before] - e[i3], least3, head, tail3, bar3);
    }

    /// Takes the row's best insertion when it beats `best`, looking up its column only then.
    template <class Team>
    OPTGAP_HD void keep_or_opt(Team& team, tour_move& best, std::int32_t size, std::int32_t i, std::int32_t delta,
                               std::int32_t least, std::int32_t const* head, std::int32_t const* tail,
                               std::int32_t const* bar) const {
        if (delta >= 0 || delta > best.delta) {
            return;
        }
        for (std::int32_t j = team.rank(); j < width; j += team.size()) {
            std::int32_t const shift = (bar != nullptr ? bar[j] : 0) - edge[j];
            bool const forward = head[j] + tail[j + 1] + shift == least;
            if (forward || tail[j] + head[j + 1] + shift == least) {
                std::int32_t const rank = tour_move::rank_of(n, size, i, j, !forward);
                if (delta < best.delta || rank < best.rank) {
                    best = {delta, rank};
                }
                return;
            }
        }
    }
};

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
