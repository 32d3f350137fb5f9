// Rows whose problem and verdict come from outside: where their answers stand, and what they earn.

#include "optgap/external.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "optgap/reward_rules.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"
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

nb::dict rewards(int32_in const& code, int64_in const& objective, int32_in const& format_code, int32_in const& maximise,
                 nb::dict const& baselines, std::optional<int32_in> const& finished,
                 std::optional<int32_in> const& length, std::string_view reward) {
    std::vector<verdict> verdicts;
    for (std::size_t r = 0; r < code.size() && r < objective.size(); ++r) {
        bool const feasible = code.data()[r] == code_ok;
        verdicts.push_back({.code = code.data()[r],
                            .objective = objective.data()[r],
                            .violation = feasible ? 0 : 1,
                            .violation_max = 1});
    }
    std::vector<sense> direction;
    for (std::int32_t const up : span_of(maximise)) {
        direction.push_back(up != 0 ? sense::maximise : sense::minimise);
    }
    std::vector<baseline> const against = baselines_from(baselines);
    std::vector<finish> const how = finishes_from(span_of(finished));
    std::vector<reward_row> out = external_rewards({.verdicts = verdicts,
                                                    .format_codes = span_of(format_code),
                                                    .finished = how,
                                                    .length = span_of(length),
                                                    .baselines = against,
                                                    .direction = direction},
                                                   parse_reward_rules(reward, lookup_engine().tasks()).specs[0]);
    shared_rows<reward_row> const rows(std::move(out));
    nb::dict columns;
    columns["reward"] = rows.column(&reward_row::reward);
    columns["format"] = rows.column(&reward_row::format);
    columns["feasible"] = rows.column(&reward_row::feasible);
    columns["quality"] = rows.column(&reward_row::quality);
    columns["raw_ratio"] = rows.column(&reward_row::raw_ratio);
    columns["normalized"] = rows.column(&reward_row::normalized);
    columns["optimal"] = rows.column(&reward_row::optimal);
    columns["length_penalty"] = rows.column(&reward_row::length_penalty);
    columns["code"] = rows.column(&reward_row::code);
    columns["truncated"] = rows.column(&reward_row::truncated);
    return columns;
}

}  // namespace

void bind_external(nb::module_& m) {
    m.def("format_instructions", &instructions);
    m.def("find_answers", &find, nb::arg(), nb::arg(), nb::arg().none());
    m.def("external_rewards", &rewards, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
          nb::arg().none(), nb::arg());
}

}  // namespace optgap::python
