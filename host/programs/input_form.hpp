#pragma once
// What a program reads on stdin: an instance's JSON form on one line, or the same fields as plain numbers. One walk
// over the fields writes the input, reads it back and tells the statement what stands where.
//
//   {"capacity": 20, "weights": [3, 4], "edges": [[0, 1], []]}      20
//                                                                   2
//                                                                   3 4
//                                                                   2
//                                                                   2 0 1
//                                                                   0
//
// A number stands on a line; a list is its length on a line and its values on the next; a list of lists is their
// number, then each on a line as its length and its values; of lists of lists, each is written so in turn.

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
/// What a language's programs read unless said otherwise: C++ plain, Python JSON.
[[nodiscard]] constexpr input_form usual_form(program_language language) {
    return language == program_language::cpp ? input_form::plain : input_form::json;
}

/// What `name` says. Throws error{invalid_argument}, also for plain numbers where the interface solve makes arguments
/// of the JSON form.
[[nodiscard]] input_form input_form_of(std::string_view name, program_interface interface);

struct input_field {
    std::string name;
    std::int32_t depth = 0;  ///< as json_rule's
    std::string rule;
};

/// The fields of this instance's JSON form, in its order. Throws error{internal} where the form has others.
std::vector<input_field> input_fields(task_text const& task, json const& instance);

/// What a run gets on stdin.
std::string write_input(std::vector<input_field> const& fields, json const& instance, input_form form);

/// The JSON form again. Throws field_error{"input", …} for a text that is not what write_input writes.
json read_input(std::vector<input_field> const& fields, std::string_view text, input_form form);

/// The input section of a statement: what stands where, and its range over `instances`, which all have these fields.
std::string input_section(std::vector<input_field> const& fields, std::vector<json> const& instances, input_form form,
                          program_interface interface);

/// The arguments of `solve`, with their types in Python as the instances' values have them.
///
///     def solve(capacity: int, weights: list[int]) -> list[str]:
std::string solve_signature(std::vector<input_field> const& fields, std::vector<json> const& instances);
/// One call of it: `solve(capacity=20, weights=[3, 4])`.
std::string solve_call(std::vector<input_field> const& fields, json const& instance);
/// What it may return for an output: its lines as a list of strings.
std::string solve_value(std::string_view output);

}  // namespace optgap::programs
