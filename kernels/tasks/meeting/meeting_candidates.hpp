#pragma once
// The data of the proof: the meetings that can take place at all, which of them conflict, and how much of them time
// allows.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/tasks/meeting/meeting_schedule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

inline constexpr std::int32_t max_candidates = 512;  ///< with more candidates there is a bound, but no search

/// The meetings that can take place alone, by falling number of attendees; rooms likewise by capacity. Sets of them
/// have `row_words` 64-bit words.
struct candidates {
    std::int32_t count;
    std::int32_t rooms;
    std::int32_t row_words;
    std::int32_t* meeting;  ///< number in the instance
    std::int32_t* weight;
    std::int32_t* duration;
    std::int32_t* first;  ///< intervals
    std::int32_t* last;
    interval const* choice;
    std::int32_t* room;         ///< number in the instance
    std::int32_t* room_weight;  ///< the largest weight that fits; rooms that can hold the same meetings are equivalent
    std::uint64_t* conflicts;   ///< rows: pairs with a person in common, or with only one room for either
    std::uint64_t* compatible;  ///< rows: the later candidates that can take place besides this one

    [[nodiscard]] OPTGAP_HD bool conflict(std::int32_t a, std::int32_t b) const {
        return (conflicts[std::int64_t(a) * row_words + (b >> 6)] >> (b & 63)) & 1u;
    }
    /// Requires a < b.
    [[nodiscard]] OPTGAP_HD bool fit_together(std::int32_t a, std::int32_t b) const {
        return (compatible[std::int64_t(a) * row_words + (b >> 6)] >> (b & 63)) & 1u;
    }
    /// The earliest start of a from `from` on; `never` if there is none.
    [[nodiscard]] OPTGAP_HD std::int32_t start_from(std::int32_t a, std::int32_t from) const {
        for (std::int32_t i = first[a]; i < last[a]; ++i) {
            std::int32_t const start = choice[i].start > from ? choice[i].start : from;
            if (choice[i].end - start >= duration[a]) {
                return start;
            }
        }
        return never;
    }
};

[[nodiscard]] OPTGAP_HD inline std::int32_t row_words_of(std::int32_t count) { return (count + 63) / 64; }

/// An even number, because 64-bit tables follow.
[[nodiscard]] OPTGAP_HD inline std::int64_t candidate_words(calendar const& given) {
    std::int64_t const n = given.meetings;
    std::int64_t const rows = n <= max_candidates ? n * row_words_of(given.meetings) : 0;
    return 4 * rows + (5 * n + 1) / 2 * 2 + 2 * std::int64_t(given.rooms);
}

/// Whether a and b, which may not run at the same time, can both take place.
OPTGAP_HD inline bool both_fit(candidates const& all, std::int32_t a, std::int32_t b) {
    return all.start_from(b, all.start_from(a, 0) + all.duration[a]) != never ||
           all.start_from(a, all.start_from(b, 0) + all.duration[b]) != never;
}

/// Sorts rooms by falling capacity, ties by index, with the largest weight that each holds, by insertion into a sorted
/// list.
OPTGAP_HD inline void sort_rooms(calendar const& given, candidates& all) {
    for (std::int32_t r = 0; r < given.rooms; ++r) {
        std::int32_t at = r;
        for (; at > 0 && given.capacity[all.room[at - 1]] < given.capacity[r]; --at) {
            all.room[at] = all.room[at - 1];
        }
        all.room[at] = r;
    }
    std::int32_t a = 0;
    for (std::int32_t r = 0; r < given.rooms; ++r) {
        while (a < all.count && all.weight[a] > given.capacity[all.room[r]]) {
            ++a;
        }
        all.room_weight[r] = a < all.count ? all.weight[a] : 0;
    }
}

/// `order` lists all meetings by falling size. The pair tables stay empty beyond `max_candidates`.
OPTGAP_HD inline candidates list_candidates(schedule const& now, std::int32_t const* order, std::int32_t* scratch) {
    calendar const& given = now.given;
    std::int64_t const n = given.meetings;
    std::int64_t const rows = n <= max_candidates ? n * row_words_of(given.meetings) : 0;
    auto* const conflicts = reinterpret_cast<std::uint64_t*>(scratch);
    std::int32_t* const meeting = scratch + 4 * rows;
    candidates all{0,
                   given.rooms,
                   0,
                   meeting,
                   meeting + n,
                   meeting + 2 * n,
                   meeting + 3 * n,
                   meeting + 4 * n,
                   now.choice.all,
                   meeting + 5 * n,
                   meeting + 5 * n + given.rooms,
                   conflicts,
                   conflicts + rows};
    for (std::int32_t i = 0; i < given.meetings; ++i) {
        std::int32_t const m = order[i];
        if (now.choice.first[m] < now.choice.last[m]) {
            all.meeting[all.count] = m;
            all.weight[all.count] = size_of(given, m);
            all.duration[all.count] = given.duration[m];
            all.first[all.count] = now.choice.first[m];
            all.last[all.count] = now.choice.last[m];
            ++all.count;
        }
    }
    sort_rooms(given, all);
    if (all.count > max_candidates || rows == 0) {
        return all;
    }
    all.row_words = row_words_of(all.count);
    for (std::int64_t w = 0; w < std::int64_t(all.count) * all.row_words; ++w) {
        all.conflicts[w] = 0;
        all.compatible[w] = 0;
    }
    for (std::int32_t a = 0; a < all.count; ++a) {
        for (std::int32_t b = a + 1; b < all.count; ++b) {
            std::int64_t const own = std::int64_t(a) * all.row_words + (b >> 6);
            bool const one_room = all.rooms == 1 || all.room_weight[1] < all.weight[b];
            if (one_room || share_a_person(given, all.meeting[a], all.meeting[b])) {
                all.conflicts[own] |= bit(b & 63);
                all.conflicts[std::int64_t(b) * all.row_words + (a >> 6)] |= bit(a & 63);
                all.compatible[own] |= both_fit(all, a, b) ? bit(b & 63) : 0;
            } else {
                all.compatible[own] |= bit(b & 63);
            }
        }
    }
    return all;
}

OPTGAP_HD inline std::int64_t total_weight(candidates const& all) {
    std::int64_t sum = 0;
    for (std::int32_t a = 0; a < all.count; ++a) {
        sum += all.weight[a];
    }
    return sum;
}

/// Splits the candidates into groups of which no two members can both take place, and counts the largest member of each
/// group. `taken` has room for one number each.
OPTGAP_HD inline std::int64_t packing_bound(candidates const& all, std::int32_t* taken) {
    for (std::int32_t a = 0; a < all.count; ++a) {
        taken[a] = -1;
    }
    std::int64_t bound = 0;
    for (std::int32_t a = 0; a < all.count; ++a) {
        if (taken[a] >= 0) {
            continue;
        }
        bound += all.weight[a];
        for (std::int32_t b = a; b < all.count; ++b) {
            bool joins = taken[b] < 0;
            for (std::int32_t c = a; joins && c < b; ++c) {
                joins = taken[c] != a || !all.fit_together(c, b);
            }
            taken[b] = joins ? a : taken[b];
        }
    }
    return bound;
}

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
