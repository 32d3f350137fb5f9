#pragma once
// The trip with the largest prize: a table over sets of places if there are few, otherwise depth first over trips. Runs
// on one lane of the CPU.

#include <algorithm>
#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/families/routes/routes.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::orienteering {

inline constexpr std::int32_t table_places = 18;  ///< 17 besides place 0: 9 MB

/// For each set of places and each last place of it, the length of the shortest way from place 0 through all of the set
/// (Bellman 1962; Held & Karp 1962). A set's prize counts if a way and its return fit the budget.
class trip_table {
public:
    static constexpr std::int64_t scratch_words(std::int64_t n) { return (n - 1) << (n - 1); }
    /// Steps: one for each thousand sums.
    static constexpr std::int64_t steps(std::int64_t n) { return 1 + (((n - 1) * (n - 1)) << (n - 1)) / 2000; }

    trip_table(families::routes_view on, std::int32_t* scratch) : on_(on), m_(on.at.n - 1), way_(scratch) {
        for (std::int32_t a = 0; a <= m_; ++a) {
            for (std::int32_t b = 0; b <= m_; ++b) {
                away_[a][b] = on.at.distance(a, b);
            }
        }
    }

    /// Writes the trip; returns its number of places.
    std::int32_t run(std::int32_t* trip) {
        std::uint32_t best = 0;
        std::int64_t most = 0;
        for (std::uint32_t set = 1; set < 1u << m_; ++set) {
            std::int32_t closed = far;
            for (std::uint32_t bits = set; bits != 0; bits &= bits - 1) {
                std::int32_t const v = lowest(bits);
                std::int32_t const shortest = shortest_to(set, v);
                way(set, v) = shortest;
                closed = std::min(closed, shortest + away_[v + 1][0]);
            }
            if (closed <= on_.limit && prize(set) > most) {
                most = prize(set);
                best = set;
            }
        }
        return trace(best, trip);
    }

private:
    static constexpr std::int32_t far = 1 << 29;

    [[nodiscard]] std::int32_t& way(std::uint32_t set, std::int32_t v) const {
        return way_[std::int64_t(set) * m_ + v];
    }
    [[nodiscard]] std::int32_t shortest_to(std::uint32_t set, std::int32_t v) const {
        std::uint32_t const before = set & ~(1u << v);
        if (before == 0) {
            return away_[0][v + 1];
        }
        std::int32_t shortest = far;
        for (std::uint32_t bits = before; bits != 0; bits &= bits - 1) {
            std::int32_t const u = lowest(bits);
            shortest = std::min(shortest, way(before, u) + away_[u + 1][v + 1]);
        }
        return shortest;
    }
    [[nodiscard]] std::int64_t prize(std::uint32_t set) const {
        std::int64_t sum = 0;
        for (; set != 0; set &= set - 1) {
            sum += on_.amount[1 + lowest(set)];
        }
        return sum;
    }
    std::int32_t trace(std::uint32_t set, std::int32_t* trip) const {
        std::int32_t const count = popcount(set);
        std::int32_t after = 0;
        for (std::int32_t k = count - 1; k >= 0; --k) {
            std::int32_t best = far;
            std::int32_t at = 0;
            for (std::uint32_t bits = set; bits != 0; bits &= bits - 1) {
                std::int32_t const v = lowest(bits);
                std::int32_t const length = way(set, v) + away_[v + 1][after];
                at = length < best ? v : at;
                best = std::min(best, length);
            }
            trip[k] = after = at + 1;
            set &= ~(1u << at);
        }
        return count;
    }

    families::routes_view on_;
    std::int32_t m_;
    std::int32_t* way_;
    std::int32_t away_[table_places][table_places];
};

struct trip_found {
    std::int64_t prize = 0;
    std::int64_t bound = 0;
    std::int64_t steps = 0;
    std::int32_t size = 0;  ///< of the trip that was written; 0: none is better than the given prize
};

/// Trips by their first, second, … place. A trip of two places or more enters and leaves each of them by two different
/// ways, so twice its length is at least the sum of the two shortest ways over all its places. The rest of the budget
/// buys prizes at these prices, the last one possibly in part.
class trip_search {
public:
    static constexpr std::int64_t scratch_words(std::int64_t n) { return n * n + 7 * n; }

    trip_search(families::routes_view on, std::int32_t* scratch)
        : on_(on),
          n_(on.at.n),
          away_(scratch),
          price_(away_ + std::int64_t(n_) * n_),
          home_(price_ + n_),
          order_(home_ + n_),
          trip_(order_ + n_),
          next_(trip_ + n_),
          in_(next_ + n_),
          nearest_(in_ + n_) {
        for (std::int32_t a = 0; a < n_; ++a) {
            for (std::int32_t b = 0; b < n_; ++b) {
                away(a, b) = on.at.distance(a, b);
            }
        }
        measure_home();
        for (std::int32_t v = 0; v < n_; ++v) {
            std::int32_t least[2] = {INT32_MAX, INT32_MAX};
            for (std::int32_t u = 0; u < n_; ++u) {
                if (u != v && away(u, v) < least[1]) {
                    least[1] = std::max(least[0], away(u, v));
                    least[0] = std::min(least[0], away(u, v));
                }
            }
            nearest_[v] = least[0];
            price_[v] = least[0] + least[1];
            in_[v] = 0;
            if (on.amount[v] > 0) {
                order_[count_++] = v;
            }
        }
        std::sort(order_, order_ + count_, [&](std::int32_t a, std::int32_t b) {
            std::int64_t const left = std::int64_t(on_.amount[a]) * price_[b];
            std::int64_t const right = std::int64_t(on_.amount[b]) * price_[a];
            return left != right ? left > right : a < b;
        });
    }

    /// A node costs one step.
    trip_found run(std::int64_t prize, std::int64_t budget, std::int32_t* best) {
        trip_found found{prize, std::max(affordable(2 * std::int64_t(on_.limit) - price_[0]), single()), 0, 0};
        std::int32_t depth = 0;  // number of places on the trip after place 0
        std::int64_t length = 0;
        std::int64_t collected = 0;
        in_[0] = 1;
        next_[0] = 0;
        while (found.prize < found.bound) {
            std::int32_t const last = depth > 0 ? trip_[depth - 1] : 0;
            std::int32_t& at = next_[depth];
            while (at < count_ && !fits(order_[at], length, last)) {
                ++at;
            }
            if (at < count_) {
                if (found.steps == budget) {
                    return found;
                }
                ++found.steps;
                std::int32_t const v = order_[at++];
                in_[v] = 1;
                trip_[depth++] = v;
                length += away(last, v);
                collected += on_.amount[v];
                next_[depth] = 0;
                if (collected > found.prize && length + away(v, 0) <= on_.limit) {
                    found.prize = collected;
                    found.size = depth;
                    std::copy(trip_, trip_ + depth, best);
                }
                // The rest of the budget is spent on the ends of the way and on places between.
                std::int64_t const rest = 2 * (on_.limit - length) - nearest_[v] - nearest_[0];
                if (collected + affordable(rest) <= found.prize) {
                    next_[depth] = count_;
                }
                continue;
            }
            if (depth == 0) {
                found.bound = found.prize;
                break;
            }
            --depth;
            in_[last] = 0;
            length -= away(depth > 0 ? trip_[depth - 1] : 0, last);
            collected -= on_.amount[last];
        }
        return found;
    }

private:
    [[nodiscard]] std::int32_t& away(std::int32_t a, std::int32_t b) const { return away_[std::int64_t(a) * n_ + b]; }

    /// Computes the shortest way from each place to place 0, through any others, because rounded lengths may make
    /// detours shorter.
    void measure_home() {
        for (std::int32_t v = 0; v < n_; ++v) {
            home_[v] = away(v, 0);
        }
        for (bool shorter = true; shorter;) {
            shorter = false;
            for (std::int32_t u = 0; u < n_; ++u) {
                for (std::int32_t v = 0; v < n_; ++v) {
                    shorter = shorter || away(u, v) + home_[v] < home_[u];
                    home_[u] = std::min(home_[u], away(u, v) + home_[v]);
                }
            }
        }
    }
    [[nodiscard]] bool fits(std::int32_t v, std::int64_t length, std::int32_t last) const {
        return in_[v] == 0 && length + away(last, v) + home_[v] <= on_.limit;
    }
    [[nodiscard]] std::int64_t single() const {
        std::int64_t most = 0;
        for (std::int32_t v = 0; v < n_; ++v) {
            most = std::max(most, 2 * std::int64_t(away(0, v)) <= on_.limit ? std::int64_t(on_.amount[v]) : 0);
        }
        return most;
    }
    /// The largest sum of prizes, of places off the trip, that `room` half lengths buy.
    [[nodiscard]] std::int64_t affordable(std::int64_t room) const {
        std::int64_t sum = 0;
        for (std::int32_t k = 0; k < count_ && room >= 0; ++k) {
            std::int32_t const v = order_[k];
            if (in_[v] == 0 && 2 * std::int64_t(home_[v]) <= on_.limit) {
                if (price_[v] > room) {
                    return sum + on_.amount[v] * room / price_[v];
                }
                room -= price_[v];
                sum += on_.amount[v];
            }
        }
        return sum;
    }

    families::routes_view on_;
    std::int32_t n_;
    std::int32_t* away_;
    std::int32_t* price_;  ///< sum of a place's two shortest ways
    std::int32_t* home_;
    std::int32_t* order_;  ///< places that have a prize, the best for their price first
    std::int32_t* trip_;
    std::int32_t* next_;  ///< by depth: the position in `order_` to be tried next
    std::int32_t* in_;
    std::int32_t* nearest_;   ///< a place's shortest way
    std::int32_t count_ = 0;  ///< of `order_`
};

}  // namespace tasks::orienteering
OPTGAP_KERNELS_END
