#pragma once
// The shortest routes: a table over sets of customers if there are few, otherwise a walk to better routes; and a bound
// on their length. Runs on one lane of the CPU.

#include <algorithm>
#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/families/routes/routes.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::vehicle_routing {

/// A lower bound on the length of routes; k is the number of vehicles that the demands need. Without one way to the
/// depot for each route, at most one at a customer, the routes are a tree over all places. Also, each customer has two
/// ways, to two places or to the depot and back, and the depot has 2 k. `scratch` is 2 n words.
inline std::int64_t min_length(families::routes_view on, std::int32_t* scratch) {
    std::int32_t const n = on.at.n;
    std::int64_t demand = 0;
    std::int32_t* const out = scratch;
    for (std::int32_t v = 0; v < n; ++v) {
        demand += on.amount[v];
        out[v] = v == 0 ? -1 : on.at.distance(0, v);
    }
    std::sort(out, out + n);
    std::int64_t const vehicles = (demand + on.limit - 1) / on.limit;
    std::int64_t ways = 0;
    for (std::int64_t k = 1; k <= vehicles; ++k) {
        ways += out[k];
    }
    std::int64_t ends = 2 * ways;
    std::int64_t tree = 0;
    std::int32_t* const gap = scratch + n;
    for (std::int32_t v = 0; v < n; ++v) {
        gap[v] = v == 0 ? -1 : on.at.distance(0, v);
    }
    for (std::int32_t size = 1; size < n; ++size) {
        std::int32_t next = 0;
        for (std::int32_t v = 1; v < n; ++v) {
            next = gap[v] >= 0 && (next == 0 || gap[v] < gap[next]) ? v : next;
        }
        tree += gap[next];
        gap[next] = -1;
        std::int64_t least[2] = {INT32_MAX, INT32_MAX};
        for (std::int32_t v = 0; v < n; ++v) {
            if (v == next) {
                continue;
            }
            std::int32_t const away = on.at.distance(next, v);
            gap[v] = std::min(gap[v], away);  // -1 is kept
            if (away < least[1]) {
                least[1] = std::max<std::int64_t>(least[0], away);
                least[0] = std::min<std::int64_t>(least[0], away);
            }
        }
        ends += std::min(least[0] + least[1], 2 * std::int64_t(on.at.distance(next, 0)));
    }
    return std::max(tree + ways, (ends + 1) / 2);
}

/// For each set of customers that one vehicle can serve, its shortest route (Bellman 1962; Held & Karp 1962). For each
/// set in general, the best route for its lowest customer and others, with the best routes for the rest.
class routes_table {
public:
    static constexpr std::int32_t max_customers = 16;

    static constexpr std::int64_t scratch_words(std::int64_t m) { return (m + 2) << m; }
    /// Steps: one for each thousand sums.
    static constexpr std::int64_t steps(std::int64_t m) {
        std::int64_t splits = 1;
        for (std::int64_t k = 1; k < m; ++k) {
            splits *= 3;
        }
        return 1 + (splits + ((m * m / 2) << m)) / 1000;
    }

    routes_table(families::routes_view on, std::int32_t* scratch)
        : on_(on),
          m_(on.at.n - 1),
          way_(scratch),
          closed_(way_ + (std::int64_t(m_) << m_)),
          best_(closed_ + (std::int64_t(1) << m_)) {
        for (std::int32_t a = 0; a <= m_; ++a) {
            for (std::int32_t b = 0; b <= m_; ++b) {
                away_[a][b] = on.at.distance(a, b);
            }
        }
    }

    /// Writes the answer's block; returns its size.
    std::int64_t run(std::int32_t* answer) {
        std::uint32_t const all = (1u << m_) - 1;
        for (std::uint32_t set = 1; set <= all; ++set) {
            closed_[set] = far;
            for (std::uint32_t bits = load(set) <= on_.limit ? set : 0; bits != 0; bits &= bits - 1) {
                std::int32_t const v = lowest(bits);
                way(set, v) = shortest_to(set, v);
                closed_[set] = std::min(closed_[set], way(set, v) + away_[v + 1][0]);
            }
        }
        best_[0] = 0;
        for (std::uint32_t set = 1; set <= all; ++set) {
            best_[set] = far;
            each_route(set, [&](std::uint32_t route) {
                best_[set] = std::min(best_[set], closed_[route] + best_[set ^ route]);
                return false;
            });
        }
        return trace(all, answer);
    }

private:
    static constexpr std::int32_t far = 1 << 29;

    [[nodiscard]] std::int32_t& way(std::uint32_t set, std::int32_t v) const {
        return way_[std::int64_t(set) * m_ + v];
    }
    [[nodiscard]] std::int64_t load(std::uint32_t set) const {
        std::int64_t sum = 0;
        for (; set != 0; set &= set - 1) {
            sum += on_.amount[1 + lowest(set)];
        }
        return sum;
    }
    [[nodiscard]] std::int32_t shortest_to(std::uint32_t set, std::int32_t v) const {
        std::uint32_t const before = set & ~(1u << v);
        std::int32_t shortest = before == 0 ? away_[0][v + 1] : far;
        for (std::uint32_t bits = before; bits != 0; bits &= bits - 1) {
            std::int32_t const u = lowest(bits);
            shortest = std::min(shortest, way(before, u) + away_[u + 1][v + 1]);
        }
        return shortest;
    }
    /// Calls take(route) for each part of the set that contains its lowest customer, until one is accepted.
    template <class Take>
    static void each_route(std::uint32_t set, Take const& take) {
        std::uint32_t const rest = set & (set - 1);
        std::uint32_t part = rest;
        while (!take(part | (set ^ rest)) && part != 0) {
            part = (part - 1) & rest;
        }
    }

    std::int64_t trace(std::uint32_t set, std::int32_t* answer) const {
        std::uint32_t routes[max_customers];
        std::int32_t count = 0;
        while (set != 0) {
            each_route(set, [&](std::uint32_t route) {
                routes[count] = route;
                return closed_[route] + best_[set ^ route] == best_[set];
            });
            set ^= routes[count++];
        }
        answer[0] = count;
        std::int32_t* next = answer + 1 + count;
        for (std::int32_t r = 0; r < count; ++r) {
            std::uint32_t left = routes[r];
            answer[1 + r] = popcount(left);
            for (std::int32_t after = 0; left != 0; ++next) {
                std::int32_t shortest = far;
                for (std::uint32_t bits = left; bits != 0; bits &= bits - 1) {
                    std::int32_t const v = lowest(bits);
                    std::int32_t const length = way(left, v) + away_[v + 1][after];
                    *next = length < shortest ? v + 1 : *next;
                    shortest = std::min(shortest, length);
                }
                after = *next;
                left &= ~(1u << (after - 1));
            }
        }
        return next - answer;
    }

    families::routes_view on_;
    std::int32_t m_;
    std::int32_t* way_;     ///< from the depot through the set to its last customer
    std::int32_t* closed_;  ///< the same, and back
    std::int32_t* best_;
    std::int32_t away_[max_customers + 1][max_customers + 1];
};

/// All routes one after the other, with the depot between them: a list of stops. Parts are reversed, and customers
/// moved or exchanged, if that makes it shorter and no load too large. A reversed part may contain the depot.
class route_walk {
public:
    static constexpr std::int64_t scratch_words(std::int64_t n) { return n * n + 4 * n; }

    /// Starts from an answer's block.
    route_walk(families::routes_view on, std::int32_t const* answer, std::int32_t* scratch)
        : on_(on), n_(on.at.n), away_(scratch), stop_(away_ + std::int64_t(n_) * n_), best_(stop_ + 2 * n_) {
        for (std::int32_t a = 0; a < n_; ++a) {
            for (std::int32_t b = 0; b < n_; ++b) {
                away_[std::int64_t(a) * n_ + b] = on.at.distance(a, b);
            }
        }
        std::int32_t const* next = answer + 1 + answer[0];
        stop_[size_++] = 0;
        for (std::int32_t r = 0; r < answer[0]; ++r) {
            for (std::int32_t k = 0; k < answer[1 + r]; ++k) {
                stop_[size_++] = *next++;
            }
            stop_[size_++] = 0;
        }
    }

    /// Descends, then repeats from the best routes after a few random reversals. Comparing a stop with all others costs
    /// one step, and one more for each hundred of them. Returns the answer's size.
    std::int64_t run(std::int64_t budget, std::int64_t& steps, std::int32_t* answer) {
        descend(budget, steps);
        std::copy(stop_, stop_ + size_, best_);
        std::int64_t least = length();
        draw_stream kicks(draw{}, 0);
        for (std::int32_t round = 0; round < rounds && steps < budget; ++round) {
            for (std::int32_t turned = 0, tried = 0; turned < 3 && tried < 20; ++tried) {
                std::int32_t const i = kicks.uniform(1, size_ - 2);
                std::int32_t const j = kicks.uniform(1, size_ - 2);
                turn(std::min(i, j), std::max(i, j));
                if (loads_fit()) {
                    ++turned;
                } else {
                    turn(std::min(i, j), std::max(i, j));
                }
            }
            descend(budget, steps);
            bool const better = length() < least;
            least = better ? length() : least;
            better ? std::copy(stop_, stop_ + size_, best_) : std::copy(best_, best_ + size_, stop_);
        }
        return write(answer);
    }

private:
    static constexpr std::int32_t rounds = 200;

    void descend(std::int64_t budget, std::int64_t& steps) {
        std::int64_t const cost = 1 + size_ / 100;
        std::int32_t i = 1;
        for (std::int32_t failed = 0; failed < size_ && steps + cost <= budget; ++failed) {
            steps += cost;
            failed = better_at(i) ? -1 : failed;
            i = i + 1 < size_ - 1 ? i + 1 : 1;
        }
    }
    [[nodiscard]] std::int64_t length() const {
        std::int64_t sum = 0;
        for (std::int32_t k = 1; k < size_; ++k) {
            sum += away(k - 1, k);
        }
        return sum;
    }
    std::int64_t write(std::int32_t* answer) const {
        std::int32_t routes = 0;
        for (std::int32_t k = 1; k < size_; ++k) {
            routes += stop_[k] == 0 && stop_[k - 1] != 0 ? 1 : 0;
        }
        answer[0] = routes;
        std::int32_t* next = answer + 1 + routes;
        std::int32_t row = 0;
        std::int32_t length = 0;
        for (std::int32_t k = 1; k < size_; ++k) {
            if (stop_[k] != 0) {
                *next++ = stop_[k];
                ++length;
            } else if (length > 0) {
                answer[++row] = length;
                length = 0;
            }
        }
        return next - answer;
    }
    [[nodiscard]] std::int32_t away(std::int32_t i, std::int32_t j) const {
        return away_[std::int64_t(stop_[i]) * n_ + stop_[j]];
    }
    [[nodiscard]] bool loads_fit() const {
        std::int64_t load = 0;
        for (std::int32_t k = 1; k < size_; ++k) {
            load = stop_[k] == 0 ? 0 : load + on_.amount[stop_[k]];
            if (load > on_.limit) {
                return false;
            }
        }
        return true;
    }
    void turn(std::int32_t i, std::int32_t j) { std::reverse(stop_ + i, stop_ + j + 1); }
    /// Moves stop i to place j; those between shift by one place.
    void move(std::int32_t i, std::int32_t j) {
        i < j ? std::rotate(stop_ + i, stop_ + i + 1, stop_ + j + 1) : std::rotate(stop_ + j, stop_ + i, stop_ + i + 1);
    }

    /// Makes one change that involves stop i.
    bool better_at(std::int32_t i) {
        for (std::int32_t j = i + 1; j + 1 < size_; ++j) {
            std::int32_t const now = away(i - 1, i) + away(j, j + 1);
            if (away(i - 1, j) + away(i, j + 1) < now) {
                turn(i, j);
                if (loads_fit()) {
                    return true;
                }
                turn(i, j);
            }
        }
        std::int32_t const around = away(i - 1, i) + away(i, i + 1);
        for (std::int32_t j = i + 2; j + 1 < size_; ++j) {
            if (away(i - 1, j) + away(j, i + 1) + away(j - 1, i) + away(i, j + 1) <
                around + away(j - 1, j) + away(j, j + 1)) {
                std::swap(stop_[i], stop_[j]);
                if (loads_fit()) {
                    return true;
                }
                std::swap(stop_[i], stop_[j]);
            }
        }
        std::int32_t const out = around - away(i - 1, i + 1);
        for (std::int32_t j = 1; j + 1 < size_; ++j) {
            std::int32_t const low = j < i ? j - 1 : j;
            if (j != i && away(low, i) + away(i, low + 1) - away(low, low + 1) < out) {
                move(i, j);
                if (loads_fit()) {
                    return true;
                }
                move(j, i);
            }
        }
        return false;
    }

    families::routes_view on_;
    std::int32_t n_;
    std::int32_t* away_;
    std::int32_t* stop_;
    std::int32_t* best_;
    std::int32_t size_ = 0;
};

}  // namespace tasks::vehicle_routing
OPTGAP_KERNELS_END
