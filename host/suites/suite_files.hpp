#pragma once
// The .json files of host/suites, which every build carries (tools/cmake/embed.cmake).

#include <span>
#include <string_view>

namespace optgap {

struct suite_file {
    std::string_view name;  ///< "rlve_ood.json"
    std::string_view text;
};

std::span<suite_file const> suite_files();

}  // namespace optgap
