#pragma once

#include <optional>
#include <span>

#include "host/scheduler/ended_tickets.hpp"
#include "optgap/scheduler.hpp"
#include "python/src/arrays.hpp"

namespace optgap::python {

/// The tickets' rows joined in their order: the columns of optgap.Scores, the baseline of each ticket, offsets,
/// outcomes and reasons. `group`: one id per ticket; empty: by instance.
nb::tuple joined_arrays(engine const& by, std::span<ended_ticket const> tickets, advantage_spec const& advantage,
                        std::span<std::int32_t const> group);

/// The fields of optgap.Score, of a ticket with one row.
nb::tuple only_row(ticket_result const& of);

}  // namespace optgap::python
