#pragma once
// The bound from time: meetings that share a resource for their whole duration cannot together last longer than the
// resource, so the fractional knapsack over time (Dantzig 1957) bounds their attendees.

#include <cstdint>

#include "kernels/tasks/meeting/meeting_candidates.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

/// Candidates by falling weight / duration, ties by index; a heap sort, because there may be many.
OPTGAP_HD inline void order_by_density(candidates const& all, std::int32_t* order) {
    auto const before = [&](std::int32_t a, std::int32_t b) {
        std::int64_t const left = std::int64_t(all.weight[a]) * all.duration[b];
        std::int64_t const right = std::int64_t(all.weight[b]) * all.duration[a];
        return left > right || (left == right && a < b);
    };
    for (std::int32_t a = 0; a < all.count; ++a) {
        std::int32_t at = a;
        for (; at > 0 && before(a, order[at - 1]); --at) {
            order[at] = order[at - 1];
        }
        order[at] = a;
    }
}

/// For the candidates that satisfy `counts` and share `minutes` of one resource: by how much their attendees exceed
/// what fits.
template <class Counts>
OPTGAP_HD std::int64_t excess(candidates const& all, std::int32_t const* order, std::int64_t minutes,
                              Counts const& counts) {
    std::int64_t lost = 0;
    for (std::int32_t i = 0; i < all.count; ++i) {
        std::int32_t const a = order[i];
        if (!counts(a)) {
            continue;
        }
        if (minutes < all.duration[a]) {
            std::int64_t const part = std::int64_t(all.weight[a]) * minutes / all.duration[a];
            lost += all.weight[a] - part;
            minutes = 0;
        } else {
            minutes -= all.duration[a];
        }
    }
    return lost;
}

/// The number of minutes in which at least one candidate could take place.
OPTGAP_HD inline std::int64_t open_minutes(candidates const& all) {
    std::int64_t open = 0;
    std::int32_t t = 0;
    while (t != never) {
        std::int32_t begin = never;
        std::int32_t end = never;
        for (std::int32_t a = 0; a < all.count; ++a) {
            for (std::int32_t i = all.first[a]; i < all.last[a]; ++i) {
                std::int32_t const from = all.choice[i].start > t ? all.choice[i].start : t;
                if (all.choice[i].end <= t || from > begin) {
                    continue;
                }
                end = from < begin || all.choice[i].end > end ? all.choice[i].end : end;
                begin = from;
            }
        }
        open += begin == never ? 0 : end - begin;
        t = begin == never ? never : end;
    }
    return open;
}

/// The smallest of the bounds for all rooms together and for each person alone. `order` has room for all candidates.
OPTGAP_HD inline std::int64_t time_bound(calendar const& given, candidates const& all, std::int32_t* order) {
    order_by_density(all, order);
    std::int64_t lost = excess(all, order, given.rooms * open_minutes(all), [](std::int32_t) { return true; });
    for (std::int32_t p = 0; p < given.people; ++p) {
        std::int64_t minutes = 0;
        for (std::int32_t w = begin_of(given.window_end, p); w < given.window_end[p]; ++w) {
            minutes += given.window[2 * w + 1] - given.window[2 * w];
        }
        std::int64_t const own = excess(all, order, minutes, [&](std::int32_t a) {
            std::int32_t const m = all.meeting[a];
            std::int32_t i = begin_of(given.attendee_end, m);
            while (i < given.attendee_end[m] && given.attendee[i] != p) {
                ++i;
            }
            return i < given.attendee_end[m];
        });
        lost = own > lost ? own : lost;
    }
    return total_weight(all) - lost;
}

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
