#pragma once
// A measure's bound and scope, read from a check's JSON.

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "host/chain/checks/parts.hpp"

namespace optgap::chain {

/// A field that is there and not null.
bool has_value(nlohmann::ordered_json const& object, char const* key);

/// min and max, in, equals, ratio_min and ratio_max; without any, at least default_low, where there is one. `share` is
/// what the measure is a share of, or null.
predicate read_bound(nlohmann::ordered_json const& value, std::string const& where, std::int64_t default_low,
                     char const* share);

scope read_scope(nlohmann::ordered_json const& value, std::string const& where);

}  // namespace optgap::chain
