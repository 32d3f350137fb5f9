#pragma once
// An instance as a file in its task's format, which the task's reader reads as the same instance.

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace optgap::cli {

/// `instance` is a row's. Throws field_error where the task's format cannot say it, or the task has none.
std::string written_file(std::string_view task, nlohmann::ordered_json const& instance);

}  // namespace optgap::cli
