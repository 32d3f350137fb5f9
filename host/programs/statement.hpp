#pragma once
// A problem of programs in words: rules, input, output, objective, limits, language, and one easy example. The rules
// are the task's own prompt for the example's instance, so that they cannot drift from it; the input section comes from
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

inline constexpr std::int32_t statement_styles = 3;  ///< the last is kept for evaluation

struct statement_request {
    std::int32_t task = 0;
    std::span<std::vector<std::int32_t> const> instances = {};  ///< the hidden ones: only their ranges are told
    std::span<std::int32_t const> example = {};                 ///< its words: not one of them
    program_language language = program_language::python;
    input_form input = input_form::json;
    program_limits limits = {};
    std::int32_t style = 0;
    format_spec format = program_formats()[0];
    program_interface interface = program_interface::stdio;
};

/// Throws error{invalid_argument} for a style that does not exist and for instances whose JSON forms differ in fields.
std::string write_statement(engine const& by, statement_request const& request);

/// A feasible answer that shows the output: the floor policy's, or where that is not feasible or worth nothing the
/// greedy one's, or the solver's; empty where none has one.
struct example_answer {
    std::vector<std::int32_t> block;
    std::int64_t objective = 0;
};
example_answer answer_of_example(engine const& by, std::int32_t task, std::span<std::int32_t const> instance);

}  // namespace optgap::programs
