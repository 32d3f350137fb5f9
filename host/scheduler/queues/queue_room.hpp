#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>

#include "optgap/scheduler.hpp"

namespace optgap {

/// A submission that waits for room in the queue; its thread sleeps in `submit`.
struct room_waiter {
    ticket of;
    std::condition_variable wake;
    bool over = false;
};

/// Room for what was submitted and has not ended. The scheduler's lock guards it.
class queue_room {
public:
    queue_room(std::int64_t max_rows, std::int64_t max_bytes) : max_rows_(max_rows), max_bytes_(max_bytes) {}

    /// What is larger than the whole queue goes in alone.
    [[nodiscard]] bool has(std::int64_t rows, std::int64_t bytes) const {
        return rows_ == 0 || (rows_ + rows <= max_rows_ && bytes_ + bytes <= max_bytes_);
    }
    void take(std::int64_t rows, std::int64_t bytes) {
        rows_ += rows;
        bytes_ += bytes;
    }
    void give_back(std::int64_t rows, std::int64_t bytes) { take(-rows, -bytes); }
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

    std::list<room_waiter*> waiting;  ///< first come, first served

private:
    std::int64_t const max_rows_, max_bytes_;
    std::int64_t rows_ = 0, bytes_ = 0;
};

}  // namespace optgap
