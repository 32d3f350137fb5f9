#pragma once
// How far a misspelt name is from one that is known.

#include <cstddef>
#include <string_view>

namespace optgap {

/// Characters that are replaced, added or left out on the way from `a` to `b` (Levenshtein).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace optgap
