#pragma once
// Minimum bisection: split the vertices of a weighted graph into two halves with little weight between them. The
// definition: README.md.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/bisection/bisection_exact.hpp"
#include "kernels/tasks/bisection/bisection_generate.hpp"
#include "kernels/tasks/bisection/bisection_greedy.hpp"
#include "kernels/tasks/bisection/bisection_instance.hpp"
#include "kernels/tasks/bisection/bisection_moves.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::minimise;
    /// Search nodes.
    static constexpr std::int64_t default_budget = 2'000'000;
    static constexpr std::int32_t code_not_two_parts = first_task_code;
    static constexpr std::int32_t code_unbalanced = first_task_code + 1;
    static constexpr char const* codes[] = {"not_two_parts", "unbalanced", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "half_bound", "zero", nullptr};

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return weighted_graph_words(vertices_of(source, level));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return 2 * std::int64_t(vertices_of(source, level));
    }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        std::int32_t const n = vertices_of(source, level);
        if (team.rank() == 0) {
            words[0] = n;
        }
        generate_graph(team, source, recipe_of(level), n, words + 1, scratch, scratch + n);
    }

    static char const* check(words_view instance) { return check_weighted_graph(instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return walk::scratch_words(instance[0]); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 3 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        weighted_graph const graph = view_weighted_graph(instance);
        std::int32_t const n = graph.n;
        verdict found;
        found.violation_max = 2 * std::int64_t(n);
        found.violation = found.violation_max;
        if (answer.is_word()) {
            found.code = code_unparsable;
            return found;
        }
        if (answer.row_count() == 0) {
            found.code = answer.count == 0 ? code_empty : code_bad_depth;
            return found;
        }
        if (answer.row_count() != 2) {
            found.code = code_not_two_parts;
            return found;
        }
        found.where = first_out_of_range(team, answer.values, answer.count, n);
        if (found.where >= 0) {
            found.code = code_out_of_range;
            return found;
        }
        auto* const seen = reinterpret_cast<std::uint32_t*>(scratch);
        std::uint32_t* const twice = seen + bitset_words(n);
        clear(team, seen, n);
        clear(team, twice, n);
        team.each(answer.count, [&](std::int64_t i) {
            std::int32_t const v = answer.values[i];
            if (team.fetch_or(&seen[v >> 5], 1u << (v & 31)) >> (v & 31) & 1u) {
                team.fetch_or(&twice[v >> 5], 1u << (v & 31));
            }
        });
        team.sync();
        std::int64_t covered = 0;
        std::int64_t repeated = 0;
        for (std::int32_t w = team.rank(); w < bitset_words(n); w += team.size()) {
            covered += popcount(seen[w]);
            repeated += popcount(twice[w]);
        }
        std::int64_t const missing = n - team.sum(covered);
        repeated = team.sum(repeated);
        std::int64_t const apart = std::int64_t(answer.row_lengths[0]) - answer.row_lengths[1];
        std::int64_t const imbalance = (apart < 0 ? -apart : apart) - 1;
        std::int64_t const violation = missing + repeated + (imbalance > 0 ? imbalance : 0);
        found.violation = violation < found.violation_max ? violation : found.violation_max;
        if (repeated > 0) {
            found.code = code_repeated;
            found.where = first_repeat(team, answer.values, answer.count, seen, n);
        } else if (missing > 0) {
            found.code = code_wrong_length;
        } else if (imbalance > 0) {
            found.code = code_unbalanced;
        } else {
            std::int32_t* const side = scratch;
            read_sides(team, answer.values, answer.row_lengths[0], n, side);
            found.objective = cut_weight(team, graph, side);
        }
        return found;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        std::int32_t const n = instance[0];
        if (team.rank() == 0) {
            answer[0] = 2;
            answer[1] = view_weighted_graph(instance).half();
            answer[2] = n - answer[1];
        }
        team.each(n, [&](std::int64_t v) { answer[3 + v] = std::int32_t(v); });
        team.sync();
        return 3 + std::int64_t(n);
    }

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        placement at(view_weighted_graph(instance), scratch);
        place_greedily(team, at);
        return write_parts(team, at.side, at.graph.n, answer);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        placement at(view_weighted_graph(instance), scratch);
        place_noisily(at, source);
        return write_parts(team, at.side, at.graph.n, answer);
    }

    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) { return walk_state_words(instance[0]); }

    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        walk const at(view_weighted_graph(instance), scratch);
        if (slice.fresh()) {
            answer_view const start = view_answer({answer, result.answer_words});
            verdict const found = verify(team, instance, start, scratch);
            if (found.code != code_ok) {
                return result;
            }
            result.objective = found.objective;
            team.sync();
            read_sides(team, start.values, start.row_lengths[0], at.graph.n, at.side);
        }
        std::int64_t const best_before = result.objective;
        result = walk_from(team, at, result, slice, source);
        if (result.objective < best_before) {
            result.answer_words = write_parts(team, at.kept, at.graph.n, answer);
        }
        return result;
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const searching = prover_scratch_words(view_weighted_graph(instance));
        return searching > scratch_words(instance) ? searching : scratch_words(instance);
    }

    /// The incumbent is the greedy answer; with any budget it is the best answer of a local search from it, which costs
    /// no budget.
    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer,
                                        std::int32_t* scratch) {
        solo team;
        weighted_graph const graph = view_weighted_graph(instance);
        solve_result result;
        result.answer_words = greedy(team, instance, answer, scratch);
        improve_result const start = improve(team, instance, answer, {.answer_words = result.answer_words},
                                             {0, budget > 0 ? incumbent_steps : 0}, draw{}, scratch);
        proof const found = prove(graph, start.objective, answer, budget, scratch);
        result.status = found.bound == found.cut ? baseline_status::optimal : baseline_status::bounded;
        result.bound_kind = found.bound == found.cut ? 0 : found.steps > 0 ? 1 : 2;
        result.objective = found.cut;
        result.bound = found.bound;
        result.steps = found.steps;
        return result;
    }

private:
    static constexpr std::int64_t incumbent_steps = 400;

    /// Sets side[v] = 0 for the first `first` values, 1 for the other vertices and the extra one of an odd graph;
    /// synced.
    template <class Team>
    OPTGAP_HD static void read_sides(Team& team, std::int32_t const* values, std::int32_t first, std::int32_t n,
                                     std::int32_t* side) {
        team.each(n, [&](std::int64_t i) { side[values[i]] = i >= first; });
        if (team.rank() == 0) {
            side[n] = 2 * first > n;
        }
        team.sync();
    }
};

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
