#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// Reads an arithmetic expression (the rules stand at `answer_syntax`) and appends its postfix block to `words`; on
/// failure nothing is appended. code_ok or the code of the first rule that it breaks. One pass, no recursion, memory of
/// constant size beside the block. Read freely, an integer may stand in front ("27 = 9 * 3") and a sign of
/// multiplication may be left out in front of a round bracket and behind one.
std::int32_t read_expression(std::string_view text, std::vector<std::int32_t>& words,
                             spelling_rule spelling = spelling_rule::strict);

}  // namespace optgap::text
