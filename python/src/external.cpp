// Rows whose problem and verdict come from outside: where their answers stand.

#include "optgap/external.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "python/src/values/arrays.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/score.hpp"
#include "python/src/values/texts.hpp"

namespace optgap::python {
namespace {

std::string instructions(std::string_view format, std::string_view form) {
    return format_instructions(parse_format(format), form);
}

nb::dict find(nb::handle texts, int32_in const& format_of, std::optional<int32_in> const& finished) {
    borrowed_texts const borrowed(texts, "texts", 1);
    std::vector<finish> const how = finishes_from(span_of(finished));
    std::vector<answer_place_found> const found = [&] {
        released_gil const released;
        return find_answers(borrowed.views(), span_of(format_of), how);
    }();
    std::vector<std::int32_t> format_code;
    std::vector<std::uint8_t> has_answer;
    std::vector<std::int64_t> begin, end;
    for (answer_place_found const& row : found) {
        format_code.push_back(row.format_code);
        has_answer.push_back(row.has_answer ? 1 : 0);
        begin.push_back(row.answer.begin);
        end.push_back(row.answer.end);
    }
    nb::dict columns;
    columns["format_code"] = to_array(std::move(format_code));
    columns["has_answer"] = to_mask(std::move(has_answer));
    columns["begin"] = to_array(std::move(begin));
    columns["end"] = to_array(std::move(end));
    return columns;
}

}  // namespace

void bind_external(nb::module_& m) {
    m.def("format_instructions", &instructions);
    m.def("find_answers", &find, nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace optgap::python
