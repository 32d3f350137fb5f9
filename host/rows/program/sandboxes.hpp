#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/programs/run_batch.hpp"
#include "host/rows/read/options.hpp"

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

/// One sandbox per language, and one for rows whose limits name steps. Each is opened when the first row needs it.
class program_sandboxes {
public:
    explicit program_sandboxes(program_options const& options) : options_(options) {}
    /// Throws error with a sentence for users where no sandbox supports the language, on every call.
    programs::sandbox& of(programs::program_language language, bool steps);

private:
    struct place {
        std::unique_ptr<programs::sandbox> open;
        std::string refused;
    };
    program_options const& options_;
    place places_[programs::language_count][2];
};

}  // namespace optgap::rows
