#pragma once
// Reads arguments of types and options of measures from a check's JSON.

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "host/rubric/checks.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

/// Reads the value of a field; `where` names it in errors.
argument_value read_argument(nlohmann::ordered_json const& value, argument_kind kind, std::string const& where,
                             check_mode mode);

}  // namespace optgap::rubrics
