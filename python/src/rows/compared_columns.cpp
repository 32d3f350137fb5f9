#include "python/src/rows/compared_columns.hpp"

#include <string>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "optgap/advantage.hpp"
#include "python/src/values/errors.hpp"

namespace optgap::python {
namespace {

constexpr std::pair<char const*, float reward_row::*> reward_columns[] = {
    {"reward", &reward_row::reward},   {"format", &reward_row::format},         {"feasible", &reward_row::feasible},
    {"quality", &reward_row::quality}, {"normalized", &reward_row::normalized}, {"optimal", &reward_row::optimal}};

template <class T>
array_in<T> column_of(nb::kwargs const& given, char const* name, std::size_t rows) {
    auto out = nb::cast<array_in<T>>(given[name]);
    if (out.size() != rows) {
        throw argument_error(
            name, "expected one entry per row (" + std::to_string(rows) + "), got " + std::to_string(out.size()));
    }
    return out;
}

}  // namespace

compared_columns::compared_columns(nb::kwargs const& given)
    : spec_(parse_advantage_spec(nb::cast<std::string>(given["advantage"]))),
      rows_(nb::cast<array_in<float>>(given["reward"]).size()),
      group_(column_of<std::int32_t>(given, "group", rows_.size())),
      cohort_(column_of<std::int32_t>(given, "cohort", rows_.size())),
      objective_(column_of<double>(given, "objective", rows_.size())),
      content_(column_of<double>(given, "content", rows_.size())),
      style_(column_of<double>(given, "style", rows_.size())),
      scores_(nb::cast<array_in<double>>(given["scores"])),
      offsets_(column_of<std::int64_t>(given, "offsets", rows_.size() + 1)) {
    for (auto const& [name, member] : reward_columns) {
        array_in<float> const column = column_of<float>(given, name, rows_.size());
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            rows_[r].*member = column.data()[r];
        }
    }
    if (nb::object const length = given["length"]; !length.is_none()) {
        length_ = column_of<std::int32_t>(given, "length", rows_.size());
    }
    int32_in const up = column_of<std::int32_t>(given, "maximise", rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        direction_.push_back(up.data()[r] != 0 ? sense::maximise : sense::minimise);
        if (offsets_.data()[r] < 0 || offsets_.data()[r + 1] < offsets_.data()[r] ||
            std::size_t(offsets_.data()[r + 1]) > scores_.size()) {
            throw argument_error("offsets", "must ascend from 0 to the number of scores");
        }
    }
}

compared_rows compared_columns::rows() const {
    return {.rows = rows_,
            .group = span_of(group_),
            .cohort = span_of(cohort_),
            .length = span_of(length_),
            .objective = span_of(objective_),
            .direction = direction_,
            .offsets = span_of(offsets_),
            .scores = span_of(scores_),
            .content = span_of(content_),
            .style = span_of(style_)};
}

}  // namespace optgap::python
