#pragma once
// Python in place of this process: what needs the package optgap runs there.

#include <string>
#include <vector>

#include "host/process/python_place.hpp"  // this_program, for users of this header

namespace optgap::cli {

/// Becomes a Python that has the package and calls `function` of `module` with the arguments. The Python is that of
/// OPTGAP_PYTHON, else build/venv-python of this checkout, else python3. Throws usage_error, which says how to get one,
/// where none has the package.
[[noreturn]] void become_python(std::string const& module, std::string const& function,
                                std::vector<std::string> const& arguments);

}  // namespace optgap::cli
