#pragma once

#include <optional>
#include <vector>

#include "host/programs/run_batch.hpp"
#include "host/rows/program/program_problems.hpp"
#include "host/rows/program/sandboxes.hpp"
#include "host/rows/read/rollout.hpp"

namespace optgap::rows {

/// What a row says of its program.
struct program_claim {
    programs::program_row row;
    std::int32_t problem = -1;                   ///< of program_problems
    std::vector<std::optional<baseline>> given;  ///< per instance, as `baselines` says; empty: none
};

/// Reads `language`, `interface`, `input`, `limits`, `baselines`; throws field_error. Text, format and finish are the
/// rollout's.
program_claim read_program(json_row const& row, rollout const& roll, program_options const& options,
                           program_problems& problems);

}  // namespace optgap::rows
