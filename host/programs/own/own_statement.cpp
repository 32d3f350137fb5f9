#include "host/programs/own/own_statement.hpp"

#include <fmt/format.h>

#include "host/programs/statement.hpp"

namespace optgap::programs {

std::string own_statement(own_problem const& problem, program_language language, std::int32_t instances,
                          format_spec const& format) {
    std::string statement = problem.statement;
    statement.resize(statement.find_last_not_of("\r\n\t ") + 1);
    std::string const aim = problem.judge ? fmt::format("On each it gets a score; {} it.",
                                                        problem.direction == sense::minimise ? "minimise" : "maximise")
                                          : std::string("Its output must be right on each.");
    return fmt::format(
        "{}\n\nWrite a {} program for this. It is run on {} hidden input{}, once on each. {}\n\n{}\n\n{}\n\n{}",
        statement, language == program_language::python ? "Python" : "C++", instances, instances == 1 ? "" : "s", aim,
        limits_section(problem.limits), language_section(language, false), ending_of(format, language));
}

}  // namespace optgap::programs
