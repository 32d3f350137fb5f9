#pragma once

#include <optional>
#include <span>

#include "optgap/scheduler.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

/// The tickets' rows joined in their order, by name: `scores` (score_columns), `baselines` (one row per ticket), and
/// what optgap.Collected says beside them. `group`: one id per ticket; empty: by instance.
nb::dict joined_columns(engine const& by, std::span<ended_ticket const> tickets, advantage_spec const& advantage,
                        std::span<std::int32_t const> group);

/// The same of tickets of programs: program_columns, offsets, outcome and reasons.
nb::dict joined_programs(engine const& by, std::span<ended_ticket const> tickets, advantage_spec const& advantage,
                         std::span<std::int32_t const> group);

/// The fields of optgap.Score in their order, of a ticket with one row.
nb::tuple only_row(ticket_result const& of);

}  // namespace optgap::python
