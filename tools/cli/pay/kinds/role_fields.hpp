#pragma once
// What rows of proposers and judges say of themselves.

#include <string>
#include <string_view>

#include "optgap/finish.hpp"
#include "tools/cli/rows/jsonl.hpp"

namespace optgap::cli {

/// The raw value of a field that is there and not null; else nullptr.
inline std::string_view const* field_said(json_row const& row, std::string_view name) {
    std::string_view const* const value = row.find(name);
    return value == nullptr || is_json_null(*value) ? nullptr : value;
}

inline bool has_role(json_row const& row, std::string_view name) {
    std::string_view const* const role = field_said(row, "role");
    return role != nullptr && is_json_string(*role) && decode_json_string(*role) == name;
}

/// Does the row pose a problem?
inline bool is_proposal(json_row const& row) {
    return field_said(row, "proposal") != nullptr || has_role(row, "proposer");
}

/// The row's `step` as JSON; empty where it names none.
inline std::string step_of(json_row const& row) {
    std::string_view const* const step = field_said(row, "step");
    return step == nullptr ? std::string() : std::string(*step);
}

inline bool ended_early(finish how) { return how == finish::length || how == finish::abort; }

}  // namespace optgap::cli
