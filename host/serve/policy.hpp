#pragma once
// The calls that gain by a round trip. The daemon lists them in its welcome, since it knows whether it has a GPU.

#include <cstdint>
#include <limits>
#include <span>

#include "host/calls/calls.hpp"
#include "host/executor/device_policy.hpp"
#include "host/remote/messages.hpp"

namespace optgap::serve {

/// The least rows that a client sends. Measured in docs/serve.md: on the CPU generating, verifying, a greedy answer
/// and a reward cost about as much as copying them does, so only proofs, for the cache, and what a GPU does sooner than
/// the client's cores are sent. A search of few steps comes along; the daemon's own engine knows that.
inline void set_min_rows(std::span<std::int64_t, max_verbs> rows, bool has_gpu, bool take_all) {
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    for (std::size_t which = 0; which < rows.size(); ++which) {
        bool const gains = has_gpu && which < verb_count && is_served(verb(which));
        rows[which] = take_all ? 0 : gains ? min_gpu_rows(verb(which)) : never;
    }
    if (!take_all) {
        rows[std::size_t(verb::solve)] = 1;
    }
}

}  // namespace optgap::serve
