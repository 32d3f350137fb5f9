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
    file_format const* format = nullptr;  ///< nullptr: the task reads none, which read_instance says
};

/// nullopt for rows. `task` is the one asked for, -1 when any will do; throws usage_error when that leaves several.
/// Extensions in any case, also before .gz. Those that tell little (.txt, .csv, .json) need the task, and so does any
/// other; with a task, a file that exists is rows when it is named .jsonl or a line of its beginning is a JSON object's.
/// Without one, a file that is none of both is a usage_error.
std::optional<instance_file> instance_file_of(context& ctx, std::string const& path, std::int32_t task);

/// Its words; throws field_error when the text breaks a rule, usage_error when the file cannot be read. Byte order
/// marks are taken off, and gzip is unpacked whatever the name says.
std::vector<std::int32_t> read_instance(instance_file const& file);

}  // namespace optgap::cli
