#pragma once
// Measures a process from outside, in nanoseconds.

#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace optgap::broker {

[[nodiscard]] std::int64_t now_ns();                ///< of the steady clock
[[nodiscard]] std::int64_t cpu_of(pid_t process);   ///< all its threads; 0 when it has gone
[[nodiscard]] std::int64_t wait_of(pid_t process);  ///< ready but not running; 0 where the kernel does not report it
[[nodiscard]] bool is_runnable(pid_t process);      ///< runs or waits for a processor; false when it has gone

/// A process and its current descendants, a wrapper's program among them. For those that have ended and were waited
/// for, processor time comes in the kernel's ticks.
struct process_tree {
    std::vector<pid_t> processes;
    std::int64_t cpu = 0, waited = 0;
    bool runnable = false;
};
[[nodiscard]] process_tree tree_of(pid_t root);
/// Children of all threads of a process; empty where the kernel does not report them.
[[nodiscard]] std::vector<pid_t> children_of(pid_t process);

}  // namespace optgap::broker
