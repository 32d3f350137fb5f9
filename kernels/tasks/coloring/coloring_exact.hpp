#pragma once
// The proof: a maximum clique bounds the number of colours from below, then DSATUR branch and bound closes the gap.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/task.hpp"
#include "kernels/search/max_clique.hpp"
#include "kernels/tasks/coloring/coloring_greedy.hpp"
#include "kernels/tasks/coloring/coloring_moves.hpp"
#include "kernels/tasks/coloring/coloring_wide.hpp"
#include "kernels/tasks/coloring/coloring_word.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::coloring {

/// The limit of nodes in the clique search: the largest clique found is a bound, whether it is maximum or not. The
/// number is fixed, so that a larger budget continues the same searches.
inline constexpr std::int64_t clique_nodes = 100'000;
/// Moves of the local search that finds the incumbent of graphs with more than 64 vertices.
inline constexpr std::int64_t incumbent_steps = 2'000;

enum bound_kind : std::int32_t { bound_proven = 0, bound_clique, bound_edge };

[[nodiscard]] OPTGAP_HD constexpr std::int64_t larger_of(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

[[nodiscard]] OPTGAP_HD constexpr std::int64_t exact_scratch(std::int64_t n) {
    std::int64_t const starting = larger_of(greedy_scratch_words(n), partial_colouring::scratch_words(n));
    if (n <= 64) {
        return starting;
    }
    return n + 16 + larger_of(starting, larger_of(wide_search::scratch_words(n), search::max_clique_scratch_words(n)));
}

/// Writes the colours of the best colouring found. The budget counts the nodes of the clique search, then those of
/// DSATUR. Without budget, the greedy colouring is the answer, and its bound is 2, or 1 if there is no edge.
OPTGAP_HD inline solve_result prove(graph_view graph, std::int64_t budget, std::int32_t* colours,
                                    std::int32_t* scratch) {
    solo team;
    bool const wide = graph.n > 64;
    word_search few(wide ? graph_view{} : graph);
    solve_result result;
    result.objective = wide ? greedy_colouring(team, graph, colours, scratch) : few.greedy(colours);
    result.bound = result.objective > 1 ? 2 : 1;
    result.bound_kind = bound_edge;
    if (budget > 0 && result.objective > 2) {
        std::int32_t members[64];
        std::int32_t* const clique = wide ? scratch : members;
        scratch += wide ? (graph.n + 15) / 16 * 16 : 0;
        search::clique_result const found = search::max_clique(
            graph, vertex_set::clique, budget < clique_nodes ? budget : clique_nodes, clique, 0, scratch);
        result.bound = found.size;
        result.bound_kind = bound_clique;
        result.steps = found.steps;
        if (wide) {
            result.objective =
                walk_from(team, graph, colours, {}, {0, incumbent_steps}, found.size, draw{}, scratch).objective;
        }
        if (found.proven || found.steps == clique_nodes) {
            std::int64_t const left = budget - found.steps;
            auto const size = std::int32_t(found.size);
            colouring_result const best =
                wide ? wide_search(graph, scratch).run(clique, size, left, colours, result.objective)
                     : few.run(clique, size, left, colours, result.objective);
            result.objective = best.colours;
            result.steps += best.steps;
            result.bound = best.proven ? best.colours : found.size;
        }
    }
    bool const proven = result.objective == result.bound;
    result.status = proven ? baseline_status::optimal : baseline_status::bounded;
    result.bound_kind = proven ? bound_proven : result.bound_kind;
    return result;
}

}  // namespace tasks::coloring

OPTGAP_KERNELS_END
