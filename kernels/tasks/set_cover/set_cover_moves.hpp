#pragma once
// Local search for set covers with weights on the elements (row weighting local search, Gao, Weise & Li 2015). A set is
// removed from a cover. While elements are open, the set whose removal loses least is also removed, a set that contains
// a randomly drawn open element is added, and elements that stay open gain weight.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/set_cover/set_cover_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

inline constexpr std::uint32_t draw_element = 0;  ///< purpose of the random words of `improve`: word i chooses the i-th
                                                  ///< element to cover

/// A selection of sets under local search.
struct walk {
    cover_view sets;
    std::int64_t* rating;    ///< size s: rating of the move that is being chosen
    std::uint32_t* members;  ///< set over s
    std::uint32_t* open;     ///< set over u: covered by no member
    std::uint32_t* single;   ///< set over u: covered by exactly one member
    std::int32_t* count;     ///< size u: number of members that cover an element
    std::int32_t* weight;    ///< size u
    std::int32_t* stamp;     ///< size s: step of the set's last move

    /// The rating of a loss or gain in weights, divided by the set's cost if sets have costs. Below last_resort for
    /// 2^20 elements.
    [[nodiscard]] OPTGAP_HD std::int64_t rate(std::int64_t weights, std::int32_t j) const {
        return sets.costs == nullptr ? weights : (weights << 10) / sets.costs[j];
    }

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t u, std::int64_t s) {
        return 3 * s + 2 * bitset_words(s) + 2 * bitset_words(u) + 2 * u;
    }
};

/// The weight of an element does not rise beyond this value.
inline constexpr std::int32_t heaviest = 1 << 24;

/// The weight of the elements of set j that are in `of`.
OPTGAP_HD inline std::int64_t weight_within(walk const& at, std::int32_t j, std::uint32_t const* of) {
    std::uint32_t const* const row = at.sets.row(j);
    std::int64_t total = 0;
    for (std::int32_t w = 0; w < at.sets.row_words; ++w) {
        for (std::uint32_t bits = row[w] & of[w]; bits != 0; bits &= bits - 1) {
            total += at.weight[32 * w + lowest(bits)];
        }
    }
    return total;
}

/// Adds or removes set j; all lanes call it, synced.
template <class Team>
OPTGAP_HD void flip(Team& team, walk const& at, std::int32_t j, std::int32_t now) {
    std::int32_t const change = contains(at.members, j) ? -1 : 1;
    std::uint32_t const* const row = at.sets.row(j);
    team.sync();
    if (team.rank() == 0) {
        at.members[j >> 5] ^= 1u << (j & 31);
        at.stamp[j] = now;
    }
    team.each(at.sets.row_words, [&](std::int64_t w) {
        for (std::uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
            std::int64_t const e = 32 * w + lowest(bits);
            std::uint32_t const mark = bits & (~bits + 1);
            at.count[e] += change;
            at.open[w] = at.count[e] == 0 ? at.open[w] | mark : at.open[w] & ~mark;
            at.single[w] = at.count[e] == 1 ? at.single[w] | mark : at.single[w] & ~mark;
        }
    });
    team.sync();
}

inline constexpr std::int64_t not_offered = INT64_MAX;
inline constexpr std::int64_t last_resort = std::int64_t(1) << 60;  ///< added to the rating of a set that has just
                                                                    ///< moved

/// The set with the smallest rate(j); among equal ones the one unmoved for the longest time, then the lowest id; -1 if
/// none is offered. Synced on entry; ratings stay private to their lane.
template <class Team, class Rate>
OPTGAP_HD std::int32_t choose(Team& team, walk const& at, Rate const& rate) {
    std::int64_t own = not_offered;
    for (std::int32_t j = team.rank(); j < at.sets.s; j += team.size()) {
        at.rating[j] = rate(j);
        own = at.rating[j] < own ? at.rating[j] : own;
    }
    std::int64_t const least = team.min_by(own, 0).key;
    ranked mine{INT64_MAX, INT32_MAX};
    for (std::int32_t j = team.rank(); j < at.sets.s; j += team.size()) {
        if (at.rating[j] == least) {
            mine = smaller(mine, {at.stamp[j], j});
        }
    }
    ranked const chosen = team.min_by(mine.key, mine.index);
    return least == not_offered ? -1 : chosen.index;
}

/// The index-th element of a set over u that has `count` elements, index < count.
OPTGAP_HD inline std::int32_t nth_element(std::uint32_t const* set, std::int32_t index) {
    std::int32_t w = 0;
    for (; popcount(set[w]) <= index; ++w) {
        index -= popcount(set[w]);
    }
    std::uint32_t bits = set[w];
    for (; index > 0; --index) {
        bits &= bits - 1;
    }
    return 32 * w + lowest(bits);
}

/// Words of a walk that are kept between slices, from `stamp` to `members`, besides the size of its selection.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_image_words(std::int64_t u, std::int64_t s) {
    return s + 2 * u + 2 * bitset_words(u) + bitset_words(s);
}
[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_state_words(std::int64_t u, std::int64_t s) {
    return kept_words<std::int64_t>(walk_image_words(u, s));
}

/// Sets `at` to the walk that begins at a cover; synced.
template <class Team>
OPTGAP_HD void begin_walk(Team& team, walk const& at, std::int32_t const* values, std::int64_t size) {
    cover_view const sets = at.sets;
    clear(team, at.members, sets.s);
    team.each(sets.row_words, [&](std::int64_t w) {
        at.open[w] = universe_word(sets.u, w);
        at.single[w] = 0;
    });
    team.each(sets.u, [&](std::int64_t e) {
        at.count[e] = 0;
        at.weight[e] = 1;
    });
    team.each(sets.s, [&](std::int64_t j) { at.stamp[j] = 0; });
    team.sync();
    for (std::int64_t i = 0; i < size; ++i) {
        flip(team, at, values[i], 0);
    }
}

/// `values` is a cover, of `size` sets when the walk begins. Afterwards it holds the least cover seen, in rising order
/// if it is another one, and the result holds the words of its block. A step drops one set, or exchanges one for
/// another, and rates all sets once or twice. Ends early at a cost of `target` (at least 1); if sets have no costs,
/// each costs 1.
template <class Team>
OPTGAP_HD improve_result walk_from(Team& team, cover_view sets, std::int32_t* values, std::int64_t size,
                                   improve_result result, search_slice slice, std::int64_t target, draw source,
                                   std::int32_t* scratch) {
    std::int64_t const member_words = bitset_words(sets.s);
    std::int64_t const image = walk_image_words(sets.u, sets.s);
    walk at{};
    at.sets = sets;
    at.rating = reinterpret_cast<std::int64_t*>(scratch);
    at.stamp = scratch + 2 * std::int64_t(sets.s);
    at.count = at.stamp + sets.s;
    at.weight = at.count + sets.u;
    at.open = reinterpret_cast<std::uint32_t*>(at.weight + sets.u);
    at.single = at.open + sets.row_words;
    at.members = at.single + sets.row_words;
    std::uint32_t* const kept = at.members + member_words;
    std::int64_t current = 0;  ///< cost of the members
    if (slice.fresh()) {
        begin_walk(team, at, values, size);
        current = sets.cost_of(values, size);
        result.start_objective = result.objective = current;
    } else {
        take_up(team, slice, current, at.stamp, image);
    }
    std::int64_t const best_before = result.objective;
    for (std::int64_t step = slice.begin + 1; step <= slice.end && result.objective > target; ++step) {
        // Stamps only order the sets; beyond 2^31 steps all moves look equally old.
        std::int32_t const now = step < INT32_MAX ? std::int32_t(step) : INT32_MAX;
        std::int32_t const leaving = choose(team, at, [&](std::int32_t j) {
            if (!contains(at.members, j)) {
                return not_offered;
            }
            return at.rate(weight_within(at, j, at.single), j) + (at.stamp[j] == now - 1 && step > 1 ? last_resort : 0);
        });
        team.sync();
        flip(team, at, leaving, now);
        current -= sets.cost(leaving);
        result.evaluations += sets.s;
        ++result.moves;
        std::int32_t left = 0;
        for (std::int32_t w = 0; w < sets.row_words; ++w) {
            left += popcount(at.open[w]);
        }
        if (left > 0 && current < result.objective - 1) {
            std::int32_t const pick = to_range(random_word(source, draw_element, std::uint32_t(step)), 0, left - 1);
            std::int32_t const wanted = nth_element(at.open, pick);
            std::int32_t const entering = choose(team, at, [&](std::int32_t j) {
                if (!sets.holds(j, wanted)) {
                    return not_offered;
                }
                return (j == leaving ? last_resort : 0) - at.rate(weight_within(at, j, at.open), j);
            });
            team.sync();
            flip(team, at, entering, now);
            current += sets.cost(entering);
            result.evaluations += sets.s;
            left = 0;
            for (std::int32_t w = 0; w < sets.row_words; ++w) {
                left += popcount(at.open[w]);
            }
            team.sync();
            team.each(sets.row_words, [&](std::int64_t w) {
                for (std::uint32_t bits = at.open[w]; bits != 0; bits &= bits - 1) {
                    std::int32_t& weight = at.weight[32 * w + lowest(bits)];
                    weight += weight < heaviest ? 1 : 0;
                }
            });
            team.sync();
        }
        if (left == 0 && current < result.objective) {
            result.objective = current;
            team.each(member_words, [&](std::int64_t w) { kept[w] = at.members[w]; });
            team.sync();
        }
    }
    keep(team, slice, current, at.stamp, image);
    if (result.objective < best_before) {
        result.answer_words = 1;
        for (std::int64_t w = 0; w < member_words; ++w) {
            result.answer_words += popcount(kept[w]);
        }
        for (std::int32_t j = 0; j < sets.s && team.rank() == 0; ++j) {
            if (contains(kept, j)) {
                *values++ = j;
            }
        }
    }
    team.sync();
    return result;
}

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
