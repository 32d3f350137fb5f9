#pragma once

#include <string>

#include "tools/cli/rows/jsonl.hpp"

namespace optgap::cli {

/// Where a row counts: its task and level.
struct row_place {
    std::string task;
    std::string level;  ///< "explicit" for instances of a user's own
};

/// From `task` and `level`, or from `key` where one of them is absent. Throws field_error.
row_place place_of(json_row const& row);

}  // namespace optgap::cli
