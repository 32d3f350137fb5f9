#pragma once
// Programs that try what no program may do, and say of each whether it was refused.

#include <string>
#include <string_view>
#include <vector>

namespace optgap::programs {

/// As tools/broker/self_test.cpp, in Python.
extern char const* const python_self_test;
/// What either gets on stdin.
extern char const* const self_test_input;

/// Whether a self-test's lines say that it read its input, and something of every attempt.
[[nodiscard]] bool is_whole(std::string_view output);
/// … and that everything was refused.
[[nodiscard]] bool all_refused(std::string_view output);
[[nodiscard]] std::vector<std::string> self_test_lines(std::string_view output);

}  // namespace optgap::programs
