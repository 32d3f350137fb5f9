// Rows of any kind as a trainer holds them, graded into columns: no JSON of completions in, no dicts out.

#include <cmath>
#include <limits>
#include <vector>

#include <nanobind/stl/optional.h>

#include "python/src/rows/dict_sink.hpp"
#include "python/src/rows/scorer.hpp"
#include "python/src/values/errors.hpp"
#include "python/src/values/score.hpp"
#include "python/src/values/texts.hpp"

namespace optgap::python {
namespace {

using rows::graded_row;
using rows::row_item;

void require_entries(char const* name, std::optional<int32_in> const& given, std::size_t rows) {
    if (given && given->size() != rows) {
        throw argument_error(
            name, "expected one entry per row (" + std::to_string(rows) + "), got " + std::to_string(given->size()));
    }
}

/// A text of each row as Python's.
template <class Text>
nb::list texts_of(std::vector<graded_row> const& rows, Text const& text) {
    nb::list out;
    std::string_view last;  // rows beside each other often have the same
    nb::handle known = interned(last);
    for (graded_row const& row : rows) {
        std::string_view const own = row.kind < 0 ? std::string_view() : text(row);
        if (own != last) {
            last = own;
            known = interned(own);
        }
        out.append(known);
    }
    return out;
}

/// A number of each row.
template <class Value, class Number>
nb::object numbers_of(std::vector<graded_row> const& rows, Number const& number) {
    std::vector<Value> out;
    out.reserve(rows.size());
    for (graded_row const& row : rows) {
        out.push_back(number(row));
    }
    return to_array(std::move(out));
}

/// A bool of each row.
template <class Flag>
nb::object mask_of(std::vector<graded_row> const& rows, Flag const& flag) {
    std::vector<std::uint8_t> out;
    out.reserve(rows.size());
    for (graded_row const& row : rows) {
        out.push_back(flag(row) ? 1 : 0);
    }
    return to_mask(std::move(out));
}

nb::dict rewards_of(std::vector<graded_row> const& rows) {
    std::vector<reward_row> values;
    values.reserve(rows.size());
    for (graded_row const& row : rows) {
        values.push_back(row.value);
    }
    shared_rows<reward_row> const held(std::move(values));
    nb::dict out;
    out["reward"] = held.column(&reward_row::reward);
    out["format"] = held.column(&reward_row::format);
    out["feasible"] = held.column(&reward_row::feasible);
    out["quality"] = held.column(&reward_row::quality);
    out["raw_ratio"] = held.column(&reward_row::raw_ratio);
    out["normalized"] = held.column(&reward_row::normalized);
    out["optimal"] = held.column(&reward_row::optimal);
    out["length_penalty"] = held.column(&reward_row::length_penalty);
    out["code"] = held.column(&reward_row::code);
    out["truncated"] = held.column(&reward_row::truncated);
    return out;
}

nb::dict errors_of(std::vector<row_item> const& items) {
    nb::dict out;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].sound()) {
            out[nb::int_(i)] = nb::make_tuple(nb::str(items[i].field.data(), items[i].field.size()),
                                              nb::str(items[i].rule.data(), items[i].rule.size()));
        }
    }
    return out;
}

}  // namespace

nb::dict bound_scorer::score_columns(nb::handle given, nb::handle completions, std::optional<int32_in> const& finished,
                                     std::optional<int32_in> const& length, std::optional<int32_in> const& group) {
    borrowed_texts const texts(given, "rows", 1);
    borrowed_texts const written(completions, "completions", by_->threads());
    std::size_t const count = texts.size();
    if (written.size() != count) {
        throw argument_error("completions", "expected one per row (" + std::to_string(count) + "), got " +
                                                std::to_string(written.size()));
    }
    require_entries("finish", finished, count);
    require_entries("length", length, count);
    require_entries("group", group, count);
    std::vector<finish> const how = finishes_from(span_of(finished));
    std::vector<std::string> groups;
    for (std::int32_t const one : span_of(group)) {
        groups.push_back(std::to_string(one));
    }
    std::vector<rows::rollout_beside> beside(count);
    for (std::size_t i = 0; i < count; ++i) {
        beside[i] = {.finished = finished ? how[i] : finish::unknown,
                     .length = length ? length->data()[i] : -1,
                     .group = group ? std::string_view(groups[i]) : std::string_view()};
    }
    std::vector<row_item> items(count);
    std::vector<graded_row> found;
    auto const read = [&] {
        for (std::size_t i = 0; i < count; ++i) {
            items[i].take(texts.views()[i], std::int64_t(i) + 1);
            items[i].completion = written.views()[i];
            items[i].beside = &beside[i];
        }
    };
    held_turn turn{turn_};
    work_on(items, turn, read, [&](std::stop_token const& stop) {
        inner_.forget();
        found = inner_.score(items, stop);
        inner_.settle(found);
        last_ = {};
    });
    nb::dict out = rewards_of(found);
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    out["objective"] = numbers_of<std::int64_t>(found, [](graded_row const& row) { return row.objective; });
    out["violation"] = numbers_of<std::int64_t>(found, [](graded_row const& row) { return row.violation; });
    out["score"] = numbers_of<double>(found, [](graded_row const& row) { return row.score; });
    out["begin"] = numbers_of<std::int64_t>(found, [](graded_row const& row) { return row.answer.begin; });
    out["end"] = numbers_of<std::int64_t>(found, [](graded_row const& row) { return row.answer.end; });
    out["content"] =
        numbers_of<double>(found, [](graded_row const& row) { return row.has_pair ? row.pair.content : none; });
    out["style"] =
        numbers_of<double>(found, [](graded_row const& row) { return row.has_pair ? row.pair.style : none; });
    out["reached"] = mask_of(found, [](graded_row const& row) { return row.reached; });
    out["proven"] = mask_of(found, [](graded_row const& row) { return row.proven; });
    out["maximise"] = mask_of(found, [](graded_row const& row) { return row.direction == sense::maximise; });
    out["codes"] = texts_of(found, [&](graded_row const& row) { return inner_.code_name(row); });
    out["tasks"] = texts_of(found, [&](graded_row const& row) { return inner_.task_name(row); });
    out["kinds"] = texts_of(found, [&](graded_row const& row) { return inner_.kind_name(row); });
    out["baseline_kinds"] = texts_of(found, [](graded_row const& row) { return std::string_view(row.baseline_kind); });
    std::vector<std::int64_t> offsets(1, 0);
    std::vector<double> scores;
    for (graded_row const& row : found) {
        std::span<double const> const own = inner_.scores_of(row);
        scores.insert(scores.end(), own.begin(), own.end());
        offsets.push_back(std::int64_t(scores.size()));
    }
    out["offsets"] = to_array(std::move(offsets));
    out["scores"] = to_array(std::move(scores));
    out["errors"] = errors_of(items);
    return out;
}

}  // namespace optgap::python
