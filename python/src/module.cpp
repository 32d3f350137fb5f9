// optgap._native: flat arrays in and out, by the names that the package's classes give them; users call those.
//
// On an interpreter without a GIL an object that calls change is locked by them (nb::lock_self), as long as the GIL is
// held elsewhere; an Engine is thread-safe itself.

#include <nanobind/nanobind.h>

#include "optgap/baseline.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/errors.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {
void bind_rubrics(nb::module_& m);
void bind_curriculum(nb::module_& m);
void bind_device(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_expressions();
void bind_external(nb::module_& m);
void bind_pool(nb::module_& m);
void bind_programs(nb::module_& m);
void bind_proposals(nb::module_& m);
void bind_relabel(nb::module_& m);
void bind_roles(nb::module_& m);
void bind_rows(nb::module_& m);
void bind_report(nb::module_& m);
void bind_scheduler(nb::module_& m);
void bind_baseline_source(nb::module_& m);
void bind_statistics(nb::module_& m);
}  // namespace optgap::python

NB_MODULE(_native, m) {
    m.attr("version") = OPTGAP_VERSION;
    m.attr("no_objective") = optgap::no_objective;
    // What daemon threads hold when the interpreter ends is not freed, and nothing is wrong with that.
    nanobind::set_leak_warnings(false);
    optgap::python::translate_errors();
    optgap::python::bind_lookups(m);
    optgap::python::bind_baselines(m);
    optgap::python::bind_device(m);
    optgap::python::bind_engine(m);
    optgap::python::bind_external(m);
    optgap::python::bind_rubrics(m);
    optgap::python::bind_expressions();
    optgap::python::bind_pool(m);
    optgap::python::bind_programs(m);
    optgap::python::bind_proposals(m);
    optgap::python::bind_relabel(m);
    optgap::python::bind_roles(m);
    optgap::python::bind_rows(m);
    optgap::python::bind_baseline_source(m);
    optgap::python::bind_scheduler(m);
    optgap::python::bind_curriculum(m);
    optgap::python::bind_statistics(m);
    optgap::python::bind_report(m);
}
