#pragma once
// The graph with a weight for each edge. Instance words:
//
//   [n, row 0, …, row n-1]      a row is n weights; word v of row u is the weight of the pair {u, v}, 0 for no edge
//
// Rows are full and symmetric with a zero diagonal: twice the memory of a triangle, but every step of every solver
// reads one row from end to end.

#include <cstdint>

#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN

/// The limit for users' graphs: 100 MB of rows. Below it all sums of weights fit int64.
inline constexpr std::int32_t max_weighted_vertices = 5'000;

[[nodiscard]] OPTGAP_HD constexpr std::int64_t weighted_graph_words(std::int64_t n) { return 1 + n * n; }

/// Returns nullptr, or the rule that a user's words break. Negative weights are allowed for tasks that request them.
inline char const* check_weighted_graph(words_view words, bool negative_weights = false) {
    if (words.count < 1) {
        return "the words must begin with n";
    }
    std::int64_t const n = words.data[0];
    if (n < 1) {
        return "n must be at least 1";
    }
    if (n > max_weighted_vertices) {
        return "n must be at most 5000";
    }
    if (words.count != weighted_graph_words(n)) {
        return "a weighted graph has 1 + n * n words";
    }
    std::int32_t const* const rows = words.data + 1;
    for (std::int64_t u = 0; u < n; ++u) {
        if (rows[u * n + u] != 0) {
            return "a vertex must have weight 0 to itself";
        }
        for (std::int64_t v = 0; v < u; ++v) {
            if (rows[u * n + v] < 0 && !negative_weights) {
                return "weights must be at least 0";
            }
            if (rows[u * n + v] == INT32_MIN) {
                return "weights must be at least -2147483647";
            }
            if (rows[u * n + v] != rows[v * n + u]) {
                return "the rows must be symmetric";
            }
        }
    }
    return nullptr;
}

OPTGAP_KERNELS_END
