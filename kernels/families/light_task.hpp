#pragma once
// What a task need not write: light_task, then its family, then the task itself; a member named again replaces the one
// it inherits. A light task is compiled for one instruction set and has no local search
// (OPTGAP_DEFINE_LIGHT_TASK, kernels/launch/define_task.hpp).

#include <cstdint>

#include "kernels/core/abilities.hpp"
#include "kernels/core/task.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

struct light_task {
    static constexpr std::int32_t version = 1;
    /// Search steps, of some microseconds each.
    static constexpr std::int64_t default_budget = 200'000;
    static constexpr char const* bound_kinds[] = {"proven", "search bound", "trivial", nullptr};
    static constexpr abilities can{.improves = false};

    /// The four levels of the paper are as hard as these steps of the ladder, with other random words.
    OPTGAP_HD static constexpr std::int32_t step_of(difficulty level) {
        constexpr std::int32_t last = 10'000;
        if (!level.on_ladder()) {
            return level.level() == 3 ? 16 : 2 + 4 * level.level();
        }
        return level.code < last ? level.code : last;
    }

    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty) { return 0; }
    OPTGAP_HD static std::int64_t improve_state_words(words_view) { return 0; }

    /// It has ended before its first step.
    template <class Team>
    OPTGAP_HD static improve_result improve(Team&, words_view, std::int32_t*, improve_result result, search_slice, draw,
                                            std::int32_t*) {
        return result;
    }

protected:
    /// Writes the verdict of a broken rule as bad as can be; the same on all lanes.
    OPTGAP_HD static verdict worst(std::int32_t code, std::int64_t violation_max, std::int32_t where = -1) {
        return {code, where, 0, violation_max, violation_max};
    }
    /// Status and bound of a search that found `objective` and knows that nothing beats `bound`.
    OPTGAP_HD static void settle(solve_result& result, std::int64_t bound, std::int32_t bound_kind) {
        bool const proven = result.objective == bound;
        result.bound = bound;
        result.status = proven ? baseline_status::optimal : baseline_status::bounded;
        result.bound_kind = proven ? 0 : bound_kind;
    }
};

}  // namespace families
OPTGAP_KERNELS_END
