#pragma once
// Starts a trusted program and waits for it.

#include <string>
#include <vector>

namespace optgap::programs {

struct process_end {
    int status = -1;     ///< exit status; -1: did not start, or ended by a signal
    std::string output;  ///< stdout and stderr
};

/// Runs with an environment of PATH, LANG and TMPDIR only, and with an empty stdin.
[[nodiscard]] process_end run_process(std::vector<std::string> words);

}  // namespace optgap::programs
