#pragma once
// The distance of a misspelt name from a known one.

#include <cstddef>
#include <string_view>

namespace optgap {

/// The number of characters that are replaced, added or removed on the way from `a` to `b` (Levenshtein).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace optgap
