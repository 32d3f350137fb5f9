#pragma once
// What each level and each step of the difficulty scale draws, and how an instance is written.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/meeting/meeting_instance.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

// Purposes of random words.
inline constexpr std::uint32_t purpose_sizes = 0;      ///< words: meetings, people, rooms, the room that is enlarged
inline constexpr std::uint32_t purpose_meetings = 1;   ///< words 2 i: attendees, duration of meeting i
inline constexpr std::uint32_t purpose_attendees = 2;  ///< words 8 i …: the attendees of meeting i, one each
inline constexpr std::uint32_t purpose_people = 3;     ///< words 16 p …: windows, gaps and cuts of person p
inline constexpr std::uint32_t purpose_rooms = 4;      ///< word r: capacity of room r

struct range {
    std::int32_t low;
    std::int32_t high;
};

OPTGAP_HD inline std::int32_t drawn(std::uint32_t word, range from) { return to_range(word, from.low, from.high); }

/// The pattern of a person's day.
enum class day : std::int32_t {
    whole,       ///< one gap of one or two grid steps in a fifth of the days
    lunch,       ///< 720 to 780 off in half of the days
    busy_lunch,  ///< 720 to 780 off in 70 %, one gap of one or two steps elsewhere in 30 %
    fragments,   ///< several windows with gaps of one to three steps between them
};

inline constexpr std::int32_t max_attendees = 8;
inline constexpr std::int32_t max_windows = 6;
inline constexpr std::int32_t opening = 540;

struct level_shape {
    range meetings;
    range people;
    range rooms;
    range capacity;
    range attendees;
    range duration;  ///< in grid steps
    day people_day;
    range windows;  ///< for `day::fragments`
    std::int32_t grid;
    std::int32_t steps;  ///< grid steps in the day
};

OPTGAP_HD inline level_shape shape_of(difficulty level) {
    if (level.code >= 0) {
        std::int32_t const d = level.code < 3980 ? level.code : 3980;
        std::int32_t const meetings = 4 + d / 2;
        std::int32_t const people = 2 + meetings;
        std::int32_t const rooms = 1 + meetings / 4;
        std::int32_t const shortest = 2 + 4 * d / (d + 20);
        return {{meetings, meetings}, {people, people}, {rooms, rooms}, {3, 6}, {2, 6},
                {shortest, 10},       day::fragments,   {1, 3},         15,     32};
    }
    level_shape const shapes[4] = {
        {{4, 5}, {3, 5}, {3, 4}, {3, 6}, {2, 3}, {1, 3}, day::whole, {1, 1}, 30, 16},
        {{5, 6}, {4, 6}, {4, 5}, {3, 6}, {2, 4}, {1, 3}, day::lunch, {1, 1}, 30, 16},
        {{6, 7}, {5, 7}, {5, 6}, {2, 5}, {2, 4}, {1, 3}, day::busy_lunch, {1, 1}, 30, 16},
        {{8, 10}, {7, 9}, {6, 7}, {3, 10}, {2, 5}, {1, 3}, day::fragments, {2, 4}, 30, 16},
    };
    return shapes[level.code + 4];
}

/// The sizes of one instance.
struct extent {
    std::int32_t meetings;
    std::int32_t people;
    std::int32_t rooms;
};

OPTGAP_HD inline extent extent_of(draw source, level_shape const& shape) {
    philox_block const block = random_block(source, purpose_sizes, 0);
    return {drawn(block.word[0], shape.meetings), drawn(block.word[1], shape.people),
            drawn(block.word[2], shape.rooms)};
}

/// The number of attendees of meeting m; never more than there are people.
OPTGAP_HD inline std::int32_t drawn_size(draw source, level_shape const& shape, std::int32_t people, std::int32_t m) {
    std::int32_t const size = drawn(random_word(source, purpose_meetings, 2 * std::uint32_t(m)), shape.attendees);
    return size < people ? size : people;
}

/// One person's windows in grid steps; `cut` holds pairs: start, end, start, end …
struct cut_day {
    std::int32_t windows;
    std::int32_t cut[2 * max_windows];
};

/// A window [begin, end) with one gap of one or two steps strictly inside it.
OPTGAP_HD inline void add_with_gap(cut_day& out, std::int32_t begin, std::int32_t end, std::uint32_t length_word,
                                   std::uint32_t place_word) {
    std::int32_t const length = to_range(length_word, 1, 2);
    std::int32_t const gap = to_range(place_word, begin + 1, end - length - 1);
    std::int32_t const at = 2 * out.windows;
    out.cut[at] = begin;
    out.cut[at + 1] = gap;
    out.cut[at + 2] = gap + length;
    out.cut[at + 3] = end;
    out.windows += 2;
}

OPTGAP_HD inline void add_window(cut_day& out, std::int32_t begin, std::int32_t end) {
    out.cut[2 * out.windows] = begin;
    out.cut[2 * out.windows + 1] = end;
    ++out.windows;
}

OPTGAP_HD inline cut_day drawn_day(draw source, level_shape const& shape, std::int32_t person) {
    philox_block block[4];
    for (std::uint32_t b = 0; b < 4; ++b) {
        block[b] = random_block(source, purpose_people, 4 * std::uint32_t(person) + b);
    }
    cut_day out{};
    if (shape.people_day == day::fragments) {
        // k windows of at least one step, k-1 gaps; sorted cuts distribute the other steps among the windows.
        std::int32_t const k = drawn(block[0].word[0], shape.windows);
        std::int32_t gap[max_windows];
        std::int32_t spare = shape.steps - k;
        for (std::int32_t i = 0; i < k - 1; ++i) {
            gap[i] = to_range(block[1 + i / 4].word[i % 4], 1, 3);
            spare -= gap[i];
        }
        std::int32_t cut[max_windows];
        for (std::int32_t i = 0; i < k - 1; ++i) {
            std::int32_t const place = to_range(block[2 + i / 4].word[i % 4], 0, spare);
            std::int32_t j = i;
            for (; j > 0 && cut[j - 1] > place; --j) {
                cut[j] = cut[j - 1];
            }
            cut[j] = place;
        }
        std::int32_t at = 0;
        for (std::int32_t i = 0; i < k; ++i) {
            std::int32_t const share = (i < k - 1 ? cut[i] : spare) - (i > 0 ? cut[i - 1] : 0);
            add_window(out, at, at + 1 + share);
            at += 1 + share + (i < k - 1 ? gap[i] : 0);
        }
        return out;
    }
    std::int32_t const lunch_begin = (720 - opening) / shape.grid;
    std::int32_t const lunch_end = (780 - opening) / shape.grid;
    std::int32_t const lunch_chance = shape.people_day == day::whole ? 0 : shape.people_day == day::lunch ? 500 : 700;
    std::int32_t const gap_chance = shape.people_day == day::whole ? 200 : shape.people_day == day::lunch ? 0 : 300;
    bool const lunch = to_range(block[0].word[0], 0, 999) < lunch_chance;
    bool const gap = to_range(block[0].word[1], 0, 999) < gap_chance;
    bool const gap_late = to_range(block[0].word[2], 0, 1) == 1;
    std::int32_t const begins[2] = {0, lunch_end};
    std::int32_t const ends[2] = {lunch ? lunch_begin : shape.steps, shape.steps};
    for (std::int32_t part = 0; part < (lunch ? 2 : 1); ++part) {
        if (gap && (!lunch || (part == 1) == gap_late)) {
            add_with_gap(out, begins[part], ends[part], block[1].word[0], block[1].word[1]);
        } else {
            add_window(out, begins[part], ends[part]);
        }
    }
    return out;
}

OPTGAP_HD inline std::int64_t drawn_words(draw source, level_shape const& shape) {
    extent const size = extent_of(source, shape);
    std::int64_t words = header_words + 2 * std::int64_t(size.meetings) + size.people + size.rooms;
    for (std::int32_t m = 0; m < size.meetings; ++m) {
        words += drawn_size(source, shape, size.people, m);
    }
    for (std::int32_t p = 0; p < size.people; ++p) {
        words += 2 * drawn_day(source, shape, p).windows;
    }
    return words;
}

/// Writes `count` distinct people in rising order: each draw takes one of those still available, by rank.
OPTGAP_HD inline void write_attendees(draw source, std::int32_t m, std::int32_t people, std::int32_t count,
                                      std::int32_t* out) {
    for (std::int32_t i = 0; i < count; ++i) {
        std::int32_t person =
            uniform(source, purpose_attendees, std::uint32_t(max_attendees * m + i), 0, people - 1 - i);
        std::int32_t place = 0;
        for (; place < i && out[place] <= person; ++place) {
            ++person;
        }
        for (std::int32_t j = i; j > place; --j) {
            out[j] = out[j - 1];
        }
        out[place] = person;
    }
}

template <class Team>
OPTGAP_HD void generate_calendar(Team& team, draw source, difficulty level, std::int32_t* words) {
    level_shape const shape = shape_of(level);
    extent const size = extent_of(source, shape);
    std::int32_t* const duration = words + header_words;
    std::int32_t* const attendee_end = duration + size.meetings;
    std::int32_t* const window_end = attendee_end + size.meetings;
    std::int32_t* const capacity = window_end + size.people;
    std::int32_t* const attendee = capacity + size.rooms;
    team.each(size.meetings, [&](std::int64_t m) {
        duration[m] = shape.grid * uniform(source, purpose_meetings, 2 * std::uint32_t(m) + 1, shape.duration.low,
                                           shape.duration.high);
        attendee_end[m] = drawn_size(source, shape, size.people, std::int32_t(m));
    });
    team.each(size.people, [&](std::int64_t p) { window_end[p] = drawn_day(source, shape, std::int32_t(p)).windows; });
    fill_uniform(team, source, purpose_rooms, shape.capacity.low, shape.capacity.high, capacity, size.rooms);
    team.sync();
    if (team.rank() == 0) {
        words[0] = size.meetings;
        words[1] = size.people;
        words[2] = size.rooms;
        std::int32_t largest = 0;
        for (std::int32_t m = 0; m < size.meetings; ++m) {
            largest = attendee_end[m] > largest ? attendee_end[m] : largest;
            attendee_end[m] += begin_of(attendee_end, m);
        }
        for (std::int32_t p = 0; p < size.people; ++p) {
            window_end[p] += begin_of(window_end, p);
        }
        std::int32_t roomiest = 0;
        for (std::int32_t r = 0; r < size.rooms; ++r) {
            roomiest = capacity[r] > roomiest ? capacity[r] : roomiest;
        }
        if (roomiest < largest) {
            capacity[uniform(source, purpose_sizes, 3, 0, size.rooms - 1)] = largest;
        }
    }
    team.sync();
    std::int32_t* const window = attendee + attendee_end[size.meetings - 1];
    team.each(size.meetings, [&](std::int64_t at) {
        auto const m = std::int32_t(at);
        std::int32_t const begin = begin_of(attendee_end, m);
        write_attendees(source, m, size.people, attendee_end[m] - begin, attendee + begin);
    });
    team.each(size.people, [&](std::int64_t at) {
        auto const p = std::int32_t(at);
        cut_day const cut = drawn_day(source, shape, p);
        std::int32_t* const out = window + 2 * begin_of(window_end, p);
        for (std::int32_t i = 0; i < 2 * cut.windows; ++i) {
            out[i] = opening + shape.grid * cut.cut[i];
        }
    });
    team.sync();
}

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
