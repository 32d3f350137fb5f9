#pragma once
// Host only: the prompt styles.

#include <cstdint>
#include <string>

#include "kernels/core/rng.hpp"
#include "kernels/core/words.hpp"

namespace optgap::text::tsp {

inline constexpr std::int32_t prompt_styles = 5;

/// Rules, instance and answer form in style 0 … 4; another number is read as 0. Styles 1 and 3 hold a worked example
/// drawn from `source`.
std::string prompt(words_view instance, std::int32_t style, draw source);

}  // namespace optgap::text::tsp
