#pragma once
// Parameters of estimators and shapes as JSON, by their declarations (kernels/reward/parameter.hpp).

#include <span>
#include <string>

#include "host/specs/spec_json.hpp"
#include "kernels/reward/parameter.hpp"

namespace optgap {

/// Writes the value into the spec that begins at `spec`; throws error{invalid_argument} that begins with `field`.
void read_parameter(spec_json::json const& value, std::string const& field, parameter const& by, void* spec);

spec_json::json parameter_value(parameter const& of, void const* spec);

/// {name, meaning, low, high or choices}
spec_json::json parameter_json(parameter const& of);

/// nullptr where none has the name.
parameter const* parameter_named(std::span<parameter const> all, std::string const& name);

/// "a", "a and b", "a, b and c"
std::string joined_names(std::span<std::string const> names);

}  // namespace optgap
