// Texts of nonogram.

#include <algorithm>

#include "kernels/families/cells/cells_text.hpp"
#include "kernels/tasks/nonogram/nonogram.hpp"

namespace nonogram_text {

using optgap::families::cells_constraint;
using optgap::tasks::nonogram::task;

/// "2 1", or `none`.
std::string clue(cells_constraint const& on, char const* none) {
    std::string text;
    for (std::int32_t i = 0; i < on.high && on.list[i] != 0; ++i) {
        text += (i > 0 ? " " : "") + std::to_string(on.list[i]);
    }
    return text.empty() ? none : text;
}

/// "0: 2 1", a line each.
void append_clues(std::string& text, optgap::words_view on, bool rows) {
    for (std::int32_t i = 0; i < on[rows ? 0 : 1]; ++i) {
        text += std::to_string(i) + ": " + clue(task::constraint(on, rows ? i : on[0] + i), "-") + "\n";
    }
}

/// The columns' runs, bottoms aligned, above an empty grid with the rows' runs to its left.
void append_board(std::string& text, optgap::words_view on) {
    std::size_t margin = 0;
    for (std::int32_t r = 0; r < on[0]; ++r) {
        margin = std::max(margin, clue(task::constraint(on, r), "0").size());
    }
    for (std::int32_t line = 0; line < std::max(on[3], 1); ++line) {
        std::string drawn(margin + 1, ' ');
        for (std::int32_t c = 0; c < on[1]; ++c) {
            cells_constraint const own = task::constraint(on, on[0] + c);
            std::int32_t runs = 0;
            while (runs < own.high && own.list[runs] != 0) {
                ++runs;
            }
            std::int32_t const i = line - (std::max(on[3], 1) - std::max(runs, 1));
            std::string const value = i < 0 ? "" : runs == 0 ? "0" : std::to_string(own.list[i]);
            drawn += std::string(3 - value.size(), ' ') + value;
        }
        text += drawn + "\n";
    }
    for (std::int32_t r = 0; r < on[0]; ++r) {
        std::string const own = clue(task::constraint(on, r), "0");
        text += std::string(margin - own.size(), ' ') + own + " ";
        for (std::int32_t c = 0; c < on[1]; ++c) {
            text += "  .";
        }
        text += "\n";
    }
}

struct words : optgap::families::cells_text<task> {
    /// Black cells, with the runs beside the grid.
    static std::string picture(char const* title, optgap::words_view on, optgap::words_view answer) {
        constexpr double side = 15;
        double const left = 6 + 12.0 * on[2];
        double const top = 6 + 12.0 * on[3];
        optgap::answer_view const filled = optgap::view_answer(answer);
        optgap::svg out(left + side * on[1] + 3, top + side * on[0] + 3, title);
        for (std::int32_t k = 0; k < on[0] + on[1]; ++k) {
            cells_constraint const line = task::constraint(on, k);
            std::int32_t runs = 0;
            while (runs < line.high && line.list[runs] != 0) {
                ++runs;
            }
            for (std::int32_t i = 0; i < runs; ++i) {
                double const back = 12.0 * (runs - i) - 4;
                optgap::point const at = k < on[0]
                                             ? optgap::point{left - back, top + side * k + 11}
                                             : optgap::point{left + side * (k - on[0]) + side / 2, top - back + 6};
                out.text(at, std::to_string(line.list[i]), "note", optgap::text_anchor::middle);
            }
        }
        for (std::int32_t i = 0; i < on[0] * on[1]; ++i) {
            bool const black = i < filled.count && filled.values[i] == 1;
            out.rectangle({left + side * (i % on[1]), top + side * (i / on[1])}, side - 1, side - 1,
                          black ? "chosen" : "vertex");
        }
        return out.finish();
    }
};

/// A picture may be mirrored, which reverses the clues of the perpendicular lines.
constexpr optgap::symmetry relabels{
    .axes = {{.name = "row", .moves = optgap::label_moves::mirrored},
             {.name = "column", .moves = optgap::label_moves::mirrored}},
    .fields = {{.name = "rows", .rows = "row", .along = "column"},
               {.name = "columns", .rows = "column", .along = "row"}},
    .answer = {.rows = "row", .columns = "column"},
};

void append_height(std::string& text, optgap::words_view on) { text += std::to_string(on[0]); }
void append_width(std::string& text, optgap::words_view on) { text += std::to_string(on[1]); }

constexpr optgap::declarative_text says{
    .title = "Nonogram",
    .summary = "a picture of black and white cells whose runs of black are known, for each row and column",
    .category = "grid puzzles",
    .objective = "number of rows and columns that have their runs",
    .singular = "value",
    .plural = "values",
    .prompts =
        {"Solve this nonogram. Its picture has {height} rows and {width} columns of cells, each black (1) or white "
         "(0). Of each line the lengths of its runs of black cells are given in order; two runs have at least one "
         "white cell between them, and - stands for a line without black cells.\n\n{clues}\nAnswer with the picture as "
         "a list of its rows, from top to bottom, of zeros and ones. Rows and columns that have just their runs are "
         "counted.\n",
         "Picture logic. Numbers above the grid tell of each column, read downwards, and numbers on its left of each "
         "row, read to the right, how long its blocks of filled cells are, one after another; blocks of a line do not "
         "touch, and 0 means none.\n\n{board}\nWrite 1 for a filled cell and 0 for an empty one, one list a row, all "
         "{height} rows in one list. The more lines agree with their numbers, the better.\n",
         "A scanner cut an object with {height} by {width} pixels along every row and every column, and noted how long "
         "the solid pieces were that it met, in order (from the left, or from the top; - where it met none). The "
         "object itself was lost.\n\n{clues}\nReconstruct it: a list of rows, 1 for solid and 0 for air. A row or "
         "column is right when it would give the same note, and what counts is how many are right.\n",
         "Find a 0/1 matrix M with {height} rows and {width} columns. For a row or column, its profile is the list of "
         "the lengths of its maximal blocks of consecutive ones, in order of the index; - is the empty profile. "
         "Maximise the number of rows and columns whose profile is the one below.\n\n{clues}\nOutput M as a list of "
         "its rows.\n",
         "{instance}\n\nThe object above is a nonogram: entry i of `rows` has the lengths of the runs of ones in row i "
         "of a {height} x {width} grid of zeros and ones, from left to right, and `columns` those of each column, from "
         "top to bottom; an empty list is a line of zeros. Runs of one line are separated by at least one zero. Return "
         "the grid as a list of rows in which as many rows and columns as possible have the given runs; all of them "
         "can.\n"},
    .sentences = {},
    .examples = {{R"({"rows": [[2], [1, 1]], "columns": [[2], [1], [1]]})", "[[1, 1, 0], [1, 0, 1]]", "ok", 5},
                 {"", "[[0, 1, 1], [1, 0, 1]]", "ok", 3},
                 {"", "[[0, 0, 0], [0, 0, 0]]", "ok", 0},
                 {"", "[[1, 1, 1], [1, 1, 1]]", "ok", 1},
                 {"", "[[1, 1, 0], [1, 0, 2]]", "out_of_range"},
                 {"", "[[1, 1, 0], [1, 0]]", "wrong_length"},
                 {"", "[[1, 1], [1, 0], [0, 1]]", "wrong_length"},
                 {"", "[1, 1, 0, 1, 0, 1]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"rows": [[]], "columns": [[], []]})", "[[0, 0]]", "ok", 3},
                 {R"({"rows": [[1, 1]], "columns": [[1], [1]]})", "instance", "refused"},
                 {R"({"rows": [[3]], "columns": [[1], [1]]})", "rows[0][0]", "refused"},
                 {R"({"rows": [[0]], "columns": [[1], [1]]})", "rows[0][0]", "refused"},
                 {R"({"rows": [], "columns": [[1]]})", "rows", "refused"}},
    .fillers = {{"height", append_height},
                {"width", append_width},
                {"clues",
                 [](std::string& text, optgap::words_view on) {
                     text += "Rows:\n";
                     append_clues(text, on, true);
                     text += "\nColumns:\n";
                     append_clues(text, on, false);
                 }},
                {"board", append_board}},
    .twins = &relabels,
    .tags = {"grid", "puzzle", "picture"},
};

}  // namespace nonogram_text

extern optgap::task_text const optgap_text_nonogram;
optgap::task_text const optgap_text_nonogram =
    optgap::declarative_task_text<nonogram_text::task, nonogram_text::words, nonogram_text::says>();
