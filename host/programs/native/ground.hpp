#pragma once
// What the rungs stand on: broker, runtimes and folders of this machine, found once for all of them.

#include <memory>
#include <string>
#include <vector>

#include "host/programs/native/broker_client.hpp"
#include "host/programs/native/toolchains.hpp"
#include "host/programs/native/wasm.hpp"
#include "host/programs/sandbox.hpp"

namespace optgap::programs {

/// What all native rungs stand on, found once.
struct ground {
    std::string broker_path, broker_trouble;
    std::string bubblewrap;
    std::string cache;
    int landlock = 0;
    python_toolchain python;
    cpp_toolchain cpp;
    wasm_runtime wasm;
    wasm_compiler wasm_cpp;
    std::vector<std::string> wrapper;  ///< of the rung `command`, its first word a path; empty: none
    std::string wrapper_trouble = "it is taken by name alone: --isolation command";
    std::shared_ptr<broker_client> broker;
    std::shared_ptr<scratch_folder> scratch;
};

/// Whether `auto` may take the rung of modules. What compiles natively need not compile there (no exceptions, an older
/// library), so that it is for who asks for what it alone has: steps as limit and clock.
[[nodiscard]] bool wants_modules(sandbox_options const& options, program_language language);

/// Looks for what the options ask for; `all`: also for rungs that are not needed. Throws misuse on a wrapper's template
/// that is none.
[[nodiscard]] ground survey(sandbox_options const& options, bool all);

}  // namespace optgap::programs
