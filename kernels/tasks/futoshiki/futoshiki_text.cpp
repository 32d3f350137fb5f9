// Texts of futoshiki.

#include "kernels/families/cells/cells_text.hpp"
#include "kernels/tasks/futoshiki/futoshiki.hpp"

namespace futoshiki_text {

using optgap::tasks::futoshiki::task;

/// "(0, 1) < (0, 2)", a line each.
void append_signs(std::string& text, optgap::words_view on) {
    for (std::int32_t k = 0; k < on[1]; ++k) {
        std::int32_t const* const at = task::sign(on, k);
        for (std::int32_t i = 0; i < 4; ++i) {
            constexpr char const* before[] = {"(", ", ", ") < (", ", "};
            text += before[i];
            text += std::to_string(at[i]);
        }
        text += ")\n";
    }
}

void append_drawing(std::string& text, optgap::words_view on) {
    optgap::families::append_signed_grid(text, task::board(on), on[1],
                                         [&](std::int32_t k) { return task::sign(on, k); });
}

struct words : optgap::families::cells_text<task> {
    static std::string picture(char const* title, optgap::words_view on, optgap::words_view answer) {
        return optgap::families::draw_grid(title, task::board(on), answer, on[1],
                                           [&](std::int32_t k) { return task::sign(on, k); });
    }
};

/// A square may be mirrored, reflected in its diagonal, and filled with n + 1 minus each value, which reverses the
/// signs.
constexpr optgap::symmetry relabels{
    .axes = {{.name = "row", .moves = optgap::label_moves::mirrored},
             {.name = "column", .moves = optgap::label_moves::mirrored},
             {.name = "value", .count = "grid", .first = 1, .moves = optgap::label_moves::mirrored}},
    .fields = {{.name = "grid", .rows = "row", .columns = "column", .names = {"value"}},
               {.name = "less", .names = {"row", "column", "row", "column"}, .order = "value"}},
    .answer = {.rows = "row", .columns = "column", .names = {"value"}},
    .exchanged = {"row", "column"},
};

constexpr optgap::declarative_text says{
    .title = "Futoshiki",
    .summary = "a square with each number once in a row and column, and signs of less between cells",
    .category = "grid puzzles",
    .objective = "number of constraints that hold",
    .singular = "value",
    .plural = "values",
    .prompts =
        {"Fill the {n} by {n} grid with the numbers {values} so that each row and each column holds every number "
         "once, and so that each sign of less below holds. Cells are (row, column), both counted from 0; 0 stands "
         "for an empty cell and other numbers must stay.\n\n{grid}\n{less}\nAnswer with the filled grid as a list of "
         "its rows, from top to bottom. Rows, columns and signs that hold are counted.\n",
         "Futoshiki. Write a number from {values} on each blank (_) so that no row and no column has a number twice. "
         "A < or > between two neighbours in a row says which is less; between two lines ^ says that the upper "
         "number is less, and v that the lower one is.\n\n{drawing}\nGive all rows as one list of lists, with the "
         "numbers that are there already.\n",
         "Tiles of the heights {values} stand on a square of {n} rows and {n} columns, each height once in every row "
         "and once in every column. Some are known (_ is not):\n\n{blanks}\nOf these pairs of places (row, column), "
         "counted from 0, the first has the lower tile:\n\n{less}\nList the heights row by row, one list a row.\n",
         "{instance}\n\nIn the object above `grid` is a partly filled latin square, 0 for an empty cell, and each "
         "entry [r, c, s, t] of `less` demands that cell (r, c) is less than cell (s, t). Return the completed "
         "square as a list of rows.\n"},
    .sentences = {"{violation} given cells have another value, the first at position {where}."},
    .examples = {{R"({"grid": [[0, 0], [0, 0]], "less": [[0, 0, 0, 1]]})", "[[1, 2], [2, 1]]", "ok", 5},
                 {"", "[[2, 1], [1, 2]]", "ok", 4},
                 {"", "[[1, 1], [1, 1]]", "ok", 0},
                 {"", "[[1, 2], [1, 2]]", "ok", 3},
                 {"", "[[1, 2], [2, 3]]", "out_of_range"},
                 {"", "[[1, 2], [2]]", "wrong_length"},
                 {"", "[1, 2, 2, 1]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"grid": [[0, 2], [0, 0]], "less": []})", "[[2, 1], [1, 2]]", "given_changed"},
                 {R"({"grid": [[0, 3], [0, 0]], "less": []})", "grid[0][1]", "refused"},
                 {R"({"grid": [[0, 0], [0]], "less": []})", "grid[1]", "refused"},
                 {R"({"grid": [[0, 0], [0, 0]], "less": [[0, 0, 1, 1]]})", "instance", "refused"}},
    .fillers = {{"less", append_signs}, {"drawing", append_drawing}},
    .twins = &relabels,
    .tags = {"grid", "puzzle"},
    .rlve = {"FutoshikiPuzzle"},
};

}  // namespace futoshiki_text

extern optgap::task_text const optgap_text_futoshiki;
optgap::task_text const optgap_text_futoshiki =
    optgap::declarative_task_text<futoshiki_text::task, futoshiki_text::words, futoshiki_text::says>();
