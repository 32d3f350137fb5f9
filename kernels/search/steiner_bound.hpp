#pragma once
// A lower bound on the weight of a tree that joins terminals: dual ascent on the arcs of the graph (Wong 1984). Runs on
// one lane of the CPU.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

struct ascent_result {
    std::int64_t bound = 0;
    std::int64_t steps = 0;
};

/// Scratch: a word for each arc, and three for each vertex.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t ascent_scratch_words(std::int64_t n) { return n * n + 3 * n; }

/// The terminals take turns. Each raises the price of the arcs that enter the set of vertices from which it is reached
/// at no further cost, until the root, which is the first terminal, is in that set. Every prefix of the ascent gives a
/// valid bound. A raise costs one step, and one more for each ten thousand arcs.
inline ascent_result dual_ascent(std::int32_t const* rows, std::int32_t n, std::int32_t const* terminals,
                                 std::int32_t count, std::int64_t budget, std::int32_t* scratch) {
    std::int32_t* const rest = scratch;  ///< remaining cost of each arc; 0: free, or no arc
    std::int32_t* const inside = rest + std::int64_t(n) * n;
    std::int32_t* const queue = inside + n;
    std::int32_t* const joined = queue + n;
    for (std::int64_t i = 0; i < std::int64_t(n) * n; ++i) {
        rest[i] = rows[i];
    }
    for (std::int32_t k = 0; k < count; ++k) {
        joined[k] = 0;
    }
    ascent_result found;
    std::int64_t const cost = 1 + std::int64_t(n) * n / 10'000;
    for (bool any = true; any;) {
        any = false;
        for (std::int32_t k = 1; k < count; ++k) {
            if (joined[k] != 0) {
                continue;
            }
            if (found.steps + cost > budget) {
                return found;
            }
            found.steps += cost;
            for (std::int32_t v = 0; v < n; ++v) {
                inside[v] = 0;
            }
            std::int32_t size = 0;
            queue[size++] = terminals[k];
            inside[terminals[k]] = 1;
            std::int32_t least = INT32_MAX;
            for (std::int32_t at = 0; at < size; ++at) {
                std::int32_t const v = queue[at];
                for (std::int32_t u = 0; u < n; ++u) {
                    std::int64_t const arc = std::int64_t(u) * n + v;
                    if (inside[u] == 0 && rows[arc] > 0 && rest[arc] == 0) {
                        inside[u] = 1;
                        queue[size++] = u;
                    }
                }
            }
            if (inside[terminals[0]] != 0) {
                joined[k] = 1;
                continue;
            }
            any = true;
            for (std::int32_t at = 0; at < 2 * size; ++at) {  // first to find the least, then to subtract it
                std::int32_t const v = queue[at % size];
                for (std::int32_t u = 0; u < n; ++u) {
                    std::int64_t const arc = std::int64_t(u) * n + v;
                    if (inside[u] == 0 && rows[arc] > 0) {
                        least = at < size && rest[arc] < least ? rest[arc] : least;
                        rest[arc] -= at < size ? 0 : least;
                    }
                }
            }
            found.bound += least;
        }
    }
    return found;
}

}  // namespace search
OPTGAP_KERNELS_END
