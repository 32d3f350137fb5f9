#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optgap/engine.hpp"

namespace optgap {

/// Scored rows and who they compare to; one entry per row, `length` may be empty, and `task` unless the estimator reads
/// objectives.
struct advantage_rows {
    std::span<float const> rewards;  ///< the rows' rewards
    std::span<reward_row const> rows;
    std::span<verdict const> verdicts;
    std::span<std::int32_t const> task;
    std::span<std::int32_t const> group;
    std::span<std::int32_t const> cohort;
    std::span<std::int32_t const> length;
};

/// Advantages by any estimator, with the columns that it reads.
std::vector<float> row_advantages(engine const& by, advantage_rows const& of, advantage_spec const& spec);

}  // namespace optgap
