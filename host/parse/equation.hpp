#pragma once
// Equations in place of an answer: the side after an equals sign is compared with the side before it.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap::text {

/// Whether an expression in postfix order (optgap/answer.hpp) has this integer value. Exact, in fractions of 128 bits.
/// False where one does not fit, and for a division by zero.
bool is_worth(std::span<std::int32_t const> postfix, std::int64_t value);

/// Reads "925 × 49 = 45325" and "45325 = 925 × 49" as 45325, where the sides are equal; also "= 45325", "+45325" and
/// "45325.0", and in rows of digits "17 ÷ 5 = 3 R 2". Appends the block of the last side to `words`. For everything
/// else returns false and leaves `words` unchanged. Sides are sums of products of numbers of any length, 2,048 bytes in
/// all.
bool read_number_equation(std::string_view text, bare_number rule, std::vector<std::int32_t>& words);

}  // namespace optgap::text
