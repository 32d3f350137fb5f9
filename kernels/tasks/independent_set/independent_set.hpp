#pragma once
// Maximum independent set: the largest set of pairwise non-adjacent vertices. The law in prose: README.md.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/search/degree_greedy.hpp"
#include "kernels/search/max_clique.hpp"
#include "kernels/tasks/independent_set/independent_set_generate.hpp"
#include "kernels/tasks/independent_set/independent_set_moves.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::independent_set {

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::maximise;
    /// Search nodes; a node of up to 64 vertices takes 0.1 us, one of 200 vertices 1 us.
    static constexpr std::int64_t default_budget = 1'000'000;
    static constexpr std::int32_t code_adjacent = first_task_code;
    static constexpr char const* codes[] = {"adjacent", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "colour", "vertices", nullptr};

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return graph_words(vertices_of(source, level));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return 2 * vertices_of(source, level) + 1;
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
        if (level.code >= 0) {
            generate_ladder(team, source, level.code, n, rows, label, scratch + n);
        } else {
            generate_level(team, source, level, n, rows, label);
        }
        team.sync();
    }

    OPTGAP_HD static char const* check(words_view instance) { return check_graph(instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        std::int64_t const n = instance[0];
        std::int64_t const greedy = search::degree_greedy_scratch_words(n);
        std::int64_t const walking = walk::scratch_words(n);
        return greedy > walking ? greedy : walking;
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        graph_view const graph = view_graph(instance);
        std::int64_t const count = answer.count;
        verdict found;
        found.violation_max = count > 2 ? count * (count - 1) / 2 : 1;
        found.violation = found.violation_max;
        if (answer.is_word()) {
            found.code = code_unparsable;
            return found;
        }
        if (!answer.is_flat()) {
            found.code = answer.is_rows() && answer.rows == 0 ? code_empty : code_bad_depth;
            return found;
        }
        if (count == 0) {
            found.code = code_empty;
            return found;
        }
        found.where = first_out_of_range(team, answer.values, count, graph.n);
        if (found.where >= 0) {
            found.code = code_out_of_range;
            return found;
        }
        auto* const members = reinterpret_cast<std::uint32_t*>(scratch);
        found.where = first_repeat(team, answer.values, count, members, graph.n);
        if (found.where >= 0) {
            found.code = code_repeated;
            return found;
        }
        std::int64_t ends = 0;
        for (std::int64_t i = team.rank(); i < count; i += team.size()) {
            std::uint32_t const* const row = graph.row(answer.values[i]);
            for (std::int32_t w = 0; w < graph.row_words; ++w) {
                ends += popcount(row[w] & members[w]);
            }
        }
        found.violation = team.sum(ends) / 2;
        if (found.violation > 0) {
            found.code = code_adjacent;
            found.where = first_adjacent(team, graph, answer.values, count, members);
            return found;
        }
        found.objective = count;
        return found;
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
    OPTGAP_HD static std::int64_t construct(Team& team, words_view instance, std::int32_t* answer,
                                            std::int32_t* scratch) {
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        return 1 + search::degree_greedy(team, view_graph(instance), vertex_set::independent, answer + 1, scratch);
    }

    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer, std::int64_t size,
                                            std::int64_t steps, draw source, std::int32_t* scratch) {
        verdict const start = verify(team, instance, view_answer({answer, size}), scratch);
        improve_result result;
        if (start.code == code_ok) {
            result = walk_from(team, view_graph(instance), answer + 1, size - 1, steps, source, scratch);
            size = 1 + result.objective;
        }
        result.answer_words = size;
        return result;
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const searching = search::max_clique_scratch_words(instance[0]);
        std::int64_t const starting = scratch_words(instance);
        return searching > starting ? searching : starting;
    }

    /// Up to 64 vertices the search starts from the greedy set. On larger graphs, whose proof may not end, a short
    /// local search from it gives the incumbent; it costs no budget.
    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer,
                                        std::int32_t* scratch) {
        graph_view const graph = view_graph(instance);
        std::int64_t size = 0;
        answer[0] = answer_flat;
        if (graph.n > 64 && budget > 0) {
            solo team;
            std::int64_t const words = construct(team, instance, answer, scratch);
            size = walk_from(team, graph, answer + 1, words - 1, incumbent_steps, draw{}, scratch).objective;
        }
        search::clique_result const found =
            search::max_clique(graph, vertex_set::independent, budget, answer + 1, size, scratch);
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

    /// Smallest i whose vertex is adjacent to one at an earlier index; there is one. Chunks as in first_repeat.
    template <class Team>
    OPTGAP_HD static std::int32_t first_adjacent(Team& team, graph_view graph, std::int32_t const* values,
                                                 std::int64_t count, std::uint32_t* earlier) {
        team.sync();
        clear(team, earlier, graph.n);
        for (std::int64_t begin = 0; begin < count; begin += team.size()) {
            std::int64_t const i = begin + team.rank();
            bool const active = i < count;
            std::uint32_t const* const row = graph.row(values[active ? i : 0]);
            bool adjacent = false;
            for (std::int32_t w = 0; active && !adjacent && w < graph.row_words; ++w) {
                adjacent = (row[w] & earlier[w]) != 0;
            }
            for (std::int64_t j = begin; active && !adjacent && j < i; ++j) {
                adjacent = contains(row, values[j]);
            }
            ranked const first = team.min_by(adjacent ? i : INT64_MAX, 0);
            if (first.key != INT64_MAX) {
                return std::int32_t(first.key);
            }
            if (active) {
                team.fetch_or(&earlier[values[i] >> 5], 1u << (values[i] & 31));
            }
            team.sync();
        }
        return -1;
    }
};

}  // namespace tasks::independent_set

OPTGAP_KERNELS_END
