#pragma once
// Which batches in host memory gain by a GPU: the rule of engines that may choose (device::automatic). Bytes never
// depend on it.

#include <cstdint>
#include <limits>

#include "host/calls/verb.hpp"

namespace optgap {

/// Rows from which on the GPU is known to be sooner than the host's cores: the smallest batches that were measured, on
/// an H100 beside 16 cores (docs/performance.md). Verdicts, rewards and ranks are not work enough to pay for their way
/// there and back; advantages of rows by the million are, but in a step they wait for rewards that the host has.
[[nodiscard]] constexpr std::int64_t least_gpu_rows(verb which) {
    switch (which) {
        case verb::generate: return 4096;
        case verb::improve: return 256;
        default: return std::numeric_limits<std::int64_t>::max();
    }
}

/// Whether a call leaves a GPU that others work on to them, and runs on the host's cores at once: all but searches,
/// which would take the cores longer than they wait.
[[nodiscard]] constexpr bool yields_to_others(verb which) { return which != verb::improve; }

}  // namespace optgap
