#pragma once
// A user's own problem as a prompt for programs: its statement, then limits, language and the form of the completion.

#include <cstdint>
#include <string>

#include "host/programs/own/own_problem.hpp"
#include "optgap/format.hpp"

namespace optgap::programs {

/// `instances`: how many hidden ones the program is run on.
std::string own_statement(own_problem const& problem, program_language language, std::int32_t instances,
                          format_spec const& format);

}  // namespace optgap::programs
