#pragma once
// A schedule under construction: when each meeting could take place, what is booked, and the earliest slot left.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/meeting/meeting_instance.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

inline constexpr std::int32_t unscheduled = -1;

/// The intervals common to a meeting's attendees that are long enough for it; none if no room holds it.
struct options {
    std::int32_t* first;  ///< per meeting, its first interval
    std::int32_t* last;   ///< per meeting, one past its last
    interval* all;
};

struct schedule {
    calendar given;
    options choice;
    std::int32_t* start;  ///< per meeting, or `unscheduled`
    std::int32_t* room;

    [[nodiscard]] OPTGAP_HD std::int32_t end(std::int32_t m) const { return start[m] + given.duration[m]; }
    /// Whether m is booked at some time in [begin, end).
    [[nodiscard]] OPTGAP_HD bool overlaps(std::int32_t m, std::int32_t begin, std::int32_t until) const {
        return start[m] != unscheduled && start[m] < until && begin < end(m);
    }
};

[[nodiscard]] OPTGAP_HD inline std::int64_t schedule_words(calendar const& given) {
    return 4 * std::int64_t(given.meetings) + 1 + 2 * interval_room(given);
}

/// Creates an empty schedule in `schedule_words` of scratch.
template <class Team>
OPTGAP_HD schedule empty_schedule(Team& team, calendar const& given, std::int32_t* scratch) {
    std::int32_t const m = given.meetings;
    schedule const made{
        given, {scratch, scratch + m, reinterpret_cast<interval*>(scratch + 4 * m)}, scratch + 2 * m, scratch + 3 * m};
    if (team.rank() == 0) {
        std::int32_t room = 0;
        for (std::int32_t k = 0; k < m; ++k) {
            made.choice.first[k] = room;
            for (std::int32_t i = begin_of(given.attendee_end, k); i < given.attendee_end[k]; ++i) {
                std::int32_t const p = given.attendee[i];
                room += given.window_end[p] - begin_of(given.window_end, p);
            }
        }
    }
    team.sync();
    std::int32_t const largest_room = largest_capacity(given);
    team.each(m, [&](std::int64_t at) {
        auto const k = std::int32_t(at);
        std::int32_t next = made.choice.first[k];
        if (size_of(given, k) <= largest_room) {
            for (interval common = next_common(given, k, 0); common.start != never;
                 common = next_common(given, k, common.end)) {
                if (common.end - common.start >= given.duration[k]) {
                    made.choice.all[next++] = common;
                }
            }
        }
        made.choice.last[k] = next;
        made.start[k] = unscheduled;
        made.room[k] = unscheduled;
    });
    team.sync();
    return made;
}

/// The earliest start of m from `from` on, whatever else is booked; `never` if there is none.
OPTGAP_HD inline std::int32_t start_from(schedule const& now, std::int32_t m, std::int32_t from) {
    for (std::int32_t i = now.choice.first[m]; i < now.choice.last[m]; ++i) {
        interval const common = now.choice.all[i];
        std::int32_t const start = common.start > from ? common.start : from;
        if (common.end - start >= now.given.duration[m]) {
            return start;
        }
    }
    return never;
}

struct slot {
    std::int32_t start;  ///< `never` if there is none
    std::int32_t room;
};

/// The earliest start of m at which all its people and a room are free, with the smallest such room, ties by index.
OPTGAP_HD inline slot earliest_slot(schedule const& now, std::int32_t m) {
    std::int32_t const people = size_of(now.given, m);
    std::int32_t start = start_from(now, m, 0);
    while (start != never) {
        std::int32_t const end = start + now.given.duration[m];
        std::int32_t free_from = start;
        for (std::int32_t k = 0; k < now.given.meetings; ++k) {
            if (now.overlaps(k, start, end) && now.end(k) > free_from && share_a_person(now.given, m, k)) {
                free_from = now.end(k);
            }
        }
        if (free_from == start) {
            std::int32_t best = -1;
            free_from = never;
            for (std::int32_t r = 0; r < now.given.rooms; ++r) {
                if (now.given.capacity[r] < people ||
                    (best >= 0 && now.given.capacity[r] >= now.given.capacity[best])) {
                    continue;
                }
                std::int32_t busy_until = start;
                for (std::int32_t k = 0; k < now.given.meetings; ++k) {
                    if (now.room[k] == r && now.overlaps(k, start, end) && now.end(k) > busy_until) {
                        busy_until = now.end(k);
                    }
                }
                if (busy_until == start) {
                    best = r;
                } else {
                    free_from = busy_until < free_from ? busy_until : free_from;
                }
            }
            if (best >= 0) {
                return {start, best};
            }
        }
        start = free_from == never ? never : start_from(now, m, free_from);
    }
    return {never, -1};
}

/// Books m in its earliest slot; false if there is none. Called by one lane.
OPTGAP_HD inline bool book(schedule const& now, std::int32_t m) {
    slot const found = earliest_slot(now, m);
    if (found.start == never) {
        return false;
    }
    now.start[m] = found.start;
    now.room[m] = found.room;
    return true;
}

/// Books the meetings by falling number of attendees, ties by index; `order` has room for all of them.
template <class Team>
OPTGAP_HD void book_largest_first(Team& team, schedule const& now, std::int32_t* order) {
    std::int32_t const count = now.given.meetings;
    team.each(count, [&](std::int64_t at) {
        auto const m = std::int32_t(at);
        std::int32_t const own = size_of(now.given, m);
        std::int32_t before = 0;
        for (std::int32_t k = 0; k < count; ++k) {
            std::int32_t const other = size_of(now.given, k);
            before += other > own || (other == own && k < m) ? 1 : 0;
        }
        order[before] = m;
    });
    team.sync();
    if (team.rank() == 0) {
        for (std::int32_t i = 0; i < count; ++i) {
            book(now, order[i]);
        }
    }
    team.sync();
}

inline constexpr std::int32_t noise = 250;  ///< per mille of picks that are any meeting with a slot left

/// Books with random mistakes: with probability `noise` a pick is any meeting that still has a slot, otherwise one with
/// the most attendees among these, ties at random. `open` has room for all meetings.
OPTGAP_HD inline void book_noisily(schedule const& now, draw source, std::int32_t* open) {
    draw_stream stream(source, 0);
    std::int32_t left = now.given.meetings;
    for (std::int32_t m = 0; m < left; ++m) {
        open[m] = m;
    }
    bool stray = stream.chance(noise);
    while (left > 0) {
        std::int32_t pick = 0;
        if (stray) {
            pick = stream.uniform(0, left - 1);
        } else {
            std::int32_t most = 0;
            std::int32_t ties = 0;
            for (std::int32_t i = 0; i < left; ++i) {
                std::int32_t const size = size_of(now.given, open[i]);
                ties = size > most ? 1 : ties + (size == most ? 1 : 0);
                most = size > most ? size : most;
            }
            std::int32_t skip = stream.uniform(0, ties - 1);
            while (size_of(now.given, open[pick]) != most || skip-- > 0) {
                ++pick;
            }
        }
        std::int32_t const m = open[pick];
        open[pick] = open[--left];
        if (book(now, m)) {
            stray = stream.chance(noise);
        }
    }
}

/// The attendees of all booked meetings.
OPTGAP_HD inline std::int64_t booked(schedule const& now) {
    std::int64_t sum = 0;
    for (std::int32_t m = 0; m < now.given.meetings; ++m) {
        sum += now.start[m] != unscheduled ? size_of(now.given, m) : 0;
    }
    return sum;
}

/// The answer block: one row (meeting, room, start) per booked meeting, by meeting. Returns its words on all lanes.
template <class Team>
OPTGAP_HD std::int64_t write_answer(Team& team, schedule const& now, std::int32_t* answer) {
    std::int32_t rows = 0;
    if (team.rank() == 0) {
        for (std::int32_t m = 0; m < now.given.meetings; ++m) {
            rows += now.start[m] != unscheduled ? 1 : 0;
        }
        answer[0] = rows;
        std::int32_t* value = answer + 1 + rows;
        for (std::int32_t i = 0; i < rows; ++i) {
            answer[1 + i] = 3;
        }
        for (std::int32_t m = 0; m < now.given.meetings; ++m) {
            if (now.start[m] != unscheduled) {
                *value++ = m;
                *value++ = now.room[m];
                *value++ = now.start[m];
            }
        }
    }
    team.sync();
    return 1 + 4 * std::int64_t(team.broadcast(rows));
}

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
