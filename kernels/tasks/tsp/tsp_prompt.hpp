#pragma once
// Host only: the prompt styles.

#include <cstdint>
#include <string>

#include "kernels/core/rng.hpp"
#include "kernels/core/words.hpp"

namespace optgap::text::tsp {

inline constexpr std::int32_t prompt_styles = 5;

/// Writes rules, instance and answer form in style 0 … 4; any other number counts as 0. Styles 1 and 3 contain a worked
/// example drawn from `source`.
std::string prompt(words_view instance, std::int32_t style, draw source);

}  // namespace optgap::text::tsp
