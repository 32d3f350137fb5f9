#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/rows/read/options.hpp"

namespace optgap::rows {

/// Reads options from JSON such as {"reward": "power", "isolation": "auto", "slots": 4}: those of all kinds and each
/// kind's own, with `_` for `-`. A spec may be a text or an object. Throws field_error for an unknown option or a value
/// that does not fit.
score_options parse_score_options(std::string_view json);
/// The packages of users' kinds that such options name, before any of them is loaded. Throws field_error.
std::vector<std::string> packages_in(std::string_view json);
/// Whether scoring, or a kind of this build, has an option of this name, with `_` between its words.
bool is_option_of_scoring(std::string_view name);

}  // namespace optgap::rows
