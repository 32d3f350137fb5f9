#include "optgap/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "optgap/status.hpp"

namespace optgap {

namespace {

using json = nlohmann::ordered_json;

constexpr double quality_units = 4294967296.0;  // 2^32
constexpr int format_version = 1;

/// Counters of a cell by their names in JSON.
constexpr std::pair<char const*, std::int64_t cell_statistics::*> row_counters[] = {
    {"rows", &cell_statistics::rows},
    {"feasible", &cell_statistics::feasible},
    {"correct", &cell_statistics::correct},
    {"optimal", &cell_statistics::optimal},
    {"truncated", &cell_statistics::truncated},
    {"format_broken", &cell_statistics::format_broken},
    {"quality_sum_2p32", &cell_statistics::quality}};
constexpr std::pair<char const*, std::int64_t group_counts::*> group_counters[] = {
    {"groups", &group_counts::groups},
    {"kept_groups", &group_counts::kept},
    {"zero_variance_groups", &group_counts::collapsed},
    {"pairs", &group_counts::pairs},
    {"equal_pairs", &group_counts::equal_pairs},
    {"resolution_sum_2p32", &group_counts::resolution}};

double part_of(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? std::numeric_limits<double>::quiet_NaN() : double(part) / double(whole);
}

json number_or_null(double value) { return std::isnan(value) ? json() : json(value); }

json rates_of(cell_statistics const& cell) {
    return {{"sr", number_or_null(part_of(cell.feasible, cell.rows))},
            {"qr", number_or_null(cell.quality_ratio())},
            {"pass_rate", number_or_null(part_of(cell.correct, cell.rows))},
            {"quality_p10", number_or_null(cell.quality_quantile(0.1))},
            {"quality_p50", number_or_null(cell.quality_quantile(0.5))},
            {"quality_p90", number_or_null(cell.quality_quantile(0.9))},
            {"truncated", number_or_null(part_of(cell.truncated, cell.rows))},
            {"effective_prompt_ratio", number_or_null(cell.groups.effective_prompt_ratio())},
            {"collapsed_share", number_or_null(cell.groups.collapsed_share())},
            {"pair_collision", number_or_null(cell.groups.pair_collision())},
            {"feedback_resolution", number_or_null(cell.groups.feedback_resolution())}};
}

json cell_json(cell_statistics const& cell) {
    json out;
    for (auto const& [name, counter] : row_counters) {
        out[name] = cell.*counter;
    }
    out["quality_histogram"] = cell.histogram;
    for (auto const& [name, counter] : group_counters) {
        out[name] = cell.groups.*counter;
    }
    out["rates"] = rates_of(cell);
    return out;
}

json const& member(json const& object, char const* name) {
    auto at = object.is_object() ? object.find(name) : object.end();
    if (at == object.end() && object.is_object() && name == std::string_view("zero_variance_groups")) {
        at = object.find("dead_groups");  // its former name
    }
    if (at == object.end()) {
        throw field_error(name, "missing");
    }
    return *at;
}

std::int64_t count_of(json const& value, char const* name) {
    bool const fits = value.is_number_unsigned()
                          ? value.get<std::uint64_t>() <= std::uint64_t(std::numeric_limits<std::int64_t>::max())
                          : value.is_number_integer() && value.get<std::int64_t>() >= 0;
    if (!fits) {
        throw field_error(name, "must be a count");
    }
    return value.get<std::int64_t>();
}

std::string text_of(json const& value, char const* name) {
    if (!value.is_string()) {
        throw field_error(name, "must be a string");
    }
    return value.get<std::string>();
}

cell_statistics cell_from(json const& value) {
    cell_statistics out;
    for (auto const& [name, counter] : row_counters) {
        out.*counter = count_of(member(value, name), name);
    }
    for (auto const& [name, counter] : group_counters) {
        out.groups.*counter = count_of(member(value, name), name);
    }
    json const& bins = member(value, "quality_histogram");
    if (!bins.is_array() || bins.size() != out.histogram.size()) {
        throw field_error("quality_histogram", "must be a list of 64 counts");
    }
    for (std::size_t b = 0; b < out.histogram.size(); ++b) {
        out.histogram[b] = count_of(bins[b], "quality_histogram");
    }
    return out;
}

}  // namespace

void cell_statistics::add(reward_row const& row, double correct_from) {
    ++rows;
    truncated += row.truncated != 0 ? 1 : 0;
    format_broken += row.format > 0 ? 0 : 1;
    if (row.feasible > 0) {
        double const clipped = std::clamp(double(row.quality), 0.0, 1.0);
        ++feasible;
        correct += double(row.quality) >= correct_from ? 1 : 0;
        optimal += row.optimal > 0 ? 1 : 0;
        quality += std::llrint(clipped * quality_units);
        ++histogram[std::size_t(clipped * (quality_bins - 1))];
    }
}

cell_statistics& cell_statistics::operator+=(cell_statistics const& other) {
    for (auto const& [name, counter] : row_counters) {
        this->*counter += other.*counter;
    }
    for (std::size_t b = 0; b < histogram.size(); ++b) {
        histogram[b] += other.histogram[b];
    }
    groups += other.groups;
    return *this;
}

double cell_statistics::quality_ratio() const { return part_of(quality, rows) / quality_units; }

double cell_statistics::quality_quantile(double at) const {
    if (feasible == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    auto const rank = std::int64_t(std::floor(at * double(feasible - 1) + 0.5));
    std::int64_t below = 0;
    std::int32_t bin = 0;
    while (bin < quality_bins - 1 && below + histogram[std::size_t(bin)] <= rank) {
        below += histogram[std::size_t(bin++)];
    }
    return double(bin) / (quality_bins - 1);
}

void statistics::merge(statistics const& other) {
    if (correct_from != other.correct_from) {
        throw error(status::invalid_argument, "statistics with different thresholds of a correct row do not add up");
    }
    for (auto const& [where, cell] : other.cells) {
        cells[where] += cell;
    }
}

cell_statistics statistics::total() const {
    cell_statistics sum;
    for (auto const& [where, cell] : cells) {
        sum += cell;
    }
    return sum;
}

std::string to_json(statistics const& of) {
    json run = json::parse(of.run, nullptr, false);
    if (run.is_discarded()) {
        misuse("run: is not JSON");
    }
    json cells = json::array();
    for (auto const& [where, cell] : of.cells) {
        json row{{"task", where.first}, {"level", where.second}};
        row.update(cell_json(cell));
        cells.push_back(std::move(row));
    }
    json const table{{"statistics", format_version},
                     {"correct_from", of.correct_from},
                     {"run", std::move(run)},
                     {"cells", std::move(cells)},
                     {"total", cell_json(of.total())}};
    return table.dump();
}

statistics statistics_from_json(std::string_view text) {
    json const value = json::parse(text, nullptr, false);
    if (value.is_discarded()) {
        throw field_error("statistics", "is not JSON");
    }
    if (member(value, "statistics") != format_version) {
        throw field_error("statistics", "is not version 1 of this format");
    }
    statistics out;
    json const& threshold = member(value, "correct_from");
    if (!threshold.is_number()) {
        throw field_error("correct_from", "must be a number");
    }
    out.correct_from = threshold.get<double>();
    out.run = member(value, "run").dump();
    json const& cells = member(value, "cells");
    if (!cells.is_array()) {
        throw field_error("cells", "must be a list");
    }
    for (json const& cell : cells) {
        out.cells[{text_of(member(cell, "task"), "task"), text_of(member(cell, "level"), "level")}] += cell_from(cell);
    }
    return out;
}

}  // namespace optgap
