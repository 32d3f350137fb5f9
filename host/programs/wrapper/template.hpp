#pragma once
// The isolation level `command`: the command line of a site's own wrapper, with a placeholder for the program's.
//
//   ["runsc", "--rootless", "do", "--memory={memory_mb}M", "{program}"]

#include <string>
#include <string_view>
#include <vector>

namespace optgap::programs {

/// The words of a JSON array of strings. One word, but not the first, is {program}, which stands for the program's
/// command line. The first is the wrapper. {folder} (of the program's file), {cpu_ms} and {memory_mb} may occur in any
/// word. Throws error{invalid_argument} that says what is wrong.
[[nodiscard]] std::vector<std::string> wrapper_template(std::string_view json);

}  // namespace optgap::programs
