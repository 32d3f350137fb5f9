#pragma once
// Cards in pairs on a grid, and one deck. A walk over the grid takes cards to the top of the deck, where two equal ones
// vanish, and may put the top card down again. All cards are to vanish in as few moves as possible.
//
//   0 0     take, move right, take, move down, take, move left, take:   three moves, all cards are gone
//   1 1
//
// Instance: n, the side of the grid, and the card of each cell.

#include "kernels/core/check_layout.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/pairs/pairs_exact.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::pairs {

inline constexpr field deal_layout[] = {
    {"n", field_kind::size, "n, the rows and columns, is an even number from 2 to 40", 2, max_side},
    {"cards", field_kind::table, "each number from 0 to n * n / 2 - 1 stands on two cells of the n by n grid", 0,
     max_side* max_side / 2 - 1, of(0), of(0)},
};

struct task : families::declarative_task {
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::int64_t default_budget = 400'000;  ///< changes of an order
    static constexpr char const* bound_kinds[] = {"proven", "a move for each cell", nullptr};
    static constexpr abilities can{.proves = false};
    static constexpr std::int32_t code_too_long = first_task_code;
    static constexpr std::int32_t code_off_grid = first_task_code + 1;  ///< the others follow as in table::apply
    static constexpr char const* codes[] = {"too_long", "off_grid", "no_card", "empty_deck", "occupied", nullptr};
    static constexpr std::span<field const> layout = deal_layout;

    static char const* check(words_view instance) {
        if (char const* const broken = check_layout(layout, instance)) {
            return broken;
        }
        deal const on(instance);
        if (on.n % 2 != 0) {
            return deal_layout[0].rule;
        }
        std::int32_t seen[max_side * max_side / 2] = {};
        for (std::int32_t cell = 0; cell < on.cells(); ++cell) {
            if (on.cards[cell] >= on.cells() / 2 || ++seen[on.cards[cell]] > 2) {
                return deal_layout[1].rule;
            }
        }
        return nullptr;
    }

    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        std::int64_t const n = side_of(level);
        return 1 + n * n;
    }
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        generate_deal(team, source, side_of(level), words);
    }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        return table::words(instance) + deal(instance).cells();
    }
    OPTGAP_HD static std::int64_t improve_scratch_words(words_view instance) { return plan::words(instance); }
    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) {
        return kept_words<std::int64_t>(plan::kept(instance));
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + deal(instance).max_operations(); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        deal const on(instance);
        std::int64_t const most = on.cells();
        if (answer.is_word() || answer.row_count() > 0) {
            return worst(answer.is_word() ? code_unparsable : code_bad_depth, most);
        }
        if (answer.count > on.max_operations()) {
            return worst(code_too_long, most, on.max_operations());
        }
        std::int64_t unknown = INT32_MAX;
        team.each(answer.count, [&](std::int64_t i) {
            if ((answer.values[i] < 0 || answer.values[i] >= operations) && i < unknown) {
                unknown = i;
            }
        });
        unknown = team.min_by(unknown, 0).key;
        if (unknown < INT32_MAX) {
            return worst(code_out_of_range, most, std::int32_t(unknown));
        }
        verdict found;
        if (team.rank() == 0) {  // each operation depends on those before it
            found = run(on, answer, scratch);
        }
        found.code = team.broadcast(found.code);
        found.where = team.broadcast(found.where);
        found.objective = team.broadcast(found.objective);
        found.violation = team.broadcast(found.violation);
        found.violation_max = most;
        team.sync();
        return found;
    }

    /// The empty plan.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view, std::int32_t* answer, std::int32_t*) {
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1;
    }
    /// One walk along the rows takes the first card of each pair, and the second one if it meets the first on top of
    /// the deck. Then the others are fetched in the order in which the deck needs them.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        std::int64_t words = 0;
        if (team.rank() == 0) {
            words = play(instance, answer, scratch, [] { return true; });
        }
        words = team.broadcast(words);
        team.sync();
        return words;
    }
    /// The same, except that with 250 permille a card is first left where it lies; a second walk takes these cards.
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        draw_stream stream(source, 0);
        return play(instance, answer, scratch, [&] { return !stream.chance(search::mistake_permille); });
    }

    /// Runs on one lane, because a step changes few words of one order. An answer whose order is not nested, or that
    /// puts cards down or leaves some, is kept until an order that starts from the greedy policy is better.
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
        if (slice.end == slice.begin) {
            return result;
        }
        plan own(instance, scratch);
        std::int64_t nothing = 0;
        if (!slice.fresh()) {
            take_up(team, slice, nothing, scratch, plan::kept(instance));
        }
        if (team.rank() == 0) {
            own.prepare();
            if (!slice.fresh()) {
                own.settle();
            } else if (!own.read(view_answer({answer, result.answer_words}))) {
                own.sweep();
            }
            for (std::int64_t step = slice.begin; step < slice.end; ++step) {
                own.step(source, step, 0);
            }
            if (own.worth() > result.start_objective) {
                result.answer_words = own.write(answer);
                result.objective = own.worth();
            }
        }
        team.sync();
        keep(team, slice, nothing, scratch, plan::kept(instance));
        result.answer_words = team.broadcast(result.answer_words);
        result.objective = team.broadcast(result.objective);
        result.evaluations += slice.end - slice.begin;
        result.moves += slice.end - slice.begin;
        team.sync();
        return result;
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const search = annealing::words(instance);
        return deal(instance).n == all_runs::side && all_runs::words() > search ? all_runs::words() : search;
    }
    /// Grids of two rows are searched exhaustively; for more rows no bound is known that comes near.
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        deal const on(instance);
        solve_result result;
        std::int64_t bound = on.bound();
        annealing search(instance, scratch);
        search.run(on.n == all_runs::side ? 0 : budget);
        result.answer_words = search.best().write(answer);
        result.objective = search.best().worth();
        result.steps = on.n == all_runs::side ? 0 : budget;
        if (on.n == all_runs::side) {
            all_runs every(on, budget, scratch);
            if (every.run(answer)) {
                result.answer_words = 1 + every.count();
                result.objective = bound = worth_of(on, answer, every.count());
            }
            result.steps = every.steps();
        }
        settle(result, bound, 1);
        return result;
    }

private:
    static std::int64_t worth_of(deal const& on, std::int32_t const* answer, std::int32_t count) {
        std::int64_t moves = 0;
        for (std::int32_t i = 1; i <= count; ++i) {
            moves += answer[i] < op_take ? 1 : 0;
        }
        return on.worth(0, moves);
    }

    /// Two walks along the rows, each followed by fetching all cards that the deck needs. `takes` decides whether the
    /// first walk takes a first card.
    template <class Takes>
    OPTGAP_HD static std::int64_t play(words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                       Takes const& takes) {
        deal const on(instance);
        table now(on, scratch);
        std::int32_t* const lies = scratch + table::words(instance);  ///< the cell where each card was left
        std::int32_t* const is_held = lies + on.cells() / 2;
        walk way(on, answer + 1);
        answer[0] = answer_flat;
        now.begin(on);
        for (std::int32_t card = 0; card < on.cells() / 2; ++card) {
            is_held[card] = 0;
        }
        auto const take = [&](std::int32_t cell) {
            std::int32_t const card = now.grid[cell];
            way.take(cell);
            now.grid[cell] = table::empty;
            is_held[card] = 1 - is_held[card];
            if (is_held[card] != 0) {
                now.deck[now.held++] = card;
            } else {
                --now.held;
            }
        };
        for (std::int32_t round = 0; round < 2; ++round) {
            for (std::int32_t i = 0; i < on.cells(); ++i) {
                std::int32_t const cell = on.snake(i);
                std::int32_t const card = now.grid[cell];
                if (card == table::empty) {
                    continue;
                }
                bool const on_top = now.held > 0 && now.deck[now.held - 1] == card;
                if (on_top || (is_held[card] == 0 && (round > 0 || takes()))) {
                    take(cell);
                } else {
                    lies[card] = cell;
                }
            }
            while (now.held > 0) {
                take(lies[now.deck[now.held - 1]]);
            }
        }
        return 1 + way.count();
    }

    OPTGAP_HD static verdict run(deal const& on, answer_view const& answer, std::int32_t* scratch) {
        table now(on, scratch);
        now.begin(on);
        for (std::int32_t i = 0; i < answer.count; ++i) {
            if (std::int32_t const broken = now.apply(on, answer.values[i]); broken >= 0) {
                return worst(code_off_grid + broken, on.cells(), i);
            }
        }
        return {code_ok, -1, on.worth(now.left, now.moves), 0, on.cells()};
    }
};

}  // namespace tasks::pairs
OPTGAP_KERNELS_END
