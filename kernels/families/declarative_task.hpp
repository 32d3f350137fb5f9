#pragma once
// The members that a declarative task need not write. It inherits from its family, which inherits from
// declarative_task; a member that is defined again replaces the inherited one. A declarative task is compiled for one
// instruction set. It has no local search (OPTGAP_DEFINE_DECLARATIVE_TASK, kernels/launch/define_task.hpp) unless it
// declares moves (OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES): `struct task : searching<task, FAMILY>` with a
// neighbourhood (kernels/search/local_search.hpp) as `using neighbourhood`.

#include <cstdint>

#include "kernels/core/abilities.hpp"
#include "kernels/core/task.hpp"
#include "kernels/search/local_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

struct declarative_task {
    static constexpr std::int32_t version = 1;
    /// Search steps, of some microseconds each.
    static constexpr std::int64_t default_budget = 200'000;
    static constexpr char const* bound_kinds[] = {"proven", "search bound", "trivial", nullptr};
    static constexpr abilities can{.improves = false};

    /// The four levels of the paper are as hard as these steps of the difficulty scale, but use other random words.
    OPTGAP_HD static constexpr std::int32_t step_of(difficulty level) {
        constexpr std::int32_t last = 10'000;
        if (!level.on_scale()) {
            return level.level() == 3 ? 16 : 2 + 4 * level.level();
        }
        return level.code < last ? level.code : last;
    }

    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty) { return 0; }
    OPTGAP_HD static std::int64_t improve_state_words(words_view) { return 0; }

    /// Returns at once: the search has ended before its first step.
    template <class Team>
    OPTGAP_HD static improve_result improve(Team&, words_view, std::int32_t*, improve_result result, search_slice, draw,
                                            std::int32_t*) {
        return result;
    }

protected:
    /// Returns the verdict of a broken rule with the largest violation.
    OPTGAP_HD static verdict worst(std::int32_t code, std::int64_t violation_max, std::int32_t where = -1) {
        return {code, where, 0, violation_max, violation_max};
    }
    /// Sets status and bound of a search that found `objective` and proved that nothing is better than `bound`.
    OPTGAP_HD static void settle(solve_result& result, std::int64_t bound, std::int32_t bound_kind) {
        bool const proven = result.objective == bound;
        result.bound = bound;
        result.status = proven ? baseline_status::optimal : baseline_status::bounded;
        result.bound_kind = proven ? 0 : bound_kind;
    }
};

/// A task of a family whose answers are improved by a local search over Task::neighbourhood.
template <class Task, class Family>
struct searching : Family {
    static constexpr abilities can{};

    static std::int64_t improve_scratch_words(words_view instance) {
        std::int64_t const words = search::local_scratch_words<typename Task::neighbourhood>(instance);
        return words > Task::scratch_words(instance) ? words : Task::scratch_words(instance);
    }
    static std::int64_t improve_state_words(words_view instance) {
        return search::local_state_words<typename Task::neighbourhood>(instance);
    }
    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        if (slice.fresh()) {
            answer_view const start = view_answer({answer, result.answer_words});
            verdict const found = Task::verify(team, instance, start, scratch);
            if (found.code != code_ok) {
                return result;
            }
            result.start_objective = result.objective = found.objective;
            team.sync();
        }
        search::local_search<typename Task::neighbourhood, Team> search(team, instance, Task::objective_sense, answer,
                                                                        result, source, scratch);
        return search.run(slice);
    }
};

}  // namespace families
OPTGAP_KERNELS_END
