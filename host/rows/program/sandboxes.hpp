#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/program_runs/shared_sandboxes.hpp"
#include "host/rows/row_kind.hpp"
#include "optgap/programs/runner.hpp"

namespace optgap::rows {

/// How rows with programs are handled. Nothing is run while `isolation` is empty.
struct program_options {
    std::string isolation;  ///< "auto" or an isolation level (docs/sandbox.md)
    std::int32_t slots = 0;
    std::string limits;  ///< overrides the rows' limits; empty: not given
    std::string dedupe = "deterministic";
    std::string timings;  ///< file; empty: none
    std::int32_t repeats = 1;
    bool fail_fast = false;
    bool matrix = false;
    bool estimate = false;
};

/// Reads them from the options of the kind `program`.
program_options program_options_of(option_values const& given);

/// Those of a run: its own, or what several scorers share.
std::shared_ptr<program_runs::shared_sandboxes> sandboxes_of(run_services const& run, program_options const& options);

/// For scorers whose programs run in the runner's sandboxes. Throws error{invalid_argument} in a forked child.
std::shared_ptr<shared_services> services_with(program_runner& runner);
/// The same where the options name the runner's isolation level and slots; else what these scorers alone share.
std::shared_ptr<shared_services> services_for(score_options const& options, program_runner& runner);

}  // namespace optgap::rows
