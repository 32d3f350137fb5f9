#pragma once
// Ways to run programs without a sandbox: Python's subprocess.run, and SandboxFusion's way without isolation, a shell
// that asyncio starts and whose output is read after it has ended.

#include <cstdint>
#include <string>
#include <vector>

namespace optgap::bench {

struct spent_time {
    double cpu = 0;  ///< seconds of all processes
    double wall = 0;
};

/// A program to run: its command line, its stdin, and its required output.
struct shown_program {
    std::vector<std::string> words;
    std::string input, output;
};

/// "subprocess.run" and "bash".
[[nodiscard]] std::vector<std::string> const& ways_without_sandbox();

/// Runs it `count` times in sequence from a Python process, whose own start is subtracted. Throws wrong_result when a
/// run prints something else.
[[nodiscard]] spent_time time_of(std::string const& way, std::string const& python, shown_program const& program,
                                 std::int64_t runs);

}  // namespace optgap::bench
