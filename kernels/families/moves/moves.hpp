#pragma once
// Tasks whose answer is a plan: a flat list of actions, limited in number, that leads from a start to a goal. The
// objective is the number of actions, minimised. In addition to its layout and generator, a task defines
//
//   world                  the state, in the form that kernels/search/iterative_deepening.hpp requires, with
//                          legal(action) and missing(), the distance from the goal, 0 there. world(instance, memory) is
//                          at the start, which is never a goal; memory is world::words(instance) words
//   max_actions(instance) largest number of actions in a plan
//   max_missing(instance) upper bound of missing()
//   build(instance, noise, answer, scratch): writes a plan made by rules and returns its number of actions, -1 if none
//                          is short enough; `noise` is nullptr for greedy, otherwise the source of random mistakes
//   build_words(instance)  scratch of build

#include <cstdint>
#include <cstring>

#include "kernels/families/declarative_task.hpp"
#include "kernels/search/iterative_deepening.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

template <class Task>
struct moves_task : declarative_task {
    static constexpr sense objective_sense = sense::minimise;
    static constexpr char const* codes[] = {"illegal_move", "not_solved", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "search bound", nullptr};

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        std::int64_t const world = Task::world::words(instance);
        std::int64_t const build = Task::build_words(instance);
        return world > build ? world : build;
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + Task::max_actions(instance); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        std::int64_t const most = Task::max_missing(instance);
        if (answer.is_word() || (answer.is_rows() && answer.count == 0 && answer.row_count() == 0)) {
            return worst(answer.is_word() ? code_unparsable : code_empty, most);
        }
        if (!answer.is_flat()) {
            return worst(code_bad_depth, most);
        }
        if (answer.count > Task::max_actions(instance)) {
            return worst(code_wrong_length, most);
        }
        verdict own;
        if (team.rank() == 0) {
            own = simulate(instance, answer, scratch, most);
        }
        own.code = team.broadcast(own.code);
        own.where = team.broadcast(own.where);
        own.objective = team.broadcast(own.objective);
        own.violation = team.broadcast(own.violation);
        own.violation_max = most;
        return own;
    }

    /// No single plan suits all starts.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team&, words_view, std::int32_t*, std::int32_t*) {
        return 0;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        std::int64_t words = 0;
        if (team.rank() == 0) {
            words = block(Task::build(instance, nullptr, answer + 1, scratch), answer);
        }
        words = team.broadcast(words);
        team.sync();
        return words;
    }
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        draw_stream stream(source, 0);
        return block(Task::build(instance, &stream, answer + 1, scratch), answer);
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const words = searched_words(instance) + Task::world::words(instance);
        return words > scratch_words(instance) ? words : scratch_words(instance);
    }
    static std::int64_t exact_state_words(words_view instance) {
        return kept_words<search::deepening_numbers>(searched_words(instance));
    }

    /// A node costs one step. Without a start, at most `hasty_nodes` nodes search for any plan that is better than the
    /// one made by rules (weighted IDA*, Korf 1993); all others search for the shortest plan, so that a shortest plan
    /// given as start does not cost the bound. The bound is the length below which all plans were tried.
    template <class Proof>
    static solve_result exact(words_view instance, solve_result result, search_slice slice, std::int32_t* answer,
                              std::int32_t* scratch, Proof&) {
        solo team;
        search::deepening_numbers at{};
        bool const hasty = result.answer_words == 0;  // only relevant in a first slice
        if (slice.fresh() && hasty) {
            result.answer_words = greedy(team, instance, answer, scratch);
            result.objective = result.answer_words > 0 ? result.answer_words - 1 : no_objective;
        }
        std::int64_t const kept = searched_words(instance);
        if (!slice.fresh()) {
            take_up(team, slice, at, scratch, kept);
        }
        typename Task::world world(instance, scratch + kept);
        std::int64_t const least = world.rest();
        search::iterative_deepening<typename Task::world> search(world, at, scratch, Task::max_actions(instance));
        if (slice.fresh()) {
            search.begin(hasty ? hasty_weight : 1);
        } else {
            search.take_up();
        }
        auto const most = [&] {  // actions of a plan that would be better
            return result.answer_words > 0 ? result.objective - 1 : Task::max_actions(instance);
        };
        while (least <= most() && at.nodes < slice.end) {
            if (at.weight > 1 && (at.ended != 0 || at.nodes >= hasty_nodes)) {
                search.begin(1);
            }
            if (at.ended != 0) {
                break;
            }
            if (search.node(most())) {
                result.objective = at.depth;
                result.answer_words = block(at.depth, answer);
                std::memcpy(answer + 1, search.plan(), std::size_t(at.depth) * sizeof *answer);
            }
        }
        result.steps = at.nodes;
        bool const all = least > most() || (at.weight == 1 && at.ended != 0);
        if (result.answer_words == 0) {
            result.status = all ? baseline_status::infeasible : baseline_status::unknown;
            result.bound = all ? no_objective : at.weight == 1 ? at.limit : least;
            result.bound_kind = all ? 0 : 1;
        } else {
            settle(result, all ? result.objective : at.weight == 1 ? at.limit : least, 1);
        }
        keep(team, slice, at, scratch, kept);
        return result;
    }

private:
    static constexpr std::int32_t hasty_weight = 2;
    static constexpr std::int64_t hasty_nodes = 100'000;

    static std::int64_t searched_words(words_view instance) {
        return search::iterative_deepening<typename Task::world>::words(Task::max_actions(instance));
    }
    OPTGAP_HD static std::int64_t block(std::int64_t actions, std::int32_t* answer) {
        if (actions <= 0) {
            return 0;
        }
        answer[0] = answer_flat;
        return 1 + actions;
    }
    OPTGAP_HD static verdict simulate(words_view instance, answer_view const& answer, std::int32_t* scratch,
                                      std::int64_t most) {
        typename Task::world world(instance, scratch);
        for (std::int64_t i = 0; i < answer.count; ++i) {
            if (answer.values[i] < 0 || answer.values[i] >= world.actions()) {
                return worst(code_out_of_range, most, std::int32_t(i));
            }
        }
        for (std::int64_t i = 0; i < answer.count; ++i) {
            if (!world.legal(answer.values[i])) {
                return worst(first_task_code, most, std::int32_t(i));
            }
            world.act(answer.values[i]);
        }
        std::int64_t const missing = world.missing();
        return missing == 0 ? verdict{code_ok, -1, answer.count, 0, most}
                            : verdict{first_task_code + 1, -1, 0, missing, most};
    }
};

}  // namespace families
OPTGAP_KERNELS_END
