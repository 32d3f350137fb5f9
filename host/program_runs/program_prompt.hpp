#pragma once

#include <string>

#include "optgap/programs/runner.hpp"

namespace optgap::program_runs {

struct program_prompt {
    std::string key;   ///< the problem's, with the style
    std::string text;  ///< empty for a user's own instances, which provide no example
};

/// The prompt for a model, as `optgap generate --candidate program` writes it. Throws error{invalid_argument} for a
/// style that does not exist.
program_prompt prompt_of(engine const& by, program_problem const& of, std::int32_t style);

}  // namespace optgap::program_runs
