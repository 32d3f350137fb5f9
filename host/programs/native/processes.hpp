#pragma once
// A program of our own choice, started and waited for.

#include <string>
#include <vector>

namespace optgap::programs {

struct process_end {
    int status = -1;     ///< exit status; -1: did not start, or ended by a signal
    std::string output;  ///< stdout and stderr
};

/// With an environment of PATH, LANG and TMPDIR alone, and nothing on stdin.
[[nodiscard]] process_end run_process(std::vector<std::string> words);

}  // namespace optgap::programs
