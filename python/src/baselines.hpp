#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "optgap/baseline.hpp"
#include "python/src/arrays.hpp"

namespace optgap::python {

/// objective, bound, floor, greedy, steps, status, bound_kind: views of the same rows.
nb::tuple baseline_arrays(std::vector<baseline>&& rows);
/// Reads what baseline_arrays wrote, whoever made the arrays.
std::vector<baseline> baselines_from(nb::tuple const& arrays);
/// Baselines as rows of a file carry them: a sequence of {objective, bound, proven[, floor, greedy]}. Second, a mask:
/// false where the record says nothing (None, or neither objective nor proof). Throws argument_error.
nb::tuple baselines_from_records(nb::handle records);

/// One instance's: None (nothing), a record, or baseline_arrays of one row. Throws argument_error.
std::optional<baseline> baseline_from(nb::handle given);

void bind_baselines(nb::module_& m);

}  // namespace optgap::python
