#pragma once  // Stable.

#include <cstdint>

namespace optgap {

/// How many forks lie between the process that first asked and this one. A child has none of its parent's threads, and
/// a lock that one of them held stays locked: what owns threads remembers the value it was made under, and a child that
/// reads another one makes its own or refuses. One load, no system call.
std::uint32_t fork_generation();

}  // namespace optgap
