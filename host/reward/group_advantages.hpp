#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {

/// Rewarded rows of any kind, and with which each is compared; a column has one entry per row, or none where its
/// comment allows it.
struct compared_rows {
    std::span<reward_row const> rows;
    std::span<std::int32_t const> group;        ///< -1: the row belongs to no group and gets 0
    std::span<std::int32_t const> cohort = {};  ///< may be empty, as `length`, for estimators that read none
    std::span<std::int32_t const> length = {};
    std::span<double const> objective = {};  ///< what rankings compare where a row has no `scores`
    std::span<sense const> direction = {};   ///< may be empty for estimators that do not rank
    /// Rows with several scores, such as programs: row r has scores[offsets[r], offsets[r + 1]). Empty: none has.
    std::span<std::int64_t const> offsets = {};
    std::span<double const> scores = {};
    /// Rows with two dimensions of their own, such as a rubric's: NaN for other rows. Empty: none has.
    std::span<double const> content = {}, style = {};
    /// Other rows were rejected, each of which may have belonged to any group: a group that is too small to be ranked
    /// is then no mistake.
    bool lost = false;
};

/// Advantages by any estimator, with the columns that it reads. A row without a reward (NaN) is masked: it gets 0 and
/// may have no scores. Throws error{invalid_argument} where a ranked group has rows of different numbers of scores.
std::vector<float> group_advantages(engine const& by, compared_rows const& of, advantage_spec const& spec);

}  // namespace optgap
