// Texts of sliding_puzzle: {rows}, {columns}, {grid} (_: the gap), {goal}, {limit}, {instance}.

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/families/moves/moves_text.hpp"
#include "kernels/tasks/sliding_puzzle/sliding_puzzle.hpp"
#include "kernels/text/svg.hpp"

namespace sliding_puzzle_text {

using optgap::words_view;
using optgap::tasks::sliding_puzzle::task;
using optgap::tasks::sliding_puzzle::view;

void append_board(std::string& text, std::int32_t columns, std::vector<std::int32_t> const& cells) {
    std::size_t const width = std::to_string(cells.size() - 1).size();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        std::string const tile = cells[i] == 0 ? "_" : std::to_string(cells[i]);
        text += i % std::size_t(columns) > 0 ? " " : "";
        text += std::string(width - tile.size(), ' ') + tile;
        text += (i + 1) % std::size_t(columns) == 0 ? "\n" : "";
    }
}

std::vector<std::int32_t> cells_of(words_view on) {
    auto const start = view(on);
    return {start.cells, start.cells + start.size()};
}
std::vector<std::int32_t> goal_of(words_view on) {
    std::vector<std::int32_t> cells(std::size_t(view(on).size()));
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
        cells[i] = std::int32_t(i + 1);
    }
    return cells;
}

struct words : optgap::families::moves_text<task> {
    /// The board, with tiles in their places filled, and below it the letters of the plan, twenty a line.
    static std::string picture(char const* title, words_view instance, words_view answer) {
        constexpr double side = 36;
        constexpr std::int32_t a_line = 20;
        auto const on = view(instance);
        optgap::answer_view const plan = optgap::view_answer(answer);
        auto const lines = std::int32_t((plan.count + a_line - 1) / a_line);
        optgap::svg out(std::max(side * on.columns + 4, lines > 0 ? 12.0 * a_line : 0.0),
                        side * on.rows + 8 + 18 * lines, title);
        for (std::int32_t i = 0; i < on.size(); ++i) {
            if (on.cells[i] == 0) {
                continue;
            }
            optgap::point const corner{2 + side * (i % on.columns), 2 + side * (i / on.columns)};
            bool const home = on.cells[i] == i + 1;
            out.rectangle({corner.x + 1, corner.y + 1}, side - 2, side - 2, home ? "chosen" : "vertex");
            out.text({corner.x + side / 2, corner.y + side / 2 + 4}, std::to_string(on.cells[i]),
                     home ? "on" : "inside", optgap::text_anchor::middle);
        }
        for (std::int32_t line = 0; line < lines; ++line) {
            std::string letters;
            for (std::int64_t k = std::int64_t(line) * a_line; k < plan.count && k < (line + 1) * a_line; ++k) {
                letters += "URDL"[plan.values[k]];
            }
            out.text({4, side * on.rows + 20 + 18.0 * line}, letters, "label");
        }
        return out.finish();
    }
};

constexpr optgap::filler own_fillers[4] = {
    {"rows", [](std::string& text, words_view on) { optgap::append_integer(text, view(on).rows); }},
    {"columns", [](std::string& text, words_view on) { optgap::append_integer(text, view(on).columns); }},
    {"grid", [](std::string& text, words_view on) { append_board(text, view(on).columns, cells_of(on)); }},
    {"goal", [](std::string& text, words_view on) { append_board(text, view(on).columns, goal_of(on)); }},
};

constexpr optgap::declarative_text says{
    .title = "Sliding puzzle",
    .summary = "the fewest moves of a board's gap that bring its tiles in order",
    .category = "planning",
    .objective = "number of moves",
    .singular = "move",
    .plural = "moves",
    .prompts =
        {"A board of {rows} rows and {columns} columns holds numbered tiles and one gap (_):\n\n{grid}\nA move takes "
         "the "
         "gap up (U), right (R), down (D) or left (L) by one cell; the tile that was there slides into the cell that "
         "the "
         "gap leaves. The gap cannot leave the board. Bring the tiles in this order:\n\n{goal}\nAnswer with the moves' "
         "letters in order, as one word. At most {limit} moves are allowed, and the fewer the better.\n",
         "On a shelf of {rows} by {columns} places all but one hold a numbered crate, and a robot arm can push a crate "
         "from beside the empty place (_) into it:\n\n{grid}\nThe crates should stand like this:\n\n{goal}\nThe arm's "
         "program is a string of letters, which say where the empty place goes: U when the crate above it is pushed "
         "down, "
         "D when the one below is pushed up, L when the one on the left is pushed right, R when the one on the right "
         "is "
         "pushed left. A letter without a crate on that side stops the machine. Every letter costs time: write a "
         "program "
         "that is as short as you can make it, of {limit} letters at most.\n",
         "Sliding-tile puzzle, {rows} x {columns}. State: a permutation on cells (r, c), blank written as "
         "_.\n\nInitial "
         "state:\n{grid}\nGoal state:\n{goal}\nOperators move the blank: U: r - 1, D: r + 1, L: c - 1, R: c + 1, "
         "exchanging it with the tile in its new cell; an operator is applicable if that cell exists. Find a sequence "
         "of "
         "operators from the initial state to the goal state whose length, at most {limit}, is minimal. Output the "
         "sequence as a string over the letters U, D, L, R.\n",
         "You hold a worn toy: numbered squares in a {rows} by {columns} frame with one hole, marked "
         "_.\n\n{grid}\nSlide "
         "squares until they read 1, 2, 3 and so on, row by row, with the hole in the corner at the bottom right. Note "
         "for each slide the direction in which the hole travels, by U, D, L or R (a square that slides to the left "
         "moves "
         "the hole to the right: R). The toy breaks after {limit} slides, and slides over the frame's edge are "
         "impossible. Give all your notes as one word; a shorter word is better.\n",
         "{instance}\n\nThe object above is a sliding puzzle: `grid` has the tiles row by row, 0 for the gap. Write a "
         "word of at most `limit` letters: U, D, L and R move the gap one cell up, down, left and right, within the "
         "grid, "
         "and the tile met there takes the gap's cell. In the end the grid, read row by row, must be 1, 2, 3, ... with "
         "the 0 last. Minimise the length of the word.\n"},
    .sentences = {"The move at position {where} takes the gap over the edge of the board.",
                  "The tiles are not in order at the end; rows and columns that they have yet to go sum up to "
                  "{violation}."},
    .examples = {{R"({"grid": [[1, 2, 3], [4, 0, 5], [7, 8, 6]], "limit": 180})", "RD", "ok", 2},
                 {"", "[1, 2]", "ok", 2},
                 {"", "r, d", "ok", 2},
                 {"", "LRRD", "ok", 4},
                 {"", "RDD", "illegal_move"},
                 {"", "LD", "not_solved"},
                 {"", "R", "not_solved"},
                 {"", "[1, 4]", "out_of_range"},
                 {"", "[[1, 2]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"grid": [[1, 2], [0, 3]], "limit": 2})", "R", "ok", 1},
                 {"", "URDL", "wrong_length"},
                 {R"({"grid": [[1, 2, 3], [4, 5, 6], [8, 7, 0]], "limit": 180})", "instance", "refused"},
                 {R"({"grid": [[1, 2], [3, 0]], "limit": 9})", "instance", "refused"},
                 {R"({"grid": [[1, 1], [3, 0]], "limit": 9})", "instance", "refused"},
                 {R"({"grid": [[1, 2], [0, 36]], "limit": 9})", "grid[1][1]", "refused"},
                 {R"({"grid": [[1, 0]], "limit": 9})", "grid", "refused"},
                 {R"({"grid": [[1, 2], [0, 3]], "limit": 0})", "limit", "refused"}},
    .fillers = {own_fillers[0], own_fillers[1], own_fillers[2], own_fillers[3]},
    .tags = {"grid", "puzzle", "planning"},
    .rlve = {"EightDigitPuzzle"},
    .alphabet = "URDL",
    .expensive_steps = 128,
};

}  // namespace sliding_puzzle_text

extern optgap::task_text const optgap_text_sliding_puzzle;
optgap::task_text const optgap_text_sliding_puzzle =
    optgap::declarative_task_text<sliding_puzzle_text::task, sliding_puzzle_text::words, sliding_puzzle_text::says>();
