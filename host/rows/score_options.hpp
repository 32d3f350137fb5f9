#pragma once

#include <string_view>

#include "host/rows/read/options.hpp"

namespace optgap::rows {

/// Reads options from JSON such as {"reward": "power", "isolation": "auto", "slots": 4}: those of all kinds and each
/// kind's own, with `_` for `-`. A spec may be a text or an object. Throws field_error for an unknown option or a value
/// that does not fit.
score_options parse_score_options(std::string_view json);

}  // namespace optgap::rows
