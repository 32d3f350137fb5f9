#pragma once
// Which calls are worth a round trip. The daemon says so in its welcome, since it knows whether it has a GPU.

#include <cstdint>
#include <limits>
#include <span>

#include "host/executor/device_policy.hpp"
#include "host/remote/messages.hpp"

namespace optgap::serve {

/// What a client sends at least, in rows. Measured in docs/serve.md: on the CPU generating, verifying, a greedy answer
/// and a reward cost about as much as copying them does, so only proofs, for the cache, and local search are sent; to a
/// GPU also what it generates sooner than the client's cores.
inline void set_least_rows(std::span<std::int64_t, most_verbs> least, bool has_gpu, bool take_all) {
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t& rows : least) {
        rows = take_all ? 0 : never;
    }
    if (!take_all) {
        least[std::size_t(verb::solve)] = 1;
    }
    if (!take_all && has_gpu) {
        least[std::size_t(verb::generate)] = least_gpu_rows(verb::generate);
        least[std::size_t(verb::improve)] = least_gpu_rows(verb::improve);
    }
}

}  // namespace optgap::serve
