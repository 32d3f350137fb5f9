#pragma once
// Rewards of programs: the verdicts of a matrix against the baselines of its instances.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "host/programs/run_batch.hpp"
#include "optgap/baseline.hpp"
#include "optgap/reward.hpp"

namespace optgap::program_runs {

/// One row. Its reward is the mean of the rewards that its answers would get by themselves, rounded to the reward's
/// grid. quality, raw_ratio, normalized and optimal are such means as well, where invalid answers count 0. NaN reward:
/// masked.
struct program_reward {
    reward_row value;                 ///< feasible: 1 when an answer is valid; code: the first that is not ok
    std::vector<std::int32_t> codes;  ///< per instance, after its baseline: "no answer" is right where none exists
    double valid = 0;                 ///< share of valid answers
    std::int64_t violation = 0;       ///< sum over all answers that break a rule of the task
    bool proven = false;              ///< every instance's baseline is proven
    char const* baseline_kind = "";   ///< proven, bounded or unknown: that of the least known instance
};

struct program_bill {
    instance_view instances = {};
    std::span<baseline const> baselines = {};  ///< one per instance
    std::span<programs::problem_rows const> problems = {};
    std::span<programs::program_row const> rows = {};
    std::span<std::int32_t const> length = {};  ///< tokens per row, for length penalties; empty: unknown
    /// One per problem where no instance is of a task, which then has no `instances`; empty: that of their tasks.
    std::span<sense const> direction = {};
};

/// Returns one entry per row. Throws error{invalid_argument} where columns do not fit.
std::vector<program_reward> reward_programs(engine const& by, programs::program_matrix const& found,
                                            program_bill const& bill, reward_rules const& rules);

/// The objectives of a row for ranking estimators. NaN where `codes` (or the cells' own codes, where it is empty) show
/// an invalid answer; 0 for a right claim that no answer exists, which has no objective.
std::vector<double> scores_of(std::span<programs::run_cell const> cells, std::span<std::int32_t const> codes = {});

/// The share of cells whose rank within their group (rows of one problem and group) differs between a repeat and the
/// first run, over all repeats; 0 without repeats. `group` has an entry per row.
double rank_changes(engine const& by, programs::program_matrix const& found, program_bill const& bill,
                    std::span<std::int32_t const> group);

}  // namespace optgap::program_runs
