#pragma once
// The greedy anchor and its noisy form: adds the set with the largest gain, or with the largest gain for its cost,
// until all is covered.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/set_cover/set_cover_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

/// A cover under construction: the elements it leaves open, and how many of them each set would add.
struct open_gains {
    std::uint32_t* open;
    std::int32_t* gain;

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t u, std::int64_t s) {
        return bitset_words(u) + s;
    }
};

/// Starts with nothing covered; synced.
template <class Team>
OPTGAP_HD open_gains begin_cover(Team& team, cover_view sets, std::int32_t* scratch) {
    open_gains const at{reinterpret_cast<std::uint32_t*>(scratch), scratch + sets.row_words};
    team.each(sets.row_words, [&](std::int64_t w) { at.open[w] = universe_word(sets.u, w); });
    team.each(sets.s, [&](std::int64_t j) {
        std::int32_t count = 0;
        for (std::int32_t w = 0; w < sets.row_words; ++w) {
            count += popcount(sets.row(std::int32_t(j))[w]);
        }
        at.gain[j] = count;
    });
    team.sync();
    return at;
}

/// Adds set j; all lanes call it, synced. At most O(u s) over a whole cover: in the other sets only words with newly
/// covered elements are examined.
template <class Team>
OPTGAP_HD void take(Team& team, cover_view sets, open_gains const& at, std::int32_t j) {
    std::uint32_t const* const row = sets.row(j);
    for (std::int32_t w = 0; w < sets.row_words; ++w) {
        std::uint32_t const fresh = row[w] & at.open[w];
        if (fresh != 0) {
            team.each(sets.s, [&](std::int64_t i) { at.gain[i] -= popcount(sets.row(std::int32_t(i))[w] & fresh); });
        }
    }
    team.sync();
    team.each(sets.row_words, [&](std::int64_t w) { at.open[w] &= ~row[w]; });
    team.sync();
}

/// The greedy anchor: adds the set with the largest gain, divided by its cost if sets have costs (Chvátal 1979), ties
/// by lowest id, until all is covered. Writes the ids to `chosen` (room for s) and returns their number, 0 if the union
/// misses an element; the same on all lanes, synced.
template <class Team>
OPTGAP_HD std::int32_t greedy_cover(Team& team, cover_view sets, std::int32_t* chosen, std::int32_t* scratch) {
    open_gains const at = begin_cover(team, sets, scratch);
    std::int64_t left = sets.u;
    std::int32_t size = 0;
    while (left > 0) {
        ranked mine{0, 0};
        for (std::int32_t j = team.rank(); j < sets.s; j += team.size()) {
            mine = larger(mine, {sets.merit(at.gain[j], j), j});
        }
        ranked const best = team.max_by(mine.key, mine.index);
        if (best.key == 0) {
            return 0;
        }
        if (sets.costs == nullptr) {
            left -= best.key;
        } else {
            left -= at.gain[best.index];
            team.sync();
        }
        if (team.rank() == 0) {
            chosen[size] = best.index;
        }
        ++size;
        take(team, sets, at, best.index);
    }
    return size;
}

inline constexpr std::uint32_t draw_picks = 0;  ///< of noisy_cover: for each pick its kind, then which candidate
inline constexpr std::int32_t noise_permille = 250;

/// Greedy with random mistakes, by one lane: with noise_permille a pick is any set with a gain, otherwise any of
/// largest gain.
OPTGAP_HD inline std::int32_t noisy_cover(cover_view sets, draw source, std::int32_t* chosen, std::int32_t* scratch) {
    solo team;
    open_gains const at = begin_cover(team, sets, scratch);
    draw_stream stream(source, draw_picks);
    std::int64_t left = sets.u;
    std::int32_t size = 0;
    while (left > 0) {
        std::int64_t least = 1;
        if (!stream.chance(noise_permille)) {
            for (std::int32_t j = 0; j < sets.s; ++j) {
                std::int64_t const merit = sets.merit(at.gain[j], j);
                least = merit > least ? merit : least;
            }
        }
        std::int32_t candidates = 0;
        for (std::int32_t j = 0; j < sets.s; ++j) {
            candidates += sets.merit(at.gain[j], j) >= least ? 1 : 0;
        }
        if (candidates == 0) {
            return 0;
        }
        std::int32_t index = stream.uniform(0, candidates - 1);
        std::int32_t j = 0;
        for (; sets.merit(at.gain[j], j) < least || index-- > 0; ++j) {
        }
        left -= at.gain[j];
        chosen[size++] = j;
        take(team, sets, at, j);
    }
    return size;
}

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
