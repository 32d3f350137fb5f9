#pragma once

#include <cstdint>
#include <string_view>

#include "optgap/format.hpp"

namespace optgap::text {

/// The places of a completion's parts, and the first rule of the format that it violates.
struct found_parts {
    std::int32_t format_code = code_ok;
    bool has_answer = false;  ///< an answer's text was found, possibly in a malformed format
    text_span answer;         ///< all bytes between its markers
};

/// Takes one pass over the text without allocating. `format_spec` has the rules.
found_parts find_parts(std::string_view text, format_spec const& format, finish finished);

/// The number of distinct first two bytes that a format's tags may have. The search for candidates compares all of them
/// at once.
inline constexpr int max_tag_heads = 4;
/// The number of reasoning markers; answer tags are added to it.
inline constexpr std::size_t max_markers = 4;
/// Whether the scanner's tables hold the format's tags.
bool fits_scanner(format_spec const& format);

}  // namespace optgap::text
