#pragma once
// How programs are run where there is no sandbox: by Python's subprocess.run, and in SandboxFusion's way without
// isolation, a shell that asyncio starts and whose output is read once it has ended.

#include <cstdint>
#include <string>
#include <vector>

namespace optgap::bench {

struct spent_time {
    double cpu = 0;  ///< seconds, of all processes
    double wall = 0;
};

/// What is run: its command line, its stdin, and what it must print.
struct shown_program {
    std::vector<std::string> words;
    std::string input, output;
};

/// "subprocess.run" and "bash".
[[nodiscard]] std::vector<std::string> const& ways_without_sandbox();

/// So many runs, one behind the other, by a Python process whose own start is taken off. Throws wrong_result when one
/// prints something else.
[[nodiscard]] spent_time time_of(std::string const& way, std::string const& python, shown_program const& program,
                                 std::int64_t runs);

}  // namespace optgap::bench
