#pragma once
// Local search for more cities than a matrix in tour order can hold: the moves of tsp_moves.hpp, but only those that
// join a city to one of its nearest ones by an edge shorter than the one it replaces (neighbour lists with the gain
// criterion; Johnson and McGeoch 1997). Best improvement, ties by (position, neighbour, variant).

#include <cstdint>

#include "kernels/tasks/tsp/tsp_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

/// Where a ranked move acts, in the terms of `make_move`.
struct placed_move {
    std::int32_t i, j, size;
    bool turned;
};

struct neighbour_search {
    static constexpr std::int32_t near = 8;       ///< cities in each list
    static constexpr std::int32_t variants = 14;  ///< two sides of: 2-opt, then 1 … 3 cities placed after or before

    std::int32_t n;
    distances d;
    std::int32_t* tour;
    std::int32_t* next;
    std::int32_t* position;
    std::int32_t* lists;

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t words(std::int64_t n) { return (3 + near) * n; }

    OPTGAP_HD neighbour_search(words_view instance, std::int32_t* scratch)
        : n(city_count(instance)),
          d(instance),
          tour(scratch),
          next(scratch + n),
          position(next + n),
          lists(position + n) {}

    [[nodiscard]] OPTGAP_HD std::int32_t after(std::int32_t i) const { return i + 1 == n ? 0 : i + 1; }
    [[nodiscard]] OPTGAP_HD std::int32_t before(std::int32_t i) const { return i == 0 ? n - 1 : i - 1; }
    /// Orders cities around i by distance; the distance is squared for points, which avoids the roots.
    [[nodiscard]] OPTGAP_HD std::int64_t nearness(std::int32_t i, std::int32_t j) const {
        if (d.form == matrix_form) {
            return d.from_matrix(i, j);
        }
        std::int64_t const dx = std::int64_t(d.payload[1 + 2 * std::int64_t(i)]) - d.payload[1 + 2 * std::int64_t(j)];
        std::int64_t const dy = std::int64_t(d.payload[2 + 2 * std::int64_t(i)]) - d.payload[2 + 2 * std::int64_t(j)];
        return dx * dx + dy * dy;
    }

    /// Computes the lists, with n² distances: each city's nearest ones by rising distance, ties by index.
    template <class Team>
    OPTGAP_HD void load(Team& team, words_view) {
        team.each(n, [&](std::int64_t at) {
            std::int32_t const city = std::int32_t(at);
            std::int32_t* const list = lists + at * near;
            std::int64_t key[near];
            std::int32_t held = 0;
            for (std::int32_t other = 0; other < n; ++other) {
                std::int64_t const distance = other == city ? INT64_MAX : nearness(city, other);
                if (other == city || (held == near && distance >= key[near - 1])) {
                    continue;
                }
                std::int32_t slot = held < near ? held++ : near - 1;
                for (; slot > 0 && key[slot - 1] > distance; --slot) {
                    key[slot] = key[slot - 1];
                    list[slot] = list[slot - 1];
                }
                key[slot] = distance;
                list[slot] = other;
            }
        });
        team.sync();
    }

    template <class Team>
    OPTGAP_HD void permute(Team& team, std::int32_t first, std::int32_t last) {
        team.each(last - first + 1, [&](std::int64_t k) { position[tour[first + k]] = first + std::int32_t(k); });
        team.sync();
    }

    template <class Team>
    OPTGAP_HD std::int64_t length(Team& team) const {
        std::int64_t mine = 0;
        team.each(n, [&](std::int64_t i) { mine += d(tour[i], tour[after(std::int32_t(i))]); });
        return team.sum(mine);
    }

    template <class Team>
    OPTGAP_HD tour_move scan(Team& team, std::int64_t& evaluations) const {
        tour_move best;
        std::int64_t mine = 0;
        team.each(n, [&](std::int64_t at) {
            std::int32_t const i = std::int32_t(at);
            mine += scan_side(i, true, best) + scan_side(i, false, best);
        });
        evaluations += team.sum(mine);
        ranked const found = team.min_by(best.delta, best.rank);
        best.delta = std::int32_t(found.key);
        best.rank = found.index;
        return best;
    }

    template <class Team>
    OPTGAP_HD void apply(Team& team, tour_move const& move) {
        std::int32_t const variant = move.rank % variants;
        std::int32_t const i = move.rank / variants / near;
        std::int32_t const j = position[lists[std::int64_t(tour[i]) * near + move.rank / variants % near]];
        placed_move const placed = place(i, j, variant);
        make_move(*this, team, placed.i, placed.j, placed.size, placed.turned);
    }

    template <class Team, class Source>
    OPTGAP_HD void rearrange(Team& team, std::int32_t first, std::int32_t last, Source const& source_of) {
        team.each(last - first + 1, [&](std::int64_t k) { next[k] = tour[source_of(first + std::int32_t(k))]; });
        team.sync();
        team.each(last - first + 1, [&](std::int64_t k) { tour[first + k] = next[k]; });
        team.sync();
        permute(team, first, last);
    }

private:
    /// Variant 7·backward + 0 is 2-opt. Variant 7·backward + 1 + 2(size - 1) + b moves the segment that begins
    /// (forward) or ends (backward) with the city at i; b = 0 puts it between j and j+1, b = 1 between j-1 and j. In
    /// both cases its city is next to j's.
    [[nodiscard]] OPTGAP_HD placed_move place(std::int32_t i, std::int32_t j, std::int32_t variant) const {
        bool const backward = variant >= 7;
        std::int32_t const kind = variant % 7;
        if (kind == 0) {
            std::int32_t const a = backward ? i : before(i);
            std::int32_t const b = backward ? j : before(j);
            return {smaller_of(a, b), a < b ? b : a, 0, false};
        }
        std::int32_t const size = (kind + 1) / 2;
        bool const put_before = kind % 2 == 0;
        std::int32_t begin = backward ? i - size + 1 : i;
        begin = begin < 0 ? begin + n : begin;
        return {begin, put_before ? before(j) : j, size, backward != put_before};
    }

    /// Rates moves that remove the edge between i and its predecessor (forward) or successor. Returns how many it
    /// rated.
    OPTGAP_HD std::int64_t scan_side(std::int32_t i, bool backward, tour_move& best) const {
        std::int64_t rated = 0;
        std::int32_t const city = tour[i];
        std::int32_t const outer = tour[backward ? after(i) : before(i)];
        std::int32_t const replaced = d(city, outer);
        for (std::int32_t k = 0; k < near; ++k) {
            std::int32_t const other = lists[std::int64_t(city) * near + k];
            std::int32_t const joined = d(city, other);
            if (joined >= replaced) {
                break;
            }
            std::int32_t const j = position[other];
            std::int32_t const beside = tour[backward ? after(j) : before(j)];
            std::int32_t const first = (i * near + k) * variants + (backward ? 7 : 0);
            keep(best, joined - replaced + d(outer, beside) - d(other, beside), first);
            ++rated;
            rated += scan_segments(i, j, backward, joined - replaced, first, best);
        }
        return rated;
    }

    OPTGAP_HD std::int64_t scan_segments(std::int32_t i, std::int32_t j, bool backward, std::int32_t gain,
                                         std::int32_t first, tour_move& best) const {
        std::int64_t rated = 0;
        std::int32_t const outer = tour[backward ? after(i) : before(i)];
        std::int32_t const other = tour[j];
        // Steps from the segment's city to j, in the direction of the segment.
        std::int32_t ahead = backward ? i - j : j - i;
        ahead = ahead < 0 ? ahead + n : ahead;
        std::int32_t tail = i;
        for (std::int32_t size = 1; size <= 3; ++size) {
            std::int32_t const beyond = backward ? before(tail) : after(tail);
            if (ahead < size) {
                break;
            }
            std::int32_t const freed = gain + d(outer, tour[beyond]) - d(tour[tail], tour[beyond]);
            for (std::int32_t put_before = 0; put_before < 2; ++put_before) {
                std::int32_t const beside = put_before != 0 ? before(j) : after(j);
                // The edge (j, beside) must not touch the segment.
                if (beside != tail && beside != i) {
                    keep(best, freed + d(tour[tail], tour[beside]) - d(other, tour[beside]),
                         first + 2 * size - 1 + put_before);
                    ++rated;
                }
            }
            tail = beyond;
        }
        return rated;
    }

    OPTGAP_HD static void keep(tour_move& best, std::int32_t delta, std::int32_t rank) {
        if (delta < best.delta || (delta == best.delta && delta < 0 && rank < best.rank)) {
            best.delta = delta;
            best.rank = rank;
        }
    }
};

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
