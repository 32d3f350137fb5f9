#pragma once
// Times of flow_shop's jobs, and the effect of moving one job in an order.

#include <cstdint>

#include "kernels/core/words.hpp"
#include "kernels/search/insertion_walk.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::flow_shop {

struct shop_view {
    std::int32_t n;
    std::int32_t m;
    std::int32_t const* times;

    OPTGAP_HD explicit shop_view(words_view instance) : n(instance[0]), m(instance[1]), times(instance.data + 2) {}

    OPTGAP_HD std::int32_t operator()(std::int64_t job, std::int32_t machine) const { return times[job * m + machine]; }

    /// For any order: a machine's times, plus the least way to it and the least way from it.
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
    /// The job passes all machines; free[k] is the time when machine k is done with the jobs before, and then with this
    /// one.
    void pass(std::int32_t job, std::int64_t* free) const {
        std::int64_t end = 0;
        for (std::int32_t k = 0; k < m; ++k) {
            end = (end > free[k] ? end : free[k]) + (*this)(job, k);
            free[k] = end;
        }
    }
    /// The same from the end of all work back to its beginning.
    void pass_back(std::int32_t job, std::int64_t* free) const {
        std::int64_t end = 0;
        for (std::int32_t k = m - 1; k >= 0; --k) {
            end = (end > free[k] ? end : free[k]) + (*this)(job, k);
            free[k] = end;
        }
    }
};

/// All places of one job at the cost of a few whole orders, from what is done before a place and what is left after it
/// (Taillard 1990).
class shop_moves {
public:
    static std::int64_t words(words_view instance) {
        return 2 * std::int64_t(instance[1]) * (std::int64_t(instance[0]) + 2);
    }

    shop_moves(words_view instance, std::int32_t* scratch)
        : shop_(instance),
          after_(reinterpret_cast<std::int64_t*>(scratch)),
          before_(after_ + std::int64_t(shop_.n) * shop_.m),
          here_(before_ + shop_.m) {}

    search::order_move best_move(std::int32_t const* order, std::int32_t n, std::int32_t from) const {
        std::int32_t const m = shop_.m;
        std::int64_t* row = after_ + std::int64_t(n - 1) * m;
        for (std::int32_t k = 0; k < m; ++k) {
            row[k] = before_[k] = 0;
        }
        for (std::int32_t i = n - 1; i >= 0; --i) {
            if (i != from) {
                for (std::int32_t k = 0; k < m; ++k) {
                    row[k - m] = row[k];
                }
                row -= m;
                shop_.pass_back(order[i], row);
            }
        }
        search::order_move best{INT64_MAX, from};
        std::int64_t kept = 0;
        for (std::int32_t i = 0, place = 0; place < n; ++place, ++i) {
            for (std::int32_t k = 0; k < m; ++k) {
                here_[k] = before_[k];
            }
            shop_.pass(order[from], here_);
            std::int64_t span = 0;
            for (std::int32_t k = 0; k < m; ++k) {
                std::int64_t const through = here_[k] + after_[std::int64_t(place) * m + k];
                span = through > span ? through : span;
            }
            kept = place == from ? span : kept;
            best = span < best.change ? search::order_move{span, place} : best;
            i += i == from ? 1 : 0;
            if (i < n) {
                shop_.pass(order[i], before_);
            }
        }
        best.change -= kept;
        return best;
    }

private:
    shop_view shop_;
    std::int64_t* after_;   ///< by place: the time that the other jobs from there on need from each machine's beginning
    std::int64_t* before_;  ///< time at which the jobs before the place are done
    std::int64_t* here_;    ///< and the job after them
};

}  // namespace tasks::flow_shop
OPTGAP_KERNELS_END
