#pragma once

namespace optgap::cli {

class command_entry;  // tools/cli/shell/command_line.hpp

/// Adds --trace FILE: what the engine does while the command runs, as a Chrome trace.
void add_trace_option(command_entry command);

}  // namespace optgap::cli
