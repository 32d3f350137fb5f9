#pragma once
// The rule by which an engine with device::automatic decides which calls gain by a GPU. Results never depend on it.
//
// Measured on an H100 beside 16 cores (docs/performance.md): from host memory a call to the GPU took a quarter of a
// millisecond at the least, and its data went there at some 5 GB/s, through the host's caches and pinned memory.
// Verdicts, greedy answers, rewards and ranks are too little work to make up for that. Advantages of millions of rows
// are enough, but in a step they wait for rewards that the host has. From some thousands on, instances are made sooner
// on the GPU.
// A step of a search took the 16 cores 6 ns (hamiltonian) to 300 ns (tsp) a row, for most tasks some 30.

#include <cstdint>
#include <limits>

#include "host/calls/verb.hpp"
#include "optgap/batch.hpp"

namespace optgap {

/// The properties of a call that choose its device.
struct device_work {
    verb which;
    std::int64_t rows = 0;
    std::int64_t steps = 0;  ///< of each row's search
    std::int64_t bytes = 0;  ///< that lie in host memory, and would have to be copied
    memory where = memory::host;
};

/// The smallest batch in host memory that was measured to gain, whatever its other properties.
[[nodiscard]] constexpr std::int64_t min_gpu_rows(verb which) {
    switch (which) {
        case verb::generate: return 4096;
        case verb::improve: return 256;
        default: return std::numeric_limits<std::int64_t>::max();
    }
}

struct device_costs {
    static constexpr double call_seconds = 250e-6;
    static constexpr double byte_seconds = 0.2e-9;
    static constexpr double step_seconds = 30e-9;  ///< of a row, by the host's cores
};

/// Whether the GPU is known, or by its costs expected, to be faster than the host's cores.
[[nodiscard]] constexpr bool device_policy(device_work const& of) {
    if (of.where == memory::device) {
        return true;
    }
    double const there = device_costs::call_seconds + double(of.bytes) * device_costs::byte_seconds;
    double const here = double(of.rows) * double(of.steps) * device_costs::step_seconds;
    return of.rows >= min_gpu_rows(of.which) && (of.which != verb::improve || here > there);
}

/// Whether a call runs on the host's cores at once while others work on the GPU: all but searches, which would take
/// longer on the cores than they wait.
[[nodiscard]] constexpr bool yields_to_others(device_work const& of) {
    return of.which != verb::improve && of.where == memory::host;
}

/// A call's description for the policy. Each call names its data (`data()`); a search also names its `steps`.
template <class Call>
[[nodiscard]] device_work work_of(Call const& call) {
    auto const data = call.data();
    device_work work{.which = Call::which, .rows = call.rows(), .bytes = data.bytes, .where = data.where};
    if constexpr (requires { call.steps; }) {
        work.steps = call.steps;
    }
    return work;
}

}  // namespace optgap
