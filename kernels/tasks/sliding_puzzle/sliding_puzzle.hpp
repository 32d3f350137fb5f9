#pragma once
// Tiles on a board with one gap; a move exchanges the gap with the tile of a neighbouring cell. The number of moves
// until the tiles are in order, the gap last, is minimised.
//
//   1 2 3        R, D:  1 2 3    1 2 3
//   4 0 5               4 5 0    4 5 6
//   7 8 6               7 8 6    7 8 0

#include "kernels/core/check_layout.hpp"
#include "kernels/families/moves/moves.hpp"
#include "kernels/tasks/sliding_puzzle/sliding_board.hpp"
#include "kernels/tasks/sliding_puzzle/sliding_rows.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::sliding_puzzle {

// Purposes of random words.
inline constexpr std::uint32_t draw_walk = 0;

inline constexpr field board_layout[] = {
    {"rows", field_kind::size, "there are 2 to 6 rows", 2, max_side},
    {"columns", field_kind::size, "there are 2 to 6 columns", 2, max_side},
    {"grid", field_kind::table, "a tile is 0 (the gap) to 35", 0, max_side* max_side - 1, of(0), of(1)},
    {"limit", field_kind::number, "limit, the most moves of a plan, is 1 to 10000", 1, 10'000},
};

struct task : families::moves_task<task> {
    using world = board;
    static constexpr std::int64_t default_budget = 500'000;  ///< nodes, each less than a microsecond
    static constexpr std::span<field const> layout = board_layout;

    /// A board's tiles can be brought in order if the permutation of the tiles and the gap has the same parity as the
    /// gap's distance to the last cell (Johnson & Story 1879).
    static char const* check(words_view instance) {
        if (char const* const broken = check_layout(layout, instance)) {
            return broken;
        }
        start const on = view(instance);
        std::uint64_t seen = 0;
        std::int32_t gap = 0;
        std::int32_t inversions = 0;
        std::int32_t right_ones = 0;
        for (std::int32_t i = 0; i < on.size(); ++i) {
            std::int32_t const tile = on.cells[i];
            seen |= std::uint64_t(1) << tile;
            gap = tile == 0 ? i : gap;
            right_ones += tile == i + 1 ? 1 : 0;
            for (std::int32_t k = 0; k < i; ++k) {
                inversions += tile != 0 && on.cells[k] > tile ? 1 : 0;
            }
        }
        if (seen != (std::uint64_t(1) << on.size()) - 1) {
            return "grid must have each tile from 0 to rows times columns - 1 once";
        }
        if (right_ones == on.size() - 1) {
            return "grid must not be in order yet";
        }
        // A move down passes columns - 1 tiles.
        std::int32_t const passed = (on.rows - 1 - gap / on.columns) * (on.columns - 1);
        return (inversions + passed) % 2 == 0 ? nullptr : "grid must be one that moves can bring in order";
    }

    /// The parameters that depend on the difficulty scale, which ends at step 160.
    struct plan {
        std::int32_t rows;
        std::int32_t columns;
        std::int32_t walk;
    };
    OPTGAP_HD static plan plan_of(difficulty level) {
        std::int32_t const d = step_of(level) < 160 ? step_of(level) : 160;
        std::int32_t const rows = d < 4 ? 2 : d < 28 ? 3 : 4;
        std::int32_t const columns = d < 16 ? 3 : d < 100 ? 4 : 5;
        return {rows, columns, 8 + 2 * d};
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        plan const of = plan_of(level);
        return 3 + of.rows * of.columns;
    }

    /// A random walk of the gap from the goal in which no step undoes the one before, and which does not end at the
    /// goal.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        if (team.rank() == 0) {
            plan const of = plan_of(level);
            std::int32_t const size = of.rows * of.columns;
            std::int32_t* const cells = words + 2;
            words[0] = of.rows;
            words[1] = of.columns;
            words[2 + size] = 20 * size;
            for (std::int32_t i = 0; i < size; ++i) {
                cells[i] = (i + 1) % size;
            }
            draw_stream stream(source, draw_walk);
            std::int32_t gap = size - 1;
            std::int32_t last = -1;
            for (std::int32_t k = 0; k < of.walk || in_order(cells, size); ++k) {
                std::int32_t to = -1;
                std::int32_t chosen = -1;
                std::int32_t choices = 0;
                for (std::int32_t move = 0; move < 4; ++move) {
                    std::int32_t const cell = neighbour(of, gap, move);
                    if (cell >= 0 && (last < 0 || move != back(last)) && stream.uniform(0, choices++) == 0) {
                        to = cell;
                        chosen = move;
                    }
                }
                cells[gap] = cells[to];
                cells[to] = 0;
                gap = to;
                last = chosen;
            }
        }
        team.sync();
    }

    OPTGAP_HD static std::int64_t max_actions(words_view instance) { return view(instance).limit; }
    /// No tile is farther away than from corner to corner.
    OPTGAP_HD static std::int64_t max_missing(words_view instance) {
        start const on = view(instance);
        return std::int64_t(on.size()) * (on.rows + on.columns - 2);
    }
    OPTGAP_HD static std::int64_t build_words(words_view instance) { return row_by_row::words(instance); }
    OPTGAP_HD static std::int32_t build(words_view instance, draw_stream* noise, std::int32_t* answer,
                                        std::int32_t* scratch) {
        return row_by_row(instance, noise, answer, scratch).run();
    }

private:
    OPTGAP_HD static bool in_order(std::int32_t const* cells, std::int32_t size) {
        bool ordered = true;
        for (std::int32_t i = 0; i + 1 < size; ++i) {
            ordered = ordered && cells[i] == i + 1;
        }
        return ordered;
    }
    OPTGAP_HD static std::int32_t neighbour(plan const& of, std::int32_t cell, std::int32_t move) {
        std::int32_t const row = cell / of.columns + (move == down ? 1 : 0) - (move == up ? 1 : 0);
        std::int32_t const column = cell % of.columns + (move == right ? 1 : 0) - (move == left ? 1 : 0);
        bool const there = row >= 0 && row < of.rows && column >= 0 && column < of.columns;
        return there ? row * of.columns + column : -1;
    }
};

}  // namespace tasks::sliding_puzzle
OPTGAP_KERNELS_END
