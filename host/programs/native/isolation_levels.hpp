#pragma once
// The isolation levels, strongest first, and the state of each on this machine.

#include <memory>
#include <string>
#include <vector>

#include "host/programs/sandbox.hpp"

namespace optgap::programs {

/// The state of an isolation level for a language.
struct isolation_probe {
    std::string isolation;
    program_language language = program_language::python;
    bool usable = false;
    std::string found;                   ///< what was found, or what is missing
    std::string fix;                     ///< what would make it usable; empty when it is usable
    std::vector<std::string> self_test;  ///< lines of the self-test: "refused read a file"
};

struct isolation_scan {
    std::vector<isolation_probe> probes;   ///< every requested isolation level and language, strongest first
    std::unique_ptr<sandbox> opened;       ///< null when some language has no isolation level
    std::string broker, python, cpp;       ///< each with its path and version
    std::string wasm, wasm_cpp;            ///< likewise wasmtime and the compiler to WebAssembly
    std::vector<std::int32_t> processors;  ///< one per slot of `opened`; empty: its slots are not pinned
    std::string unpinned;                  ///< why the slots are not pinned
    std::string refusal;                   ///< the message of sandbox_unavailable when `opened` is null
};

/// Probes every isolation level that the options allow, with its self-test. Never throws sandbox_unavailable, but
/// misuse for an unknown isolation level. `all` also probes those weaker than one that works.
[[nodiscard]] isolation_scan scan_isolation(sandbox_options const& options, bool all);

/// The names of the isolation levels, strongest first.
extern std::vector<std::string> const isolation_levels;

}  // namespace optgap::programs
