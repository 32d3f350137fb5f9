#pragma once
// Readers of a row's columns.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/rows/json/jsonl.hpp"
#include "optgap/finish.hpp"

namespace optgap::rows {

/// The raw value of a field; nullptr when it is absent or null.
inline std::string_view const* field_of(json_row const& row, std::string_view name) {
    std::string_view const* const value = row.find(name);
    return value == nullptr || is_json_null(*value) ? nullptr : value;
}
inline bool has(json_row const& row, std::string_view name) { return field_of(row, name) != nullptr; }

/// The text of a row's string; nullopt when the key is absent or null. Throws field_error for anything else.
std::optional<std::string> string_of(json_row const& row, std::string_view name);

/// The row's integer; `none` when it is null or absent. Throws field_error{field}.
std::int64_t integer_of(json_row const& row, std::string_view name, std::int64_t none, std::string const& field);

/// Whether the row names a format. In a scored row `format` is a number and the name is in `format_name`.
bool names_format(json_row const& row);

/// A row's `prompt`: a text, or the joined contents of a list of messages; empty: none. Throws field_error.
std::string prompt_of(json_row const& row);

inline bool has_role(json_row const& row, std::string_view name) {
    std::string_view const* const role = field_of(row, "role");
    return role != nullptr && is_json_string(*role) && decode_json_string(*role) == name;
}

/// Whether the row poses a problem.
inline bool is_proposal(json_row const& row) { return has(row, "proposal") || has_role(row, "proposer"); }
/// Whether a model judges in this row.
inline bool is_judgement(json_row const& row) { return has_role(row, "judge"); }

/// The row's `step` as JSON; empty: none.
inline std::string step_of(json_row const& row) {
    std::string_view const* const step = field_of(row, "step");
    return step == nullptr ? std::string() : std::string(*step);
}

inline bool ended_early(finish how) { return how == finish::length || how == finish::abort; }

}  // namespace optgap::rows
