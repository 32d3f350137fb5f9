#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// Reads an arithmetic expression (`answer_syntax` has the rules) and appends its postfix block to `words`; on failure
/// nothing is appended. Returns code_ok or the code of the first violated rule. Takes one pass without recursion, and
/// constant memory beside the block. In the free spelling an integer may come first ("27 = 9 * 3"), and a
/// multiplication sign may be left out before and after a round bracket.
std::int32_t read_expression(std::string_view text, std::vector<std::int32_t>& words,
                             spelling_rule spelling = spelling_rule::strict);

}  // namespace optgap::text
