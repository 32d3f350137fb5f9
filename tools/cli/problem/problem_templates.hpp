#pragma once
// The problems of examples/problems, which `optgap problem new` writes (tools/cmake/embed.cmake).

#include <span>
#include <string_view>

namespace optgap::cli {

struct problem_template {
    std::string_view name;  ///< below examples/problems, "parcels/judge.py"
    std::string_view text;
};

std::span<problem_template const> problem_templates();

}  // namespace optgap::cli
