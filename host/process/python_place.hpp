#pragma once
// The Python that has the package optgap, for work that needs one beside this process.

#include <string>
#include <string_view>
#include <vector>

namespace optgap {

/// In front of what `python -c` runs: a folder `optgap` where the user stands must not hide the package, nor a json.py
/// the library's.
inline constexpr std::string_view python_own_path = "import sys; sys.path[:] = sys.path[sys.path[0] == '':]; ";

struct python_place {
    std::string executable;
    std::string modules = {};  ///< where it looks for modules, as PYTHONPATH; empty: as this process's environment says
};

/// The interpreter that this process runs in, where it is one; the newest word counts.
using python_finder = python_place (*)();
void set_own_python(python_finder find);

/// That of `set_own_python`, else the one that OPTGAP_PYTHON names, else ../venv-python beside this program, else
/// python3. Throws error{device_unavailable}, which says how to get one, where none has the package.
python_place python_with_package();

/// The path of this program.
std::string this_program();

}  // namespace optgap
