#pragma once
// Everything that the tasks clique and independent set share: all but generation, names and the text of the definition.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/families/subset/vertex_set_rules.hpp"
#include "kernels/families/subset/vertex_set_walk.hpp"
#include "kernels/search/degree_greedy.hpp"
#include "kernels/search/max_clique.hpp"

OPTGAP_KERNELS_BEGIN

namespace search {

/// Base of a task whose instance is a graph (kernels/core/graph.hpp) and whose answer is a set of vertices.
template <vertex_set Kind>
struct vertex_set_task {
    static constexpr sense objective_sense = sense::maximise;
    /// Search nodes. A node takes 0.1 us with up to 64 vertices, 1 us with 200.
    static constexpr std::int64_t default_budget = 1'000'000;
    static constexpr char const* bound_kinds[] = {"proven", "colour", "vertices", nullptr};

    OPTGAP_HD static char const* check(words_view instance) { return check_graph(instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        std::int64_t const n = instance[0];
        std::int64_t const greedy = degree_greedy_scratch_words(n);
        std::int64_t const walking = walk_scratch_words(n);
        return greedy > walking ? greedy : walking;
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        return verify_vertex_set<Kind>(team, view_graph(instance), answer, scratch);
    }

    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view, std::int32_t* answer, std::int32_t*) {
        if (team.rank() == 0) {
            answer[0] = answer_flat;
            answer[1] = 0;
        }
        team.sync();
        return 2;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        return 1 + degree_greedy(team, view_graph(instance), Kind, answer + 1, scratch);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        answer[0] = answer_flat;
        return 1 + noisy_degree_greedy(view_graph(instance), Kind, source, answer + 1, scratch);
    }

    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) { return walk_state_words(instance[0]); }

    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        answer_view const start = view_answer({answer, result.answer_words});
        if (slice.fresh() && verify(team, instance, start, scratch).code != code_ok) {
            return result;
        }
        result = walk_from<Kind>(team, view_graph(instance), answer + 1, start.count, result, slice, source, scratch);
        result.answer_words = 1 + result.objective;
        return result;
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const searching = max_clique_scratch_words(instance[0]);
        std::int64_t const starting = scratch_words(instance);
        return searching > starting ? searching : starting;
    }

    /// With up to 64 vertices the search starts from the greedy set. On larger graphs, where the proof may not end, a
    /// short local search from the greedy set gives the incumbent; it costs no budget.
    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer,
                                        std::int32_t* scratch) {
        graph_view const graph = view_graph(instance);
        std::int64_t size = 0;
        answer[0] = answer_flat;
        if (graph.n > 64 && budget > 0) {
            solo team;
            std::int64_t const words = greedy(team, instance, answer, scratch);
            size = walk_from<Kind>(team, graph, answer + 1, words - 1, {}, {0, incumbent_steps}, draw{}, scratch)
                       .objective;
        }
        clique_result const found = max_clique(graph, Kind, budget, answer + 1, size, scratch);
        solve_result result;
        result.status = found.proven ? baseline_status::optimal : baseline_status::bounded;
        result.bound_kind = found.proven ? 0 : found.steps > 0 ? 1 : 2;
        result.objective = found.size;
        result.bound = found.bound;
        result.steps = found.steps;
        result.answer_words = 1 + found.size;
        return result;
    }

private:
    static constexpr std::int64_t incumbent_steps = 500;
};

}  // namespace search

OPTGAP_KERNELS_END
