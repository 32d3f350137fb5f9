#pragma once
// Reads a measure's bound and scope from a check's JSON.

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "host/rubric/checks/parts.hpp"

namespace optgap::rubrics {

/// Whether a field is present and not null.
bool has_value(nlohmann::ordered_json const& object, char const* key);

/// Reads min and max, in, equals, ratio_min and ratio_max. Without any of them the bound is at least default_low, where
/// there is one. `share` names the whole that the measure is a share of, or is null.
predicate read_bound(nlohmann::ordered_json const& value, std::string const& where, std::int64_t default_low,
                     char const* share);

scope read_scope(nlohmann::ordered_json const& value, std::string const& where);

}  // namespace optgap::rubrics
