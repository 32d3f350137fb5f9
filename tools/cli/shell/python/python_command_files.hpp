#pragma once
// The .json files of python/optgap/commands, which every build carries (tools/cmake/embed.cmake).

#include <span>
#include <string_view>

namespace optgap::cli {

struct python_command_file {
    std::string_view name;  ///< "dataset.json"
    std::string_view text;
};

std::span<python_command_file const> python_command_files();

}  // namespace optgap::cli
