// Texts of queens.

#include "kernels/families/cells/cells_text.hpp"
#include "kernels/tasks/queens/queens.hpp"

namespace queens_text {

using optgap::tasks::queens::task;

/// (row, column) of each given queen.
void append_given(std::string& text, optgap::words_view on) {
    char const* before = "";
    for (std::int32_t r = 0; r < on[0]; ++r) {
        if (on[1 + r] >= 0) {
            text += before;
            text += "(" + std::to_string(r) + ", " + std::to_string(on[1 + r]) + ")";
            before = ", ";
        }
    }
    text += *before == 0 ? "none" : "";
}

void append_board(std::string& text, optgap::words_view on) {
    for (std::int32_t r = 0; r < on[0]; ++r) {
        std::string line(std::size_t(on[0]), '.');
        if (on[1 + r] >= 0) {
            line[std::size_t(on[1 + r])] = 'Q';
        }
        text += line + "\n";
    }
}

struct words : optgap::families::cells_text<task> {
    static constexpr optgap::filler fillers[] = {
        {"n", [](std::string& text, optgap::words_view on) { optgap::append_integer(text, on[0]); }},
        {"last", [](std::string& text, optgap::words_view on) { optgap::append_integer(text, on[0] - 1); }},
        {"instance", [](std::string& text, optgap::words_view on) { text += optgap::layout_text(task::layout, on); }},
    };
    static constexpr optgap::answer_terms terms{
        .form = "[a, b, c, ...]",
        .shape = "one flat list with a column for each row",
        .low = [](optgap::words_view) { return 0; },
        .high = [](optgap::words_view on) { return on[0] - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"empty", "it is not the empty list"},
                  {"bad_depth", "it is one flat list"},
                  {"wrong_length", "it has a column for each row"},
                  {"out_of_range", "its columns are on the board", "the row"}},
    };
    static std::string picture(char const* title, optgap::words_view on, optgap::words_view answer) {
        constexpr double side = 15;
        std::int32_t const n = on[0];
        optgap::answer_view const filled = optgap::view_answer(answer);
        optgap::svg out(side * n + 4, side * n + 4, title);
        for (std::int32_t i = 0; i < n * n; ++i) {
            std::int32_t const r = i / n;
            optgap::point const corner{2 + side * (i % n), 2 + side * r};
            bool const given = on[1 + r] == i % n;
            bool const queen = given || (on[1 + r] < 0 && r < filled.count && filled.values[r] == i % n);
            out.rectangle(corner, side - 1, side - 1, given ? "chosen" : "vertex");
            if (queen) {
                out.text({corner.x + side / 2 - 0.5, corner.y + 11}, "Q", given ? "on" : "inside",
                         optgap::text_anchor::middle);
            }
        }
        return out.finish();
    }
};

/// A board may be mirrored in either direction.
constexpr optgap::symmetry relabels{
    .axes = {{.name = "row", .moves = optgap::label_moves::mirrored},
             {.name = "column", .count = "queens", .moves = optgap::label_moves::mirrored}},
    .fields = {{.name = "queens", .rows = "row", .names = {"column"}}},
    .answer = {.rows = "row", .names = {"column"}},
};

constexpr optgap::declarative_text says{
    .title = "Queens on a board that is begun",
    .summary = "one queen in each row of a board, some given, so that none attacks another",
    .category = "grid puzzles",
    .objective = "number of queens that no other queen attacks",
    .singular = "column",
    .plural = "columns",
    .prompts =
        {"Place {n} queens on a board of {n} rows and {n} columns, one in each row, so that no two stand in one column "
         "or on one diagonal. Rows and columns are counted from 0. These queens, as (row, column), stand already and "
         "must stay: {given}.\n\nAnswer with the column of the queen of each row, row 0 first, one list of {n} "
         "numbers. Queens that no other queen attacks are counted; all {n} is possible.\n",
         "Complete this board of {n} x {n} squares, Q for a queen and . for an empty square, so that each row, each "
         "column and each diagonal (of any length) has at most one queen, and each row has one:\n\n{board}\nGive one "
         "list: for every row from the top down, the place of its queen, the leftmost column being 0. The more queens "
         "stand alone in their column and on their diagonals, the better.\n",
         "{n} radar stations are to be set up in {n} time slots, 0 to {last}, on {n} frequencies, 0 to {last}, one "
         "station in each slot. Two stations disturb each other when they have the same frequency, or when their "
         "frequencies lie as far apart as their slots. Some stations, as (slot, frequency), are fixed: "
         "{given}.\n\nList the frequency of each slot in order, with as many stations as possible that are not "
         "disturbed.\n",
         "Find integers x[0], ..., x[{last}], each from 0 to {last}. An index j is clean when for all i other than j "
         "both x[i] != x[j] and |x[i] - x[j]| != |i - j|. Maximise the number of clean indices, where x[i] = v for "
         "each of these (i, v): {given}.\nOutput the list x.\n",
         "{instance}\n\nThe object above is a chessboard that is begun: entry r of `queens` is the column, counted "
         "from 0, of the queen in row r, or -1 where you choose. Replace every -1 by a column from 0 to {last}, and "
         "keep the other entries, so that no queen attacks another along a column or a diagonal, whatever stands "
         "between them; the score is the number of queens that are not attacked. Return the list of {n} columns.\n"},
    .sentences = {"{violation} given queens stand elsewhere, the first in row {where}."},
    .examples = {{R"({"queens": [-1, 3, -1, -1]})", "[1, 3, 0, 2]", "ok", 4},
                 {"", "[0, 3, 1, 2]", "ok", 2},
                 {"", "[3, 3, 3, 3]", "ok", 0},
                 {"", "[2, 3, 0, 1]", "ok", 0},
                 {"", "[1, 2, 0, 2]", "given_changed"},
                 {"", "[1, 3, 0, 4]", "out_of_range"},
                 {"", "[-1, 3, 0, 2]", "out_of_range"},
                 {"", "[1, 3, 0]", "wrong_length"},
                 {"", "[[1, 3, 0, 2]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"queens": [-1]})", "[0]", "ok", 1},
                 {R"({"queens": [-1, 2]})", "queens[1]", "refused"},
                 {R"({"queens": [-2, 1]})", "queens[0]", "refused"},
                 {R"({"queens": []})", "queens", "refused"}},
    .fillers = {{"given", append_given}, {"board", append_board}},
    .twins = &relabels,
    .tags = {"grid", "puzzle", "chess"},
    .rlve = {"QueenPlacement"},
};

}  // namespace queens_text

extern optgap::task_text const optgap_text_queens;
optgap::task_text const optgap_text_queens =
    optgap::declarative_task_text<queens_text::task, queens_text::words, queens_text::says>();
