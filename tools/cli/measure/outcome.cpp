#include "tools/cli/measure/outcome.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "host/programs/problem.hpp"
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

/// What score groups by, as far as the row itself tells: a key's style and hash make no other instance.
std::string group_name(json_row const& row, std::string const& task) {
    if (std::string_view const* const group = row.find("group"); group != nullptr && !is_json_null(*group)) {
        return fmt::format("group {}", *group);
    }
    if (std::string_view const* const chain = row.find("chain_key"); chain != nullptr && !is_json_null(*chain)) {
        return fmt::format("chain {}", *chain);
    }
    if (std::string_view const* const chain = row.find("chain"); chain != nullptr) {
        return fmt::format("chain {}", *chain);
    }
    if (row.find("proposal_kind") != nullptr) {
        std::string_view const* const prompt = row.find("prompt");
        return fmt::format("proposals {}", prompt == nullptr ? std::string_view() : *prompt);
    }
    if (auto const text = string_of(row, "key")) {
        if (is_external_key(*text)) {
            return fmt::format("key {}", *text);
        }
        if (programs::is_problem_key(*text)) {
            programs::problem_key problem = programs::parse_problem_key(*text);
            if (!problem.first.is_explicit) {
                problem.first.style = 0;
                problem.first.hash.clear();
            }
            return programs::to_string(problem);
        }
        instance_key key = parse_key(*text);
        if (!key.is_explicit) {
            key.style = 0;
            key.hash.clear();
        }
        return to_string(key);
    }
    std::string_view const* const instance = row.find("instance");
    return fmt::format("{} {}", task, instance == nullptr ? std::string_view() : *instance);
}

/// Where proposals stand in tables: apart from the answers to what they pose.
constexpr char const* proposal_task = "proposal";

void read_place(json_row const& row, outcome& out) {
    if (row.find("proposal_kind") != nullptr) {
        out.task = out.level = proposal_task;
        return;
    }
    row_place place = place_of(row);
    out.task = std::move(place.task);
    out.level = std::move(place.level);
}

}  // namespace

bool is_scored(json_row const& row) {
    return row.find("reward") != nullptr && row.find("feasible") != nullptr && row.find("quality") != nullptr;
}

outcome read_scored(json_row const& row, scorer& by, bool chained) {
    outcome out;
    if (!chained) {
        read_place(row, out);
    }
    out.value.reward = float(number_of(row, "reward"));
    out.value.feasible = float(number_of(row, "feasible"));
    out.value.quality = float(number_of(row, "quality"));
    out.value.normalized = float(number_of(row, "normalized"));
    out.value.truncated = number_of(row, "truncated") > 0 ? 1 : 0;
    out.group = by.group_id(group_name(row, out.task));
    return out;
}

outcome from_score(json_row const& row, graded_row const& scored, scorer const& by) {
    outcome out;
    if (by.kind_name(scored) == proposal_task) {
        out.task = out.level = proposal_task;
    } else if (by.kind_name(scored) != "text") {
        if (has(row, "key") || has(row, "task")) {
            read_place(row, out);
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
