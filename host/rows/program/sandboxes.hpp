#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "host/programs/run_batch.hpp"
#include "host/rows/row_kind.hpp"

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

/// One sandbox a language, and one for rows whose limits name steps, opened when the first row needs it. Thread-safe.
class program_sandboxes {
public:
    explicit program_sandboxes(program_options options) : options_(std::move(options)) {}
    /// Throws error with a sentence for users where none holds programs of the language; also the next time.
    programs::sandbox& of(programs::program_language language, bool steps);

private:
    struct place {
        std::unique_ptr<programs::sandbox> open;
        std::string refused;
    };
    program_options const options_;
    std::mutex lock_;
    place places_[programs::language_count][2];
};

/// Those of a run: its own, or what several scorers share.
std::shared_ptr<program_sandboxes> sandboxes_of(run_services const& run, program_options const& options);

}  // namespace optgap::rows
