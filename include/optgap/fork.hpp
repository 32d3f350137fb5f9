#pragma once  // Stable.

#include <cstdint>

namespace optgap {

/// Number of forks between the process that first called this and the present one. A child has none of its parent's
/// threads, and a lock that such a thread held stays locked. An object that owns threads therefore keeps the value
/// under which it was made; a child, which reads another value, makes its own object or refuses. Costs one load and no
/// system call.
std::uint32_t fork_generation();

}  // namespace optgap
