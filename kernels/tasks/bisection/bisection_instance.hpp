#pragma once
// The weighted graph of bisection, and how two parts become an answer. Instance words:
//
//   [n, row 0, …, row n-1]      a row is n weights; word v of row u is the weight of the pair {u, v}, 0 for no edge
//
// Rows are full and symmetric with a zero diagonal: twice the memory of a triangle, but every step of every solver
// reads one row from end to end.

#include <cstdint>

#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

/// Entry bound on user graphs: 100 MB of rows. All sums of weights fit int64 below it.
inline constexpr std::int32_t max_vertices = 5'000;

struct weighted_graph {
    std::int32_t const* rows = nullptr;
    std::int32_t n = 0;

    [[nodiscard]] OPTGAP_HD std::int32_t const* row(std::int32_t v) const { return rows + std::int64_t(v) * n; }
    [[nodiscard]] OPTGAP_HD std::int32_t weight(std::int32_t u, std::int32_t v) const { return row(u)[v]; }
    /// Vertices of the larger part.
    [[nodiscard]] OPTGAP_HD std::int32_t half() const { return (n + 1) / 2; }
};

[[nodiscard]] OPTGAP_HD constexpr std::int64_t graph_words(std::int64_t n) { return 1 + n * n; }

/// `words` passed check_graph.
OPTGAP_HD inline weighted_graph view_graph(words_view words) { return {words.data + 1, words[0]}; }

/// nullptr, or the rule that explicit words break.
OPTGAP_HD inline char const* check_graph(words_view words) {
    if (words.count < 1) {
        return "the words must begin with n";
    }
    if (words.data[0] < 1) {
        return "n must be at least 1";
    }
    if (words.data[0] > max_vertices) {
        return "n must be at most 5000";
    }
    if (words.count != graph_words(words.data[0])) {
        return "a weighted graph has 1 + n * n words";
    }
    weighted_graph const graph = view_graph(words);
    for (std::int32_t u = 0; u < graph.n; ++u) {
        if (graph.weight(u, u) != 0) {
            return "a vertex must have weight 0 to itself";
        }
        for (std::int32_t v = 0; v < u; ++v) {
            if (graph.weight(u, v) < 0) {
                return "weights must be at least 0";
            }
            if (graph.weight(u, v) != graph.weight(v, u)) {
                return "the rows must be symmetric";
            }
        }
    }
    return nullptr;
}

/// Writes the two parts, each in rising order, as an answer block; by one lane, synced. `side[v]` is 0 or 1.
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
