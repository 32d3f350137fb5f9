#pragma once
// What a row's columns hold.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/rows/json/jsonl.hpp"
#include "optgap/finish.hpp"

namespace optgap::rows {

/// The raw value of a field that is there and not null; else nullptr.
inline std::string_view const* field_of(json_row const& row, std::string_view name) {
    std::string_view const* const value = row.find(name);
    return value == nullptr || is_json_null(*value) ? nullptr : value;
}
inline bool has(json_row const& row, std::string_view name) { return field_of(row, name) != nullptr; }

/// Text of a row's string, nullopt when the key is absent or null; throws field_error when it is something else.
std::optional<std::string> string_of(json_row const& row, std::string_view name);

/// An integer, or `none` for null and for an absent key; throws field_error{field}.
std::int64_t integer_of(json_row const& row, std::string_view name, std::int64_t none, std::string const& field);

/// Does the row name a format? A scored row holds a number as `format`, and the name as `format_name`.
bool names_format(json_row const& row);

/// A row's `prompt`: a text, or a list of messages, joined by their contents; empty: none. Throws field_error.
std::string prompt_of(json_row const& row);

inline bool has_role(json_row const& row, std::string_view name) {
    std::string_view const* const role = field_of(row, "role");
    return role != nullptr && is_json_string(*role) && decode_json_string(*role) == name;
}

/// Does the row pose a problem?
inline bool is_proposal(json_row const& row) { return has(row, "proposal") || has_role(row, "proposer"); }
/// Is this a row in which a model judges?
inline bool is_judgement(json_row const& row) { return has_role(row, "judge"); }

/// The row's `step` as JSON; empty where it names none.
inline std::string step_of(json_row const& row) {
    std::string_view const* const step = field_of(row, "step");
    return step == nullptr ? std::string() : std::string(*step);
}

inline bool ended_early(finish how) { return how == finish::length || how == finish::abort; }

}  // namespace optgap::rows
