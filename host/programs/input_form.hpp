#pragma once
// The stdin of a program: an instance's JSON form on one line, or the same fields as plain numbers. One walk over the
// fields writes the input, reads it back and describes it in the statement.
//
//   {"capacity": 20, "weights": [3, 4], "edges": [[0, 1], []]}      20
//                                                                   2
//                                                                   3 4
//                                                                   2
//                                                                   2 0 1
//                                                                   0
//
// A number is one line. A list is its length on a line and its values on the next. A list of lists is their number,
// then each on a line as its length and its values. Deeper lists are written the same way in turn.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/programs/sandbox.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::programs {

enum class input_form : std::int32_t { plain = 0, json };
[[nodiscard]] std::string_view name_of(input_form form);
/// Throws error{invalid_argument} that lists the names.
[[nodiscard]] input_form input_form_named(std::string_view name);
/// The default input of a language's programs: plain for C++, JSON for Python.
[[nodiscard]] constexpr input_form usual_form(program_language language) {
    return language == program_language::cpp ? input_form::plain : input_form::json;
}

/// The form with this name. Throws error{invalid_argument} for an unknown name, and for plain numbers with the
/// interface solve, whose arguments come from the JSON form.
[[nodiscard]] input_form input_form_of(std::string_view name, program_interface interface);

struct input_field {
    std::string name;
    std::int32_t depth = 0;  ///< as in json_rule
    std::string rule;
};

/// The fields of this instance's JSON form, in its order. Throws error{internal} where the form has others.
std::vector<input_field> input_fields(task_text const& task, json const& instance);

/// Writes the stdin of a run.
std::string write_input(std::vector<input_field> const& fields, json const& instance, input_form form);

/// Reads the JSON form back. Throws field_error{"input", …} for a text that write_input does not write.
json read_input(std::vector<input_field> const& fields, std::string_view text, input_form form);

/// The input section of a statement: each field's place and its range over `instances`, which all have these fields.
std::string input_section(std::vector<input_field> const& fields, std::vector<json> const& instances, input_form form,
                          program_interface interface);

/// The signature of `solve`, with the types that the instances' values have in Python.
///
///     def solve(capacity: int, weights: list[int]) -> list[str]:
std::string solve_signature(std::vector<input_field> const& fields, std::vector<json> const& instances);
/// A call of it: `solve(capacity=20, weights=[3, 4])`.
std::string solve_call(std::vector<input_field> const& fields, json const& instance);
/// Its return value for an output: the output's lines as a list of strings.
std::string solve_value(std::string_view output);

}  // namespace optgap::programs
