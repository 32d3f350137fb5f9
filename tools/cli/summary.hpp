#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "optgap/reward.hpp"

namespace optgap::cli {

/// Rates over some rows: what `optgap eval` and the demo print.
class summary {
public:
    /// row.reward is NaN when the row has none. `group` is any id.
    void add(reward_row const& row, std::int32_t group);

    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t truncated() const { return truncated_; }
    [[nodiscard]] std::int64_t groups() const { return std::int64_t(groups_.size()); }
    /// Groups of two or more whose rewards are all equal: they teach nothing.
    [[nodiscard]] std::int64_t dead_groups() const;
    /// Share of feasible rows.
    [[nodiscard]] double success_rate() const { return share(feasible_); }
    /// Mean quality, 0 where infeasible.
    [[nodiscard]] double quality_ratio() const { return share(quality_); }
    [[nodiscard]] double normalized_quality_ratio() const { return share(normalized_); }
    /// NaN when no row has a reward.
    [[nodiscard]] double mean_reward() const;
    /// The cells of a table: rows, rates in per cent, reward, groups, dead groups, truncated rows.
    [[nodiscard]] std::vector<std::string> cells() const;

private:
    struct group_range {
        std::int64_t rows = 0;
        float low = std::numeric_limits<float>::infinity();
        float high = -std::numeric_limits<float>::infinity();
    };
    [[nodiscard]] double share(double sum) const { return rows_ == 0 ? 0.0 : sum / double(rows_); }

    std::int64_t rows_ = 0;
    std::int64_t rewarded_ = 0;
    std::int64_t truncated_ = 0;
    double feasible_ = 0;
    double quality_ = 0;
    double normalized_ = 0;
    double reward_ = 0;
    std::unordered_map<std::int32_t, group_range> groups_;
};

/// A table with one row per label; the label may hold several columns' cells.
std::string summary_table(std::vector<std::string> const& label_titles,
                          std::vector<std::pair<std::vector<std::string>, summary const*>> const& entries);
/// The same with one label column, "task".
std::string summary_table(std::map<std::string, summary> const& by_task);

}  // namespace optgap::cli
