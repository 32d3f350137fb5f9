#pragma once
// Marks of an answer without tags: boxes, and lines with a label.

#include <cstddef>
#include <string_view>

#include "optgap/format.hpp"

namespace optgap::text {

struct box {
    std::size_t begin = 0;   ///< of the content
    std::size_t end = 0;     ///< of the content
    std::size_t behind = 0;  ///< first byte after the box; 0: it never closes
};

/// Whether a box opens at `at`: \boxed, \fbox or \framebox, blanks, then a brace; \boxed whose \b became a backspace;
/// GLM's token <|begin_of_box|>. Sets `begin` to the begin of its content, and `token` if it is GLM's.
bool opens_box(std::string_view text, std::size_t at, std::size_t& begin, bool& token);

/// The box that opens at `at`, where opens_box is true. Braces are matched; \{ and \} are characters.
box box_at(std::string_view text, std::size_t at);

/// Finds the last box. Returns false when there is none or it never closes. `behind` is the first byte after it.
bool find_box(std::string_view text, text_span& content, std::size_t& behind);

/// Finds what follows the last "Answer:".
bool find_line(std::string_view text, text_span& content);

/// The end of a line's answer when prose may follow: the first line break after its brackets.
std::size_t end_of_lines(std::string_view text);

}  // namespace optgap::text
