// Texts of sudoku.

#include "kernels/families/cells/cells_text.hpp"
#include "kernels/tasks/sudoku/sudoku.hpp"

namespace sudoku_text {

using optgap::tasks::sudoku::task;

/// "2 by 3"
void append_box(std::string& text, optgap::words_view on) {
    text += std::to_string(on[1]) + " by " + std::to_string(on[2]);
}

void append_festival(std::string& text, optgap::words_view on) {
    text += "The days fall into parts of " + std::to_string(on[1]) + ", the stages stand in groups of " +
            std::to_string(on[2]);
}

/// The grid with lines between boxes, . for an empty cell.
void append_boxed(std::string& text, optgap::words_view on) {
    std::int32_t const n = on[0];
    std::size_t const width = std::to_string(n).size();
    std::string rule;
    for (std::int32_t c = 0; c < n; ++c) {
        rule += c % on[2] == 0 && c > 0 ? "+-" : "";
        rule += std::string(width + 1, '-');
    }
    for (std::int32_t r = 0; r < n; ++r) {
        text += r % on[1] == 0 && r > 0 ? rule + "\n" : "";
        for (std::int32_t c = 0; c < n; ++c) {
            std::int32_t const given = on[3 + std::int64_t(r) * n + c];
            std::string const value = given == 0 ? "." : std::to_string(given);
            text += c % on[2] == 0 && c > 0 ? "| " : "";
            text += std::string(width - value.size(), ' ') + value + (c + 1 < n ? " " : "\n");
        }
    }
}

/// (row, column): value; each line lists the given cells of one row of the grid.
void append_givens(std::string& text, optgap::words_view on) {
    std::int32_t const n = on[0];
    for (std::int32_t r = 0; r < n; ++r) {
        char const* before = "";
        for (std::int32_t c = 0; c < n; ++c) {
            if (std::int32_t const given = on[3 + std::int64_t(r) * n + c]; given != 0) {
                text += before;
                text += "(" + std::to_string(r) + ", " + std::to_string(c) + "): " + std::to_string(given);
                before = "  ";
            }
        }
        text += *before == 0 ? "" : "\n";
    }
}

struct words : optgap::families::cells_text<task> {
    static std::string picture(char const* title, optgap::words_view on, optgap::words_view answer) {
        return optgap::families::draw_grid(title, task::board(on), answer, 0, [](std::int32_t) { return nullptr; },
                                           {on[1], on[2]});
    }
};

/// Values only have to be different; boxes are regular, so that a grid may be mirrored.
constexpr optgap::symmetry relabels{
    .axes = {{.name = "row", .moves = optgap::label_moves::mirrored},
             {.name = "column", .moves = optgap::label_moves::mirrored},
             {.name = "value", .count = "grid", .first = 1}},
    .fields = {{.name = "grid", .rows = "row", .columns = "column", .names = {"value"}}},
    .answer = {.rows = "row", .columns = "column", .names = {"value"}},
};

constexpr optgap::declarative_text says{
    .title = "Sudoku",
    .summary = "a square with each number once in a row, a column and a box",
    .category = "grid puzzles",
    .objective = "number of rows, columns and boxes that hold",
    .singular = "value",
    .plural = "values",
    .prompts =
        {"Solve this sudoku. Each of the {n} rows, each of the {n} columns and each of the {n} boxes of {box} cells "
         "holds the numbers {values} once; a 0 is a cell to fill, and all other numbers must stay.\n\n{grid}\nAnswer "
         "with the whole grid as a list of its rows, from top to bottom. Rows, columns and boxes without a repeat are "
         "counted.\n",
         "Sudoku with boxes of {box} cells, which lines set apart. Put a number from {values} on every dot so that no "
         "row, no column and no box has a number twice.\n\n{boxed}\nGive all {n} rows as one list of lists, with the "
         "numbers that are there already; the more rows, columns and boxes have each number once, the better.\n",
         "A festival runs {n} days on {n} stages. {festival}, and each of the {n} bands, numbered {values}, plays once "
         "a day, once on each stage, and once in each "
         "part of the festival in each group of stages. Some of the plan is fixed; a line is a day, a column a stage, "
         "and _ is open:\n\n{blanks}\nWrite the whole plan, one list of band numbers a day. What counts is how many "
         "days, stages and pairs of part and group have every band once.\n",
         "Given cells of a {n} x {n} grid as (row, column): value, rows and columns counted from 0:\n\n{givens}\nFill "
         "the other cells with {values} so that as many as possible of these 3 * {n} sets of cells have no value "
         "twice: "
         "the rows; the columns; the {box} blocks (rows by columns) into which the grid falls, the first at (0, 0). "
         "All "
         "of them can. Given cells keep their values. Output: the grid as a list of rows.\n",
         "{instance}\n\nThe object above is a generalised sudoku: `grid` has 0 for an empty cell, and `box` is the "
         "number "
         "of rows and of columns of a box; boxes lie side by side from the upper left corner on. Each row, column and "
         "box should hold {values} once each; the number of those that do is what you maximise. Return the completed "
         "`grid` as a list of rows, with the given numbers unchanged.\n"},
    .sentences = {"{violation} given cells have another value, the first at position {where}."},
    .examples = {{R"({"box": [2, 2], "grid": [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]})",
                  "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]", "ok", 12},
                 {"", "[[1, 2, 4, 3], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]", "ok", 10},
                 {"", "[[1, 2, 3, 4], [2, 3, 1, 4], [4, 1, 2, 3], [3, 2, 4, 1]]", "ok", 8},
                 {"", "[[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]", "ok", 0},
                 {"", "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 5]]", "out_of_range"},
                 {"", "[[0, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]", "out_of_range"},
                 {"", "[[2, 1, 3, 4], [3, 4, 1, 2], [1, 2, 4, 3], [4, 3, 2, 1]]", "given_changed"},
                 {"", "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3]]", "wrong_length"},
                 {"", "[1, 2, 3, 4]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"box": [1, 2], "grid": [[0, 0], [0, 0]]})", "[[1, 2], [2, 1]]", "ok", 6},
                 {R"({"box": [2, 2], "grid": [[0, 0], [0, 0]]})", "instance", "refused"},
                 {R"({"box": [1, 1], "grid": [[0, 0], [0, 0]]})", "instance", "refused"},
                 {R"({"box": [1, 2], "grid": [[0, 3], [0, 0]]})", "grid[0][1]", "refused"},
                 {R"({"box": [1, 2], "grid": [[0, 0], [0]]})", "grid[1]", "refused"}},
    .fillers = {{"box", append_box}, {"boxed", append_boxed}, {"givens", append_givens}, {"festival", append_festival}},
    .twins = &relabels,
    .tags = {"grid", "puzzle"},
    .rlve = {"Sudoku"},
};

}  // namespace sudoku_text

extern optgap::task_text const optgap_text_sudoku;
optgap::task_text const optgap_text_sudoku =
    optgap::declarative_task_text<sudoku_text::task, sudoku_text::words, sudoku_text::says>();
