#pragma once
// What a misspelt name may have meant: of a command, an option, a task, a level, a field or a kind.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace optgap {

/// Characters that are replaced, added or left out on the way from `a` to `b` (Levenshtein).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Names in the order of their edit distance to `name`, joined by ", ".
std::string closest_first(std::string_view name, std::vector<std::string> names);

/// The known name that `name` may have meant: a third of its characters or fewer are wrong. Empty where there is none.
std::string nearest(std::string_view name, std::vector<std::string> const& names);

/// "; did you mean tsp?", or nothing where no name is near.
std::string did_you_mean(std::string_view name, std::vector<std::string> const& names);

}  // namespace optgap
