#pragma once

#include <string_view>

#include "host/rows/read/options.hpp"

namespace optgap::rows {

/// {"reward": "power", "isolation": "auto", "slots": 4}: what holds for every kind, and the kinds' own options with `_`
/// for `-`. A spec may stand there as text or as an object. Throws field_error for an option that no kind has, or that
/// does not fit.
score_options parse_score_options(std::string_view json);

}  // namespace optgap::rows
