#pragma once
// The cost of moving a job in an order of flow_shop, for all places at the cost of passing two jobs: for every place it
// is known when the jobs before are done and what those behind still need (Taillard 1990). The jobs that the moved job
// passes go through the machines once more.

#include <cstdint>

#include "kernels/families/order/order_moves.hpp"
#include "kernels/tasks/flow_shop/flow_shop_view.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::flow_shop {

/// All sums are those of n + m - 1 operations, so they fit words.
class longest_way {
public:
    OPTGAP_HD static std::int64_t words(words_view instance) {
        std::int64_t const n = instance[0];
        return (3 * n + 2) * instance[1];
    }
    OPTGAP_HD longest_way(words_view instance, std::int32_t* tables)
        : shop_(instance),
          before_(tables),
          after_(before_ + (std::int64_t(shop_.n) + 1) * shop_.m),
          passing_(after_ + (std::int64_t(shop_.n) + 1) * shop_.m) {}

    /// One lane works from the beginning, another from the end.
    template <class Team>
    OPTGAP_HD std::int64_t look(Team& team, std::int32_t const* order) const {
        team.each(2, [&](std::int64_t side) {
            std::int32_t const n = shop_.n;
            std::int32_t* const edge = side == 0 ? before(0) : after(n);
            for (std::int32_t k = 0; k < shop_.m; ++k) {
                edge[k] = 0;
            }
            for (std::int32_t i = 0; i < n; ++i) {
                if (side == 0) {
                    pass(order[i], before(i), before(i + 1));
                } else {
                    pass_back(order[n - 1 - i], after(n - i), after(n - 1 - i));
                }
            }
        });
        team.sync();
        return span();
    }
    template <class Offer>
    OPTGAP_HD void each_place(std::int32_t const* order, std::int32_t from, Offer const& offer) const {
        std::int32_t const job = order[from];
        std::int32_t* const passed = passing_ + std::int64_t(from) * shop_.m;
        std::int64_t const kept = span();
        for (std::int32_t to = from + 1; to < shop_.n; ++to) {
            pass(order[to], to == from + 1 ? before(from) : passed, passed);
            offer(to, through(job, passed, after(to + 1)) - kept);
        }
        for (std::int32_t to = from - 1; to >= 0; --to) {
            pass_back(order[to], to == from - 1 ? after(from + 1) : passed, passed);
            offer(to, through(job, before(to), passed) - kept);
        }
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return loss; }

private:
    /// For each machine, the time at which the first `count` jobs are done.
    [[nodiscard]] OPTGAP_HD std::int32_t* before(std::int64_t count) const { return before_ + count * shop_.m; }
    /// For each machine, the time that the jobs from `place` on need from their beginning there to the end of all.
    [[nodiscard]] OPTGAP_HD std::int32_t* after(std::int64_t place) const { return after_ + place * shop_.m; }

    [[nodiscard]] OPTGAP_HD std::int64_t span() const { return before(shop_.n)[shop_.m - 1]; }
    OPTGAP_HD void pass(std::int32_t job, std::int32_t const* free, std::int32_t* then) const {
        std::int32_t end = 0;
        for (std::int32_t k = 0; k < shop_.m; ++k) {
            end = (end > free[k] ? end : free[k]) + shop_(job, k);
            then[k] = end;
        }
    }
    OPTGAP_HD void pass_back(std::int32_t job, std::int32_t const* free, std::int32_t* then) const {
        std::int32_t end = 0;
        for (std::int32_t k = shop_.m - 1; k >= 0; --k) {
            end = (end > free[k] ? end : free[k]) + shop_(job, k);
            then[k] = end;
        }
    }
    /// The longest path with the job between the jobs done and those to come.
    [[nodiscard]] OPTGAP_HD std::int64_t through(std::int32_t job, std::int32_t const* done,
                                                 std::int32_t const* to_come) const {
        std::int32_t end = 0;
        std::int32_t longest = 0;
        for (std::int32_t k = 0; k < shop_.m; ++k) {
            end = (end > done[k] ? end : done[k]) + shop_(job, k);
            longest = end + to_come[k] > longest ? end + to_come[k] : longest;
        }
        return longest;
    }

    shop_view shop_;
    std::int32_t* before_;
    std::int32_t* after_;
    std::int32_t* passing_;  ///< a row of machines for each place from which a job is taken
};

}  // namespace tasks::flow_shop
OPTGAP_KERNELS_END
