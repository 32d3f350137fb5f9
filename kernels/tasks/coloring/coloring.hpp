#pragma once
// Graph colouring: as few colours as possible, with different colours at the ends of each edge. The definition:
// README.md.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/coloring/coloring_exact.hpp"
#include "kernels/tasks/coloring/coloring_generate.hpp"
#include "kernels/tasks/coloring/coloring_greedy.hpp"
#include "kernels/tasks/coloring/coloring_moves.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::coloring {

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::minimise;
    /// Nodes of the clique search and of DSATUR together.
    static constexpr std::int64_t default_budget = 2'000'000;
    static constexpr std::int32_t code_conflict = first_task_code;
    static constexpr char const* codes[] = {"conflict", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "clique", "edge", nullptr};

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return graph_words(vertices_of(source, level));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return 2 * std::int64_t(vertices_of(source, level));
    }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        std::int32_t const n = vertices_of(source, level);
        std::int32_t* const label = scratch;
        std::uint32_t* const rows = begin_graph(team, words, n);
        team.each(n, [&](std::int64_t i) { label[i] = std::int32_t(i); });
        team.sync();
        if (team.rank() == 0) {
            draw_stream stream(source, draw_labels);
            shuffle(stream, label, n);
        }
        team.sync();
        if (level.on_scale()) {
            generate_scale(team, source, level.code, rows, label, scratch + n);
        } else {
            generate_level(team, source, level, n, rows, label);
        }
        team.sync();
    }

    OPTGAP_HD static char const* check(words_view instance) { return check_graph(instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        std::int64_t const n = instance[0];
        return larger_of(greedy_scratch_words(n), partial_colouring::scratch_words(n));
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        graph_view const graph = view_graph(instance);
        verdict found;
        found.violation_max = larger_of(count_edges(team, graph), 1);
        found.violation = found.violation_max;
        if (answer.is_word()) {
            found.code = code_unparsable;
            return found;
        }
        if (answer.row_count() > 0) {
            found.code = code_bad_depth;
            return found;
        }
        if (answer.count == 0) {
            found.code = code_empty;
            return found;
        }
        found.where = first_out_of_range(team, answer.values, answer.count, no_colour_above);
        if (found.where >= 0) {
            found.code = code_out_of_range;
            return found;
        }
        if (answer.count != graph.n) {
            found.code = code_wrong_length;
            return found;
        }
        partial_colouring at(graph, scratch);
        at.begin(team, answer.values);
        std::int64_t first = INT64_MAX;
        found.violation = 0;
        for (std::int32_t v = team.rank(); v < graph.n; v += team.size()) {
            std::int32_t const before = at.in_the_way(v, at.colour[v], v);
            found.violation += before;
            first = before > 0 && first == INT64_MAX ? v : first;
        }
        found.violation = team.sum(found.violation);
        if (found.violation > 0) {
            found.code = code_conflict;
            found.where = std::int32_t(team.min_by(first, 0).key);
            return found;
        }
        found.objective = at.classes;
        return found;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        team.each(answer_words(instance), [&](std::int64_t i) { answer[i] = std::int32_t(i) - 1; });
        team.sync();
        return answer_words(instance);
    }

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        greedy_colouring(team, view_graph(instance), answer + 1, scratch);
        return answer_words(instance);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        answer[0] = answer_flat;
        noisy_greedy_colouring(view_graph(instance), source, answer + 1, scratch);
        return answer_words(instance);
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
        return walk_from(team, view_graph(instance), answer + 1, result, slice, 1, source, scratch);
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view instance) { return exact_scratch(instance[0]); }

    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer,
                                        std::int32_t* scratch) {
        answer[0] = answer_flat;
        solve_result result = prove(view_graph(instance), budget, answer + 1, scratch);
        result.answer_words = answer_words(instance);
        return result;
    }

private:
    static constexpr std::int64_t no_colour_above = std::int64_t(INT32_MAX) + 1;

    template <class Team>
    OPTGAP_HD static std::int64_t count_edges(Team& team, graph_view graph) {
        std::int64_t ends = 0;
        for (std::int32_t v = team.rank(); v < graph.n; v += team.size()) {
            ends += graph.degree(v);
        }
        return team.sum(ends) / 2;
    }
};

}  // namespace tasks::coloring

OPTGAP_KERNELS_END
