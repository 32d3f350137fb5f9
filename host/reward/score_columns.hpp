#pragma once
// The columns of scored rows that estimators read beside the reward: its components, and the objective as a score.

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/reward/estimator.hpp"

namespace optgap {

/// Whether the estimator reads more than rewards and groups.
inline bool reads_columns(estimator form) {
    estimator_reads const reads = estimator_of(form).info->reads;
    return reads.components || reads.scores;
}

class score_columns {
public:
    /// The components that measure quality are undefined (NaN) where the row is infeasible, and all of them where it
    /// has no reward. `objective` is 0 for the right claim that no answer exists.
    void add(reward_row const& row, double objective) {
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        bool const excluded = std::isnan(row.reward);
        bool const feasible = row.feasible > 0 && !excluded;
        column_[component_format].push_back(excluded ? none : row.format);
        column_[component_feasible].push_back(excluded ? none : row.feasible);
        column_[component_quality].push_back(feasible ? row.quality : none);
        column_[component_normalized].push_back(feasible ? row.normalized : none);
        column_[component_optimal].push_back(feasible ? row.optimal : none);
        score_.push_back(feasible ? objective : std::numeric_limits<double>::quiet_NaN());
    }

    /// Adds a row with two dimensions of its own, such as a rubric's content and style: they stand where quality and
    /// feasibility do, so that `decoupled` normalises each by itself.
    void add_pair(reward_row const& row, float quality, float feasible, double objective) {
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        bool const excluded = std::isnan(row.reward);
        column_[component_format].push_back(excluded ? none : row.format);
        column_[component_feasible].push_back(excluded ? none : feasible);
        column_[component_quality].push_back(excluded ? none : quality);
        column_[component_normalized].push_back(excluded ? none : row.normalized);
        column_[component_optimal].push_back(excluded ? none : row.optimal);
        score_.push_back(excluded ? std::numeric_limits<double>::quiet_NaN() : objective);
    }

    [[nodiscard]] std::vector<std::span<float const>> components() const {
        return {column_, column_ + component_count};
    }
    [[nodiscard]] std::span<double const> scores() const { return score_; }

private:
    std::vector<float> column_[component_count];
    std::vector<double> score_;
};

}  // namespace optgap
