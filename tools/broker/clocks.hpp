#pragma once
// What a process has used so far, read from outside of it. Nanoseconds.

#include <cstdint>

#include <sys/types.h>

namespace optgap::broker {

[[nodiscard]] std::int64_t now_ns();                ///< steady
[[nodiscard]] std::int64_t cpu_of(pid_t process);   ///< all its threads; 0 when it has gone
[[nodiscard]] std::int64_t wait_of(pid_t process);  ///< ready but not running; 0 where the kernel does not tell
[[nodiscard]] bool is_runnable(pid_t process);      ///< runs or waits for a processor; false when it has gone

}  // namespace optgap::broker
