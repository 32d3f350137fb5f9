#pragma once
// The cost of moving a job in an order of weighted_tardiness: the jobs that it passes end earlier or later by its time.

#include <cstdint>

#include "kernels/families/order/order_moves.hpp"
#include "kernels/tasks/weighted_tardiness/weighted_tardiness_rule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::weighted_tardiness {

class passed_jobs {
public:
    OPTGAP_HD static constexpr std::int64_t words(words_view) { return 0; }
    OPTGAP_HD passed_jobs(words_view instance, std::int32_t*) : jobs_(instance) {}

    /// Every lane walks the order, as in the verifier.
    template <class Team>
    OPTGAP_HD std::int64_t look(Team&, std::int32_t const* order) const {
        std::int64_t now = 0;
        std::int64_t total = 0;
        for (std::int32_t i = 0; i < jobs_.n; ++i) {
            now += jobs_.time[order[i]];
            total += jobs_.lateness_cost(order[i], now);
        }
        return total;
    }
    template <class Offer>
    OPTGAP_HD void each_place(std::int32_t const* order, std::int32_t from, Offer const& offer) const {
        std::int64_t begin = 0;
        for (std::int32_t i = 0; i < from; ++i) {
            begin += jobs_.time[order[i]];
        }
        std::int32_t const job = order[from];
        std::int64_t const time = jobs_.time[job];
        std::int64_t const kept = jobs_.lateness_cost(job, begin + time);
        std::int64_t passed = 0;
        std::int64_t end = begin + time;
        for (std::int32_t to = from + 1; to < jobs_.n; ++to) {
            std::int32_t const other = order[to];
            end += jobs_.time[other];
            passed += jobs_.lateness_cost(other, end - time) - jobs_.lateness_cost(other, end);
            offer(to, passed + jobs_.lateness_cost(job, end) - kept);
        }
        passed = 0;
        end = begin;
        for (std::int32_t to = from - 1; to >= 0; --to) {
            std::int32_t const other = order[to];
            passed += jobs_.lateness_cost(other, end + time) - jobs_.lateness_cost(other, end);
            end -= jobs_.time[other];
            offer(to, passed + jobs_.lateness_cost(job, end + time) - kept);
        }
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return loss; }

private:
    jobs_view jobs_;
};

}  // namespace tasks::weighted_tardiness
OPTGAP_KERNELS_END
