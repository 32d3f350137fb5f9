#pragma once
// Rates over scored rollouts, with intervals. A group's rows answer one instance, so intervals resample groups, not
// rows.

#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "optgap/reward.hpp"

namespace optgap {

/// Outcomes of one group, the rollouts of one instance.
struct group_outcomes {
    std::int64_t rows = 0;
    std::int64_t rewarded = 0;  ///< rows that have a reward
    std::int64_t truncated = 0;
    std::int64_t feasible = 0;
    double quality = 0;  ///< sums; 0 for an infeasible row
    double normalized = 0;
    double reward = 0;
    float min_reward = std::numeric_limits<float>::infinity();
    float max_reward = -std::numeric_limits<float>::infinity();
    std::vector<float> qualities;  ///< one per row

    /// A zero-variance group: two or more rewards, all equal, so there is nothing to learn from it.
    [[nodiscard]] bool has_zero_variance() const { return rewarded >= 2 && min_reward == max_reward; }
};

/// Rollouts of one cell, say a task at a level, by group.
class rollout_groups {
public:
    /// row.reward is NaN when the row has none. `group` is any id.
    void add(reward_row const& row, std::int32_t group);
    /// The groups, in the order of their first rows.
    [[nodiscard]] std::span<group_outcomes const> groups() const { return groups_; }

private:
    std::vector<group_outcomes> groups_;
    std::unordered_map<std::int32_t, std::size_t> index_;
};

struct evaluation_options {
    std::int32_t resamples = 0;        ///< bootstrap resamples; 0: intervals are the value itself
    std::vector<std::int32_t> k = {};  ///< for pass@k and best-of-k
    double correct = 1.0;              ///< pass@k: a row passes when feasible and its quality is at least this
    std::uint64_t seed = 0;
};

/// A value with its 95 % percentile bootstrap interval (Efron 1979), groups resampled with replacement.
struct estimate {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// Over the groups of at least k rows, `groups` of them; the estimates are NaN where there is none.
struct at_k {
    std::int32_t k = 1;
    std::int64_t groups = 0;
    estimate pass;  ///< chance that one of k rows drawn from the group passes (Chen et al. 2021, unbiased)
    estimate best;  ///< expected best quality of k rows drawn without replacement
};

struct evaluation {
    std::int64_t rows = 0;
    std::int64_t truncated = 0;
    std::int64_t groups = 0;
    std::int64_t zero_variance_groups = 0;
    double reward = 0;                  ///< mean; NaN when no row has one
    estimate success_rate;              ///< SR, share of feasible rows
    estimate quality_ratio;             ///< QR, mean quality, 0 where infeasible
    estimate normalized_quality_ratio;  ///< the same between the constant-policy baseline (0) and the baseline (1)
    std::vector<at_k> at;
};

/// Evaluates the union of some cells. The same cells, options and seed give the same bytes.
evaluation evaluate(std::span<rollout_groups const* const> cells, evaluation_options const& options = {});

}  // namespace optgap
