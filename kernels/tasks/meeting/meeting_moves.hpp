#pragma once
// Local search: put a meeting in somewhere and take out whatever is in its way, always the best such move, with a short
// tabu on meetings that were just taken out. After a wait a randomly drawn meeting is forced in. From time to time the
// search returns to the best schedule seen.

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/tasks/meeting/meeting_schedule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

inline constexpr std::uint32_t purpose_kick = 0;  ///< block k: the meeting that the k-th kick forces in, and where
inline constexpr std::int64_t tabu_steps = 3;     ///< a meeting taken out returns sooner only if it disturbs no other
inline constexpr std::int64_t patience = 8;       ///< steps without a better schedule before a kick
inline constexpr std::uint32_t kicks_per_return =
    32;  ///< number of consecutive kicks before the search returns to the best schedule

/// Where a meeting could go, and the attendees lost by taking out what is in its way.
struct placement {
    std::int64_t loss;
    std::int32_t start;
    std::int32_t room;
};

/// The least expensive room for m at `start`, ties by capacity, then by index.
OPTGAP_HD inline placement cheapest_room(schedule const& now, std::int32_t m, std::int32_t start) {
    calendar const& given = now.given;
    std::int32_t const end = start + given.duration[m];
    std::int64_t shared = 0;
    for (std::int32_t k = 0; k < given.meetings; ++k) {
        shared += k != m && now.overlaps(k, start, end) && share_a_person(given, m, k) ? size_of(given, k) : 0;
    }
    placement best{INT64_MAX, start, -1};
    for (std::int32_t r = 0; r < given.rooms; ++r) {
        if (given.capacity[r] < size_of(given, m)) {
            continue;
        }
        std::int64_t loss = shared;
        for (std::int32_t k = 0; k < given.meetings; ++k) {
            if (now.room[k] == r && now.overlaps(k, start, end) && !share_a_person(given, m, k)) {
                loss += size_of(given, k);
            }
        }
        if (loss < best.loss || (loss == best.loss && given.capacity[r] < given.capacity[best.room])) {
            best = {loss, start, r};
        }
    }
    return best;
}

/// Place `source` of meeting m to try: directly after or before a meeting, or at either end of one of m's intervals;
/// `never` if there is no such place. Odd places are the late ones.
OPTGAP_HD inline std::int32_t place_to_try(schedule const& now, std::int32_t m, std::int32_t source) {
    std::int32_t const which = source / 2;
    bool const late = source % 2 != 0;
    std::int32_t const own = now.given.duration[m];
    if (which >= now.given.meetings) {
        std::int32_t const i = now.choice.first[m] + which - now.given.meetings;
        return i >= now.choice.last[m] ? never : late ? now.choice.all[i].end - own : now.choice.all[i].start;
    }
    if (now.start[which] == unscheduled) {
        return never;
    }
    if (!late) {
        return start_from(now, m, now.end(which));
    }
    std::int32_t const start = now.start[which] - own;
    return start >= 0 && start_from(now, m, start) == start ? start : never;
}

/// Books m and takes out what is in its way. Called by one lane; returns the attendees gained.
OPTGAP_HD inline std::int64_t force(schedule const& now, std::int32_t m, placement const& where, std::int64_t* left_at,
                                    std::int64_t step) {
    std::int32_t const end = where.start + now.given.duration[m];
    std::int64_t gain = size_of(now.given, m);
    for (std::int32_t k = 0; k < now.given.meetings; ++k) {
        if (now.overlaps(k, where.start, end) && (now.room[k] == where.room || share_a_person(now.given, m, k))) {
            now.start[k] = unscheduled;
            left_at[k] = step;
            gain -= size_of(now.given, k);
        }
    }
    now.start[m] = where.start;
    now.room[m] = where.room;
    return gain;
}

/// Forces a drawn meeting, or the next one that is out and can take place, into a drawn place. Called by one lane.
OPTGAP_HD inline std::int64_t kick(schedule const& now, philox_block const& words, std::int64_t* left_at,
                                   std::int64_t step) {
    std::int32_t const last = now.given.meetings - 1;
    std::int32_t m = to_range(words.word[0], 0, last);
    for (std::int32_t seen = 0; seen <= last; ++seen) {
        if (now.start[m] == unscheduled && now.choice.first[m] < now.choice.last[m]) {
            auto const places = 2 * (now.given.meetings + now.choice.last[m] - now.choice.first[m]);
            std::int32_t place = to_range(words.word[1], 0, places - 1);
            std::int32_t start = place_to_try(now, m, place);
            while (start == never) {
                place = place + 1 < places ? place + 1 : 0;
                start = place_to_try(now, m, place);
            }
            return force(now, m, cheapest_room(now, m, start), left_at, step);
        }
        m = m == last ? 0 : m + 1;
    }
    return 0;
}

/// Words of scratch past the schedule's own: the best schedule, and when each meeting was taken out.
[[nodiscard]] OPTGAP_HD inline std::int64_t search_words(calendar const& given) {
    return 4 * std::int64_t(given.meetings);
}

/// The state that a search keeps between slices, besides that scratch and the schedule.
struct search_numbers {
    std::int64_t value;   ///< attendees of the schedule
    std::int64_t waited;  ///< steps without a better one
    std::uint32_t kicks;
};
[[nodiscard]] OPTGAP_HD inline std::int64_t search_state_words(calendar const& given) {
    return kept_words<search_numbers>(search_words(given) + 2 * std::int64_t(given.meetings));
}

/// Makes the slice's steps, moves and kicks, at first from a feasible schedule of value result.objective, and leaves
/// the best one seen. The caller has synced.
template <class Team>
OPTGAP_HD improve_result search_placements(Team& team, schedule const& now, improve_result result, search_slice slice,
                                           draw source, std::int32_t* scratch) {
    std::int32_t const meetings = now.given.meetings;
    auto* const left_at = reinterpret_cast<std::int64_t*>(scratch);
    std::int32_t* const best_start = scratch + 2 * meetings;
    std::int32_t* const best_room = best_start + meetings;
    std::int32_t most = 0;
    for (std::int32_t m = team.rank(); m < meetings; m += team.size()) {
        std::int32_t const own = now.choice.last[m] - now.choice.first[m];
        most = own > most ? own : most;
        if (slice.fresh()) {
            left_at[m] = -tabu_steps - 1;
            best_start[m] = now.start[m];
            best_room[m] = now.room[m];
        }
    }
    std::int64_t const sources = 2 * (meetings + team.max_by(most, 0).key);
    team.sync();
    auto const copy_best_back = [&] {
        team.each(meetings, [&](std::int64_t m) {
            now.start[m] = best_start[m];
            now.room[m] = best_room[m];
        });
        team.sync();
    };
    search_numbers saved{result.objective, 0, 0};
    std::int64_t const image = search_words(now.given);
    std::int32_t* const kept_start = slice.state == nullptr ? nullptr : slice.state + kept_words<search_numbers>(image);
    if (!slice.fresh()) {
        take_up(team, slice, saved, scratch, image);
        team.each(meetings, [&](std::int64_t m) {
            now.start[m] = kept_start[m];
            now.room[m] = kept_start[meetings + m];
        });
        team.sync();
    }
    auto [value, waited, kicks] = saved;
    std::int64_t evaluated = 0;
    for (std::int64_t step = slice.begin; step < slice.end; ++step) {
        std::int64_t best_key = INT64_MAX;
        std::int32_t best_item = -1;
        placement best_place{};
        for (std::int64_t item = team.rank(); item < meetings * sources && waited < patience; item += team.size()) {
            auto const m = std::int32_t(item / sources);
            std::int32_t const start =
                now.start[m] == unscheduled ? place_to_try(now, m, std::int32_t(item % sources)) : never;
            if (start == never) {
                continue;
            }
            placement const found = cheapest_room(now, m, start);
            ++evaluated;
            std::int64_t const loss = found.loss - size_of(now.given, m);
            // The loss comes first, then the longest wait.
            std::int64_t const key = loss * (std::int64_t(1) << 32) + left_at[m];
            if (key < best_key && (found.loss == 0 || step - left_at[m] > tabu_steps)) {
                best_key = key;
                best_item = std::int32_t(item);
                best_place = found;
            }
        }
        ranked const winner = team.min_by(best_key, best_item);
        std::int64_t change = 0;
        if (winner.key != INT64_MAX) {
            if (best_item == winner.index) {
                change = force(now, std::int32_t(best_item / sources), best_place, left_at, step);
            }
            change = team.broadcast(change, std::int32_t(winner.index % team.size()));
            value += change;
        } else {
            ++kicks;
            if (kicks % kicks_per_return == 0) {
                copy_best_back();
                value = result.objective;
            }
            if (team.rank() == 0) {
                change = kick(now, random_block(source, purpose_kick, kicks), left_at, step);
            }
            value += team.broadcast(change);
            waited = 0;
        }
        team.sync();
        ++result.moves;
        ++waited;
        if (value > result.objective) {
            result.objective = value;
            waited = 0;
            team.each(meetings, [&](std::int64_t m) {
                best_start[m] = now.start[m];
                best_room[m] = now.room[m];
            });
            team.sync();
        }
    }
    keep(team, slice, search_numbers{value, waited, kicks}, scratch, image);
    if (kept_start != nullptr) {
        team.each(meetings, [&](std::int64_t m) {
            kept_start[m] = now.start[m];
            kept_start[meetings + m] = now.room[m];
        });
        team.sync();
    }
    copy_best_back();
    result.evaluations += team.sum(evaluated);
    return result;
}

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
