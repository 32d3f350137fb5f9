#pragma once
// Equations that stand in place of an answer: what is said behind an equals sign is held against what stands before it.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// Is an expression in postfix order (optgap/answer.hpp) worth this integer? Exact, in fractions of 128 bits; false
/// where one does not fit, and where a number is divided by zero.
bool is_worth(std::span<std::int32_t const> postfix, std::int64_t value);

/// "925 × 49 = 45325" and "45325 = 925 × 49" as 45325, where the sides are worth the same; "= 45325", "+45325" and
/// "45325.0"; in rows of digits "17 ÷ 5 = 3 R 2". Appends the block of the last side to `words`; false, with `words` as
/// it was, for everything else. Sides are sums of products of numbers of any length, 2,048 bytes in all.
bool read_number_equation(std::string_view text, bare_number rule, std::vector<std::int32_t>& words);

}  // namespace optgap::text
