#pragma once
// The bound of flow_shop: for each pair of machines the best order of the open jobs on them, when the machines between
// take any number of jobs at once (Lageweg, Lenstra and Rinnooy Kan 1978). Such a job is late between the two by a lag,
// and Johnson's rule (1954) on the times with their lags gives that order (Mitten 1959).

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/words.hpp"
#include "kernels/search/sequence_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::flow_shop {

struct shop_view {
    std::int32_t n;
    std::int32_t m;
    std::int32_t const* times;

    OPTGAP_HD explicit shop_view(words_view instance) : n(instance[0]), m(instance[1]), times(instance.data + 2) {}

    OPTGAP_HD std::int32_t operator()(std::int64_t job, std::int32_t machine) const { return times[job * m + machine]; }

    /// Of any order: a machine's times, after the least way to it and before the least way from it.
    [[nodiscard]] std::int64_t busiest() const {
        std::int64_t most = 0;
        for (std::int32_t k = 0; k < m; ++k) {
            std::int64_t all = 0;
            std::int64_t before = INT64_MAX;
            std::int64_t after = INT64_MAX;
            for (std::int32_t j = 0; j < n; ++j) {
                std::int64_t head = 0;
                std::int64_t tail = 0;
                for (std::int32_t i = 0; i < m; ++i) {
                    head += i < k ? (*this)(j, i) : 0;
                    tail += i > k ? (*this)(j, i) : 0;
                }
                all += (*this)(j, k);
                before = head < before ? head : before;
                after = tail < after ? tail : after;
            }
            most = before + all + after > most ? before + all + after : most;
        }
        return most;
    }
};

/// A node's state: the set of jobs to come, then when each machine is free.
class two_machines_rule {
public:
    static bool fits(words_view instance) { return instance[0] <= 64 && instance[1] <= 20; }
    static std::int64_t words(words_view instance) {
        std::int64_t const n = instance[0];
        std::int64_t const m = instance[1];
        return 2 * n * (m + 1) + n * (m * (m - 1) / 2);
    }
    static search::sequence_shape shape(words_view instance) {
        return {instance[0], instance[0], 1 + std::int64_t(instance[1])};
    }

    two_machines_rule(words_view instance, std::int32_t* scratch)
        : shop_(instance),
          before_(reinterpret_cast<std::int64_t*>(scratch)),
          johnson_(scratch + 2 * std::int64_t(shop_.n) * (shop_.m + 1)) {
        for (std::int32_t j = 0; j < shop_.n; ++j) {
            std::int64_t* const sums = before_ + std::int64_t(j) * (shop_.m + 1);
            sums[0] = 0;
            for (std::int32_t k = 0; k < shop_.m; ++k) {
                sums[k + 1] = sums[k] + shop_(j, k);
            }
        }
        std::int32_t* order = johnson_;
        for (std::int32_t u = 0; u < shop_.m; ++u) {
            for (std::int32_t v = u + 1; v < shop_.m; ++v, order += shop_.n) {
                sort(u, v, order);
            }
        }
    }

    /// A step is some 16,000 operations.
    [[nodiscard]] std::int64_t node_steps() const {
        return 1 + std::int64_t(shop_.n) * shop_.n * shop_.m * (shop_.m - 1) / 2 / 16'384;
    }
    std::int64_t begin(std::int64_t* state) const {
        state[0] = std::int64_t(first_bits(shop_.n));
        for (std::int32_t k = 0; k < shop_.m; ++k) {
            std::int64_t least = INT64_MAX;  // no job comes sooner
            for (std::int32_t j = 0; j < shop_.n; ++j) {
                least = sum(j, 0, k) < least ? sum(j, 0, k) : least;
            }
            state[1 + k] = least;
        }
        std::int64_t const bound = rest(state);
        for (std::int32_t k = 0; k < shop_.m; ++k) {
            state[1 + k] = 0;
        }
        return bound;
    }
    template <class Offer>
    void choices(std::int64_t const* state, Offer const& offer) const {
        for (auto left = std::uint64_t(state[0]); left != 0; left &= left - 1) {
            offer(lowest(left));
        }
    }
    search::sequence_value extend(std::int64_t const* state, std::int32_t j, std::int64_t* next) const {
        next[0] = std::int64_t(std::uint64_t(state[0]) & ~bit(j));
        std::int64_t end = 0;
        std::int64_t ends = 0;
        for (std::int32_t k = 0; k < shop_.m; ++k) {
            end = (end > state[1 + k] ? end : state[1 + k]) + shop_(j, k);
            next[1 + k] = end;
            ends += end;
        }
        return {next[0] == 0 ? end : rest(next), ends};
    }

private:
    /// Of the job's times on machines from … to-1.
    [[nodiscard]] std::int64_t sum(std::int32_t j, std::int32_t from, std::int32_t to) const {
        std::int64_t const* const sums = before_ + std::int64_t(j) * (shop_.m + 1);
        return sums[to] - sums[from];
    }

    /// Johnson's order of all jobs on u and v, ties by index: by first time where that is the lesser one, then by falling
    /// second time.
    void sort(std::int32_t u, std::int32_t v, std::int32_t* order) const {
        auto const first = [&](std::int32_t j) { return sum(j, u, v); };
        auto const second = [&](std::int32_t j) { return sum(j, u + 1, v + 1); };
        auto const sooner = [&](std::int32_t a, std::int32_t b) {
            bool const a_grows = first(a) < second(a);
            bool const b_grows = first(b) < second(b);
            return a_grows != b_grows ? a_grows : a_grows ? first(a) < first(b) : second(a) > second(b);
        };
        for (std::int32_t j = 0; j < shop_.n; ++j) {
            std::int32_t at = j;
            for (; at > 0 && sooner(j, order[at - 1]); --at) {
                order[at] = order[at - 1];
            }
            order[at] = j;
        }
    }

    /// When all are done at the soonest, with machines free from these times on. A machine is no sooner free for the open
    /// jobs than one of them can come to it.
    [[nodiscard]] std::int64_t rest(std::int64_t const* state) const {
        auto const left = std::uint64_t(state[0]);
        std::int64_t const* const free = state + 1;
        std::int64_t most = 0;
        for (std::int32_t k = 0; shop_.m == 1 && k < shop_.n; ++k) {
            most += (left & bit(k)) != 0 ? shop_(k, 0) : 0;
        }
        most += shop_.m == 1 ? free[0] : 0;
        std::int32_t const* order = johnson_;
        for (std::int32_t u = 0; u < shop_.m; ++u) {
            for (std::int32_t v = u + 1; v < shop_.m; ++v, order += shop_.n) {
                std::int64_t now = free[u];
                std::int64_t end = free[v];
                std::int64_t after = INT64_MAX;
                for (std::int32_t k = 0; k < shop_.n; ++k) {
                    std::int32_t const j = order[k];
                    if ((left & bit(j)) != 0) {
                        now += shop_(j, u);
                        std::int64_t const come = now + sum(j, u + 1, v);
                        end = (end > come ? end : come) + shop_(j, v);
                        std::int64_t const tail = sum(j, v + 1, shop_.m);
                        after = tail < after ? tail : after;
                    }
                }
                most = end + after > most ? end + after : most;
            }
        }
        return most;
    }

    shop_view shop_;
    std::int64_t* before_;   ///< of each job: its times on machines before k
    std::int32_t* johnson_;  ///< an order of all jobs for each pair of machines
};

}  // namespace tasks::flow_shop
OPTGAP_KERNELS_END
