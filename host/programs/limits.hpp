#pragma once
// The limits of a program, as data of its problem. They stand in the prompt and in the row.

#include <cstdint>
#include <string>
#include <string_view>

#include "host/programs/sandbox.hpp"

namespace optgap::programs {

struct program_limits {
    run_limits run;
    compile_limits compile;
    std::int64_t source_kb = 64;  ///< size of the program's text
    friend bool operator==(program_limits const&, program_limits const&) = default;
};

/// Reads a preset's name, or a JSON object of fields that replace those of a preset:
///
///   preset        "train" (default): cpu_ms 500, memory_mb 512
///                 "river": cpu_ms 5000, memory_mb 1024
///                 "ahc": cpu_ms 2000, memory_mb 1024
///   cpu_ms        1 to 600,000; processor time of a run
///   steps         of a deterministic isolation level in place of cpu_ms; 0: cpu_ms times 5,000,000
///   memory_mb     16 to 8,192
///   output_kb     1 to 16,384 (1024)
///   source_kb     1 to 1,024 (64)
///   compile_cpu_ms, compile_memory_mb
///                 of the compiler (10,000 and 1,024), with the ranges of cpu_ms and memory_mb
///
/// Throws error{invalid_argument} that names the field.
program_limits parse_limits(std::string_view name_or_json);

/// Writes the name of a preset, else all fields as one JSON object.
std::string limits_text(program_limits const& limits);
/// Writes all fields as one JSON object that parse_limits reads.
std::string limits_json(program_limits const& limits);

}  // namespace optgap::programs
