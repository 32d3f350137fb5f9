#pragma once
// The bound of flow_shop. For each pair of machines it is the best order of the open jobs on them, if the machines
// between take any number of jobs at once (Lageweg, Lenstra and Rinnooy Kan 1978). A job has a lag between the two, and
// Johnson's rule (1954) on the times with their lags gives the best order (Mitten 1959). A job is fixed at the front of
// the open ones or at their back, on the side whose children have the higher bounds (Potts 1980; Gmys, Mezmaz, Melab
// and Tuyttens 2020). The choice does not depend on the limit, so a better start skips nodes and changes nothing else.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/search/sequence_search.hpp"
#include "kernels/tasks/flow_shop/flow_shop_view.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::flow_shop {

/// A node's state: the set of open jobs, and for each machine the earliest time at which the front is done, and the
/// time that the back still needs from there on. Choice j puts job j to the front, n + j to the back.
class two_ends_rule {
public:
    static bool fits(words_view instance) { return instance[0] <= 64 && instance[1] <= 20; }
    static std::int64_t words(words_view instance) {
        std::int64_t const n = instance[0];
        std::int64_t const m = instance[1];
        return 2 * (1 + 2 * m) + 4 * n * pairs(instance);
    }
    static search::sequence_shape shape(words_view instance) {
        return {instance[0], instance[0], 1 + 2 * std::int64_t(instance[1])};
    }

    two_ends_rule(words_view instance, std::int32_t* scratch)
        : shop_(instance),
          trial_(reinterpret_cast<std::int64_t*>(scratch)),
          johnson_(reinterpret_cast<on_two*>(trial_ + 1 + 2 * std::int64_t(shop_.m))) {
        on_two* order = johnson_;
        for (std::int32_t u = 0; u < shop_.m; ++u) {
            for (std::int32_t v = u + 1; v < shop_.m; ++v, order += shop_.n) {
                sort(u, v, order);
            }
        }
    }

    /// A step takes at most some ten microseconds.
    [[nodiscard]] std::int64_t node_steps() const {
        return 1 + std::int64_t(shop_.n) * shop_.n * shop_.m * (shop_.m - 1) / 8'192;
    }
    std::int64_t begin(std::int64_t* state) const {
        state[0] = std::int64_t(first_bits(shop_.n));
        for (std::int32_t k = 0; k < shop_.m; ++k) {
            std::int64_t before = INT64_MAX;  // no job comes earlier
            std::int64_t after = INT64_MAX;
            for (std::int32_t j = 0; j < shop_.n; ++j) {
                std::int64_t const head = sum(j, 0, k);
                std::int64_t const tail = sum(j, k + 1, shop_.m);
                before = head < before ? head : before;
                after = tail < after ? tail : after;
            }
            state[1 + k] = before;
            state[1 + shop_.m + k] = after;
        }
        return rest(state);
    }
    template <class Offer>
    void choices(std::int64_t const* state, Offer const& offer) const {
        auto const open = std::uint64_t(state[0]);
        std::int64_t lead = 0;
        for (std::uint64_t left = open; left != 0; left &= left - 1) {
            std::int32_t const j = lowest(left);
            lead += extend(state, shop_.n + j, trial_).bound - extend(state, j, trial_).bound;
        }
        for (std::uint64_t left = open; left != 0; left &= left - 1) {
            offer(lowest(left) + (lead > 0 ? shop_.n : 0));
        }
    }
    search::sequence_value extend(std::int64_t const* state, std::int32_t choice, std::int64_t* next) const {
        std::int32_t const m = shop_.m;
        bool const back = choice >= shop_.n;
        std::int32_t const j = back ? choice - shop_.n : choice;
        for (std::int32_t k = 1; k <= 2 * m; ++k) {
            next[k] = state[k];
        }
        next[0] = std::int64_t(std::uint64_t(state[0]) & ~bit(j));
        if (back) {
            shop_.pass_back(j, next + 1 + m);
        } else {
            shop_.pass(j, next + 1);
        }
        std::int64_t idle = 0;
        for (std::int32_t k = 1; k <= 2 * m; ++k) {
            idle += next[k];
        }
        return {rest(next), idle};
    }

private:
    /// A job on a pair of machines, in Johnson's order.
    struct on_two {
        std::int32_t job;
        std::int32_t first;
        std::int32_t lag;
        std::int32_t second;
    };

    static std::int64_t pairs(words_view instance) { return std::int64_t(instance[1]) * (instance[1] - 1) / 2; }

    /// The sum of the job's times on machines from … to-1.
    [[nodiscard]] std::int32_t sum(std::int32_t j, std::int32_t from, std::int32_t to) const {
        std::int32_t all = 0;
        for (std::int32_t k = from; k < to; ++k) {
            all += shop_(j, k);
        }
        return all;
    }

    /// Ties by index. Jobs whose first time with lag is the lesser one come first, by rising first time; the others by
    /// falling second time, each with lag.
    void sort(std::int32_t u, std::int32_t v, on_two* order) const {
        auto const sooner = [](on_two const& a, on_two const& b) {
            bool const a_grows = a.first < a.second;
            bool const b_grows = b.first < b.second;
            return a_grows != b_grows ? a_grows
                   : a_grows          ? a.first + a.lag < b.first + b.lag
                                      : a.lag + a.second > b.lag + b.second;
        };
        for (std::int32_t j = 0; j < shop_.n; ++j) {
            on_two const own{j, shop_(j, u), sum(j, u + 1, v), shop_(j, v)};
            std::int32_t at = j;
            for (; at > 0 && sooner(own, order[at - 1]); --at) {
                order[at] = order[at - 1];
            }
            order[at] = own;
        }
    }

    /// The earliest time at which all is done; the end itself if no job is open.
    [[nodiscard]] std::int64_t rest(std::int64_t const* state) const {
        auto const open = std::uint64_t(state[0]);
        std::int64_t const* const front = state + 1;
        std::int64_t const* const back = front + shop_.m;
        std::int64_t most = 0;
        for (std::int32_t k = 0; k < shop_.m; ++k) {
            std::int64_t through = front[k] + back[k];
            for (std::uint64_t left = shop_.m == 1 ? open : 0; left != 0; left &= left - 1) {
                through += shop_(lowest(left), 0);
            }
            most = through > most ? through : most;
        }
        on_two const* order = johnson_;
        for (std::int32_t u = 0; u < shop_.m && open != 0; ++u) {
            for (std::int32_t v = u + 1; v < shop_.m; ++v, order += shop_.n) {
                std::int64_t now = front[u];
                std::int64_t end = front[v];
                for (std::int32_t i = 0; i < shop_.n; ++i) {
                    on_two const& own = order[i];
                    if ((open & bit(own.job)) != 0) {
                        now += own.first;
                        end = (end > now + own.lag ? end : now + own.lag) + own.second;
                    }
                }
                std::int64_t const first = now + back[u];
                std::int64_t const second = end + back[v];
                most = first > most ? first : most;
                most = second > most ? second : most;
            }
        }
        return most;
    }

    shop_view shop_;
    std::int64_t* trial_;  ///< a child's state
    on_two* johnson_;      ///< all jobs in Johnson's order, for each pair of machines
};

}  // namespace tasks::flow_shop
OPTGAP_KERNELS_END
