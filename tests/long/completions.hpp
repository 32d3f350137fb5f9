#pragma once
// Completions as models write them, randomly damaged.

#include <cstdint>
#include <random>
#include <string>

#include "optgap/format.hpp"

namespace optgap::long_checks {

/// Writes reasoning and `answer` in their parts as `format` requires. Half of the completions are then cut, doubled, or
/// get inserted pieces and bytes.
std::string completion(std::string const& answer, format_spec const& format, std::mt19937_64& random);

}  // namespace optgap::long_checks
