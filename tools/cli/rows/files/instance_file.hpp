#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// A path that holds one instance in a file format of the field, such as TSPLIB.
struct instance_file {
    std::string path;
    std::int32_t task = 0;
    std::string_view extension = {};                                     ///< of the format
    std::vector<std::int32_t> (*read)(std::string_view text) = nullptr;  ///< nullptr: the task reads no files
};

/// By the name alone: nullopt where no task knows its extension, in any case and also before .gz. `task` is the one
/// asked for, -1 when any will do, but .txt, .csv and .json tell too little without it; throws usage_error when that
/// leaves several.
std::optional<instance_file> instance_file_named(context& ctx, std::string const& path, std::int32_t task);

/// Of a file that a user names: nullopt for rows. With a task any extension will do, and a format that recognises the
/// file tells its task: rows are what is named .jsonl or has a JSON object in one of its first lines. Else a file that
/// is neither is a usage_error.
std::optional<instance_file> instance_file_of(context& ctx, std::string const& path, std::int32_t task);

/// Its words; throws field_error when the text breaks a rule, usage_error when the file cannot be read. Byte order
/// marks are taken off, and gzip is unpacked whatever the name says.
std::vector<std::int32_t> read_instance(instance_file const& file);

}  // namespace optgap::cli
