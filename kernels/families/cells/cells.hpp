#pragma once
// Grids of values under constraints, to be filled so that as many constraints as possible hold. An instance has rows
// times columns of cells, some of them given, and a table of constraints, each on a few cells. Every grid of the right
// shape and range that keeps the given cells is feasible; the objective is the number of constraints that hold. A task
// defines
//   board(instance)              rows, columns, the range of a value, the given cells
//   constraints(instance)        number of constraints
//   constraint(instance, k)      the k-th constraint
//   one_list                     whether an answer is one flat list, for a board with one row
//   planted_shape(draw, level)   rows and columns of what the generator plants
//   plant_words(draw, level), draw_plant(draw, level, work)
//                                size of `work`, which begins with the plant: a grid in which all constraints hold
//
// in addition to the generator, which shows parts of the plant, and its layout.

#include <cstdint>
#include <cstring>

#include "kernels/core/bitset.hpp"
#include "kernels/core/check_layout.hpp"
#include "kernels/families/cells/cells_rules.hpp"
#include "kernels/families/cells/cells_search.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

struct cells_shape {
    std::int32_t rows;
    std::int32_t columns;
};

template <class Task>
struct cells_task : declarative_task {
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::int64_t default_budget = 20'000;  ///< values tried; one takes 10 us with 8 rows
    static constexpr char const* codes[] = {"given_changed", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "no solution", "constraints", nullptr};
    static constexpr abilities can{.improves = false, .decides = true};
    static constexpr bool one_list = false;
    /// Whether the greedy policies fill cells in reading order, and with the largest remaining value.
    static constexpr bool in_order = false;

    static char const* check(words_view instance) {
        char const* const broken = check_layout(Task::layout, instance);
        return broken != nullptr ? broken : Task::check_more(instance);
    }
    static char const* check_more(words_view) { return nullptr; }
    /// The cost of a value that a proof tries.
    static std::int64_t step_cost(words_view instance) { return 1 + Task::board(instance).size() / 100; }

    /// Scratch of the greedy policies: two sets of values for each cell.
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return 4 * Task::board(instance).size(); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) {
        return answer_head(instance) + Task::board(instance).size();
    }

    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return Task::plant_words(source, level);
    }
    static std::int64_t planted_words(draw source, difficulty level) {
        cells_shape const shape = Task::planted_shape(source, level);
        return head_words(shape.rows) + std::int64_t(shape.rows) * shape.columns;
    }
    static std::int64_t planted_scratch_words(draw source, difficulty level) {
        return Task::plant_words(source, level);
    }
    static std::int64_t planted(draw source, difficulty level, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        cells_shape const shape = Task::planted_shape(source, level);
        std::int32_t* const cells = begin_answer(team, shape, answer);
        Task::draw_plant(source, level, scratch);
        for (std::int64_t i = 0; i < std::int64_t(shape.rows) * shape.columns; ++i) {
            cells[i] = scratch[i];
        }
        return planted_words(source, level);
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t*) {
        cells_board const board = Task::board(instance);
        std::int64_t const most = board.size();
        bool const nothing = answer.count == 0 && answer.is_rows() && answer.row_count() == 0;
        bool const deep = Task::one_list ? answer.is_flat() : answer.is_rows();
        if (nothing || !deep) {
            return worst(answer.is_word() ? code_unparsable : nothing ? code_empty : code_bad_depth, most);
        }
        bool shaped = answer.count == most && (Task::one_list || answer.rows == board.rows);
        for (std::int32_t r = 0; !Task::one_list && shaped && r < board.rows; ++r) {
            shaped = answer.row_lengths[r] == board.columns;
        }
        if (!shaped) {
            return worst(code_wrong_length, most);
        }
        std::int64_t first_outside = INT64_MAX;
        std::int64_t changed = 0;
        std::int64_t first_changed = INT64_MAX;
        team.each(most, [&](std::int64_t i) {
            std::int32_t const value = answer.values[i];
            if ((value < board.low || value > board.high) && i < first_outside) {
                first_outside = i;
            }
            if (board.given_at(i) != no_value && board.given_at(i) != value) {
                ++changed;
                first_changed = i < first_changed ? i : first_changed;
            }
        });
        first_outside = team.min_by(first_outside, 0).key;
        if (first_outside != INT64_MAX) {
            return worst(code_out_of_range, most, std::int32_t(first_outside));
        }
        changed = team.sum(changed);
        first_changed = team.min_by(first_changed, 0).key;
        if (changed > 0) {
            return {first_task_code, std::int32_t(first_changed), 0, changed, most};
        }
        std::int64_t kept = 0;
        team.each(Task::constraints(instance), [&](std::int64_t k) {
            kept += holds(Task::constraint(instance, std::int32_t(k)), answer.values) ? 1 : 0;
        });
        return {code_ok, -1, team.sum(kept), 0, most};
    }

    /// Rows low, low + 1, …, each starting one value further, with the given cells.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        cells_board const board = Task::board(instance);
        std::int32_t* const cells = begin_answer(team, {board.rows, board.columns}, answer);
        team.each(board.size(), [&](std::int64_t i) {
            auto const place = std::int32_t(i / board.columns + i % board.columns);
            std::int32_t const given = board.given_at(i);
            cells[i] = given != no_value ? given : board.low + place % (board.high - board.low + 1);
        });
        team.sync();
        return answer_words(instance);
    }

    /// The empty cell with the fewest values that the filled cells allow, ties by index, gets the least of these values
    /// (with in_order: the next cell gets the largest). If no value is allowed, the cell gets the value that breaks the
    /// fewest constraints.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return fill(
            team, instance, answer, scratch,
            [&](value_sets const& left) {
                ranked own{INT64_MAX, 0};
                team.each(Task::board(instance).size(), [&](std::int64_t i) {
                    if (answer[answer_head(instance) + i] == no_value) {
                        own = smaller(own, {cell_key(left, i), std::int32_t(i)});
                    }
                });
                ranked const best = team.min_by(own.key, own.index);
                return best.key == INT64_MAX ? -1 : best.index;
            },
            [](std::uint64_t values) { return Task::in_order ? highest(values) : lowest(values); });
    }

    /// Makes mistakes in the choice of cell and of value: any empty cell, any remaining value.
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return fill(
            team, instance, answer, scratch,
            [&](value_sets const& left) {
                search::noisy_pick pick(stream);
                for (std::int32_t i = 0; i < Task::board(instance).size(); ++i) {
                    if (answer[answer_head(instance) + i] == no_value) {
                        pick.offer(i, cell_key(left, i));
                    }
                }
                return pick.chosen();
            },
            [&](std::uint64_t values) {
                search::noisy_pick pick(stream);
                for (; values != 0; values &= values - 1) {
                    std::int32_t const value = lowest(values);
                    pick.offer(value, Task::in_order ? -value : value);
                }
                return pick.chosen();
            });
    }

    static std::int64_t exact_state_words(words_view instance) { return solution_search<Task>::state_words(instance); }
    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const search = solution_search<Task>::scratch_words(instance);
        std::int64_t const others = scratch_words(instance) + answer_words(instance);
        return search > others ? search : others;
    }

    /// If the search is cut or finds that there is no solution, the result is the better one of start and floor.
    template <class Proof>
    static solve_result exact(words_view instance, solve_result result, search_slice slice, std::int32_t* answer,
                              std::int32_t* scratch, Proof& proof) {
        solo team;
        std::int64_t const all = Task::constraints(instance);
        if (slice.fresh()) {
            if (result.answer_words == 0) {
                result.answer_words = greedy(team, instance, answer, scratch);
                result.objective = kept_by(instance, answer);
            }
            result.steps = 0;
            settle(result, all, 2);
            if (result.objective == all || slice.end == 0) {
                return result;
            }
        }
        solution_search<Task> search(instance, scratch);
        search_end const end = search.run(slice, result.steps, proof);
        if (end == search_end::solved) {
            result.answer_words = answer_words(instance);
            cells_board const board = Task::board(instance);
            std::int32_t* const cells = begin_answer(team, {board.rows, board.columns}, answer);
            for (std::int64_t i = 0; i < board.size(); ++i) {
                cells[i] = search.value(i);
            }
            result.objective = all;
        } else {
            std::int64_t const words = floor(team, instance, scratch, nullptr);
            if (std::int64_t const other = kept_by(instance, scratch); other > result.objective) {
                result.objective = other;
                result.answer_words = words;
                std::memcpy(answer, scratch, std::size_t(words) * sizeof *answer);
            }
        }
        settle(result, end == search_end::unsolvable ? all - 1 : all, end == search_end::unsolvable ? 1 : 2);
        return result;
    }

private:
    OPTGAP_HD static std::int64_t cell_key(value_sets const& left, std::int64_t cell) {
        return Task::in_order ? cell : popcount(left[cell]);
    }
    /// The objective of a full answer that keeps the given cells.
    static std::int64_t kept_by(words_view instance, std::int32_t const* answer) {
        solo team;
        return verify(team, instance, view_answer({answer, answer_words(instance)}), nullptr).objective;
    }
    OPTGAP_HD static constexpr std::int64_t head_words(std::int32_t rows) { return Task::one_list ? 1 : 1 + rows; }
    OPTGAP_HD static std::int64_t answer_head(words_view instance) { return head_words(Task::board(instance).rows); }

    /// Writes the shape of a full answer and returns its cells, which are not yet written.
    template <class Team>
    OPTGAP_HD static std::int32_t* begin_answer(Team& team, cells_shape shape, std::int32_t* answer) {
        team.each(head_words(shape.rows), [&](std::int64_t i) {
            answer[i] = i > 0 ? shape.columns : Task::one_list ? answer_flat : shape.rows;
        });
        return answer + head_words(shape.rows);
    }

    /// Fills the cells chosen by pick_cell(remaining values), until it returns -1, with the values chosen by
    /// pick_value(values). The values that remain after a cell is filled follow from those that remained before and
    /// from the constraints on that cell.
    template <class Team, class PickCell, class PickValue>
    OPTGAP_HD static std::int64_t fill(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                       PickCell const& pick_cell, PickValue const& pick_value) {
        cells_board const board = Task::board(instance);
        std::int32_t* const cells = begin_answer(team, {board.rows, board.columns}, answer);
        value_sets const filled(scratch);
        value_sets const left(scratch + 2 * board.size());
        team.each(board.size(), [&](std::int64_t i) {
            cells[i] = board.given_at(i);
            filled.set(i, board.open(i));
            left.set(i, board.open(i));
        });
        for (std::int32_t at = -1;;) {
            team.sync();
            team.each(Task::constraints(instance), [&](std::int64_t k) {
                cells_constraint const on = Task::constraint(instance, std::int32_t(k));
                if (at < 0 || on.on(at)) {
                    narrow(on, board.values(), filled,
                           [&](std::int32_t cell, std::uint64_t values) { left.forbid(team, cell, values); });
                }
            });
            team.sync();
            at = pick_cell(left);
            if (at < 0) {
                return answer_words(instance);
            }
            std::int32_t const value = left[at] != 0 ? pick_value(left[at]) : min_harm(instance, filled, at);
            team.sync();
            if (team.rank() == 0) {
                cells[at] = value;
                filled.set(at, bit(value));
            }
        }
    }

    /// The value that the fewest constraints forbid for this cell, ties by value.
    OPTGAP_HD static std::int32_t min_harm(words_view instance, value_sets const& filled, std::int32_t at) {
        cells_board const board = Task::board(instance);
        ranked best{INT64_MAX, 0};
        for (std::int32_t value = board.low; value <= board.high; ++value) {
            std::int64_t harm = 0;
            for (std::int32_t k = 0; k < Task::constraints(instance); ++k) {
                cells_constraint const on = Task::constraint(instance, k);
                if (on.on(at)) {
                    narrow(on, board.values(), filled, [&](std::int32_t cell, std::uint64_t values) {
                        harm += cell == at && (values & bit(value)) != 0 ? 1 : 0;
                    });
                }
            }
            best = smaller(best, {harm, value});
        }
        return best.index;
    }
};

}  // namespace families
OPTGAP_KERNELS_END
