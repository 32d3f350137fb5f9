#pragma once
// The ways in which a model draws a box around its answer.

#include <cstddef>
#include <string_view>

namespace optgap::text {

struct box {
    std::size_t begin = 0;   ///< of its content
    std::size_t end = 0;     ///< of its content
    std::size_t behind = 0;  ///< first byte behind the box; 0: it never closes
};

/// Does a box open at `at`? \boxed, \fbox and \framebox, blanks, then a brace; \boxed whose \b became a backspace; GLM's
/// token <|begin_of_box|>. `begin` is then where its content begins, `token` whether it is GLM's.
bool opens_box(std::string_view text, std::size_t at, std::size_t& begin, bool& token);

/// The box that opens at `at`, where opens_box holds. Braces are matched; \{ and \} are characters.
box box_at(std::string_view text, std::size_t at);

}  // namespace optgap::text
