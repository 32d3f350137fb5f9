#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/shell/context.hpp"

namespace optgap {
struct file_format;
}

namespace optgap::cli {

/// A path that holds one instance in a file format of the field, such as TSPLIB.
struct instance_file {
    std::string path;
    std::int32_t task = 0;
    file_format const* format = nullptr;
};

/// nullopt when no task knows the extension. `task` is the one asked for, -1 when any will do; throws usage_error when
/// that leaves several.
std::optional<instance_file> instance_file_of(context& ctx, std::string const& path, std::int32_t task);

/// Its words; throws field_error when the text breaks a rule, usage_error when the file cannot be read.
std::vector<std::int32_t> read_instance(instance_file const& file);

}  // namespace optgap::cli
