#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// Reads numbers without brackets (`answer_syntax` has the rules) and appends their block to `words`; on failure
/// nothing is appended. Returns code_ok or the code of the first violated rule. Takes one pass over any number of
/// digits, and memory only for the digits and the lengths of rows.
std::int32_t read_numbers(std::string_view text, bare_number rule, std::vector<std::int32_t>& words);

}  // namespace optgap::text
