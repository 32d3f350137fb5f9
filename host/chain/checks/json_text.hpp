#pragma once
// Is a text JSON (RFC 8259)? One pass without recursion, and no value is built.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace optgap::chain {

inline constexpr int deepest_json = 256;

enum class json_dialect : std::uint8_t {
    rfc8259,
    python,  ///< json.loads: also NaN, Infinity, -Infinity; no integer beyond 4,300 digits
};

struct json_text {
    bool valid = false;
    char kind = 0;                  ///< of the outermost value: { [ " 0 t
    std::vector<std::string> keys;  ///< of the outermost object, as they stand between their quotes
    std::vector<char> kinds;        ///< of the values of these keys
};

/// White space around the value is allowed. Deeper than deepest_json is invalid.
json_text read_json_text(std::string_view text, json_dialect dialect);

/// The text without white space and one code fence around it, as IFEval's checker cuts it.
std::string_view without_fence(std::string_view text);

}  // namespace optgap::chain
