#pragma once
// How a model marks its answer without tags: boxes, and lines with a label.

#include <cstddef>
#include <string_view>

#include "optgap/format.hpp"

namespace optgap::text {

struct box {
    std::size_t begin = 0;   ///< of its content
    std::size_t end = 0;     ///< of its content
    std::size_t behind = 0;  ///< first byte behind the box; 0: it never closes
};

/// Does a box open at `at`? \boxed, \fbox and \framebox, blanks, then a brace; \boxed whose \b became a backspace;
/// GLM's token <|begin_of_box|>. `begin` is then where its content begins, `token` whether it is GLM's.
bool opens_box(std::string_view text, std::size_t at, std::size_t& begin, bool& token);

/// The box that opens at `at`, where opens_box holds. Braces are matched; \{ and \} are characters.
box box_at(std::string_view text, std::size_t at);

/// The last box; false when there is none or it never closes. `behind` is the first byte behind it.
bool find_box(std::string_view text, text_span& content, std::size_t& behind);

/// What follows the last "Answer:".
bool find_line(std::string_view text, text_span& content);

/// Where a line's answer ends when prose may follow: at the first line break behind its brackets.
std::size_t end_of_lines(std::string_view text);

}  // namespace optgap::text
