#pragma once
// Apples buy machines that make apples, or machines. In each of a number of turns one machine may be made stronger. The
// objective is the stock after the last turn, on a logarithmic scale.
//
//   1 kind of 1 level, rate 1, price 1, stock 1, 5 turns:   buy, wait, buy, wait, buy ends with 4 apples
//
// Instance: turns, stock, kinds, levels, a rate for each kind, and the high and low parts of the prices, a row for each
// level.

#include "kernels/core/check_layout.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/apples/apples_exact.hpp"
#include "kernels/tasks/apples/apples_generate.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::apples {

inline constexpr field orchard_layout[] = {
    {"turns", field_kind::number, "turns is 1 to 800", 1, max_turns},
    {"stock", field_kind::number, "stock, the apples at the start, is 1 to 1000000", 1, 1'000'000},
    {"kinds", field_kind::size, "there are 1 to 50 kinds", 1, 50},
    {"levels", field_kind::size, "there are 1 to 4 levels", 1, max_levels},
    {"rates", field_kind::list, "each kind has a rate, 1 to 1000000", 1, 1'000'000, of(2)},
    {"high", field_kind::table, "the high part of a price is 0 to 9999", 0, 9'999, of(3), of(2)},
    {"low", field_kind::table, "the low part of a price is 0 to 999999999", 0, price_unit - 1, of(3), of(2)},
};

struct task : families::declarative_task {
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::int64_t default_budget = 12'000;  ///< lists tried, of 2 µs each at the benchmark's size
    static constexpr char const* bound_kinds[] = {"proven", "a purse for each machine", nullptr};
    static constexpr abilities can{.proves = false};
    static constexpr std::int32_t code_unaffordable = first_task_code;
    static constexpr char const* codes[] = {"unaffordable", nullptr};
    static constexpr std::span<field const> layout = orchard_layout;
    static constexpr std::int64_t max_missing = 1'000'000'000;

    static char const* check(words_view instance) {
        if (char const* const broken = check_layout(layout, instance)) {
            return broken;
        }
        orchard const on(instance);
        for (std::int32_t machine = 0; machine < on.machines(); ++machine) {
            if (on.price(machine) == 0) {
                return "each price is at least 1";
            }
        }
        return nullptr;
    }

    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) { return sizes_of(level).words(); }
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        generate_orchard(team, source, sizes_of(level), words);
    }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return ledger::words(instance); }
    OPTGAP_HD static std::int64_t improve_scratch_words(words_view instance) {
        return list_search::words(instance) + shopping_list::words(orchard(instance).turns);
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) {
        return 1 + 3 * std::int64_t(orchard(instance).turns);
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        orchard const on(instance);
        if (!answer.is_rows() || answer.count == 0 || answer.row_count() != on.turns) {
            return worst(answer.is_word()          ? code_unparsable
                         : answer.count == 0       ? code_empty
                         : answer.row_count() == 0 ? code_bad_depth
                                                   : code_wrong_length,
                         max_missing);
        }
        verdict found;
        if (team.rank() == 0) {  // each turn depends on the one before
            found = run(on, answer, scratch);
        }
        found.code = team.broadcast(found.code);
        found.where = team.broadcast(found.where);
        found.objective = team.broadcast(found.objective);
        found.violation = team.broadcast(found.violation);
        found.violation_max = max_missing;
        team.sync();
        return found;
    }

    /// Buys machine (0, 0) whenever the stock suffices.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return play(team, instance, answer, scratch,
                    [](ledger const& books, std::int32_t) { return books.affords(0) ? 0 : -1; });
    }
    /// Among the affordable machines that pay for themselves by the end, the one that does so most often; ties by
    /// machine.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        orchard const on(instance);
        return play(team, instance, answer, scratch, [&](ledger const& books, std::int32_t turn) {
            ranked own{0, -1};
            team.each(on.machines(), [&](std::int64_t machine) {
                std::int64_t const times = yield(on, books, std::int32_t(machine), turn);
                if (times > 0) {
                    own = own.index < 0 ? ranked{times, std::int32_t(machine)}
                                        : larger(own, {times, std::int32_t(machine)});
                }
            });
            ranked const best = team.max_by(own.key, own.index < 0 ? INT32_MAX : own.index);
            return best.key > 0 ? best.index : -1;
        });
    }
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        orchard const on(instance);
        draw_stream stream(source, 0);
        return play(team, instance, answer, scratch, [&](ledger const& books, std::int32_t turn) {
            search::noisy_pick pick(stream);
            for (std::int32_t machine = 0; machine < on.machines(); ++machine) {
                if (std::int64_t const times = yield(on, books, machine, turn); times > 0) {
                    pick.offer(machine, -times);
                }
            }
            return pick.chosen();
        });
    }

    /// Runs on one lane, because a change of a list is simulated turn by turn. The answer is all the state that a later
    /// slice needs.
    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        if (slice.fresh()) {
            verdict const found = verify(team, instance, view_answer({answer, result.answer_words}), scratch);
            if (!found.feasible()) {
                return result;
            }
            result.start_objective = result.objective = found.objective;
        }
        if (slice.end > slice.begin && team.rank() == 0) {
            list_search search(instance, scratch);
            shopping_list list(orchard(instance).turns, scratch + list_search::words(instance));
            search.read(view_answer({answer, result.answer_words}), list);
            for (std::int64_t step = slice.begin; step < slice.end; ++step) {
                search.step(list, source, step);
            }
            result.answer_words = search.write(list, answer);
            result.objective = worth_of(list.stock);
        }
        result.answer_words = team.broadcast(result.answer_words);
        result.objective = team.broadcast(result.objective);
        result.evaluations += slice.end - slice.begin;
        result.moves += slice.end - slice.begin;
        team.sync();
        return result;
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const every = all_runs::words(instance) + improve_scratch_words(instance);
        std::int64_t const kinds = kinds_search::words(instance);
        return every > kinds ? every : kinds;
    }
    /// Small instances are searched exhaustively; for others no bound is known that comes near.
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        orchard const on(instance);
        solve_result result;
        result.answer_words = greedy(team, instance, answer, scratch);
        uint128 best = stock_of(on, view_answer({answer, result.answer_words}), scratch);
        ledger books(on, scratch);
        books.begin();
        std::int64_t bound = worth_of(purse_bound(on, instance, books, 0, scratch + ledger::words(instance)));
        if (all_runs::fits(instance)) {
            all_runs every(instance, budget, best, scratch);
            every.run();
            if (every.found()) {
                std::int32_t* const rest = scratch + all_runs::words(instance);
                list_search search(instance, rest);
                shopping_list list(on.turns, rest + list_search::words(instance));
                every.read(list);
                search.settle(list);
                best = list.stock;
                result.answer_words = search.write(list, answer);
            }
            result.steps = every.steps();
            bound = every.whole() ? worth_of(best) : bound;
        } else if (budget > 0) {
            kinds_search search(instance, scratch);
            shopping_list const& list = search.run(budget);
            if (list.stock > best) {
                best = list.stock;
                result.answer_words = search.write(list, answer);
            }
            result.steps = budget;
        }
        result.objective = worth_of(best);
        settle(result, bound, 1);
        return result;
    }

private:
    /// How often a machine earns its price by the last turn, as things stand, rounded down; 0 if it is not affordable
    /// or does not earn its price.
    OPTGAP_HD static std::int64_t yield(orchard const& on, ledger const& books, std::int32_t machine,
                                        std::int32_t turn) {
        if (!books.affords(machine)) {
            return 0;
        }
        std::int32_t const level = machine / on.kinds;
        std::int32_t const kind = machine % on.kinds;
        std::int32_t const left = on.turns - turn;
        uint128 gain = std::uint64_t(on.rates[kind]);
        saturate(gain, books.count(machine));
        for (std::int32_t below = kind; below < machine; below += on.kinds) {
            saturate(gain, books.power(below));
        }
        std::uint64_t ways = 1;  // C(left, level + 1), below 2^35
        for (std::int32_t k = 0; k <= level; ++k) {
            ways = ways * std::uint64_t(left > k ? left - k : 0) / std::uint64_t(k + 1);
        }
        saturate(gain, ways);
        uint128 const price = books.next_price(machine);
        if (gain <= price) {
            return 0;
        }
        uint128 const times = gain / price;
        return times < uint128(std::uint64_t(INT64_MAX)) ? std::int64_t(times) : INT64_MAX;
    }
    /// a · b, at most 2^127.
    OPTGAP_HD static void saturate(uint128& a, std::uint64_t b) {
        constexpr uint128 most = uint128(1) << 127;
        a = b != 0 && a > most / b ? most : a * b;
    }

    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t play(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                       Pick const& pick) {
        orchard const on(instance);
        ledger books(on, scratch);
        std::int32_t* next = answer + 1 + on.turns;
        if (team.rank() == 0) {
            answer[0] = on.turns;
            books.begin();
        }
        for (std::int32_t turn = 0; turn < on.turns; ++turn) {
            team.sync();
            books.share(team);
            std::int32_t const machine = pick(books, turn);
            team.sync();
            bool const buys = machine >= 0;
            if (team.rank() == 0) {
                answer[1 + turn] = buys ? 2 : 1;
                next[0] = buys ? machine / on.kinds : -1;
                if (buys) {
                    next[1] = machine % on.kinds;
                    books.buy(machine);
                }
                books.produce();
            }
            next += buys ? 2 : 1;
        }
        team.sync();
        return next - answer;
    }

    OPTGAP_HD static verdict run(orchard const& on, answer_view const& answer, std::int32_t* scratch) {
        for (std::int32_t turn = 0; turn < on.turns; ++turn) {
            if (answer.row_lengths[turn] < 1 || answer.row_lengths[turn] > 2) {
                return worst(code_wrong_length, max_missing);
            }
        }
        std::int32_t const* next = answer.values;
        for (std::int32_t turn = 0; turn < on.turns; next += answer.row_lengths[turn++]) {
            bool const buys = answer.row_lengths[turn] == 2;
            bool const first = buys ? next[0] >= 0 && next[0] < on.levels : next[0] == -1;
            if (!first || (buys && (next[1] < 0 || next[1] >= on.kinds))) {
                return worst(code_out_of_range, max_missing, std::int32_t(next - answer.values) + (first ? 1 : 0));
            }
        }
        ledger books(on, scratch);
        std::int32_t machine = -1;
        std::int32_t const turn = follow(on, answer, books, machine);
        if (turn == on.turns) {
            return {code_ok, -1, worth_of(books.stock()), 0, max_missing};
        }
        uint128 const missing = books.next_price(machine) - books.stock();
        bool const few = missing < uint128(std::uint64_t(max_missing));
        return {code_unaffordable, turn, 0, few ? std::int64_t(missing) : max_missing, max_missing};
    }
    /// Follows the rows until `machine` cannot be bought. Returns that turn, or the number of turns.
    OPTGAP_HD static std::int32_t follow(orchard const& on, answer_view const& answer, ledger& books,
                                         std::int32_t& machine) {
        std::int32_t const* next = answer.values;
        books.begin();
        for (std::int32_t turn = 0; turn < on.turns; next += answer.row_lengths[turn++]) {
            if (answer.row_lengths[turn] == 2) {
                machine = next[0] * on.kinds + next[1];
                if (!books.affords(machine)) {
                    return turn;
                }
                books.buy(machine);
            }
            books.produce();
        }
        return on.turns;
    }
    static uint128 stock_of(orchard const& on, answer_view const& answer, std::int32_t* scratch) {
        ledger books(on, scratch);
        std::int32_t machine = -1;
        follow(on, answer, books, machine);
        return books.stock();
    }
};

}  // namespace tasks::apples
OPTGAP_KERNELS_END
