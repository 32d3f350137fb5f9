#pragma once
// Completions as models write them, and broken by chance.

#include <cstdint>
#include <random>
#include <string>

#include "optgap/format.hpp"

namespace optgap::long_checks {

/// Reasoning and `answer` in their parts as `format` asks; half of them then cut, doubled, or with pieces and bytes
/// put in.
std::string completion(std::string const& answer, format_spec const& format, std::mt19937_64& random);

}  // namespace optgap::long_checks
