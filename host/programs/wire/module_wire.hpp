#pragma once
// What goes between the engine's side and optgap-wasm when it runs a module. One process makes runs of one program one
// after the other, each in a memory of its own:
//
//   stdin    "runs STEPS MEMORY_MB OUTPUT_KB TIME_MS SIZE SIZE ...\n", then as many inputs, one behind the other
//   stdout   of each run in its turn: frames of what it printed, one of its stderr where there is any, and its end
//
// A run without an end was under way when the process ended, and those behind it had not begun. Both sides are built
// together, and a process that is not believed can say no more than how its own program's runs ended.

#include <cstdint>

namespace optgap::programs::wire {

enum class frame : std::int32_t { output = 1, errors, end };

/// Then `size` bytes; those of an end are a module_end.
struct frame_head {
    frame what = frame::end;
    std::uint32_t size = 0;
};

enum class module_ending : std::int32_t {
    exit = 0,  ///< `where`: its status
    steps,     ///< none left
    output,    ///< more than it may print
    memory,    ///< more than it may have
    crash,     ///< `where`: the number of the trap (wasmtime/trap.h), -1 when it has none
};

struct module_end {
    module_ending how = module_ending::exit;
    std::int32_t where = -1;
    std::uint64_t steps = 0;
    std::int64_t cpu_ns = 0;  ///< of the run, from its memory's beginning to its memory's end
    std::int64_t wall_ns = 0;
};

/// Of the process: the run under way has had its TIME_MS of processor time.
inline constexpr int module_time_status = 77;
/// Of the process: nothing can be run, and stderr says why.
inline constexpr int module_lost_status = 70;

}  // namespace optgap::programs::wire
