#pragma once

#include <cstdint>
#include <string_view>

#include "optgap/format.hpp"

namespace optgap::text {

/// Where a completion's parts stand, and the first rule of the format that it breaks.
struct found_parts {
    std::int32_t format_code = code_ok;
    bool has_answer = false;  ///< an answer's text was found, perhaps in a broken format
    text_span answer;         ///< all bytes between its markers
};

/// One pass over the text, no allocation. The rules stand at `format_spec`.
found_parts find_parts(std::string_view text, format_spec const& format, finish finished);

/// Distinct pairs of first bytes that the tags of a format may have: what the search for candidates compares at once.
inline constexpr int most_tag_heads = 4;
/// Of reasoning markers; answer tags come on top.
inline constexpr std::size_t most_markers = 4;
/// Whether the scanner's tables hold the format's tags.
bool fits_scanner(format_spec const& format);

}  // namespace optgap::text
