// One table of codes: those of every kind of rows, and the names of all of them.

#include "host/rows/codes.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "host/rows/row_kind.hpp"
#include "optgap/verdict.hpp"
#include "python/src/rows/dict_sink.hpp"
#include "python/src/rows/scorer.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {
namespace {

/// {kind: {name: number}} of what is no task's own; "answer" has what all rows share.
nb::dict codes() {
    nb::dict out;
    for (rows::kind_entry const& kind : rows::kind_entries()) {
        nb::dict own;
        for (std::int32_t code = kind.info->codes.begin; code < kind.info->codes.end; ++code) {
            own[interned(kind.info->codes.name(code))] = code;
        }
        out[interned(kind.info->name)] = own;
    }
    nb::dict shared;
    for (std::int32_t code = 0; code < shared_code_count; ++code) {
        shared[interned(lookup_engine().code_name(0, code))] = code;
    }
    out["answer"] = shared;
    return out;
}

/// Of a row that nobody scored: its deadline had passed, it was cancelled or its instance is broken.
constexpr std::int32_t not_scored = -1;

std::vector<std::string_view> code_names(int32_in const& task, int32_in const& code) {
    if (task.size() != code.size()) {
        throw argument_error("code", "expected one task per code");
    }
    std::vector<std::string_view> out;
    for (std::size_t r = 0; r < code.size(); ++r) {
        out.push_back(code.data()[r] == not_scored ? "not_scored"
                                                   : rows::code_name(lookup_engine(), task.data()[r], code.data()[r]));
    }
    return out;
}

}  // namespace

void bind_codes(nb::module_& m) {
    m.def("codes", &codes);
    m.def("code_names", &code_names);
}

}  // namespace optgap::python
