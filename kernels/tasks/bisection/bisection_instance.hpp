#pragma once
// The weighted graph of bisection (kernels/core/weighted_graph.hpp), and the conversion of two parts to an answer.

#include <cstdint>

#include "kernels/core/layout.hpp"
#include "kernels/core/weighted_graph.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

inline constexpr field layout[] = {
    {"edges", field_kind::weighted_graph,
     "n is 1 to 5000, and an edge joins two vertices with a weight, 0 to 2147483647"},
};

struct weighted_graph {
    std::int32_t const* rows = nullptr;
    std::int32_t n = 0;

    [[nodiscard]] OPTGAP_HD std::int32_t const* row(std::int32_t v) const { return rows + std::int64_t(v) * n; }
    [[nodiscard]] OPTGAP_HD std::int32_t weight(std::int32_t u, std::int32_t v) const { return row(u)[v]; }
    /// Vertices of the larger part.
    [[nodiscard]] OPTGAP_HD std::int32_t half() const { return (n + 1) / 2; }
};

/// A view of `words`, which passed check_weighted_graph.
OPTGAP_HD inline weighted_graph view_weighted_graph(words_view words) { return {words.data + 1, words[0]}; }

/// Writes the two parts, each in rising order, as an answer block. Called by one lane, synced. `side[v]` is 0 or 1.
template <class Team, class Side>
OPTGAP_HD std::int64_t write_parts(Team& team, Side const* side, std::int32_t n, std::int32_t* answer) {
    if (team.rank() == 0) {
        std::int32_t first = 0;
        for (std::int32_t v = 0; v < n; ++v) {
            first += side[v] == 0;
        }
        answer[0] = 2;
        answer[1] = first;
        answer[2] = n - first;
        std::int32_t* next[2] = {answer + 3, answer + 3 + first};
        for (std::int32_t v = 0; v < n; ++v) {
            *next[side[v] != 0]++ = v;
        }
    }
    team.sync();
    return 3 + std::int64_t(n);
}

/// Sum over part 0 of the weights into part 1.
template <class Team>
OPTGAP_HD std::int64_t cut_weight(Team& team, weighted_graph graph, std::int32_t const* side) {
    std::int64_t cut = 0;
    for (std::int32_t u = team.rank(); u < graph.n; u += team.size()) {
        std::int32_t const* const row = graph.row(u);
        for (std::int32_t v = 0; side[u] == 0 && v < graph.n; ++v) {
            cut += side[v] != 0 ? row[v] : 0;
        }
    }
    return team.sum(cut);
}

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
