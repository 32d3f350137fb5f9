#pragma once
// Local search over shopping lists: runs of (machine, count), each purchase made as soon as it is affordable. No
// schedule of the same purchases in the same order ends with a larger stock: bought earlier, they cost the same and
// earn longer.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/tasks/apples/apples_ledger.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::apples {

/// A list in scratch: at most `room` runs.
struct shopping_list {
    std::int32_t* machine;
    std::int32_t* count;
    std::int32_t size = 0;
    uint128 stock = 0;  ///< at the end of the list's run

    /// As many runs as turns, plus those that two moves add.
    OPTGAP_HD static std::int32_t room(std::int32_t turns) { return turns + 4; }
    OPTGAP_HD static std::int64_t words(std::int32_t turns) { return 2 * std::int64_t(room(turns)); }

    OPTGAP_HD shopping_list(std::int32_t turns, std::int32_t* scratch)
        : machine(scratch), count(scratch + room(turns)) {}

    OPTGAP_HD void copy(shopping_list const& other) {
        for (std::int32_t i = 0; i < other.size; ++i) {
            machine[i] = other.machine[i];
            count[i] = other.count[i];
        }
        size = other.size;
        stock = other.stock;
    }
    /// Appends purchases; they are merged into the last run if it is of the same machine.
    OPTGAP_HD void add(std::int32_t m, std::int32_t times) {
        if (times > 0 && size > 0 && machine[size - 1] == m) {
            count[size - 1] += times;
        } else if (times > 0) {
            machine[size] = m;
            count[size++] = times;
        }
    }
    OPTGAP_HD void insert(std::int32_t at, std::int32_t m, std::int32_t times) {
        for (std::int32_t i = size++; i > at; --i) {
            machine[i] = machine[i - 1];
            count[i] = count[i - 1];
        }
        machine[at] = m;
        count[at] = times;
    }
    OPTGAP_HD void erase(std::int32_t at) {
        --size;
        for (std::int32_t i = at; i < size; ++i) {
            machine[i] = machine[i + 1];
            count[i] = count[i + 1];
        }
    }
};

/// One or two random changes of a list.
class list_moves {
public:
    OPTGAP_HD list_moves(orchard const& on, draw_stream& stream) : on_(on), stream_(stream) {}

    OPTGAP_HD void change(shopping_list& list) {
        for (std::int32_t times = stream_.uniform(0, 2) == 0 ? 2 : 1; times > 0; --times) {
            std::int32_t const kind = stream_.uniform(0, 99);
            if (list.size == 0) {
                list.insert(0, stream_.uniform(0, on_.machines() - 1), stream_.uniform(1, 4));
            } else if (kind < 45) {
                recount(list);
            } else if (kind < 60) {
                exchange(list);
            } else if (kind < 85) {
                insert(list);
            } else if (kind < 93) {
                list.erase(any(list));
            } else {
                std::int32_t const at = any(list);
                list.machine[at] = list.machine[at] / on_.kinds * on_.kinds + stream_.uniform(0, on_.kinds - 1);
            }
        }
    }

private:
    OPTGAP_HD std::int32_t any(shopping_list const& list) { return stream_.uniform(0, list.size - 1); }

    /// Changes the count of a run; usually its neighbour gets the difference.
    OPTGAP_HD void recount(shopping_list& list) {
        std::int32_t const at = any(list);
        std::int32_t by = stream_.uniform(1, stream_.uniform(0, 3) == 0 ? 16 : 4);
        by = stream_.uniform(0, 1) == 0 ? by : -by;
        list.count[at] = larger_of(list.count[at] + by, 0);
        std::int32_t const other = at + (stream_.uniform(0, 1) == 0 ? 1 : -1);
        if (stream_.uniform(0, 1) == 0 && other >= 0 && other < list.size) {
            list.count[other] = larger_of(list.count[other] - by, 0);
        }
    }
    OPTGAP_HD void exchange(shopping_list& list) {
        if (list.size < 2) {
            return;
        }
        std::int32_t const at = stream_.uniform(0, list.size - 2);
        std::int32_t const machine = list.machine[at];
        std::int32_t const count = list.count[at];
        list.machine[at] = list.machine[at + 1];
        list.count[at] = list.count[at + 1];
        list.machine[at + 1] = machine;
        list.count[at + 1] = count;
    }
    /// Inserts a few purchases of some machine, usually of a kind already on the list, somewhere within a run, perhaps
    /// in place of as many of it.
    OPTGAP_HD void insert(shopping_list& list) {
        std::int32_t const at = any(list);
        std::int32_t const known = list.machine[any(list)] % on_.kinds;
        std::int32_t const kind = stream_.uniform(0, 3) > 0 ? known : stream_.uniform(0, on_.kinds - 1);
        std::int32_t const machine = stream_.uniform(0, on_.levels - 1) * on_.kinds + kind;
        std::int32_t const times = stream_.uniform(1, stream_.uniform(0, 1) == 0 ? 3 : 10);
        std::int32_t const before = stream_.uniform(0, list.count[at]);
        std::int32_t const after = list.count[at] - before - (stream_.uniform(0, 1) == 0 ? times : 0);
        std::int32_t const own = list.machine[at];
        list.count[at] = before;
        list.insert(at + 1, machine, times);
        list.insert(at + 2, own, larger_of(after, 0));
    }
    OPTGAP_HD static std::int32_t larger_of(std::int32_t a, std::int32_t b) { return a > b ? a : b; }

    orchard on_;
    draw_stream& stream_;
};

/// One list under search: it is changed at random, and a change is kept if the objective does not fall.
class list_search {
public:
    OPTGAP_HD static std::int64_t words(words_view instance) {
        return ledger::words(instance) + shopping_list::words(orchard(instance).turns);
    }

    /// `scratch` is 8-byte aligned.
    OPTGAP_HD list_search(words_view instance, std::int32_t* scratch)
        : on_(instance), books_(on_, scratch), trial_(on_.turns, scratch + ledger::words(instance)) {}

    /// Reduces a list to its actual purchases: runs without a purchase are removed, neighbouring runs of one machine
    /// are joined.
    OPTGAP_HD void settle(shopping_list& list) {
        std::int32_t run = 0;
        std::int32_t done = 0;
        list.stock = simulate(list, run, done);
        std::int32_t const size = list.size;
        list.size = 0;
        for (std::int32_t i = 0; i < size && i <= run; ++i) {
            list.add(list.machine[i], i < run ? list.count[i] : done);
        }
    }

    /// Step `number` of the search; it does not depend on how earlier steps were divided.
    OPTGAP_HD void step(shopping_list& list, draw source, std::int64_t number) {
        draw_stream stream(source, std::uint32_t(number));
        trial_.copy(list);
        list_moves(on_, stream).change(trial_);
        settle(trial_);
        if (trial_.stock >= list.stock) {
            list.copy(trial_);
        }
    }

    /// Writes the rows of a settled list: one row for each turn.
    OPTGAP_HD std::int64_t write(shopping_list const& list, std::int32_t* answer) {
        std::int32_t* const lengths = answer + 1;
        std::int32_t* next = lengths + on_.turns;
        answer[0] = on_.turns;
        std::int32_t run = 0;
        std::int32_t done = 0;
        books_.begin();
        for (std::int32_t turn = 0; turn < on_.turns; ++turn) {
            bool const buys = run < list.size && books_.affords(list.machine[run]);
            lengths[turn] = buys ? 2 : 1;
            if (buys) {
                books_.buy(list.machine[run]);
                *next++ = list.machine[run] / on_.kinds;
                *next++ = list.machine[run] % on_.kinds;
                done = done + 1 < list.count[run] ? done + 1 : 0;
                run += done == 0 ? 1 : 0;
            } else {
                *next++ = -1;
            }
            books_.produce();
        }
        return next - answer;
    }
    /// The purchases of a feasible answer, settled.
    OPTGAP_HD void read(answer_view const& answer, shopping_list& list) {
        std::int32_t const* next = answer.values;
        list.size = 0;
        for (std::int32_t turn = 0; turn < on_.turns; ++turn) {
            if (answer.row_lengths[turn] == 2) {
                list.add(next[0] * on_.kinds + next[1], 1);
            }
            next += answer.row_lengths[turn];
        }
        settle(list);
    }

private:
    /// Returns the stock at the end; `done` purchases of run `run` were made, and all of the runs before it.
    OPTGAP_HD uint128 simulate(shopping_list const& list, std::int32_t& run, std::int32_t& done) {
        run = 0;
        done = 0;
        books_.begin();
        for (std::int32_t turn = 0; turn < on_.turns; ++run, done = 0) {
            if (run == list.size) {
                for (; turn < on_.turns; ++turn) {
                    books_.produce();
                }
                break;
            }
            std::int32_t const machine = list.machine[run];
            std::int32_t const count = list.count[run];
            uint128 price = books_.next_price(machine);
            for (; done < count && turn < on_.turns; ++turn) {
                if (price <= books_.stock()) {
                    books_.buy(machine);
                    price = books_.next_price(machine);
                    ++done;
                }
                books_.produce();
            }
            if (turn == on_.turns) {
                break;
            }
        }
        return books_.stock();
    }

    orchard on_;
    ledger books_;
    shopping_list trial_;
};

}  // namespace tasks::apples
OPTGAP_KERNELS_END
