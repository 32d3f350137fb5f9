#pragma once

#include <cstdint>
#include <string>

#include "kernels/core/rng.hpp"
#include "kernels/core/words.hpp"

namespace optgap::meeting_prompts {

inline constexpr std::int32_t styles = 5;

/// Writes the rules and the instance in one of the styles; `source` draws the worked example of styles 2 and 3.
std::string prompt(words_view instance, std::int32_t style, draw source);

}  // namespace optgap::meeting_prompts
