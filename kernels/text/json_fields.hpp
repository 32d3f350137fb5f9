#pragma once
// Parts of an instance as JSON, and what is said of a wrong one. An entry's name is made for the error alone.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/text/flat/flat_json.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

/// Throws field_error unless `instance` is an object with these fields and no other.
void require_fields(json const& instance, std::vector<std::string> const& names);
void require_fields(flat_value const& instance, std::vector<std::string> const& names);
bool has_field(json const& instance, std::string_view name);
bool has_field(flat_value const& instance, std::string_view name);

/// Nothing where `value` is no integer; what is beyond int64, or of a flat one beyond ±10^18, is clamped.
std::optional<std::int64_t> integer_of(json const& value);
inline std::optional<std::int64_t> integer_of(flat_value const& value) {
    return value.is_integer() ? std::optional(value.integer()) : std::nullopt;
}
/// Nothing where `value` is no integer of that range; low and high are int32.
std::optional<std::int32_t> integer_within(json const& value, std::int64_t low, std::int64_t high);
inline std::optional<std::int32_t> integer_within(flat_value const& value, std::int64_t low, std::int64_t high) {
    std::int64_t const number = value.integer();
    return !value.is_integer() || number < low || number > high ? std::nullopt : std::optional(std::int32_t(number));
}

/// "must be an integer from 0 to 9"
std::string integer_rule(std::int64_t low, std::int64_t high);

/// "weights[3]", "edges[3][1]"
std::string entry_name(std::string_view list, std::size_t i);
std::string entry_name(std::string_view list, std::size_t i, std::size_t j);

}  // namespace optgap
