#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>

#include "host/programs/sharing_sandbox.hpp"
#include "optgap/scheduler.hpp"

namespace optgap {

/// Tickets of programs, and the threads that wait for what runs. The scheduler's lock guards it.
struct program_tickets {
    std::condition_variable work;                                       ///< the drivers
    std::array<std::shared_ptr<programs::sharing_sandbox>, 2> sharing;  ///< without steps and with
    std::deque<ticket> to_execute, to_reward;                           ///< in order; some may have ended meanwhile
    std::int64_t waiting = 0, waiting_runs = 0, executing = 0;          ///< tickets, runs of these, tickets
    std::int32_t drivers = 0, idle_drivers = 0, calls = 0;              ///< calls: tickets whose programs run
};

}  // namespace optgap
