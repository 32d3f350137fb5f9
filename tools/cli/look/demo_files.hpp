#pragma once
// The files of tools/demo, which the program carries (tools/cmake/embed.cmake).

#include <span>
#include <string_view>

namespace optgap::cli {

struct demo_file {
    std::string_view name;  ///< below tools/demo, "instances/tsp/berlin52.tsp"
    std::string_view text;
};

std::span<demo_file const> demo_files();

}  // namespace optgap::cli
