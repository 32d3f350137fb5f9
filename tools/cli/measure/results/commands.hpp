#pragma once
// The verbs of `optgap bench` that measure nothing; each adds itself to it, and says when it has run,
// since `bench` itself is a command that then must not.

#include <string>
#include <vector>

#include "bench/ceilings.hpp"
#include "bench/goals.hpp"
#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

void add_bench_compare(command_entry bench, context& ctx, bool& has_run);
void add_bench_merge(command_entry bench, context& ctx, bool& has_run);

/// Every goal, with the value of each line that results (files.hpp) have of it: one for each machine that
/// measured it.
std::vector<bench::goal> recorded_goals(std::string const& path);

/// The ceilings that results have of this engine's device and threads. Throws usage_error where there is none.
std::vector<ceiling> recorded_ceilings(std::string const& path, engine const& by);

}  // namespace optgap::cli
