#pragma once

#include <string>
#include <vector>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// What `store import --from` was asked for.
struct file_import {
    std::string store, format, solver;
    std::vector<std::string> files;
    std::vector<std::string> instances;  ///< keys or instance files: one for each file, or one for all
    std::string task;                    ///< of instance files whose extension several tasks know
    std::int64_t budget = -1;            ///< steps of our own bound
};

/// The formats of other solvers' files, jsonl left out.
std::vector<std::string> answer_formats();

/// Reads, verifies and stores them. A file that breaks its format or whose answer is wrong is reported and left out.
void import_files(context& ctx, file_import const& asked);

}  // namespace optgap::cli
