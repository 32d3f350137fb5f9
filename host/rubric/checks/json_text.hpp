#pragma once
// Checks whether a text is JSON (RFC 8259), in one pass without recursion and without building a value.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::rubrics {

inline constexpr int deepest_json = 256;

enum class json_dialect : std::uint8_t {
    rfc8259,
    python,  ///< json.loads: also NaN, Infinity, -Infinity; no integer beyond 4,300 digits
};

struct json_text {
    bool valid = false;
    char kind = 0;                  ///< the outermost value's: { [ " 0 t
    std::vector<std::string> keys;  ///< the outermost object's, as they stand between their quotes
    std::vector<char> kinds;        ///< kinds of these keys' values
};

/// White space around the value is allowed. A value nested deeper than deepest_json is invalid.
json_text read_json_text(std::string_view text, json_dialect dialect);

/// The text without white space and one code fence around it, as IFEval's checker removes them.
std::string_view without_fence(std::string_view text);

}  // namespace optgap::rubrics
