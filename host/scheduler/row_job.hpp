#pragma once

#include <atomic>
#include <stop_token>
#include <vector>

#include "host/rows/ahead_row.hpp"

namespace optgap {

/// The rows of one ticket, between submission and run. They belong to the thread that grades them until the ticket has
/// ended as `scored`; their lines alone never change and may always be read.
struct row_job {
    std::vector<rows::ahead_row> rows;
    std::int32_t kind = -1;  ///< index into scorer::kinds(); -1: of none, all rows are rejected
    std::stop_source stop;
    std::atomic<bool> over = false;  ///< the ticket has ended: what has not begun does not
};

}  // namespace optgap
