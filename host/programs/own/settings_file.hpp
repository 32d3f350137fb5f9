#pragma once
// problem.toml: the part of TOML that settings of a problem need. A line is empty, a comment, `[table]` or `key =
// value`, where a value is a string ("…" or '…'), an integer, true or false.

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace optgap::programs {

/// The settings as an object, tables as objects in it. Throws field_error{"problem", …} that names file and line.
nlohmann::ordered_json read_settings(std::string_view text, std::string_view file);

}  // namespace optgap::programs
