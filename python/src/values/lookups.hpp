#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>

#include "optgap/engine.hpp"
#include "optgap/key.hpp"

namespace optgap::python {

/// An engine that starts no thread and touches no GPU, for tables and texts.
engine const& lookup_engine();
/// Throws argument_error{"task"} for an index that is none.
task_info const& task_at(std::int32_t task);
/// Throws argument_error{"split"} for a code that is none.
split split_of(std::int32_t code);

void bind_lookups(nanobind::module_& m);

}  // namespace optgap::python
