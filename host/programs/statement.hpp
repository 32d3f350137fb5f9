#pragma once
// Writes a problem for programs in words: rules, input, output, objective, limits, language, and one easy example. The
// rules are the task's own prompt for the example's instance, so that both always agree. The input section comes from
// the walk that writes the input.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/programs/input_form.hpp"
#include "host/programs/limits.hpp"
#include "optgap/engine.hpp"
#include "optgap/format.hpp"

namespace optgap::programs {

inline constexpr std::int32_t statement_styles = 3;  ///< the last is reserved for evaluation

struct statement_request {
    std::int32_t task = 0;
    std::span<std::vector<std::int32_t> const> instances = {};  ///< the hidden ones, of which only the ranges are shown
    std::span<std::int32_t const> example = {};                 ///< the words of another instance
    program_language language = program_language::python;
    input_form input = input_form::json;
    program_limits limits = {};
    std::int32_t style = 0;
    format_spec format = program_formats()[0];
    program_interface interface = program_interface::stdio;
};

/// Throws error{invalid_argument} for a style that does not exist and for instances whose JSON forms differ in fields.
std::string write_statement(engine const& by, statement_request const& request);

/// Sections that every statement has. `called`: of the interface solve.
std::string limits_section(program_limits const& limits);
std::string language_section(program_language language, bool called);
/// How the completion must end.
std::string ending_of(format_spec const& format, program_language language);

/// A feasible answer that shows the output: the floor policy's; where that is infeasible or scores nothing, the greedy
/// policy's or the solver's; empty where none has one.
struct example_answer {
    std::vector<std::int32_t> block;
    std::int64_t objective = 0;
};
example_answer answer_of_example(engine const& by, std::int32_t task, std::span<std::int32_t const> instance);

}  // namespace optgap::programs
