#pragma once
// Programs that try what no program may do, and report for each attempt whether it was refused.

#include <string>
#include <string_view>
#include <vector>

namespace optgap::programs {

/// The Python equivalent of tools/broker/self_test.cpp.
extern char const* const python_self_test;
/// The stdin of either program.
extern char const* const self_test_input;

/// Whether a self-test's output reports that it read its input, and the result of every attempt.
[[nodiscard]] bool is_whole(std::string_view output);
/// Whether all attempts were refused.
[[nodiscard]] bool all_refused(std::string_view output);
[[nodiscard]] std::vector<std::string> self_test_lines(std::string_view output);

}  // namespace optgap::programs
