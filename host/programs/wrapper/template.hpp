#pragma once
// The rung `command`: the command line of a site's own wrapper, in which a program's is one word.
//
//   ["runsc", "--rootless", "do", "--memory={memory_mb}M", "{program}"]

#include <string>
#include <string_view>
#include <vector>

namespace optgap::programs {

/// The words of a JSON array of strings. One of them is {program}, which stands for the program's command line, but not
/// the first, which is the wrapper; {folder} (of the program's file), {cpu_ms} and {memory_mb} may stand in any.
/// Throws error{invalid_argument} that says what is wrong.
[[nodiscard]] std::vector<std::string> wrapper_template(std::string_view json);

}  // namespace optgap::programs
