#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

#include "optgap/scheduler.hpp"

namespace optgap {

/// Answers that wait for their batch. The scheduler's lock guards it.
struct ready_tickets {
    std::deque<ticket> queue;  ///< in order; some may have ended meanwhile
    std::int64_t rows = 0, bytes = 0;
    std::chrono::steady_clock::time_point oldest = {};
    bool crowded = false;  ///< the last batch held more than one ticket: more are on their way

    void push(ticket one, std::int64_t its_rows, std::int64_t its_bytes) {
        if (queue.empty()) {
            oldest = std::chrono::steady_clock::now();
        }
        queue.push_back(one);
        rows += its_rows;
        bytes += its_bytes;
    }
    /// Of a ticket that ended before its batch.
    void leave(std::int64_t its_rows, std::int64_t its_bytes) {
        rows -= its_rows;
        bytes -= its_bytes;
    }
    [[nodiscard]] bool is_full(scheduler_options const& by) const {
        return rows >= by.batch_rows || bytes >= by.batch_bytes;
    }
};

}  // namespace optgap
