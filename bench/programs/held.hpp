#pragma once
// Programs in the sandbox and without it, for the measurements beside this file.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include "bench/bench.hpp"
#include "bench/programs/ways.hpp"
#include "host/programs/sandbox.hpp"

namespace optgap::bench {

constexpr int fewest_rounds = 5;
/// A program that uses 50 ms of processor time, including its start, and prints a line.
extern char const* const busy_python;

[[nodiscard]] measurement row_of_programs(char const* workload, char const* unit, std::int64_t batch);
[[nodiscard]] double wall_now();  ///< seconds

/// A folder that is removed when the measurement ends.
class scratch_folder {
public:
    scratch_folder()
        : path_((std::filesystem::temp_directory_path() / ("optgap-bench-programs-" + std::to_string(::getpid())))
                    .string()) {
        std::filesystem::create_directories(path_);
    }
    ~scratch_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_folder(scratch_folder const&) = delete;
    scratch_folder& operator=(scratch_folder const&) = delete;
    [[nodiscard]] std::string write(std::string const& name, std::string const& text) const {
        std::ofstream(path_ + "/" + name, std::ios::binary) << text;
        return path_ + "/" + name;
    }
    [[nodiscard]] std::string const& path() const { return path_; }

private:
    std::string path_;
};

/// An opened isolation level, and one program that is ready to run in it and prints "1".
struct held_program {
    std::unique_ptr<programs::sandbox> in;
    programs::program_handle program;
    std::string why_not;  ///< empty: it is ready

    held_program(std::string const& isolation, std::int32_t slots, programs::program_language language,
                 char const* source);
    /// Throws wrong_result when a run does not print it.
    [[nodiscard]] std::vector<programs::run_result> run(std::int64_t count) const;
};

/// The sum of a time of the runs, from milliseconds to seconds.
[[nodiscard]] double sum_of(std::vector<programs::run_result> const& runs, double programs::run_result::*part);

/// The same program without a sandbox. For a module it is the C++ that prints the same.
[[nodiscard]] shown_program shown_without(programs::program_language language, char const* source,
                                          std::string const& python, scratch_folder const& folder);
extern char const* const line_in_cpp;

}  // namespace optgap::bench
