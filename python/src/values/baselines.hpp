#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "optgap/baseline.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

/// The columns of optgap.Baselines by name: views of the same rows.
nb::dict baseline_columns(std::vector<baseline>&& rows);
/// Reads such columns, whoever made the arrays.
std::vector<baseline> baselines_from(nb::dict const& columns);
/// Baselines as rows of a file carry them: a sequence of {objective, bound, proven[, floor, greedy]}. Second, a mask:
/// false where the record says nothing (None, or neither objective nor proof). Throws argument_error.
nb::tuple baselines_from_records(nb::handle records);

/// One instance's: None (nothing), a record, or columns of one row. Throws argument_error.
std::optional<baseline> baseline_from(nb::handle given);

void bind_baselines(nb::module_& m);

}  // namespace optgap::python
