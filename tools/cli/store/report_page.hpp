#pragma once

#include <string>

#include "tools/cli/shell/context.hpp"
#include "tools/cli/store/report_numbers.hpp"

namespace optgap::cli {

/// Where the numbers are from.
struct report_source {
    std::string path, against;                  ///< `against` may be empty
    bool continues = false;                     ///< recompute may write to `path` itself
    std::vector<store::time_entry> times = {};  ///< to be shown; empty: none
};

/// The page's description, for page_html and page_markdown.
std::string report_page(context& ctx, report_numbers const& of, report_source const& from);

}  // namespace optgap::cli
