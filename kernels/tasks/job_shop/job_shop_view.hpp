#pragma once
// Operations of job_shop's jobs, the schedule of a list of jobs, and the effect of moving one of its entries.

#include <cstdint>

#include "kernels/core/words.hpp"
#include "kernels/search/insertion_walk.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::job_shop {

/// An operation is job * stages + stage.
struct shop_view {
    std::int32_t machines;
    std::int32_t jobs;
    std::int32_t stages;
    std::int32_t const* machine;  ///< of each operation
    std::int32_t const* time;

    OPTGAP_HD explicit shop_view(words_view instance)
        : machines(instance[0]),
          jobs(instance[1]),
          stages(instance[2]),
          machine(instance.data + 3),
          time(machine + operations()) {}

    OPTGAP_HD std::int32_t operations() const { return jobs * stages; }
};

/// A schedule that grows at its end: each operation begins when its job and its machine are done with the operations
/// before.
class growing_schedule {
public:
    OPTGAP_HD static std::int64_t words(words_view instance) { return 2 * instance[0] + 3 * std::int64_t(instance[1]); }

    /// `scratch` is 8-byte aligned.
    OPTGAP_HD growing_schedule(shop_view const& shop, std::int32_t* scratch)
        : shop_(shop),
          free_(reinterpret_cast<std::int64_t*>(scratch)),
          ready_(free_ + shop.machines),
          stage_(reinterpret_cast<std::int32_t*>(ready_ + shop.jobs)) {}

    OPTGAP_HD void begin() {
        for (std::int32_t i = 0; i < shop_.machines; ++i) {
            free_[i] = 0;
        }
        for (std::int32_t j = 0; j < shop_.jobs; ++j) {
            ready_[j] = 0;
            stage_[j] = 0;
        }
    }
    OPTGAP_HD bool done(std::int32_t job) const { return stage_[job] == shop_.stages; }
    OPTGAP_HD std::int32_t next(std::int32_t job) const { return job * shop_.stages + stage_[job]; }
    /// The time at which the job's next operation would begin.
    OPTGAP_HD std::int64_t start(std::int32_t job) const {
        std::int64_t const free = free_[shop_.machine[next(job)]];
        return free > ready_[job] ? free : ready_[job];
    }
    /// The total time of the job's operations to come.
    OPTGAP_HD std::int64_t work_left(std::int32_t job) const {
        std::int64_t work = 0;
        for (std::int32_t i = next(job); i < (job + 1) * shop_.stages; ++i) {
            work += shop_.time[i];
        }
        return work;
    }
    OPTGAP_HD void add(std::int32_t job) {
        std::int64_t const end = start(job) + shop_.time[next(job)];
        ready_[job] = free_[shop_.machine[next(job)]] = end;
        ++stage_[job];
    }
    OPTGAP_HD std::int64_t span() const {
        std::int64_t last = 0;
        for (std::int32_t j = 0; j < shop_.jobs; ++j) {
            last = ready_[j] > last ? ready_[j] : last;
        }
        return last;
    }

private:
    shop_view shop_;
    std::int64_t* free_;   ///< time at which each machine is free
    std::int64_t* ready_;  ///< time at which each job is ready
    std::int32_t* stage_;  ///< next stage of each job
};

/// Moves one entry of the list by a few places, even without a gain: many lists have the same schedule, and the path to
/// a better one leads through them.
class shop_moves {
public:
    static std::int64_t words(words_view instance) {
        return growing_schedule::words(instance) + 1 + shop_view(instance).operations();
    }

    shop_moves(words_view instance, std::int32_t* scratch)
        : shop_(instance),
          schedule_(shop_, scratch),
          list_(scratch + (growing_schedule::words(instance) + 1) / 2 * 2) {}

    search::order_move best_move(std::int32_t const* order, std::int32_t n, std::int32_t from) {
        for (std::int32_t i = 0; i < n; ++i) {
            list_[i] = order[i];
        }
        std::int64_t const kept = span(n);
        std::int32_t const first = from > reach ? from - reach : 0;
        std::int32_t const last = from + reach < n ? from + reach : n - 1;
        search::order_move best{kept, from};
        search::move_in_order(list_, from, first);
        for (std::int32_t place = first; place <= last; ++place) {
            if (place > first) {
                search::move_in_order(list_, place - 1, place);
            }
            if (order[place] != order[from]) {
                std::int64_t const own = span(n);
                best = own <= best.change ? search::order_move{own, place} : best;
            }
        }
        best.change -= kept;
        return best;
    }

private:
    static constexpr std::int32_t reach = 12;

    std::int64_t span(std::int32_t n) {
        schedule_.begin();
        for (std::int32_t i = 0; i < n; ++i) {
            schedule_.add(list_[i]);
        }
        return schedule_.span();
    }

    shop_view shop_;
    growing_schedule schedule_;
    std::int32_t* list_;
};

}  // namespace tasks::job_shop
OPTGAP_KERNELS_END
