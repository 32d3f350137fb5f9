#pragma once
// Reads parts of an instance from JSON, with error messages. An entry's name is made only for an error.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/text/flat/flat_json.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

/// Throws field_error unless `instance` is an object with exactly these fields.
void require_fields(json const& instance, std::vector<std::string> const& names);
void require_fields(flat_value const& instance, std::vector<std::string> const& names);
bool has_field(json const& instance, std::string_view name);
bool has_field(flat_value const& instance, std::string_view name);

/// Empty if `value` is not an integer. Values beyond int64 are clamped, those of a flat value beyond ±10^18.
std::optional<std::int64_t> integer_of(json const& value);
inline std::optional<std::int64_t> integer_of(flat_value const& value) {
    return value.is_integer() ? std::optional(value.integer()) : std::nullopt;
}
/// Empty if `value` is not an integer in that range; low and high are int32.
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
