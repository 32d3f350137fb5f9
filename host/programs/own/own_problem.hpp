#pragma once
// A user's own score-based problem (docs/problems.md): a statement, a generator or tests, a judge, and their settings
// in problem.toml. Reading it runs nothing.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/programs/limits.hpp"
#include "optgap/baseline.hpp"

namespace optgap::programs {

/// How an output is compared with the expected one where no judge reads it: blank-separated tokens, or lines without
/// blanks at their ends and without empty lines at the end.
enum class output_comparison : std::int32_t { tokens = 0, lines };

/// A program of the problem's author. It runs in the sandbox as a candidate does.
struct problem_program {
    std::string file;
    program_language language = program_language::python;
    std::string source;
};

struct problem_test {
    std::string name, input, expected;
};

struct own_problem {
    std::string name;    ///< of the folder
    std::string digest;  ///< of all files, 32 hex digits
    std::string statement;
    sense direction = sense::maximise;
    std::int32_t decimals = 0;   ///< digits behind the point of scores; objectives are in units of the last one
    std::int32_t instances = 0;  ///< of a row that names no seeds; with tests, their number
    program_limits limits;
    std::optional<problem_program> generator, judge, reference, floor;
    std::vector<problem_test> tests;  ///< sorted by name; empty: the generator makes inputs from seeds
    output_comparison comparison = output_comparison::tokens;
};

/// Reads a folder or an archive: `path`, or `path@DIGEST`, whose digest must begin with DIGEST (8 to 32 hex digits).
/// Throws field_error{"problem", …}.
own_problem read_own_problem(std::string_view path_and_digest);

/// The path without the digest.
std::string path_of_own_problem(std::string_view path_and_digest);
/// The name of the problem without reading it: the folder's, without an ending.
std::string name_of_own_problem(std::string_view path_and_digest);

/// Bytes of the problem's texts in memory.
std::size_t bytes_of(own_problem const& problem);

/// A score as its author writes it, in units of 10^-decimals; nullopt for what is no such number, or is above 10^15.
std::optional<std::int64_t> read_score(std::string_view text, std::int32_t decimals);
std::string score_text(std::int64_t objective, std::int32_t decimals);

}  // namespace optgap::programs
