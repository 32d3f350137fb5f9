#pragma once
// optgap demo --hash: the bytes that this build and device give, against those that are frozen beside each task.

#include <span>
#include <string>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// Hashes each task's benchmark set and verdicts, every task's where no names are given. `against` is a file that
/// `--hash --json` wrote elsewhere; empty: the frozen hashes (kernels/tasks/NAME/golden_hash.json). Ends with
/// exit_rejected when some bytes differ.
void show_hashes(context& ctx, std::string const& against, std::span<std::string const> names);

}  // namespace optgap::cli
