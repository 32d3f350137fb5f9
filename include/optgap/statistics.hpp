#pragma once  // Stable.
// Counters of a run, in integers only: which groups have something to learn from, how finely their rewards tell
// rollouts apart, and the rows per task and level. Processes count their own rows, and merging the tables in any order
// gives the same bytes. The rows of a group must have been counted by one process.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optgap/reward.hpp"

namespace optgap {

/// Counters over groups; adding them up in any order gives the same bytes. A group counts the rows that have a reward;
/// one with fewer than two such rows is neither kept nor collapsed.
struct group_counts {
    std::int64_t groups = 0;
    std::int64_t kept = 0;         ///< their rewards are not all equal
    std::int64_t collapsed = 0;    ///< two or more rewards, all equal: a zero-variance group
    std::int64_t pairs = 0;        ///< ordered pairs of rows of one group
    std::int64_t equal_pairs = 0;  ///< such pairs with equal rewards
    std::int64_t resolution = 0;   ///< sum of H_G over the kept and collapsed groups, in units of 2^-32

    group_counts& operator+=(group_counts const& other);
    friend bool operator==(group_counts const&, group_counts const&) = default;

    /// kept / groups, the share of prompts that still give a gradient; NaN without groups, as below.
    [[nodiscard]] double effective_prompt_ratio() const;
    [[nodiscard]] double collapsed_share() const;
    /// Chance that two rollouts of one group get the same reward, sum n_z (n_z - 1) / (n (n - 1)); unbiased.
    [[nodiscard]] double pair_collision() const;
    /// Mean of H_G = -ln(sum_z p_z^G) / (G - 1) with p_z = n_z / G (RiVER): 0 when a group's rewards are all equal, ln
    /// G when no two are. p is taken from the group itself, so it understates how often other draws would agree.
    [[nodiscard]] double feedback_resolution() const;
};

struct group_filter {
    /// Per row: 1 where it has a reward and the rewards of its group are not all equal (DAPO's dynamic sampling), else
    /// 0. Where there is a length penalty, the rewards before it are compared.
    std::vector<std::uint8_t> keep;
    group_counts total;
    std::vector<group_counts>
        cells;  ///< per cell, a group in the cell of its first row; empty when no cells were given
};

/// One pass over rewards (NaN: the row has none) and groups (any ids, any order, one per row). `cell`: empty, or one
/// number per row, 0 to `cells` - 1. `length_penalty`: empty, or what each reward lost by its rollout's length
/// (reward_row): a group whose rewards differ by that alone is collapsed, since it teaches brevity alone. Rewards
/// before the penalty that are within same_before_length of each other count as equal, since both were rounded. Throws
/// error{invalid_argument} when lengths or numbers do not fit.
group_filter filter_groups(std::span<float const> rewards, std::span<std::int32_t const> group,
                           std::span<std::int32_t const> cell = {}, std::int32_t cells = 0,
                           std::span<float const> length_penalty = {});
/// One step of the usual grid of rewards.
inline constexpr double same_before_length = 1.0 / 4096 + 1e-6;

/// Bins of feasible rows by quality: bin b holds [b/63, (b+1)/63), and the last one exactly 1.
inline constexpr std::int32_t quality_bins = 64;

struct cell_statistics {
    std::int64_t rows = 0;
    std::int64_t feasible = 0;
    std::int64_t correct = 0;  ///< feasible, quality at least the threshold
    std::int64_t optimal = 0;  ///< proven
    std::int64_t truncated = 0;
    std::int64_t format_broken = 0;
    std::int64_t quality = 0;  ///< sum over feasible rows, in units of 2^-32
    std::array<std::int64_t, quality_bins> histogram{};
    group_counts groups;

    void add(reward_row const& row, double correct_from);
    cell_statistics& operator+=(cell_statistics const& other);
    friend bool operator==(cell_statistics const&, cell_statistics const&) = default;

    /// Over all rows, quality 0 where infeasible (QR); NaN without rows.
    [[nodiscard]] double quality_ratio() const;
    /// Lower edge of the bin in which the share `at` of the feasible rows is reached, by the nearest rank; less than
    /// 1/63 below the sample's own. NaN without feasible rows.
    [[nodiscard]] double quality_quantile(double at) const;
};

/// Cells by task and level.
struct statistics {
    using place = std::pair<std::string, std::string>;

    double correct_from = 1.0;
    std::string run = "null";  ///< what the numbers were made with, as JSON (run_record.hpp)
    std::map<place, cell_statistics> cells;

    /// Adds the other's cells. Throws error{invalid_argument} when the thresholds differ; `run` is left to the caller.
    void merge(statistics const& other);
    [[nodiscard]] cell_statistics total() const;
};

/// One JSON object; `rates` in each cell is for readers and not read back.
std::string to_json(statistics const& of);
/// Throws field_error.
statistics statistics_from_json(std::string_view text);

}  // namespace optgap
