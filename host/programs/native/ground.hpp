#pragma once
// The common basis of all isolation levels: broker, runtimes and folders of this machine, found once.

#include <memory>
#include <string>
#include <vector>

#include "host/programs/native/broker_client.hpp"
#include "host/programs/native/toolchains.hpp"
#include "host/programs/native/wasm.hpp"
#include "host/programs/sandbox.hpp"

namespace optgap::programs {

struct ground {
    std::string broker_path, broker_trouble;
    std::string bubblewrap;
    std::string cache;
    int landlock = 0;
    python_toolchain python;
    cpp_toolchain cpp;
    wasm_runtime wasm;
    wasm_compiler wasm_cpp;
    std::vector<std::string> wrapper;  ///< of the isolation level `command`, its first word a path; empty: none
    std::string wrapper_trouble = "it is taken by name alone: --isolation command";
    std::shared_ptr<broker_client> broker;
    std::shared_ptr<scratch_folder> scratch;
};

/// Whether `auto` may choose the isolation level `wasm`. It is only for callers that ask for steps as limit and clock,
/// since a source that compiles natively may not compile to a module (no exceptions, an older library).
[[nodiscard]] bool wants_modules(sandbox_options const& options, program_language language);

/// Looks for what the options need; `all` also looks for isolation levels that are not needed. Throws misuse for a
/// malformed wrapper template.
[[nodiscard]] ground survey(sandbox_options const& options, bool all);

}  // namespace optgap::programs
