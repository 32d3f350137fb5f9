#pragma once
// Meeting scheduling: place meetings in rooms and time so that as many people as possible attend. The definition:
// README.md.
//
//   meetings {0,1,2} 60 min, {1,3} 30 min, {0,2,3} 90 min; person 3 is free 1000 to 1400; rooms for 5 and 3
//   [[0, 0, 900], [1, 1, 1000], [2, 0, 1030]]   all three take place: 8 attendees, the optimum

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/tasks/meeting/meeting_bound.hpp"
#include "kernels/tasks/meeting/meeting_exact.hpp"
#include "kernels/tasks/meeting/meeting_generate.hpp"
#include "kernels/tasks/meeting/meeting_moves.hpp"
#include "kernels/tasks/meeting/meeting_verify.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::int64_t default_budget = 2'000'000;
    static constexpr char const* codes[] = {"room_too_small", "unavailable", "room_taken", "person_taken", nullptr};
    static constexpr char const* bound_kinds[] = {"optimum", "dolls", "packing", "time", nullptr};

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return drawn_words(source, shape_of(level));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty) { return 0; }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        generate_calendar(team, source, level, words);
    }

    OPTGAP_HD static char const* check(words_view instance) { return check_calendar(instance); }

    /// A schedule, and the local search's copies of it. An order of the meetings, or the verifier's list, takes less.
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        calendar const given = calendar_of(instance);
        return search_offset(given) + search_words(given) + 2;
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + 4 * std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        return verify_answer(team, calendar_of(instance), answer, scratch);
    }

    /// Only the first meeting that can take place alone, at its earliest start, in the smallest room.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        calendar const given = calendar_of(instance);
        std::int32_t const largest_room = largest_capacity(given);
        std::int32_t const m = first_broken(team, given.meetings, [&](std::int64_t k) {
            return start_alone(given, std::int32_t(k), largest_room) != never;
        });
        if (team.rank() == 0) {
            answer[0] = m >= 0 ? 1 : 0;
            if (m >= 0) {
                answer[1] = 3;
                answer[2] = m;
                answer[3] = smallest_room(given, size_of(given, m));
                answer[4] = start_alone(given, m, largest_room);
            }
        }
        team.sync();
        return m >= 0 ? 5 : 1;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        calendar const given = calendar_of(instance);
        schedule const now = empty_schedule(team, given, scratch);
        book_largest_first(team, now, scratch + search_offset(given));
        return write_answer(team, now, answer);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        calendar const given = calendar_of(instance);
        schedule const now = empty_schedule(team, given, scratch);
        book_noisily(now, source, scratch + search_offset(given));
        return write_answer(team, now, answer);
    }

    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) {
        return search_state_words(calendar_of(instance));
    }

    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        calendar const given = calendar_of(instance);
        answer_view const start = view_answer({answer, result.answer_words});
        if (slice.fresh()) {
            verdict const found = verify_answer(team, given, start, scratch);
            if (found.code != code_ok) {
                return result;
            }
            result.start_objective = result.objective = found.objective;
            team.sync();
        }
        schedule const now = empty_schedule(team, given, scratch);
        team.each(slice.fresh() ? start.row_count() : 0, [&](std::int64_t i) {
            entry const own = entry_of(start, i);
            now.start[own.meeting] = own.start;
            now.room[own.meeting] = own.room;
        });
        team.sync();
        std::int64_t const best_before = result.objective;
        result = search_placements(team, now, result, slice, source, scratch + search_offset(given));
        if (result.objective > best_before) {
            result.answer_words = write_answer(team, now, answer);
        }
        return result;
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view instance) {
        calendar const given = calendar_of(instance);
        std::int64_t const searching =
            given.meetings <= max_candidates ? doll_search::scratch_words(given.meetings) : 0;
        return search_offset(given) + 2 * std::int64_t(given.meetings) + 2 + candidate_words(given) + searching;
    }

    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer,
                                        std::int32_t* scratch) {
        solo team;
        calendar const given = calendar_of(instance);
        schedule const now = empty_schedule(team, given, scratch);
        std::int32_t* const order = scratch + search_offset(given);
        book_largest_first(team, now, order);
        std::int32_t* const tables = order + given.meetings + given.meetings % 2;
        candidates const all = list_candidates(now, order, tables);
        solve_result result = prove(given, now, all, budget, order, tables + candidate_words(given));
        result.answer_words = write_answer(team, now, answer);
        return result;
    }

private:
    /// Offset of the search's scratch behind the schedule, an even word for 64-bit tables.
    OPTGAP_HD static std::int64_t search_offset(calendar const& given) { return (schedule_words(given) + 1) / 2 * 2; }

    /// `now` holds the greedy schedule and receives a better one if there is one. `spare` is for the time bound.
    OPTGAP_HD static solve_result prove(calendar const& given, schedule const& now, candidates const& all,
                                        std::int64_t budget, std::int32_t* spare, std::int32_t* scratch) {
        solve_result result;
        result.objective = booked(now);
        result.bound = all.row_words > 0 ? packing_bound(all, spare) : total_weight(all);
        result.bound_kind = 2;
        if (all.row_words > 0 && result.bound > result.objective) {
            doll_search search(all, scratch);
            search.best = result.objective;
            search.run(budget, result.bound);
            if (search.improved) {
                search.take_best(now);
                result.objective = search.best;
            }
            result.bound_kind = search.bound < result.bound ? 1 : 2;
            result.bound = search.bound;
            result.steps = search.steps;
        }
        if (result.bound > result.objective) {
            std::int64_t const in_time = time_bound(given, all, spare);
            result.bound_kind = in_time < result.bound ? 3 : result.bound_kind;
            result.bound = in_time < result.bound ? in_time : result.bound;
        }
        bool const proven = result.bound == result.objective;
        result.status = proven ? baseline_status::optimal : baseline_status::bounded;
        result.bound_kind = proven ? 0 : result.bound_kind;
        return result;
    }
};

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
