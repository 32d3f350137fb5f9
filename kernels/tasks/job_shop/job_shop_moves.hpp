#pragma once
// Moves of job_shop: two operations that follow each other on a machine are swapped, at the beginning or the end of a
// block of one critical path. No other such exchange can shorten the path (Nowicki & Smutnicki 1996). The effect of
// each move is computed by scheduling all operations again.

#include <cstdint>

#include "kernels/search/local_search.hpp"
#include "kernels/tasks/job_shop/job_shop_view.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::job_shop {

/// The state is the list of operations in the order of their starts, each scheduled as soon as its job and its machine
/// are done with what comes before it in the list. The loss is the makespan.
class block_swaps {
public:
    OPTGAP_HD static std::int64_t image_words(words_view instance) {
        return (std::int64_t(shop_view(instance).operations()) + 1) / 2 * 2;
    }
    OPTGAP_HD static std::int64_t table_words(words_view instance) {
        shop_view const shop(instance);
        std::int64_t const all = shop.operations();
        return 4 * all + shop.machines + 2 * max_swaps + 2 + (max_swaps + 1) * lines_words(shop);
    }
    OPTGAP_HD static std::int32_t things(words_view instance) { return shop_view(instance).operations(); }
    OPTGAP_HD static constexpr std::int32_t rest(words_view) { return 3; }

    OPTGAP_HD block_swaps(words_view instance, std::int32_t* image, std::int32_t* tables)
        : shop_(instance),
          list_(image),
          begin_(reinterpret_cast<std::int64_t*>(tables)),
          lines_(begin_ + shop_.operations()),
          before_(reinterpret_cast<std::int32_t*>(lines_) + (max_swaps + 1) * lines_words(shop_)),
          behind_(before_ + shop_.operations()),
          path_(behind_ + shop_.machines),
          swap_(path_ + shop_.operations()),
          numbers_(swap_ + 2 * max_swaps) {}

    template <class Team>
    OPTGAP_HD void prepare(Team&) const {}
    template <class Team>
    OPTGAP_HD void look(Team& team) const {
        if (team.rank() == 0) {
            schedule();
        }
        team.sync();
    }
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        if (team.rank() == 0) {
            for (std::int32_t j = 0; j < shop_.jobs; ++j) {
                path_[j] = j * shop_.stages;
            }
            for (std::int32_t i = 0; i < shop_.operations(); ++i) {
                list_[i] = path_[answer.values[i]]++;
            }
            schedule();
        }
        team.sync();
        return span();
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return loss; }
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        team.each(shop_.operations(), [&](std::int64_t i) { answer[1 + i] = list_[i] / shop_.stages; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(shop_.operations());
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return numbers_[0]; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t width() { return 1; }
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t row, Offer const& offer) const {
        line_ends ends(shop_, lines_ + (row + 1) * (lines_words(shop_) / 2));
        std::int64_t last = 0;
        each_after(row, [&](std::int32_t operation) {
            std::int64_t const end = ends.add(operation);
            last = end > last ? end : last;
        });
        offer(0, last - span());
    }
    [[nodiscard]] OPTGAP_HD search::moved_things moved(std::int32_t row) const {
        return {swap_[2 * row], swap_[2 * row + 1]};
    }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t row) const {
        if (team.rank() == 0) {
            std::int32_t count = 0;
            each_after(row, [&](std::int32_t operation) { path_[count++] = operation; });
            for (std::int32_t i = 0; i < count; ++i) {
                list_[i] = path_[i];
            }
            schedule();
        }
        team.sync();
    }

private:
    static constexpr std::int32_t max_swaps = 64;  ///< on a path; only the first ones are used

    /// The times at which each machine and each job is done.
    OPTGAP_HD static std::int64_t lines_words(shop_view const& shop) {
        return 2 * (std::int64_t(shop.machines) + shop.jobs);
    }
    struct line_ends {
        shop_view const& shop;
        std::int64_t* machine;
        std::int64_t* job;

        OPTGAP_HD line_ends(shop_view const& shop_, std::int64_t* memory)
            : shop(shop_), machine(memory), job(memory + shop_.machines) {
            for (std::int32_t i = 0; i < shop.machines + shop.jobs; ++i) {
                memory[i] = 0;
            }
        }
        OPTGAP_HD std::int64_t add(std::int32_t operation) {
            std::int64_t& free = machine[shop.machine[operation]];
            std::int64_t& ready = job[operation / shop.stages];
            std::int64_t const end = (free > ready ? free : ready) + shop.time[operation];
            free = ready = end;
            return end;
        }
    };

    [[nodiscard]] OPTGAP_HD std::int64_t span() const { return end_of(numbers_[1]); }

    /// Calls f(operation) in an order that the swap allows. The first of the two operations ends when the second
    /// begins. Operations that begin before then wait for neither, and those that begin then are none that the second
    /// waits for.
    template <class Function>
    OPTGAP_HD void each_after(std::int32_t row, Function const& function) const {
        std::int32_t const first = swap_[2 * row];
        std::int32_t const second = swap_[2 * row + 1];
        bool swapped = false;
        for (std::int32_t i = 0; i < shop_.operations(); ++i) {
            std::int32_t const operation = list_[i];
            if (!swapped && begin_[operation] == begin_[second]) {
                function(second);
                function(first);
                swapped = true;
            }
            if (operation != first && operation != second) {
                function(operation);
            }
        }
    }

    /// Called by one lane. Computes starts, the list in their order, a critical path and its swaps.
    OPTGAP_HD void schedule() const {
        line_ends ends(shop_, lines_);
        for (std::int32_t k = 0; k < shop_.machines; ++k) {
            behind_[k] = -1;
        }
        std::int32_t last = list_[0];
        for (std::int32_t i = 0; i < shop_.operations(); ++i) {
            std::int32_t const operation = list_[i];
            begin_[operation] = ends.add(operation) - shop_.time[operation];
            before_[operation] = behind_[shop_.machine[operation]];
            behind_[shop_.machine[operation]] = operation;
            bool const later = end_of(operation) > end_of(last);
            last = later || (end_of(operation) == end_of(last) && operation < last) ? operation : last;
            std::int32_t to = i;  // in front of those that begin later
            for (; to > 0 && begin_[list_[to - 1]] > begin_[operation]; --to) {
                list_[to] = list_[to - 1];
            }
            list_[to] = operation;
        }
        numbers_[0] = 0;
        numbers_[1] = last;
        list_swaps();
    }
    /// The path goes back from the operation that ends last, by what each operation waits for: its machine, otherwise
    /// its job.
    OPTGAP_HD void list_swaps() const {
        std::int32_t length = 0;
        for (std::int32_t at = numbers_[1]; at >= 0; ++length) {
            path_[length] = at;
            bool const waits_for_machine = before_[at] >= 0 && end_of(before_[at]) == begin_[at];
            at = begin_[at] == 0 ? -1 : waits_for_machine ? before_[at] : at - 1;
        }
        for (std::int32_t from = 0, to = 0; from < length; from = to) {  // a block is path_[from .. to)
            to = from + 1;
            while (to < length && before_[path_[to - 1]] == path_[to] && end_of(path_[to]) == begin_[path_[to - 1]]) {
                ++to;
            }
            bool const ends_all = from == 0;
            bool const begins_all = to == length;
            if (to - from > 1 && !ends_all) {
                add_swap(path_[from + 1], path_[from]);
            }
            if (to - from > 1 && !begins_all && (ends_all || to - from > 2)) {
                add_swap(path_[to - 1], path_[to - 2]);
            }
        }
    }
    /// Two operations of one job cannot be swapped.
    OPTGAP_HD void add_swap(std::int32_t first, std::int32_t second) const {
        if (first / shop_.stages != second / shop_.stages && numbers_[0] < max_swaps) {
            swap_[2 * numbers_[0]] = first;
            swap_[2 * numbers_[0] + 1] = second;
            ++numbers_[0];
        }
    }
    [[nodiscard]] OPTGAP_HD std::int64_t end_of(std::int32_t operation) const {
        return begin_[operation] + shop_.time[operation];
    }

    shop_view shop_;
    std::int32_t* list_;
    std::int64_t* begin_;   ///< of each operation
    std::int64_t* lines_;   ///< of the schedule and of the schedule of each swap
    std::int32_t* before_;  ///< for each operation, the one before it on its machine; -1 for none
    std::int32_t* behind_;  ///< for each machine, the last operation so far
    std::int32_t* path_;
    std::int32_t* swap_;     ///< pairs of operations
    std::int32_t* numbers_;  ///< number of swaps; the operation that ends last
};

}  // namespace tasks::job_shop
OPTGAP_KERNELS_END
