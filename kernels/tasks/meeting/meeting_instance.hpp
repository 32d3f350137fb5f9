#pragma once
// The words of an instance, and when the people of a meeting are available together.
//
//   [meetings, people, rooms,
//    durations, attendee ends, window ends, capacities, attendees …, start, end, start, end …]
//
// Lists of lists are stored as one list and the end of each part. Attendees rise; a person's windows are in order and
// do not touch.

#include <cstdint>

#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

inline constexpr std::int32_t max_meetings = 2000;
inline constexpr std::int32_t max_people = 1'000'000;
inline constexpr std::int32_t max_rooms = 10'000;
inline constexpr std::int32_t latest = 1'000'000;          ///< minute at which the last window may end
inline constexpr std::int64_t max_intervals = 50'000'000;  ///< sum over the meetings of their attendees' windows
inline constexpr std::int32_t never = INT32_MAX;           ///< a time after all others
inline constexpr std::int32_t header_words = 3;

struct calendar {
    std::int32_t meetings;
    std::int32_t people;
    std::int32_t rooms;
    std::int32_t const* duration;
    std::int32_t const* attendee_end;
    std::int32_t const* window_end;
    std::int32_t const* capacity;
    std::int32_t const* attendee;
    std::int32_t const* window;  ///< start and end in turn
};

OPTGAP_HD inline calendar calendar_of(words_view instance) {
    std::int32_t const m = instance[0];
    std::int32_t const p = instance[1];
    std::int32_t const r = instance[2];
    std::int32_t const* const duration = instance.data + header_words;
    std::int32_t const* const attendee_end = duration + m;
    std::int32_t const* const window_end = attendee_end + m;
    std::int32_t const* const capacity = window_end + p;
    std::int32_t const* const attendee = capacity + r;
    return {m, p, r, duration, attendee_end, window_end, capacity, attendee, attendee + attendee_end[m - 1]};
}

OPTGAP_HD inline std::int32_t begin_of(std::int32_t const* ends, std::int32_t i) { return i == 0 ? 0 : ends[i - 1]; }

/// The number of attendees of meeting m, which is its value.
OPTGAP_HD inline std::int32_t size_of(calendar const& all, std::int32_t m) {
    return all.attendee_end[m] - begin_of(all.attendee_end, m);
}

/// Whether meetings a and b have an attendee in common. Merges the two rising lists.
OPTGAP_HD inline bool share_a_person(calendar const& all, std::int32_t a, std::int32_t b) {
    std::int32_t i = begin_of(all.attendee_end, a);
    std::int32_t j = begin_of(all.attendee_end, b);
    while (i < all.attendee_end[a] && j < all.attendee_end[b]) {
        std::int32_t const p = all.attendee[i];
        std::int32_t const q = all.attendee[j];
        if (p == q) {
            return true;
        }
        i += p < q ? 1 : 0;
        j += q < p ? 1 : 0;
    }
    return false;
}

/// The first window of person p that ends after t; window_end[p] if there is none.
OPTGAP_HD inline std::int32_t window_after(calendar const& all, std::int32_t p, std::int64_t t) {
    std::int32_t low = begin_of(all.window_end, p);
    std::int32_t high = all.window_end[p];
    while (low < high) {
        std::int32_t const middle = low + (high - low) / 2;
        if (all.window[2 * middle + 1] > t) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/// Whether every attendee of m is available from `start` for the whole duration, inside one window.
OPTGAP_HD inline bool available(calendar const& all, std::int32_t m, std::int64_t start) {
    std::int64_t const end = start + all.duration[m];
    for (std::int32_t i = begin_of(all.attendee_end, m); i < all.attendee_end[m]; ++i) {
        std::int32_t const p = all.attendee[i];
        std::int32_t const w = window_after(all, p, start);
        if (w == all.window_end[p] || all.window[2 * w] > start || all.window[2 * w + 1] < end) {
            return false;
        }
    }
    return true;
}

struct interval {
    std::int32_t start;
    std::int32_t end;
};

/// The first interval from t on in which all attendees of m are available; {never, never} if there is none.
OPTGAP_HD inline interval next_common(calendar const& all, std::int32_t m, std::int32_t t) {
    interval found{t, never};
    for (bool moved = true; moved;) {
        moved = false;
        found.end = never;
        for (std::int32_t i = begin_of(all.attendee_end, m); i < all.attendee_end[m]; ++i) {
            std::int32_t const p = all.attendee[i];
            std::int32_t const w = window_after(all, p, found.start);
            if (w == all.window_end[p]) {
                return {never, never};
            }
            if (all.window[2 * w] > found.start) {
                found.start = all.window[2 * w];
                moved = true;
            }
            found.end = all.window[2 * w + 1] < found.end ? all.window[2 * w + 1] : found.end;
        }
    }
    return found;
}

OPTGAP_HD inline std::int32_t largest_capacity(calendar const& all) {
    std::int32_t largest = -1;
    for (std::int32_t r = 0; r < all.rooms; ++r) {
        largest = all.capacity[r] > largest ? all.capacity[r] : largest;
    }
    return largest;
}

/// The earliest start of m if nothing else is scheduled; `never` if it cannot take place.
OPTGAP_HD inline std::int32_t start_alone(calendar const& all, std::int32_t m, std::int32_t largest_room) {
    if (size_of(all, m) > largest_room) {
        return never;
    }
    interval common = next_common(all, m, 0);
    while (common.start != never && common.end - common.start < all.duration[m]) {
        common = next_common(all, m, common.end);
    }
    return common.start;
}

/// The smallest room that holds `people`, ties by index; -1 if there is none.
OPTGAP_HD inline std::int32_t smallest_room(calendar const& all, std::int32_t people) {
    std::int32_t best = -1;
    for (std::int32_t r = 0; r < all.rooms; ++r) {
        if (all.capacity[r] >= people && (best < 0 || all.capacity[r] < all.capacity[best])) {
            best = r;
        }
    }
    return best;
}

/// The sum over the meetings of their attendees' windows: an upper bound on the number of intervals that they have in
/// common.
OPTGAP_HD inline std::int64_t interval_room(calendar const& all) {
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < all.attendee_end[all.meetings - 1]; ++i) {
        std::int32_t const p = all.attendee[i];
        sum += all.window_end[p] - begin_of(all.window_end, p);
    }
    return sum;
}

/// Returns nullptr, or the rule that the words break.
OPTGAP_HD inline char const* check_calendar(words_view instance) {
    if (instance.count < header_words || instance[0] < 1 || instance[0] > max_meetings) {
        return "there must be 1 to 2000 meetings";
    }
    if (instance[1] < 1 || instance[1] > max_people || instance[2] < 0 || instance[2] > max_rooms) {
        return "there must be 1 to 1000000 people and 0 to 10000 rooms";
    }
    std::int64_t const fixed = header_words + 2 * std::int64_t(instance[0]) + instance[1] + instance[2];
    if (instance.count < fixed) {
        return "lists are missing";
    }
    calendar const all = calendar_of(instance);
    std::int64_t end = 0;
    for (std::int32_t m = 0; m < all.meetings; ++m) {
        if (all.duration[m] < 1 || all.duration[m] > latest) {
            return "a meeting must last 1 to 1000000 minutes";
        }
        if (all.attendee_end[m] <= end) {
            return "a meeting must have at least one attendee";
        }
        end = all.attendee_end[m];
    }
    std::int64_t windows = 0;
    for (std::int32_t p = 0; p < all.people; ++p) {
        if (all.window_end[p] < windows) {
            return "windows must belong to one person each";
        }
        windows = all.window_end[p];
    }
    if (instance.count != fixed + end + 2 * windows) {
        return "there must be as many attendees and windows as the lists say";
    }
    for (std::int32_t r = 0; r < all.rooms; ++r) {
        if (all.capacity[r] < 0) {
            return "a capacity must not be negative";
        }
    }
    for (std::int32_t m = 0; m < all.meetings; ++m) {
        std::int32_t before = -1;
        for (std::int32_t i = begin_of(all.attendee_end, m); i < all.attendee_end[m]; ++i) {
            if (all.attendee[i] <= before || all.attendee[i] >= all.people) {
                return "attendees must be people in rising order";
            }
            before = all.attendee[i];
        }
    }
    for (std::int32_t p = 0; p < all.people; ++p) {
        std::int32_t before = -1;
        for (std::int32_t w = begin_of(all.window_end, p); w < all.window_end[p]; ++w) {
            if (all.window[2 * w] <= before || all.window[2 * w + 1] <= all.window[2 * w] ||
                all.window[2 * w + 1] > latest) {
                return "windows must lie within 0 to 1000000, in order, without touching";
            }
            before = all.window[2 * w + 1];
        }
    }
    if (interval_room(all) > max_intervals) {
        return "the meetings' attendees must have at most 50000000 windows, counted at each meeting";
    }
    return nullptr;
}

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
