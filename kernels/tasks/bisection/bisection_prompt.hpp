#pragma once

#include <cstdint>
#include <string>

#include "kernels/core/rng.hpp"
#include "kernels/core/words.hpp"

namespace optgap::text::bisection {

/// Writes rules, instance and answer form; the last style is for evaluation only.
std::string prompt(words_view instance, std::int32_t style, draw source);

}  // namespace optgap::text::bisection
