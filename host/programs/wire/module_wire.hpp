#pragma once
// The messages between the engine and optgap-wasm when it runs a module. One process makes runs of one program one
// after another, each in its own memory:
//
//   stdin    "runs STEPS MEMORY_MB OUTPUT_KB TIME_MS SIZE SIZE ...\n", then as many inputs, one after another
//   stdout   for each run in turn: frames of what it printed, one of its stderr where there is any, and its end
//
// A run without an end was current when the process ended, and later runs had not begun. Both sides are built together.
// The process is not trusted, but it can only report how its own program's runs ended.

#include <cstdint>

namespace optgap::programs::wire {

enum class frame : std::int32_t { output = 1, errors, end };

/// Followed by `size` bytes; those of an end are a module_end.
struct frame_head {
    frame what = frame::end;
    std::uint32_t size = 0;
};

enum class module_ending : std::int32_t {
    exit = 0,  ///< `where` is its status
    steps,     ///< no steps left
    output,    ///< more than allowed
    memory,    ///< more than allowed
    crash,     ///< `where` is the number of the trap (wasmtime/trap.h), -1 when it has none
};

struct module_end {
    module_ending how = module_ending::exit;
    std::int32_t where = -1;
    std::uint64_t steps = 0;
    std::int64_t cpu_ns = 0;  ///< of the run, from creating to freeing its memory
    std::int64_t wall_ns = 0;
};

/// The process's status when the current run has used its TIME_MS of processor time.
inline constexpr int module_time_status = 77;
/// The process's status when nothing can be run; stderr has the reason.
inline constexpr int module_lost_status = 70;

}  // namespace optgap::programs::wire
