#include "tools/cli/measure/outcome.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "host/rows/read/fields.hpp"
#include "host/rows/read/row_place.hpp"

namespace optgap::cli {
namespace {

double number_of(json_row const& row, std::string_view name) {
    std::string_view const* const value = row.find(name);
    if (value == nullptr || is_json_null(*value)) {
        return name == "reward" ? NAN : 0.0;
    }
    if (*value == "true" || *value == "false") {
        return *value == "true" ? 1.0 : 0.0;
    }
    double number = 0;
    auto const [end, problem] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (problem != std::errc() || end != value->data() + value->size()) {
        throw field_error(std::string(name), "must be a number");
    }
    return number;
}

/// Where proposals stand in tables: apart from the answers to what they pose.
constexpr char const* proposal_task = "proposal";

}  // namespace

bool is_scored(json_row const& row) {
    return row.find("reward") != nullptr && row.find("feasible") != nullptr && row.find("quality") != nullptr;
}

outcome read_scored(json_row const& row, scorer& by, bool from_rubric) {
    outcome out;
    row_problem problem = by.problem_of(row).second;
    if (!from_rubric) {
        out.task = std::move(problem.task);
        out.level = std::move(problem.level);
    }
    out.value.reward = float(number_of(row, "reward"));
    out.value.feasible = float(number_of(row, "feasible"));
    out.value.quality = float(number_of(row, "quality"));
    out.value.normalized = float(number_of(row, "normalized"));
    out.value.truncated = number_of(row, "truncated") > 0 ? 1 : 0;
    std::string_view const* const group = field_of(row, "group");
    out.group = by.group_id(group == nullptr ? problem.name : fmt::format("group {}", *group));
    return out;
}

outcome from_score(json_row const& row, graded_row const& scored, scorer const& by) {
    outcome out;
    if (by.kind_name(scored) == proposal_task) {
        out.task = out.level = proposal_task;
    } else if (by.kind_name(scored) != "text") {
        if (has(row, "key") || has(row, "task")) {
            row_place place = place_of(row);
            out.task = std::move(place.task);
            out.level = std::move(place.level);
        } else {
            out.task = by.task_name(scored);
            out.level = "explicit";
        }
    }
    out.value = scored.value;
    out.group = scored.group;
    return out;
}

}  // namespace optgap::cli
