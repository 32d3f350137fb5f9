#pragma once
// Minimum set cover: as few of the given sets as possible, or if they have costs, sets of the least total cost, whose
// union is the universe. The definition: README.md.
//
//   universe 6, sets {0,1,2} {2,3} {0,4} {3,4,5} {1,2,5}:   [0, 3] covers all six elements, the optimum

#include <cstdint>

#include "kernels/core/check_layout.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/set_cover/set_cover_costs.hpp"
#include "kernels/tasks/set_cover/set_cover_generate.hpp"
#include "kernels/tasks/set_cover/set_cover_greedy.hpp"
#include "kernels/tasks/set_cover/set_cover_instance.hpp"
#include "kernels/tasks/set_cover/set_cover_moves.hpp"
#include "kernels/tasks/set_cover/set_cover_wide.hpp"
#include "kernels/tasks/set_cover/set_cover_word.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::minimise;
    /// Search nodes; one of up to 64 elements and sets takes 0.1 us.
    static constexpr std::int64_t default_budget = 2'000'000;
    static constexpr std::int32_t code_uncovered = first_task_code;
    static constexpr char const* codes[] = {"uncovered", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "packing", "prices", nullptr};

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        cover_sizes const sizes = sizes_of(source, level);
        return cover_words(sizes.u, sizes.s);
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        cover_sizes const sizes = sizes_of(source, level);
        return std::int64_t(sizes.s) + sizes.u + bitset_words(sizes.u);
    }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        cover_sizes const sizes = sizes_of(source, level);
        std::int32_t* const set = scratch;
        std::int32_t* const element = set + sizes.s;
        auto* const rows = reinterpret_cast<std::uint32_t*>(words + 2);
        if (team.rank() == 0) {
            words[0] = sizes.u;
            words[1] = sizes.s;
        }
        team.each(cover_words(sizes.u, sizes.s) - 2, [&](std::int64_t i) { rows[i] = 0; });
        team.each(sizes.s, [&](std::int64_t i) { set[i] = std::int32_t(i); });
        team.each(sizes.u, [&](std::int64_t i) { element[i] = std::int32_t(i); });
        team.sync();
        if (team.rank() == 0) {
            draw_stream stream(source, draw_labels);
            shuffle(stream, set, sizes.s);
            shuffle(stream, element, sizes.u);
        }
        team.sync();
        if (level.on_scale()) {
            generate_scale(team, source, level.code, rows, set, element);
        } else {
            generate_level(team, source, sizes, rows, set, element,
                           reinterpret_cast<std::uint32_t*>(element + sizes.u));
        }
        team.sync();
    }

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        std::int64_t const u = instance[0];
        std::int64_t const s = instance[1];
        std::int64_t const building = open_gains::scratch_words(u, s);
        std::int64_t const walking = walk::scratch_words(u, s);
        return building > walking ? building : walking;
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[1]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        cover_view const sets = view_cover(instance);
        auto const broken = [&](std::int32_t code, std::int32_t where) {
            return verdict{code, where, 0, sets.u, sets.u};
        };
        if (answer.is_word()) {
            return broken(code_empty, -1);
        }
        if (!answer.is_flat()) {
            return broken(answer.is_rows() && answer.rows == 0 ? code_empty : code_bad_depth, -1);
        }
        if (answer.count == 0) {
            return broken(code_empty, -1);
        }
        std::int32_t const outside = first_out_of_range(team, answer.values, answer.count, sets.s);
        if (outside >= 0) {
            return broken(code_out_of_range, outside);
        }
        auto* const seen = reinterpret_cast<std::uint32_t*>(scratch);
        std::int32_t const repeat = first_repeat(team, answer.values, answer.count, seen, sets.s);
        if (repeat >= 0) {
            return broken(code_repeated, repeat);
        }
        std::int64_t covered = 0;
        for (std::int64_t w = team.rank(); w < sets.row_words; w += team.size()) {
            std::uint32_t held = 0;
            for (std::int64_t i = 0; i < answer.count; ++i) {
                held |= sets.row(answer.values[i])[w];
            }
            covered += popcount(held);
        }
        std::int64_t const uncovered = sets.u - team.sum(covered);
        if (uncovered > 0) {
            return {code_uncovered, -1, 0, uncovered, sets.u};
        }
        std::int64_t cost = 0;
        team.each(answer.count, [&](std::int64_t i) { cost += sets.cost(answer.values[i]); });
        return {code_ok, -1, team.sum(cost), 0, sets.u};
    }

    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        std::int32_t const s = instance[1];
        team.each(1 + s, [&](std::int64_t i) { answer[i] = i == 0 ? answer_flat : std::int32_t(i - 1); });
        team.sync();
        return 1 + s;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        std::int32_t const size = greedy_cover(team, view_cover(instance), answer + 1, scratch);
        return size > 0 ? 1 + size : 0;
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        answer[0] = answer_flat;
        std::int32_t const size = noisy_cover(view_cover(instance), source, answer + 1, scratch);
        return size > 0 ? 1 + size : 0;
    }

    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) {
        return walk_state_words(instance[0], instance[1]);
    }

    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        answer_view const start = view_answer({answer, result.answer_words});
        if (slice.fresh() && verify(team, instance, start, scratch).code != code_ok) {
            return result;
        }
        team.sync();
        return walk_from(team, view_cover(instance), answer + 1, start.count, result, slice, 1, source, scratch);
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        cover_view const sets = view_cover(instance);
        std::int64_t const searching =
            sets.costs != nullptr ? costs_scratch_words(sets) : wide_scratch_words(sets.u, sets.s);
        std::int64_t const starting = scratch_words(instance);
        return searching > starting ? searching : starting;
    }

    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        cover_view const sets = view_cover(instance);
        if (sets.costs != nullptr) {
            return min_cost(sets, budget, answer, scratch);
        }
        cover_result const found = sets.u <= 64 && sets.s <= 64 ? min_cover_word(sets, budget, answer + 1)
                                                                : min_cover_wide(sets, budget, answer + 1, scratch);
        solve_result result;
        if (found.size == 0) {
            result.status = baseline_status::infeasible;
            return result;
        }
        bool const proven = found.size == found.bound;
        answer[0] = answer_flat;
        result.status = proven ? baseline_status::optimal : baseline_status::bounded;
        result.bound_kind = proven ? 0 : found.priced ? 2 : 1;
        result.objective = found.size;
        result.bound = found.bound;
        result.steps = found.steps;
        result.answer_words = 1 + found.size;
        return result;
    }
};

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
