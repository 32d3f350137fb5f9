#pragma once
// Texts shared by tasks whose answers are orders: {n}, {last} and {instance}, lists of numbers, and a picture of the
// order. Host only.

#include <string>

#include "kernels/families/order/order.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::families {

/// One line for each row of a table, entries separated by blanks.
inline void append_rows(std::string& text, std::int32_t const* entries, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t at = 0; at < rows * columns; ++at) {
        append_integer(text, entries[at]);
        text += (at + 1) % columns == 0 ? "\n" : " ";
    }
}

/// Boxes from left to right, twenty a line, with the values of the answer; without an answer, one box for each item.
inline std::string draw_order(char const* title, std::int32_t n, words_view answer) {
    constexpr std::int32_t in_line = 20;
    constexpr double pitch = 30;
    answer_view const list = view_answer(answer);
    bool const ordered = list.count > 0;
    auto const count = std::int32_t(ordered ? list.count : n);
    svg out(4 + pitch * (count < in_line ? count : in_line), 4 + pitch * ((count + in_line - 1) / in_line), title);
    for (std::int32_t i = 0; i < count; ++i) {
        point const corner{4 + pitch * (i % in_line), 4 + pitch * (i / in_line)};
        if (ordered && i % in_line > 0) {
            out.line({corner.x - 4, corner.y + 13}, {corner.x, corner.y + 13}, "strong");
        }
        out.rectangle(corner, pitch - 4, pitch - 4, ordered ? "chosen" : "vertex");
        out.text({corner.x + 13, corner.y + 16.5}, std::to_string(ordered ? list.values[i] : i),
                 ordered ? "on" : "inside", text_anchor::middle);
    }
    return out.finish();
}

template <class Task>
struct order_text {
    static constexpr filler fillers[] = {
        {"n", [](std::string& text, words_view on) { append_integer(text, Task::size(on)); }},
        {"last", [](std::string& text, words_view on) { append_integer(text, Task::size(on) - 1); }},
        {"instance", [](std::string& text, words_view on) { text += layout_text(Task::layout, on); }},
    };
    static constexpr answer_terms terms{
        .form = "[a, b, c, ...]",
        .shape = "one flat list of all numbers from 0 to n - 1",
        .low = [](words_view) { return 0; },
        .high = [](words_view on) { return Task::size(on) - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"bad_depth", "it is one flat list"},
                  {"empty", "it is not the empty list"},
                  {"wrong_length", "it holds n values"},
                  {"out_of_range", "its values are 0 to n - 1", "the value"},
                  {"repeated", "it holds no value twice", "the second"}},
    };
    static constexpr char const* family = "order";
    static constexpr char const* reward = "forge";
    static std::string picture(char const* title, words_view on, words_view answer) {
        return draw_order(title, Task::size(on), answer);
    }
};

}  // namespace optgap::families
