#pragma once
// The interpreter and the compiler of this machine: their places and the files that they read, for the broker.

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
/// Finds OPTGAP_PROGRAM_PYTHON, else python3 in PATH.
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
/// Finds OPTGAP_PROGRAM_CXX, else g++ in PATH. Makes the precompiled header and the clocks in `cache` when they are
/// absent, which takes 3 s.
[[nodiscard]] cpp_toolchain find_cpp(std::string const& cache);

/// The loader of dynamic executables.
[[nodiscard]] std::string find_loader();
/// A program in PATH by its real path; empty when there is none.
[[nodiscard]] std::string find_program(std::string const& name);

/// A folder for files that are made once per machine: OPTGAP_SANDBOX_CACHE, else /var/tmp/optgap-sandbox-UID. Other
/// users may read it, since each run has a user of its own. Returns an empty path, with `trouble`, when it belongs to
/// another user or another user may write to it.
[[nodiscard]] std::string cache_folder(std::string& trouble);

/// A fresh folder beneath the cache for one broker's compilations. Removes those that dead brokers have left.
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

/// Python text that reads a program from descriptor 3 and runs it as __main__. It gets the source, or after a NUL what
/// `python_checker` has made of it.
extern char const* const python_harness;
/// Python text that checks a source on stdin. Its status reports whether Python accepts the source, and stderr the
/// reason as "line N: reason". It prints the program that runs read, or something that does not begin with NUL; runs
/// then read the source itself, or program_of_solve's text.
[[nodiscard]] std::string python_checker(program_interface interface);
/// Python text that calls a source's function `solve` with the fields of the JSON object on stdin and prints the
/// strings that it returns. It runs in the process of the source, which is not trusted: only its stdout counts.
[[nodiscard]] std::string program_of_solve(std::string_view source);
/// C++ text of the clocks that native programs use.
extern char const* const cpp_clocks;

}  // namespace optgap::programs
