#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace optgap {

void append_integer(std::string& text, std::int64_t value);

/// "[0, 3, 5]"
void append_list(std::string& text, std::int32_t const* values, std::int64_t count);

/// An answer block in the form that a model writes: "[0, 3, 1]", "[[0], [1, 2]]". Not for words.
std::string answer_text(std::span<std::int32_t const> block);

}  // namespace optgap
