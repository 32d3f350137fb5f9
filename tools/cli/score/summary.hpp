#pragma once
// The tables of rates that `optgap eval` and the demo print.

#include <map>
#include <string>
#include <vector>

#include "host/report/evaluation.hpp"

namespace optgap::cli {

/// One line of a table: its label's cells and its rates.
struct labelled_evaluation {
    std::vector<std::string> labels;
    evaluation rates;
};

/// Rows, SR, QR, normalised QR, reward, groups, zero-variance groups, truncated rows; with intervals when they were
/// computed.
std::string rates_table(std::vector<std::string> const& label_titles, std::vector<labelled_evaluation> const& lines,
                        bool intervals);
/// pass@k and best-of-k, one pair of columns per k.
std::string at_k_table(std::vector<std::string> const& label_titles, std::vector<labelled_evaluation> const& lines);
/// rates_table with one line per task and no intervals.
std::string rates_table(std::map<std::string, rollout_groups> const& by_task);

}  // namespace optgap::cli
