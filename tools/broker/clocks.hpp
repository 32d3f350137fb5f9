#pragma once
// What a process has used so far, read from outside of it. Nanoseconds.

#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace optgap::broker {

[[nodiscard]] std::int64_t now_ns();                ///< steady
[[nodiscard]] std::int64_t cpu_of(pid_t process);   ///< all its threads; 0 when it has gone
[[nodiscard]] std::int64_t wait_of(pid_t process);  ///< ready but not running; 0 where the kernel does not tell
[[nodiscard]] bool is_runnable(pid_t process);      ///< runs or waits for a processor; false when it has gone

/// A process and all that have come from it and are still its descendants: a wrapper's program among them. Of those
/// that have ended and were waited for, processor time in the kernel's ticks.
struct process_tree {
    std::vector<pid_t> processes;
    std::int64_t cpu = 0, waited = 0;
    bool runnable = false;
};
[[nodiscard]] process_tree tree_of(pid_t root);
/// Children of a process, whichever of its threads they are of; none where the kernel does not tell.
[[nodiscard]] std::vector<pid_t> children_of(pid_t process);

}  // namespace optgap::broker
