#pragma once
// The interpreter and the compiler of this machine: where they lie and what they read, as the broker is told.

#include <string>
#include <string_view>
#include <vector>

#include "host/programs/sandbox.hpp"

namespace optgap::programs {

struct python_toolchain {
    std::string path;     ///< empty: none
    std::string version;  ///< "3.11.7"
    std::vector<std::string> reads;
    std::string trouble;  ///< why there is none
};
/// OPTGAP_PROGRAM_PYTHON, else python3 of PATH.
[[nodiscard]] python_toolchain find_python();

struct cpp_toolchain {
    std::string path;  ///< empty: none
    std::string version;
    std::vector<std::string> flags;  ///< before -o FILE
    std::vector<std::string> reads;
    std::vector<std::string> executes;
    std::string fingerprint;  ///< of compiler, flags and clocks
    std::string trouble;
};
/// OPTGAP_PROGRAM_CXX, else g++ of PATH. Makes the precompiled header and the clocks in `cache` when they are not
/// there: 3 s.
[[nodiscard]] cpp_toolchain find_cpp(std::string const& cache);

/// The loader of dynamic executables.
[[nodiscard]] std::string find_loader();
/// A program of PATH by its real path; empty when there is none.
[[nodiscard]] std::string find_program(std::string const& name);

/// A folder for what is made once a machine: OPTGAP_SANDBOX_CACHE, else /var/tmp/optgap-sandbox-UID. Other users may
/// read it, since each run has a user of its own. Empty, with `trouble`, when it belongs to another or another may
/// write to it.
[[nodiscard]] std::string cache_folder(std::string& trouble);

/// A fresh folder beneath the cache for one broker's compilations; what brokers that are gone have left is removed.
class scratch_folder {
public:
    explicit scratch_folder(std::string const& cache);
    ~scratch_folder();
    scratch_folder(scratch_folder const&) = delete;
    scratch_folder& operator=(scratch_folder const&) = delete;
    [[nodiscard]] std::string const& path() const { return path_; }

private:
    std::string path_;
};

/// Python text that reads a program from descriptor 3 and runs it as __main__: its source, or behind a NUL what
/// `python_checker` has made of it.
extern char const* const python_harness;
/// Python text that says with its status whether Python takes the source on its stdin, and on stderr why not as
/// "line N: reason". Prints the program that runs read, or something that does not begin with NUL: then it is the
/// source itself, or program_of_solve's.
[[nodiscard]] std::string python_checker(program_interface interface);
/// Python text that calls a source's function `solve` with the fields of the JSON object on stdin and prints the
/// strings that it returns, in the process of the source: nothing that it does is believed, and only its stdout counts.
[[nodiscard]] std::string program_of_solve(std::string_view source);
/// C++ text of the clocks that native programs see.
extern char const* const cpp_clocks;

}  // namespace optgap::programs
