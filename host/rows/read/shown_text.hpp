#pragma once
// Text of models and files as people and models may be shown it: nothing in it steers a terminal.

#include <cstddef>
#include <string>
#include <string_view>

#include "optgap/format.hpp"

namespace optgap::rows {

/// Colours on a terminal, plain marks elsewhere.
class painter {
public:
    explicit painter(bool colour) : colour_(colour) {}
    [[nodiscard]] std::string title(std::string_view text) const { return paint("1", text); }
    [[nodiscard]] std::string good(std::string_view text) const { return paint("32", text); }
    [[nodiscard]] std::string bad(std::string_view text) const { return paint("31", text); }
    [[nodiscard]] std::string faint(std::string_view text) const { return paint("2", text); }
    /// The answer's text: reversed, or between >>> and <<<.
    [[nodiscard]] std::string mark(std::string_view text) const;

private:
    [[nodiscard]] std::string paint(char const* style, std::string_view text) const;
    bool colour_;
};

/// UTF-8 in which control characters other than line breaks and tabs, marks of direction and bytes that are no UTF-8
/// stand as \xNN or \u{NNNN}.
std::string printable(std::string_view text);
/// The first and last characters of a long text, printable.
std::string shortened(std::string_view text, std::size_t max_bytes);
/// The beginning of a text on one line, printable and of at most `max_bytes` bytes.
std::string one_line(std::string_view text, std::size_t max_bytes);
/// "there is no answer" as "There is no answer."
std::string as_sentence(std::string_view words);

/// The text around `span`, marked, with long stretches left out and every line indented.
std::string marked_excerpt(std::string_view text, text_span span, painter const& paint);

}  // namespace optgap::rows
