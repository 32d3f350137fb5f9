#pragma once
// optgap generate --candidate program: problems whose instances a program does not see.

#include <cstdint>
#include <string>
#include <vector>

#include "optgap/difficulty.hpp"
#include "optgap/key.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

struct program_problem_options {
    std::vector<std::int32_t> tasks;
    difficulty level;
    split part = split::train;
    std::int64_t count = 1;  ///< problems a task, of `instances` seeds each
    std::uint64_t seed = 0;
    std::int32_t instances = 10;
    std::string language = "python";
    std::string limits = "train";
    std::string input;  ///< empty: the language's usual one
    std::string interface = "stdio";
    std::string format = "program";
    std::string style = "0";
    bool prompts = false;
};

/// Writes a row for each problem and style to stdout; throws usage_error and error{invalid_argument}.
void generate_program_rows(context& ctx, program_problem_options const& options);

}  // namespace optgap::cli
