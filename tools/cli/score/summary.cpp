#include "tools/cli/score/summary.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tools/cli/shell/table.hpp"

namespace optgap::cli {

namespace {

table table_of(std::vector<std::string> const& label_titles, std::vector<std::string> const& number_titles) {
    std::vector<table::column> titles;
    for (std::string const& title : label_titles) {
        titles.push_back({title, align::left});
    }
    for (std::string const& title : number_titles) {
        titles.push_back({title, align::right});
    }
    return table(std::move(titles));
}

std::string percent(estimate const& rate, bool interval) {
    if (std::isnan(rate.value)) {
        return "-";
    }
    return interval ? fmt::format("{:.1f} [{:.1f}, {:.1f}]", 100 * rate.value, 100 * rate.low, 100 * rate.high)
                    : fmt::format("{:.1f}", 100 * rate.value);
}

}  // namespace

std::string rates_table(std::vector<std::string> const& label_titles, std::vector<labelled_evaluation> const& lines,
                        bool intervals) {
    table out =
        table_of(label_titles, {"rows", "SR %", "QR %", "norm. QR %", "reward", "groups", "equal", "truncated"});
    for (auto const& [labels, rates] : lines) {
        std::vector<std::string> cells = labels;
        cells.push_back(std::to_string(rates.rows));
        for (estimate const* rate : {&rates.success_rate, &rates.quality_ratio, &rates.normalized_quality_ratio}) {
            cells.push_back(percent(*rate, intervals));
        }
        cells.push_back(std::isnan(rates.reward) ? "-" : fmt::format("{:.3f}", rates.reward));
        for (std::int64_t count : {rates.groups, rates.zero_variance_groups, rates.truncated}) {
            cells.push_back(std::to_string(count));
        }
        out.add(std::move(cells));
    }
    return out.text();
}

std::string at_k_table(std::vector<std::string> const& label_titles, std::vector<labelled_evaluation> const& lines) {
    std::vector<std::string> titles;
    if (!lines.empty()) {
        for (at_k const& at : lines.front().rates.at) {
            titles.push_back(fmt::format("pass@{} %", at.k));
            titles.push_back(fmt::format("best of {} %", at.k));
        }
    }
    table out = table_of(label_titles, titles);
    for (auto const& [labels, rates] : lines) {
        std::vector<std::string> cells = labels;
        for (at_k const& at : rates.at) {
            cells.push_back(percent(at.pass, false));
            cells.push_back(percent(at.best, false));
        }
        out.add(std::move(cells));
    }
    return out.text();
}

std::string rates_table(std::map<std::string, rollout_groups> const& by_task) {
    std::vector<labelled_evaluation> lines;
    for (auto const& [task, groups] : by_task) {
        rollout_groups const* const cell = &groups;
        lines.push_back({{task}, evaluate({&cell, 1})});
    }
    return rates_table({"task"}, lines, false);
}

}  // namespace optgap::cli
