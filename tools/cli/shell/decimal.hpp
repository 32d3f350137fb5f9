#pragma once

#include <cstdint>
#include <string_view>

namespace optgap::cli {

/// All of `text` as a decimal number that fits: no blanks, no plus, no leading zeros. `out` is set on success only.
bool is_decimal(std::string_view text, std::int64_t& out);
bool is_decimal(std::string_view text, std::uint64_t& out);

}  // namespace optgap::cli
