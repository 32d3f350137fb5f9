#pragma once
// The incumbent of instances that the proof does not settle at once: 2-opt and Or-opt with don't-look bits (Bentley
// 1992), restarted by segment-swap kicks (Martin, Otto & Felten 1991) that are kept unless the tour gets longer.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

/// A tour as an array with inverse, over a square weight matrix.
struct tour_array {
    std::int32_t cities;
    std::int32_t lanes;  ///< row stride of `weight`
    std::int32_t const* weight;
    std::int32_t* city;      ///< by position
    std::int32_t* position;  ///< by city
    std::int32_t* queue;     ///< cities to examine, a ring
    std::int32_t* queued;

    [[nodiscard]] OPTGAP_HD std::int64_t distance(std::int32_t a, std::int32_t b) const {
        return weight[std::int64_t(a) * lanes + b];
    }
    [[nodiscard]] OPTGAP_HD std::int32_t wrap(std::int32_t p) const {
        return p >= cities ? p - cities : p < 0 ? p + cities : p;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t after(std::int32_t c) const { return city[wrap(position[c] + 1)]; }
    [[nodiscard]] OPTGAP_HD std::int32_t before(std::int32_t c) const { return city[wrap(position[c] - 1)]; }
};

OPTGAP_HD inline void place(tour_array& tour, std::int32_t at, std::int32_t city) {
    tour.city[at] = city;
    tour.position[city] = at;
}

/// Reverses the path of `length` cities that begins at position `first`, cyclically.
OPTGAP_HD inline void turn_path(tour_array& tour, std::int32_t first, std::int32_t length) {
    std::int32_t last = tour.wrap(first + length - 1);
    for (std::int32_t swaps = length / 2; swaps > 0; --swaps) {
        std::int32_t const a = tour.city[first];
        place(tour, first, tour.city[last]);
        place(tour, last, a);
        first = tour.wrap(first + 1);
        last = tour.wrap(last - 1);
    }
}

/// Reverses the path from position first to last, or the rest of the tour if that is shorter: the same cycle.
OPTGAP_HD inline void turn_shorter(tour_array& tour, std::int32_t first, std::int32_t last) {
    std::int32_t const length = tour.wrap(last - first) + 1;
    if (2 * length <= tour.cities) {
        turn_path(tour, first, length);
    } else {
        turn_path(tour, tour.wrap(last + 1), tour.cities - length);
    }
}

/// Applies the best 2-opt move that replaces an edge of `a`; returns the length it saves (0: there is none).
OPTGAP_HD inline std::int64_t try_two_opt(tour_array& tour, std::int32_t a, std::int32_t ends[4]) {
    std::int64_t best = 0;
    std::int32_t partner = -1;
    bool forward = true;
    std::int32_t const next = tour.after(a);
    std::int32_t const previous = tour.before(a);
    std::int64_t const to_next = tour.distance(a, next);
    std::int64_t const to_previous = tour.distance(a, previous);
    for (std::int32_t c = 0; c < tour.cities; ++c) {
        std::int64_t const joined = tour.distance(a, c);
        if (c == a || (joined >= to_next && joined >= to_previous)) {
            continue;
        }
        std::int32_t const d = tour.after(c);
        std::int64_t const ahead = to_next + tour.distance(c, d) - joined - tour.distance(next, d);
        std::int32_t const e = tour.before(c);
        std::int64_t const behind = to_previous + tour.distance(c, e) - joined - tour.distance(previous, e);
        if (ahead > best) {
            best = ahead;
            partner = c;
            forward = true;
        }
        if (behind > best) {
            best = behind;
            partner = c;
            forward = false;
        }
    }
    if (partner < 0) {
        return 0;
    }
    ends[0] = a;
    ends[1] = partner;
    ends[2] = forward ? next : previous;
    ends[3] = forward ? tour.after(partner) : tour.before(partner);
    if (forward) {
        turn_shorter(tour, tour.position[next], tour.position[partner]);
    } else {
        turn_shorter(tour, tour.position[partner], tour.position[previous]);
    }
    return best;
}

/// Moves the path of 1 to 3 cities that begins at `a`, in either direction, between two other neighbours: the best such
/// move. Returns the length it saves.
OPTGAP_HD inline std::int64_t try_or_opt(tour_array& tour, std::int32_t a, std::int32_t ends[4]) {
    std::int64_t best = 0;
    std::int32_t best_length = 0;
    std::int32_t best_at = -1;
    bool best_turned = false;
    for (std::int32_t length = 1; length <= 3 && length + 3 <= tour.cities; ++length) {
        std::int32_t const start = tour.position[a];
        std::int32_t const tail = tour.city[tour.wrap(start + length - 1)];
        std::int32_t const left = tour.before(a);
        std::int32_t const right = tour.after(tail);
        std::int64_t const freed = tour.distance(left, a) + tour.distance(tail, right) - tour.distance(left, right);
        if (freed <= best) {
            continue;
        }
        for (std::int32_t k = length; k < tour.cities - 1; ++k) {
            std::int32_t const c = tour.city[tour.wrap(start + k)];
            std::int32_t const d = tour.city[tour.wrap(start + k + 1)];
            std::int64_t const room = freed + tour.distance(c, d);
            std::int64_t const straight = room - tour.distance(c, a) - tour.distance(tail, d);
            std::int64_t const turned = room - tour.distance(c, tail) - tour.distance(a, d);
            if (straight > best || turned > best) {
                best_turned = turned >= straight;
                best = best_turned ? turned : straight;
                best_length = length;
                best_at = k;
            }
        }
    }
    if (best_at < 0) {
        return 0;
    }
    std::int32_t const first = tour.position[a];
    ends[0] = a;
    ends[1] = tour.city[tour.wrap(first + best_length - 1)];
    ends[2] = tour.city[tour.wrap(first - 1)];
    ends[3] = tour.city[tour.wrap(first + best_at)];
    std::int32_t path[3] = {};
    for (std::int32_t k = 0; k < best_length; ++k) {
        path[k] = tour.city[tour.wrap(first + k)];
    }
    std::int32_t const shifted = best_at + 1 - best_length;
    for (std::int32_t k = 0; k < shifted; ++k) {
        place(tour, tour.wrap(first + k), tour.city[tour.wrap(first + best_length + k)]);
    }
    for (std::int32_t k = 0; k < best_length; ++k) {
        place(tour, tour.wrap(first + shifted + k), path[best_turned ? best_length - 1 - k : k]);
    }
    return best;
}

/// Cities whose neighbourhood changed, first in first out, without repeats.
struct look_queue {
    std::int32_t head;
    std::int32_t count;

    OPTGAP_HD void push(tour_array& tour, std::int32_t city) {
        if (tour.queued[city] == 0) {
            tour.queued[city] = 1;
            tour.queue[tour.wrap(head + count)] = city;
            ++count;
        }
    }
    OPTGAP_HD std::int32_t pop(tour_array& tour) {
        std::int32_t const city = tour.queue[head];
        tour.queued[city] = 0;
        head = tour.wrap(head + 1);
        --count;
        return city;
    }
};

/// Descends until no queued city has an improving move; returns the length saved.
OPTGAP_HD inline std::int64_t descend(tour_array& tour, look_queue& look) {
    std::int64_t saved = 0;
    while (look.count > 0) {
        std::int32_t const city = look.pop(tour);
        std::int32_t ends[4] = {};
        std::int64_t gain = try_two_opt(tour, city, ends);
        gain = gain > 0 ? gain : try_or_opt(tour, city, ends);
        for (std::int32_t k = 0; gain > 0 && k < 4; ++k) {
            look.push(tour, ends[k]);
            look.push(tour, tour.after(ends[k]));
            look.push(tour, tour.before(ends[k]));
        }
        saved += gain;
    }
    return saved;
}

/// Swaps two adjacent paths of the tour, a double bridge; returns the length added.
OPTGAP_HD inline std::int64_t kick(tour_array& tour, look_queue& look, std::uint64_t& state) {
    auto const below = [&state](std::int32_t count) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return std::int32_t(((state >> 32) * std::uint64_t(count)) >> 32);
    };
    std::int32_t const longest = tour.cities / 3 < 30 ? tour.cities / 3 : 30;
    std::int32_t const first = below(tour.cities);
    std::int32_t const one = 1 + below(longest);
    std::int32_t const two = 1 + below(longest);
    std::int32_t const end[6] = {tour.city[tour.wrap(first - 1 + 0)],         tour.city[first],
                                 tour.city[tour.wrap(first + one - 1)],       tour.city[tour.wrap(first + one)],
                                 tour.city[tour.wrap(first + one + two - 1)], tour.city[tour.wrap(first + one + two)]};
    turn_path(tour, first, one + two);
    turn_path(tour, first, two);
    turn_path(tour, tour.wrap(first + two), one);
    for (std::int32_t const city : end) {
        look.push(tour, city);
    }
    return tour.distance(end[0], end[3]) + tour.distance(end[4], end[1]) + tour.distance(end[2], end[5]) -
           tour.distance(end[0], end[1]) - tour.distance(end[2], end[3]) - tour.distance(end[4], end[5]);
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
