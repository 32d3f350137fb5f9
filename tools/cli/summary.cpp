#include "tools/cli/summary.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/cli/table.hpp"

namespace optgap::cli {

void summary::add(reward_row const& row, std::int32_t group) {
    ++rows_;
    truncated_ += row.truncated != 0 ? 1 : 0;
    if (row.feasible > 0) {
        feasible_ += 1;
        quality_ += double(row.quality);
        normalized_ += double(row.normalized);
    }
    group_range& range = groups_[group];
    if (!std::isnan(row.reward)) {
        ++rewarded_;
        reward_ += double(row.reward);
        ++range.rows;
        range.low = std::min(range.low, row.reward);
        range.high = std::max(range.high, row.reward);
    }
}

std::int64_t summary::dead_groups() const {
    return std::count_if(groups_.begin(), groups_.end(), [](auto const& group) {
        return group.second.rows >= 2 && group.second.low == group.second.high;
    });
}

double summary::mean_reward() const {
    return rewarded_ == 0 ? std::numeric_limits<double>::quiet_NaN() : reward_ / double(rewarded_);
}

std::vector<std::string> summary::cells() const {
    auto const percent = [](double share) { return fmt::format("{:.1f}", 100 * share); };
    return {std::to_string(rows_),
            percent(success_rate()),
            percent(quality_ratio()),
            percent(normalized_quality_ratio()),
            rewarded_ == 0 ? "-" : fmt::format("{:.3f}", mean_reward()),
            std::to_string(groups()),
            std::to_string(dead_groups()),
            std::to_string(truncated_)};
}

std::string summary_table(std::vector<std::string> const& label_titles,
                          std::vector<std::pair<std::vector<std::string>, summary const*>> const& entries) {
    std::vector<table::column> columns;
    for (std::string const& title : label_titles) {
        columns.push_back({title, align::left});
    }
    for (char const* const title : {"rows", "SR %", "QR %", "norm. QR %", "reward", "groups", "dead", "truncated"}) {
        columns.push_back({title, align::right});
    }
    table out(std::move(columns));
    for (auto const& [labels, of] : entries) {
        std::vector<std::string> row = labels;
        for (std::string& cell : of->cells()) {
            row.push_back(std::move(cell));
        }
        out.add(std::move(row));
    }
    return out.text();
}

std::string summary_table(std::map<std::string, summary> const& by_task) {
    std::vector<std::pair<std::vector<std::string>, summary const*>> entries;
    for (auto const& [task, of] : by_task) {
        entries.push_back({{task}, &of});
    }
    return summary_table({"task"}, entries);
}

}  // namespace optgap::cli
