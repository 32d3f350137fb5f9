#pragma once
// A row's part in the statistics of optgap eval: as optgap score wrote it, or as it was scored just now.

#include <cstdint>
#include <string>

#include "host/rows/scorer.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// One row's part in the statistics.
struct outcome {
    std::string task, level;  ///< empty where a rubric rewards it
    std::int32_t group = 0;
    reward_row value;
};

/// Whether the row has the columns of optgap score.
bool is_scored(json_row const& row);

/// Of such a row; `from_rubric`: a rubric rewarded it. Throws field_error.
outcome read_scored(json_row const& row, scorer& by, bool from_rubric);

/// Of a row that was scored just now.
outcome from_score(json_row const& row, graded_row const& scored, scorer const& by);

}  // namespace optgap::cli
