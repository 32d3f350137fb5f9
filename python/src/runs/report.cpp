// Pages: the library's writers, over a description in JSON.

#include "optgap/report.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;

namespace optgap::python {

void bind_report(nb::module_& m) {
    m.def("page_html", &page_html);
    m.def("page_markdown", &page_markdown);
}

}  // namespace optgap::python
