#pragma once

#include <CLI/CLI.hpp>

namespace optgap::cli {

/// Adds --trace FILE: what the engine does while the command runs, as a Chrome trace.
void add_trace_option(CLI::App& command);

}  // namespace optgap::cli
