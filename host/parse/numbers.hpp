#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// Reads numbers that stand without brackets (the rules stand at `answer_syntax`) and appends their block to `words`;
/// on failure nothing is appended. code_ok or the code of the first rule that they break. One pass over any number of
/// digits; memory for the digits and the lengths of rows alone.
std::int32_t read_numbers(std::string_view text, bare_number rule, std::vector<std::int32_t>& words);

}  // namespace optgap::text
