#pragma once
// Texts shared by grid puzzles: {n}, {last}, {values}, {grid} (0: empty), {blanks} (_: empty) and {instance}, and a
// picture of the grid. Host only.

#include <string>

#include "kernels/families/cells/cells.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::families {

/// One line for each row, values separated by blanks, `empty` for a cell that is not given.
inline void append_grid(std::string& text, cells_board const& board, char const* empty) {
    for (std::int64_t i = 0; i < board.size(); ++i) {
        text += i % board.columns > 0 ? " " : "";
        text += board.given_at(i) == no_value ? empty : std::to_string(board.given[i]);
        text += (i + 1) % board.columns == 0 ? "\n" : "";
    }
}

/// The cells of a square with signs between neighbours: < and > beside, ^ and v below. `sign(k)` is four words: row and
/// column of the lesser cell, then of the other. The second digit of a value takes the place of the blank before the
/// sign.
template <class Sign>
void append_signed_grid(std::string& text, cells_board const& board, std::int32_t signs, Sign const& sign) {
    auto const line = std::size_t(4 * board.columns);
    std::string drawn(std::size_t(2 * board.rows - 1) * line, ' ');
    for (std::int32_t i = 0; i < board.size(); ++i) {
        std::string const value = board.given_at(i) == no_value ? "_" : std::to_string(board.given[i]);
        drawn.replace(std::size_t(i / board.columns * 2) * line + std::size_t(i % board.columns * 4), value.size(),
                      value);
    }
    for (std::int32_t k = 0; k < signs; ++k) {
        std::int32_t const* const at = sign(k);
        bool const beside = at[0] == at[2];
        bool const ahead = at[0] + at[1] < at[2] + at[3];  // the lesser cell comes first
        drawn[std::size_t(at[0] + at[2]) * line + std::size_t(2 * (at[1] + at[3]))] =
            beside ? (ahead ? '<' : '>') : (ahead ? '^' : 'v');
    }
    for (std::size_t begin = 0; begin < drawn.size(); begin += line) {
        std::string const row = drawn.substr(begin, line);
        text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";  // npos + 1 is 0
    }
}

/// Draws the grid with its given cells highlighted. `sign` as above; signs stand in the gaps that cells then have.
/// Lines separate blocks of the size `blocks`, unless it is 0.
template <class Sign>
std::string draw_grid(char const* title, cells_board const& board, words_view answer, std::int32_t signs,
                      Sign const& sign, cells_shape blocks = {0, 0}) {
    constexpr double side = 23;
    double const pitch = signs > 0 ? 34 : side + 1;
    answer_view const filled = view_answer(answer);
    svg out(pitch * (board.columns - 1) + side + 5, pitch * (board.rows - 1) + side + 5, title);
    for (std::int32_t i = 0; i < board.size(); ++i) {
        point const corner{2 + pitch * (i % board.columns), 2 + pitch * (i / board.columns)};
        bool const given = board.given_at(i) != no_value;
        out.rectangle(corner, side, side, given ? "chosen" : "vertex");
        if (given || i < filled.count) {
            out.text({corner.x + side / 2, corner.y + 15}, std::to_string(given ? board.given[i] : filled.values[i]),
                     given ? "on" : "inside", text_anchor::middle);
        }
    }
    for (std::int32_t k = 0; k < signs; ++k) {
        std::int32_t const* const at = sign(k);
        point const middle{2 + side / 2 + pitch * (at[1] + at[3]) / 2, 2 + side / 2 + pitch * (at[0] + at[2]) / 2};
        // The point of a sign is on the side of the lesser cell.
        double const across = at[0] == at[2] ? (at[1] < at[3] ? -2.5 : 2.5) : 0;
        double const down = at[0] == at[2] ? 0 : (at[0] < at[2] ? -2.5 : 2.5);
        point const ends[] = {{middle.x - across + down * 1.4, middle.y - down + across * 1.4},
                              {middle.x + across, middle.y + down},
                              {middle.x - across - down * 1.4, middle.y - down - across * 1.4}};
        out.polyline(ends, "cut");
    }
    double const width = pitch * (board.columns - 1) + side;
    double const height = pitch * (board.rows - 1) + side;
    for (std::int32_t r = blocks.rows; r > 0 && r < board.rows; r += blocks.rows) {
        out.line({2, 1.5 + pitch * r}, {2 + width, 1.5 + pitch * r}, "strong");
    }
    for (std::int32_t c = blocks.columns; c > 0 && c < board.columns; c += blocks.columns) {
        out.line({1.5 + pitch * c, 2}, {1.5 + pitch * c, 2 + height}, "strong");
    }
    return out.finish();
}

template <class Task>
struct cells_text {
    static constexpr filler fillers[] = {
        {"n", [](std::string& text, words_view on) { append_integer(text, Task::board(on).rows); }},
        {"last", [](std::string& text, words_view on) { append_integer(text, Task::board(on).rows - 1); }},
        {"values",
         [](std::string& text, words_view on) {
             text += std::to_string(Task::board(on).low) + " to " + std::to_string(Task::board(on).high);
         }},
        {"grid", [](std::string& text, words_view on) { append_grid(text, Task::board(on), "0"); }},
        {"blanks", [](std::string& text, words_view on) { append_grid(text, Task::board(on), "_"); }},
        {"instance", [](std::string& text, words_view on) { text += layout_text(Task::layout, on); }},
    };
    static constexpr answer_terms terms{
        .form = "[[a, b, ...], [c, d, ...], ...]",
        .shape = "one list for each row of the grid, each with a value for each column,",
        .low = [](words_view on) { return Task::board(on).low; },
        .high = [](words_view on) { return Task::board(on).high; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"empty", "it is not the empty list"},
                  {"bad_depth", "it is a list of lists"},
                  {"wrong_length", "it has a list for each row, with a value for each column"},
                  {"out_of_range", "its values are of the grid's range", "the value"}},
    };
    static constexpr symmetry const* twins = nullptr;  ///< symmetry follows from the constraints
    static constexpr char const* family = "cells";
    static constexpr char const* reward = "power";  ///< nearly all constraints hold in a wrong grid
    static std::string picture(char const* title, words_view on, words_view answer) {
        return draw_grid(title, Task::board(on), answer, 0, [](std::int32_t) { return nullptr; });
    }
};

}  // namespace optgap::families
