#pragma once
// The proof of job_shop: branch and bound over active schedules. Among the operations that could come next, the one
// that would end first determines a machine, and one of those that could begin there before that end comes next
// (Giffler and Thompson 1960). The bound is, for each machine, the best schedule of its remaining operations if they
// may be interrupted, between the times that lead to an operation and those that follow it, with the longest tail first
// (Jackson 1955; Carlier 1982).

#include <cstdint>

#include "kernels/search/sequence_search.hpp"
#include "kernels/tasks/job_shop/job_shop_view.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::job_shop {

/// A node's state: for each machine when it is free, for each job when it is ready and which operation comes next.
class active_rule {
public:
    static bool fits(words_view instance) {
        shop_view const shop(instance);
        return shop.jobs <= 32 && shop.operations() <= 400;
    }
    static std::int64_t words(words_view instance) {
        shop_view const shop(instance);
        return 8 * std::int64_t(shop.operations()) + shop.machines + 1;
    }
    static search::sequence_shape shape(words_view instance) {
        shop_view const shop(instance);
        return {shop.operations(), shop.jobs, shop.machines + 2 * std::int64_t(shop.jobs)};
    }

    active_rule(words_view instance, std::int32_t* scratch)
        : shop_(instance),
          head_(reinterpret_cast<std::int64_t*>(scratch)),
          tail_(head_ + shop_.operations()),
          left_(tail_ + shop_.operations()),
          by_machine_(reinterpret_cast<std::int32_t*>(left_ + shop_.operations())),
          line_(by_machine_ + shop_.operations()),
          first_(line_ + shop_.operations()) {
        std::int32_t count = 0;
        for (std::int32_t machine = 0; machine < shop_.machines; ++machine) {
            first_[machine] = count;
            for (std::int32_t i = 0; i < shop_.operations(); ++i) {
                if (shop_.machine[i] == machine) {
                    by_machine_[count++] = i;
                }
            }
        }
        first_[shop_.machines] = count;
        for (std::int32_t i = shop_.operations() - 1; i >= 0; --i) {
            tail_[i] = (i + 1) % shop_.stages == 0 ? 0 : tail_[i + 1] + shop_.time[i + 1];
        }
    }

    /// A step takes at most some microseconds.
    [[nodiscard]] std::int64_t node_steps() const {
        return 1 + std::int64_t(shop_.jobs) * shop_.jobs * shop_.operations() / 16'384;
    }
    std::int64_t begin(std::int64_t* state) const {
        for (std::int32_t i = 0; i < shop_.machines + 2 * shop_.jobs; ++i) {
            state[i] = 0;
        }
        return rest(state);
    }
    template <class Offer>
    void choices(std::int64_t const* state, Offer const& offer) const {
        std::int64_t soonest = INT64_MAX;
        std::int32_t machine = 0;
        for (std::int32_t j = 0; j < shop_.jobs; ++j) {
            if (stage(state, j) < shop_.stages) {
                std::int32_t const own = next(state, j);
                if (start(state, j) + shop_.time[own] < soonest) {
                    soonest = start(state, j) + shop_.time[own];
                    machine = shop_.machine[own];
                }
            }
        }
        for (std::int32_t j = 0; j < shop_.jobs; ++j) {
            if (stage(state, j) < shop_.stages && shop_.machine[next(state, j)] == machine &&
                start(state, j) < soonest) {
                offer(j);
            }
        }
    }
    search::sequence_value extend(std::int64_t const* state, std::int32_t j, std::int64_t* after) const {
        for (std::int32_t i = 0; i < shop_.machines + 2 * shop_.jobs; ++i) {
            after[i] = state[i];
        }
        std::int32_t const own = next(state, j);
        std::int64_t const begin = start(state, j);
        after[shop_.machine[own]] = after[shop_.machines + j] = begin + shop_.time[own];
        ++after[shop_.machines + shop_.jobs + j];
        return {rest(after), begin - tail_[own]};
    }

private:
    [[nodiscard]] std::int64_t stage(std::int64_t const* state, std::int32_t j) const {
        return state[shop_.machines + shop_.jobs + j];
    }
    [[nodiscard]] std::int32_t next(std::int64_t const* state, std::int32_t j) const {
        return j * shop_.stages + std::int32_t(stage(state, j));
    }
    [[nodiscard]] std::int64_t start(std::int64_t const* state, std::int32_t j) const {
        std::int64_t const free = state[shop_.machine[next(state, j)]];
        std::int64_t const ready = state[shop_.machines + j];
        return free > ready ? free : ready;
    }

    /// The earliest time at which all is done; the end itself if everything is scheduled.
    [[nodiscard]] std::int64_t rest(std::int64_t const* state) const {
        std::int64_t most = 0;
        for (std::int32_t j = 0; j < shop_.jobs; ++j) {
            std::int64_t now = state[shop_.machines + j];
            for (std::int32_t i = j * shop_.stages; i < (j + 1) * shop_.stages; ++i) {
                if (i < next(state, j)) {
                    head_[i] = -1;
                } else {
                    std::int64_t const free = state[shop_.machine[i]];
                    head_[i] = free > now ? free : now;
                    now = head_[i] + shop_.time[i];
                }
            }
            most = now > most ? now : most;
        }
        for (std::int32_t machine = 0; machine < shop_.machines; ++machine) {
            std::int64_t const end = interrupted(machine);
            most = end > most ? end : most;
        }
        return most;
    }

    /// The least end of a machine's remaining operations, tails included, if they may be interrupted.
    [[nodiscard]] std::int64_t interrupted(std::int32_t machine) const {
        std::int32_t count = 0;  // by falling tail, so that the first available one is processed
        for (std::int32_t at = first_[machine]; at < first_[machine + 1]; ++at) {
            std::int32_t const i = by_machine_[at];
            if (head_[i] >= 0) {
                std::int32_t to = count++;
                for (; to > 0 && tail_[line_[to - 1]] < tail_[i]; --to) {
                    line_[to] = line_[to - 1];
                }
                line_[to] = i;
                left_[i] = shop_.time[i];
            }
        }
        std::int64_t most = 0;
        std::int64_t now = 0;
        while (count > 0) {
            std::int32_t at = 0;
            std::int64_t come = INT64_MAX;  // the next head with a longer tail, or of all
            for (; at < count && head_[line_[at]] > now; ++at) {
                come = head_[line_[at]] < come ? head_[line_[at]] : come;
            }
            if (at == count) {
                now = come;
                continue;
            }
            std::int32_t const own = line_[at];
            std::int64_t const done = now + left_[own];
            if (done > come) {
                left_[own] -= come - now;
                now = come;
                continue;
            }
            now = done;
            most = done + tail_[own] > most ? done + tail_[own] : most;
            --count;
            for (; at < count; ++at) {
                line_[at] = line_[at + 1];
            }
        }
        return most;
    }

    shop_view shop_;
    std::int64_t* head_;  ///< for each remaining operation: the earliest time at which it can begin; -1 for the others
    std::int64_t* tail_;  ///< for each operation: the times of its job after it
    std::int64_t* left_;  ///< remaining part of its time
    std::int32_t* by_machine_;
    std::int32_t* line_;
    std::int32_t* first_;  ///< for each machine: its first entry in by_machine_
};

}  // namespace tasks::job_shop
OPTGAP_KERNELS_END
