#pragma once
// Longest cycle of a graph in which a Hamiltonian cycle is hidden. The definition: README.md.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_exact.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_generate.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_greedy.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_posa.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_walk.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::maximise;
    /// Search steps: about a second if they do not end in a proof, apart from local search on 20,000 vertices.
    static constexpr std::int64_t default_budget = 100'000;
    static constexpr std::int32_t code_no_edge = first_task_code;
    static constexpr char const* codes[] = {"no_edge", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "search", "matching", "block", "vertices", nullptr};

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return graph_words(vertices_of(source, level));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return vertices_of(source, level);
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
        team.each(n, [&](std::int64_t i) { add_edge(team, rows, n, label[i], label[i + 1 < n ? i + 1 : 0]); });
        if (level.code >= 0) {
            add_chords(team, source, scale_of(level.code), rows, label);
        } else {
            add_random_pairs(team, source, level, n, rows, label);
        }
        team.sync();
    }

    OPTGAP_HD static char const* check(words_view instance) { return check_graph(instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        std::int64_t const n = instance[0];
        std::int64_t const greedy = warnsdorff_scratch_words(n);
        std::int64_t const walking = walk::scratch_words(n);
        return greedy > walking ? greedy : walking;
    }
    /// One more than the vertices' words, because `improve` accepts a start whose first vertex is repeated.
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 2 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        graph_view const graph = view_graph(instance);
        std::int64_t const length = cycle_length(answer);
        std::int32_t const* const cycle = answer.values;
        verdict found;
        found.violation_max = length > 1 ? length : 1;
        found.violation = found.violation_max;
        if (answer.is_word()) {
            found.code = code_unparsable;
            return found;
        }
        if (!answer.is_flat()) {
            found.code = answer.is_rows() && answer.rows == 0 ? code_empty : code_bad_depth;
            return found;
        }
        if (length == 0) {
            found.code = code_empty;
            return found;
        }
        found.where = first_out_of_range(team, cycle, length, graph.n);
        if (found.where >= 0) {
            found.code = code_out_of_range;
            return found;
        }
        found.where = first_repeat(team, cycle, length, reinterpret_cast<std::uint32_t*>(scratch), graph.n);
        if (found.where >= 0) {
            found.code = code_repeated;
            return found;
        }
        if (length < 3) {
            found.code = code_wrong_length;
            return found;
        }
        std::int64_t missing = 0;
        std::int64_t first = INT64_MAX;
        for (std::int64_t i = team.rank(); i < length; i += team.size()) {
            if (!graph.adjacent(cycle[i], cycle[i + 1 < length ? i + 1 : 0])) {
                ++missing;
                first = first < i ? first : i;
            }
        }
        found.violation = team.sum(missing);
        ranked const broken = team.min_by(first, 0);
        if (found.violation > 0) {
            found.code = code_no_edge;
            found.where = std::int32_t(broken.key);
            return found;
        }
        found.objective = length;
        return found;
    }

    /// There is no constant policy, because no list is a cycle in every graph.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team&, words_view, std::int32_t*, std::int32_t*) {
        return 0;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return greedy_block(team, instance, answer, scratch,
                            [&](path_choice const& choice) { return fewest_open(team, choice); });
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return greedy_block(team, instance, answer, scratch, [&](path_choice const& choice) {
            search::noisy_pick pick(stream);
            choice.each([&](std::int32_t u, std::int32_t) { pick.offer(u, choice.open(u)); });
            return pick.chosen();
        });
    }

    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) { return walk_state_words(instance[0]); }

    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        graph_view const graph = view_graph(instance);
        walk at = walk_in(graph, scratch);
        if (slice.fresh()) {
            answer_view const start = view_answer({answer, result.answer_words});
            verdict const found = verify(team, instance, start, scratch);
            if (found.code != code_ok) {
                return result;
            }
            result.start_objective = result.objective = found.objective;
            team.sync();
            at = begin_walk(team, graph, start.values, std::int32_t(found.objective), scratch);
        }
        extend_and_rotate(team, at, answer + 1, graph.n, slice, source, result);
        result.answer_words = result.objective > result.start_objective ? 1 + result.objective : result.answer_words;
        return result;
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const proving = longest_cycle_proof::scratch_words(view_graph(instance));
        std::int64_t const starting = scratch_words(instance);
        return proving > starting ? proving : starting;
    }

    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer,
                                        std::int32_t* scratch) {
        graph_view const graph = view_graph(instance);
        if (budget > 0 && graph.n >= 3 && graph.n <= 64 && posa_cycle(graph, answer + 1)) {
            return claim(answer, graph.n, {graph.n, bound_proven}, 1);
        }
        solo team;
        std::int64_t const words = greedy(team, instance, answer, scratch);
        std::int32_t size = words > 0 ? std::int32_t(words - 1) : 0;
        if (budget <= 0) {
            return claim(answer, size, {graph.n, bound_vertices}, 0);
        }
        cycle_proof const proof = longest_cycle_proof(graph, answer + 1, size, scratch).run(budget - 1);
        return claim(answer, proof.size, {proof.bound, proof.kind}, 1 + proof.steps);
    }

private:
    /// Number of values without the repetition of the first one at the end.
    OPTGAP_HD static std::int64_t cycle_length(answer_view answer) {
        bool const closed = answer.count > 1 && answer.values[answer.count - 1] == answer.values[0];
        return answer.count - (closed ? 1 : 0);
    }

    template <class Team, class Choose>
    OPTGAP_HD static std::int64_t greedy_block(Team& team, words_view instance, std::int32_t* answer,
                                               std::int32_t* scratch, Choose const& choose) {
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        std::int32_t const size = closable_path(team, view_graph(instance), answer + 1, scratch, choose);
        return size > 0 ? 1 + size : 0;
    }

    struct claimed_bound {
        std::int64_t value;
        std::int32_t kind;
    };
    OPTGAP_HD static solve_result claim(std::int32_t* answer, std::int64_t size, claimed_bound bound,
                                        std::int64_t steps) {
        answer[0] = answer_flat;
        solve_result result;
        result.steps = steps;
        if (size == 0) {
            bool const none = bound.value == 0;
            result.status = none ? baseline_status::infeasible : baseline_status::unknown;
            result.bound = none ? no_objective : bound.value;
            result.bound_kind = none ? bound_proven : bound.kind;
            return result;
        }
        result.status = size == bound.value ? baseline_status::optimal : baseline_status::bounded;
        result.bound_kind = size == bound.value ? bound_proven : bound.kind;
        result.objective = size;
        result.bound = bound.value;
        result.answer_words = 1 + size;
        return result;
    }
};

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
