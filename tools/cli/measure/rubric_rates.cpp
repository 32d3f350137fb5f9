#include "tools/cli/measure/rubric_rates.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "optgap/status.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

double rubric_number(json_row const& row, std::string_view name) {
    std::string_view const* const text = row.find(name);
    auto const value = text == nullptr ? nlohmann::json() : nlohmann::json::parse(*text, nullptr, false);
    if (!value.is_number()) {
        throw field_error(std::string(name), "must be a number, as optgap score writes it");
    }
    return value.get<double>();
}

/// {name: [value, factor of 1024]}: whether a factor is below 1024.
bool gates_hold_back(json_row const& row) {
    std::string_view const* const text = row.find("gates");
    auto const gates = text == nullptr ? nlohmann::json() : nlohmann::json::parse(*text, nullptr, false);
    bool held = false;
    bool sound = gates.is_object();
    for (auto const& gate : sound ? gates : nlohmann::json::object()) {
        sound = sound && gate.is_array() && gate.size() == 2 && gate[1].is_number_integer();
        held = held || (sound && gate[1].get<std::int64_t>() < 1024);
    }
    if (!sound) {
        throw field_error("gates", "must be {name: [value, factor]}, as optgap score writes it");
    }
    return held;
}

}  // namespace

std::optional<rubric_outcome> read_rubric_outcome(json_row const& row) {
    if (row.find("preset") == nullptr || row.find("total") == nullptr) {
        return std::nullopt;
    }
    rubric_outcome out;
    out.preset = string_of(row, "preset").value_or("");
    out.total = rubric_number(row, "total");
    out.content = rubric_number(row, "content");
    out.style = rubric_number(row, "style");
    out.held_back = gates_hold_back(row);
    return out;
}

std::int64_t rubric_rates::sums::zero_variance_groups() const {
    return std::ranges::count_if(groups.groups(),
                                 [](group_outcomes const& group) { return group.has_zero_variance(); });
}

void rubric_rates::add(rubric_outcome const& found, reward_row const& value, std::int32_t group) {
    sums& into = by_preset_[found.preset];
    ++into.rows;
    into.held_back += found.held_back ? 1 : 0;
    into.truncated += value.truncated;
    into.total += found.total;
    into.content += found.content;
    into.style += found.style;
    into.normalized += double(value.normalized);
    into.groups.add(value, group);
}

std::string rubric_rates::table_text() const {
    table out({{"rubrics under"},
               {"rows", align::right},
               {"total", align::right},
               {"content", align::right},
               {"style", align::right},
               {"normalized", align::right},
               {"filtered %", align::right},
               {"groups", align::right},
               {"equal", align::right},
               {"truncated", align::right}});
    for (auto const& [preset, own] : by_preset_) {
        sums const& found = own;  // a lambda takes no structured binding in C++20
        auto const mean = [&](double sum) { return fmt::format("{:.3f}", found.mean(sum)); };
        out.add({preset, std::to_string(found.rows), mean(found.total), mean(found.content), mean(found.style),
                 mean(found.normalized), fmt::format("{:.1f}", 100 * found.mean(double(found.held_back))),
                 std::to_string(found.groups.groups().size()), std::to_string(found.zero_variance_groups()),
                 std::to_string(found.truncated)});
    }
    return out.text();
}

nlohmann::ordered_json rubric_rates::summaries() const {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (auto const& [preset, found] : by_preset_) {
        out.push_back({{"preset", preset},
                       {"rows", found.rows},
                       {"total", found.mean(found.total)},
                       {"content", found.mean(found.content)},
                       {"style", found.mean(found.style)},
                       {"normalized", found.mean(found.normalized)},
                       {"held_back", found.mean(double(found.held_back))},
                       {"groups", found.groups.groups().size()},
                       {"zero_variance_groups", found.zero_variance_groups()},
                       {"truncated", found.truncated}});
    }
    return out;
}

}  // namespace optgap::cli
