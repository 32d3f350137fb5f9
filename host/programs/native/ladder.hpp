#pragma once
// The rungs, strongest first, and what each one says of this machine.

#include <memory>
#include <string>
#include <vector>

#include "host/programs/sandbox.hpp"

namespace optgap::programs {

/// A rung and a language.
struct rung_probe {
    std::string rung;
    program_language language = program_language::python;
    bool usable = false;
    std::string found;                   ///< what was looked for and found, or what is missing
    std::string fix;                     ///< what would make it usable; empty when it is
    std::vector<std::string> self_test;  ///< lines of the self-test: "refused read a file"
};

struct ladder {
    std::vector<rung_probe> probes;        ///< every rung and language asked for, strongest first
    std::unique_ptr<sandbox> opened;       ///< null when a language is held by none
    std::string broker, python, cpp;       ///< what was found: a path and a version
    std::string wasm, wasm_cpp;            ///< the same of wasmtime and of the compiler for it
    std::vector<std::int32_t> processors;  ///< one a slot of `opened`; empty: its slots are not pinned
    std::string unpinned;                  ///< why not
    std::string refusal;                   ///< the sentence of sandbox_unavailable when `opened` is null
};

/// Looks at every rung that the options allow, with its self-test; never throws sandbox_unavailable, but misuse on a
/// rung that does not exist. `all`: also rungs that are not needed since a stronger one holds.
[[nodiscard]] ladder climb(sandbox_options const& options, bool all);

/// The rungs by name, strongest first.
extern std::vector<std::string> const rung_names;

}  // namespace optgap::programs
