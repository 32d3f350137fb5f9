#pragma once
// The bound of weighted_tardiness. For any prices 0 <= price(j) <= weight(j), an order costs at least the sum of
// price(j) * (end(j) - due(j)), which is least by falling price per time (Smith 1956). The prices are improved on the
// whole set of jobs by steps up for late jobs and down for early ones, as Lagrange multipliers (Fisher 1976).

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/words.hpp"
#include "kernels/search/insertion_walk.hpp"
#include "kernels/search/sequence_search.hpp"
#include "kernels/search/subset_order.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::weighted_tardiness {

struct jobs_view {
    std::int32_t n;
    std::int32_t const* time;
    std::int32_t const* weight;
    std::int32_t const* due;

    OPTGAP_HD explicit jobs_view(words_view instance)
        : n(instance[0]), time(instance.data + 1), weight(time + n), due(weight + n) {}

    OPTGAP_HD std::int64_t lateness_cost(std::int32_t i, std::int64_t end) const {
        return end > due[i] ? weight[i] * (end - due[i]) : 0;
    }
};

/// A node's state: the set of jobs to come, the time, the cost of the jobs before, the last job and its start.
class late_rule {
public:
    static bool fits(words_view instance) { return instance[0] <= 64; }
    static std::int64_t words(words_view instance) { return 5 * std::int64_t(instance[0]); }
    static search::sequence_shape shape(words_view instance) { return {instance[0], instance[0], 5}; }

    late_rule(words_view instance, std::int32_t* scratch)
        : jobs_(instance),
          price_(reinterpret_cast<std::int64_t*>(scratch)),
          trial_(price_ + jobs_.n),
          by_price_(reinterpret_cast<std::int32_t*>(trial_ + jobs_.n)) {
        raise_prices();
    }

    [[nodiscard]] std::int64_t node_steps() const { return 1; }
    std::int64_t begin(std::int64_t* state) const {
        state[0] = std::int64_t(first_bits(jobs_.n));
        state[1] = state[2] = 0;
        state[3] = -1;
        state[4] = 0;
        return rest(first_bits(jobs_.n), 0);
    }
    /// A job does not come next if swapping it with the one before would be better.
    template <class Offer>
    void choices(std::int64_t const* state, Offer const& offer) const {
        auto const last = std::int32_t(state[3]);
        for (auto left = std::uint64_t(state[0]); left != 0; left &= left - 1) {
            std::int32_t const j = lowest(left);
            if (last >= 0) {
                std::int64_t const end = state[1] + jobs_.time[j];
                std::int64_t const kept = jobs_.lateness_cost(last, state[1]) + jobs_.lateness_cost(j, end);
                std::int64_t const changed =
                    jobs_.lateness_cost(j, state[4] + jobs_.time[j]) + jobs_.lateness_cost(last, end);
                if (changed < kept || (changed == kept && j < last)) {
                    continue;
                }
            }
            offer(j);
        }
    }
    search::sequence_value extend(std::int64_t const* state, std::int32_t j, std::int64_t* next) const {
        std::uint64_t const left = std::uint64_t(state[0]) & ~bit(j);
        next[0] = std::int64_t(left);
        next[1] = state[1] + jobs_.time[j];
        next[2] = state[2] + jobs_.lateness_cost(j, next[1]);
        next[3] = j;
        next[4] = state[1];
        return {next[2] + rest(left, next[1]), jobs_.due[j]};
    }

private:
    static constexpr std::int64_t unit = 16;  ///< prices are in units of 1 / unit of a weight
    static constexpr std::int32_t rounds = 64;

    /// A lower bound on the cost of the jobs in `left` from `now` on.
    [[nodiscard]] std::int64_t rest(std::uint64_t left, std::int64_t now) const {
        std::int64_t priced = 0;
        std::int64_t alone = 0;
        std::int64_t end = now;
        for (std::int32_t k = 0; k < jobs_.n; ++k) {
            std::int32_t const j = by_price_[k];
            if ((left & bit(j)) != 0) {
                end += jobs_.time[j];
                priced += price_[j] * (end - jobs_.due[j]);
                alone += jobs_.lateness_cost(j, now + jobs_.time[j]);
            }
        }
        std::int64_t const paid = priced > 0 ? (priced + unit - 1) / unit : 0;
        return paid > alone ? paid : alone;
    }
    /// Sorts by_price_ for these prices, ties by index.
    void sort(std::int64_t const* price) {
        for (std::int32_t i = 0; i < jobs_.n; ++i) {
            std::int32_t at = i;
            for (; at > 0 && price[by_price_[at - 1]] * jobs_.time[i] < price[i] * jobs_.time[by_price_[at - 1]];
                 --at) {
                by_price_[at] = by_price_[at - 1];
            }
            by_price_[at] = i;
        }
    }
    void raise_prices() {
        for (std::int32_t i = 0; i < jobs_.n; ++i) {
            price_[i] = trial_[i] = unit * jobs_.weight[i];
        }
        std::int64_t best = INT64_MIN;
        for (std::int32_t round = 0; round < rounds; ++round) {
            sort(trial_);
            std::int64_t total = 0;
            std::int64_t end = 0;
            for (std::int32_t k = 0; k < jobs_.n; ++k) {
                std::int32_t const j = by_price_[k];
                end += jobs_.time[j];
                total += trial_[j] * (end - jobs_.due[j]);
            }
            if (total > best) {
                best = total;
                for (std::int32_t i = 0; i < jobs_.n; ++i) {
                    price_[i] = trial_[i];
                }
            }
            end = 0;
            for (std::int32_t k = 0; k < jobs_.n; ++k) {
                std::int32_t const j = by_price_[k];
                end += jobs_.time[j];
                std::int64_t const whole = unit * jobs_.weight[j];
                std::int64_t const move = whole / (4 + round) + 1;
                std::int64_t const moved = trial_[j] + (end > jobs_.due[j] ? move : end < jobs_.due[j] ? -move : 0);
                trial_[j] = moved < 0 ? 0 : moved > whole ? whole : moved;
            }
        }
        sort(price_);
    }

    jobs_view jobs_;
    std::int64_t* price_;
    std::int64_t* trial_;
    std::int32_t* by_price_;
};

/// Moves of one job. Wherever it goes, the jobs before it end as they would without it, and those after it later by its
/// time.
class late_moves {
public:
    static std::int64_t words(words_view instance) { return 2 * (1 + std::int64_t(instance[0])); }

    late_moves(words_view instance, std::int32_t* scratch)
        : jobs_(instance), after_(reinterpret_cast<std::int64_t*>(scratch)) {}

    search::order_move best_move(std::int32_t const* order, std::int32_t n, std::int32_t from) const {
        std::int32_t const moved = order[from];
        std::int64_t const time = jobs_.time[moved];
        std::int64_t end = -time;
        for (std::int32_t i = 0; i < n; ++i) {
            end += jobs_.time[order[i]];
        }
        // after_[place]: the cost of the other jobs from there on, all of them later by the job's time
        after_[n - 1] = 0;
        for (std::int32_t i = n - 1, place = n - 2; i >= 0; --i) {
            if (i != from) {
                after_[place] = after_[place + 1] + jobs_.lateness_cost(order[i], end + time);
                end -= jobs_.time[order[i]];
                --place;
            }
        }
        std::int64_t before = 0;
        std::int64_t kept = 0;
        std::int64_t best = INT64_MAX;
        std::int32_t at = from;
        for (std::int32_t i = 0, place = 0; place < n; ++place, ++i) {
            std::int64_t const cost = before + jobs_.lateness_cost(moved, end + time) + after_[place];
            kept = place == from ? cost : kept;
            if (cost < best) {
                best = cost;
                at = place;
            }
            i += i == from ? 1 : 0;
            if (i < n) {
                end += jobs_.time[order[i]];
                before += jobs_.lateness_cost(order[i], end);
            }
        }
        return {best - kept, at};
    }

private:
    jobs_view jobs_;
    std::int64_t* after_;
};

/// The cost of a job as the last of its set: the times of the set determine when it ends.
class late_sets {
public:
    static std::int64_t words() { return search::subset_sums::words(); }

    late_sets(words_view instance, std::int32_t* scratch)
        : jobs_(instance), ends_(jobs_.n, scratch, [&](std::int32_t i) { return jobs_.time[i]; }) {}

    [[nodiscard]] std::int64_t last(std::uint32_t set, std::int32_t i) const {
        return jobs_.lateness_cost(i, ends_.total(set));
    }

private:
    jobs_view jobs_;
    search::subset_sums ends_;
};

}  // namespace tasks::weighted_tardiness
OPTGAP_KERNELS_END
