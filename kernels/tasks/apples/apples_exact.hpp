#pragma once
// Baselines of apples: all runs of small instances; otherwise a search from one list for each kind, in which the better
// kinds get more steps.

#include <cstdint>

#include "kernels/tasks/apples/apples_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::apples {

/// Every run, turn by turn, except those that the bound excludes. A node costs one step.
class all_runs {
public:
    static bool fits(words_view instance) {
        orchard const on(instance);
        return on.turns <= max_turns_here && on.machines() <= 8;
    }
    static std::int64_t words(words_view instance) {
        return (fits(instance) ? orchard(instance).turns + 1 : 1) * ledger::words(instance) + bound_words(instance);
    }

    /// Runs that end with at most `stock` are not searched.
    all_runs(words_view instance, std::int64_t budget, uint128 stock, std::int32_t* scratch)
        : instance_(instance), on_(instance), budget_(budget), best_(stock), scratch_(scratch) {}

    void run() {
        ledger books = books_of(0);
        books.begin();
        visit(books, 0);
    }
    [[nodiscard]] bool whole() const { return !cut_; }
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] bool found() const { return found_; }
    /// The purchases of the best run, to be settled.
    void read(shopping_list& list) const {
        list.size = 0;
        for (std::int32_t turn = 0; turn < on_.turns; ++turn) {
            if (best_way_[turn] >= 0) {
                list.add(best_way_[turn], 1);
            }
        }
    }

private:
    static constexpr std::int32_t max_turns_here = 14;

    ledger books_of(std::int32_t turn) { return {on_, scratch_ + turn * ledger::words(instance_)}; }

    void visit(ledger const& books, std::int32_t turn) {
        if (turn == on_.turns) {
            if (books.stock() > best_) {
                best_ = books.stock();
                found_ = true;
                for (std::int32_t t = 0; t < on_.turns; ++t) {
                    best_way_[t] = way_[t];
                }
            }
            return;
        }
        if (steps_ == budget_) {
            cut_ = true;
            return;
        }
        ++steps_;
        std::int32_t* const spare = scratch_ + (on_.turns + 1) * ledger::words(instance_);
        if (purse_bound(on_, instance_, books, turn, spare) <= best_) {
            return;
        }
        ledger next = books_of(turn + 1);
        for (std::int32_t machine = on_.machines() - 1; machine >= -1 && !cut_; --machine) {
            if (machine < 0 || books.affords(machine)) {
                next.copy(books);
                if (machine >= 0) {
                    next.buy(machine);
                }
                next.produce();
                way_[turn] = machine;
                visit(next, turn + 1);
            }
        }
    }

    words_view instance_;
    orchard on_;
    std::int64_t budget_;
    uint128 best_;
    std::int32_t* scratch_;
    std::int64_t steps_ = 0;
    bool cut_ = false;
    bool found_ = false;
    std::int32_t way_[max_turns_here];
    std::int32_t best_way_[max_turns_here];
};

/// One list for each kind. All of them get equally many steps until `even_steps`, then the best three until
/// `three_steps`, then the best one. The order of the steps does not depend on the budget, and no list ever gets worse.
class kinds_search {
public:
    static std::int64_t words(words_view instance) {
        orchard const on(instance);
        return lists_at(instance) + on.kinds * (list_words + shopping_list::words(on.turns));
    }

    kinds_search(words_view instance, std::int32_t* scratch)
        : on_(instance),
          search_(instance, scratch),
          lists_(reinterpret_cast<shopping_list*>(scratch + lists_at(instance))) {
        auto* const runs = reinterpret_cast<std::int32_t*>(lists_ + on_.kinds);
        for (std::int32_t kind = 0; kind < on_.kinds; ++kind) {
            lists_[kind] = shopping_list(on_.turns, runs + kind * shopping_list::words(on_.turns));
        }
    }

    /// The best list after `budget` steps.
    shopping_list const& run(std::int64_t budget) {
        std::int32_t leader[3] = {0, 0, 0};
        std::int32_t const leaders = on_.kinds < 3 ? on_.kinds : 3;
        for (std::int64_t step = 0; step < budget; ++step) {
            if (step == even_steps) {
                for (std::int32_t rank = 0; rank < leaders; ++rank) {
                    leader[rank] = best_but(leader, rank);
                }
            } else if (step == three_steps) {
                leader[0] = best_but(leader, 0);
            }
            std::int32_t const kind = step < even_steps    ? std::int32_t(step % on_.kinds)
                                      : step < three_steps ? leader[step % leaders]
                                                           : leader[0];
            if (step < on_.kinds) {
                begin(kind);
            } else {
                search_.step(lists_[kind], {}, step);
            }
        }
        return lists_[best_but(leader, 0)];
    }
    std::int64_t write(shopping_list const& list, std::int32_t* answer) { return search_.write(list, answer); }

private:
    static constexpr std::int64_t even_steps = 4000;
    static constexpr std::int64_t three_steps = 7000;
    static constexpr std::int64_t list_words = sizeof(shopping_list) / sizeof(std::int32_t);
    static_assert(sizeof(shopping_list) % alignof(shopping_list) == 0);

    static std::int64_t lists_at(words_view instance) { return (list_search::words(instance) + 3) / 4 * 4; }

    /// The best list that is not among the first `count` leaders; ties by kind.
    [[nodiscard]] std::int32_t best_but(std::int32_t const* leader, std::int32_t count) const {
        std::int32_t best = -1;
        for (std::int32_t kind = 0; kind < on_.kinds; ++kind) {
            bool open = true;
            for (std::int32_t k = 0; k < count; ++k) {
                open = open && leader[k] != kind;
            }
            if (open && (best < 0 || lists_[kind].stock > lists_[best].stock)) {
                best = kind;
            }
        }
        return best;
    }

    /// Starts with a few purchases of machine (0, 0), then goes up the kind's levels and down again.
    void begin(std::int32_t kind) {
        constexpr std::int32_t up[] = {170, 110, 140, 90};  // permille of the turns
        constexpr std::int32_t down[] = {1000, 95, 16};
        shopping_list& list = lists_[kind];
        list.add(0, on_.turns / 100 + 1);
        for (std::int32_t level = 0; level < on_.levels; ++level) {
            list.add(level * on_.kinds + kind, on_.turns * up[level] / 1000 + 1);
        }
        for (std::int32_t level = on_.levels - 2; level >= 0; --level) {
            list.add(level * on_.kinds + kind, on_.turns * down[level] / 1000 + 1);
        }
        search_.settle(list);
    }

    orchard on_;
    list_search search_;
    shopping_list* lists_;  ///< of each kind
};

}  // namespace tasks::apples
OPTGAP_KERNELS_END
