#pragma once

#include <optional>
#include <vector>

#include "host/programs/run_batch.hpp"
#include "host/rows/program/own_problems.hpp"
#include "host/rows/program/program_problems.hpp"
#include "host/rows/program/sandboxes.hpp"
#include "host/rows/read/rollout.hpp"

namespace optgap::rows {

/// What a row states about its program.
struct program_claim {
    programs::program_row row;
    std::int32_t problem = -1;                   ///< index into program_problems; -1: the row has a problem of its own
    programs::own_problem_runs* own = nullptr;   ///< such a problem
    std::vector<std::uint64_t> seeds;            ///< its instances
    std::vector<std::optional<baseline>> given;  ///< per instance, from `baselines`; empty: none
};

/// Reads `language`, `interface`, `input`, `limits`, `baselines`, `problem`, `seeds`; throws field_error. Text, format
/// and finish come from the rollout.
program_claim read_program(json_row const& row, rollout const& roll, program_options const& options,
                           program_problems& problems, own_problems& own);

}  // namespace optgap::rows
