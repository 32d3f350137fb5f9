// Pages: the library's writers, over a description in JSON. And what reports compute of shares.

#include "optgap/report.hpp"
#include "host/report/shares.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace optgap::python {

void bind_report(nb::module_& m) {
    m.def("pass_at", &pass_at);
    m.def("best_of", &best_of);
    m.def("wilson_interval", [](double share, double rows, double z) {
        share_interval const found = wilson_interval(share, rows, z);
        return std::pair(found.low, found.high);
    });
    m.def("page_html", &page_html);
    m.def("page_markdown", &page_markdown);
}

}  // namespace optgap::python
