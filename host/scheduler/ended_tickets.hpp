#pragma once
// Ended tickets, joined on their way out.

#include <span>
#include <vector>

#include "host/scheduler/problem_store.hpp"
#include "optgap/scheduler.hpp"

namespace optgap {

/// A ticket's rows and what its advantages need.
struct ended_ticket {
    ticket_result result;
    problem_id of;                     ///< rows of one instance are one group
    std::vector<std::int32_t> length;  ///< tokens a row; empty: unknown
};

/// The tickets' rows in their order, with advantages over all of them. Throws error{invalid_argument} when the
/// estimator reads lengths that a scored ticket came without.
collected_batch joined(engine const& by, std::span<ended_ticket const> tickets, collect_options const& options);

}  // namespace optgap
