#pragma once
// A round trip from place 0, no longer than a budget, that collects the largest prize on its way.
//
//   places (0, 0) (3, 0) (3, 4), prizes 0 5 7, budget 12:   [1, 2] collects 12 on 3 + 4 + 5; with budget 11 [2]
//   collects 7

#include <cstdint>

#include "kernels/families/routes/routes.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/orienteering/orienteering_exact.hpp"
#include "kernels/tasks/orienteering/orienteering_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::orienteering {

// Purposes of random words.
inline constexpr std::uint32_t draw_points = 0;
inline constexpr std::uint32_t draw_prizes = 1;

inline constexpr field trip_layout[] = {
    families::places_field,
    {"budget", field_kind::number, "the budget is 0 to 10000000", 0, 10'000'000},
    families::points_field,
    {"prizes", field_kind::list, "each place has a prize, 0 to 1000000, and place 0 has prize 0", 0,
     families::max_amount, of(0)},
};

struct task : families::searching<task, families::declarative_task> {
    using neighbourhood = trip_moves;
    static constexpr sense objective_sense = sense::maximise;
    static constexpr char const* codes[] = {"over_budget", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "half edges", "prizes", nullptr};
    static constexpr std::span<field const> layout = trip_layout;

    static char const* check(words_view instance) {
        char const* const broken = check_layout(layout, instance);
        return broken != nullptr || families::view_points(instance).amount[0] == 0 ? broken : trip_layout[3].rule;
    }
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return std::int64_t(instance[0]); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return std::int64_t(instance[0]); }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 8 + step_of(level) / 2;
        return n < families::max_places ? n : families::max_places;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return families::routes_words(size_of(level));
    }
    /// Prizes rise with the distance from place 0. The budget is a tenth more than the way to the farthest place and
    /// back.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = size_of(level);
        families::draw_places(team, source, draw_points, n, words);
        families::places const at{words + 2, n};
        std::int32_t* const prize = words + 2 + 2 * n;
        std::int64_t farthest = 0;
        team.each(n, [&](std::int64_t i) {
            std::int32_t const away = at.distance(0, std::int32_t(i));
            farthest = away > farthest ? away : farthest;
            prize[i] = i == 0 ? 0 : 1 + uniform(source, draw_prizes, std::uint32_t(i), 1, 20) * (20 + away) / 60;
        });
        farthest = team.max_by(farthest, 0).key;
        if (team.rank() == 0) {
            words[1] = std::int32_t(22 * farthest / 10);
        }
        team.sync();
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        families::routes_view const on = families::view_points(instance);
        // Upper bound on the length of a trip. By rounding, the way between two places is at most 1 longer than through
        // place 0.
        std::int64_t longest = 0;
        team.each(on.at.n, [&](std::int64_t i) { longest += 2 * on.at.distance(0, std::int32_t(i)) + 1; });
        longest = team.sum(longest) - on.limit;
        std::int64_t const most = longest > 0 ? longest : 1;
        if (!answer.is_flat() && answer.rows != 0) {  // a list of no rows is the empty list
            return worst(answer.is_word() ? code_unparsable : code_bad_depth, most);
        }
        // A trip that names place 0 at both ends is the same as one without it.
        bool const closed = answer.count > 1 && answer.values[0] == 0 && answer.values[answer.count - 1] == 0;
        std::int64_t const count = answer.count - (closed ? 1 : 0);
        if (std::int32_t const bad = first_out_of_range(team, answer.values, count, on.at.n); bad >= 0) {
            return worst(code_out_of_range, most, bad);
        }
        if (std::int32_t const bad =
                first_repeat(team, answer.values, count, reinterpret_cast<std::uint32_t*>(scratch), on.at.n);
            bad >= 0) {
            return worst(code_repeated, most, bad);
        }
        std::int64_t const length = on.at.closed_length(team, answer.values, count);
        if (length > on.limit) {
            return {first_task_code, -1, 0, length - on.limit, most};
        }
        std::int64_t prize = 0;
        team.each(count, [&](std::int64_t i) { prize += on.amount[answer.values[i]]; });
        return {code_ok, -1, team.sum(prize), 0, most};
    }

    /// The single place with the largest prize that is near enough, ties by number; no place if there is none.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        families::routes_view const on = families::view_points(instance);
        ranked own{0, 0};
        team.each(on.at.n, [&](std::int64_t i) {
            if (2 * on.at.distance(0, std::int32_t(i)) <= on.limit) {
                own = larger(own, {on.amount[i], std::int32_t(i)});
            }
        });
        ranked const best = team.max_by(own.key, own.index);
        if (team.rank() == 0) {
            answer[0] = answer_flat;
            answer[1] = best.index;
        }
        team.sync();
        return best.key > 0 ? 2 : 1;
    }

    /// Inserts the place with the largest prize for the length it adds, where it adds least, ties by number, as long as
    /// a place fits.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return insert_all(team, instance, answer, scratch, [&](trip const& made) {
            ranked own{0, 0};
            team.each(made.on.at.n, [&](std::int64_t i) {
                own = larger(own, {made.merit(std::int32_t(i)), std::int32_t(i)});
            });
            ranked const best = team.max_by(own.key, own.index);
            return best.key > 0 ? best.index : -1;
        });
    }
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return insert_all(team, instance, answer, scratch, [&](trip const& made) {
            search::noisy_pick pick(stream);
            for (std::int32_t i = 1; i < made.on.at.n; ++i) {
                if (std::int64_t const merit = made.merit(i); merit > 0) {
                    pick.offer(i, -merit);
                }
            }
            return pick.chosen();
        });
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const n = instance[0];
        return scratch_words(instance) +
               (n <= table_places ? trip_table::scratch_words(n) : trip_search::scratch_words(n));
    }
    /// Uses the table if there is room for it and the budget suffices for all of it, and the search if there is no
    /// room.
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        families::routes_view const on = families::view_points(instance);
        std::int32_t* const room = scratch + scratch_words(instance);
        solve_result result;
        result.answer_words = greedy(team, instance, answer, scratch);
        result.objective = prize_of(on, answer, result.answer_words);
        if (on.at.n <= table_places) {
            std::int64_t all = 0;
            for (std::int32_t i = 0; i < on.at.n; ++i) {
                all += on.amount[i];
            }
            settle(result, all, 2);
            if (result.status == baseline_status::optimal || trip_table::steps(on.at.n) > budget) {
                return result;
            }
            result.steps = trip_table::steps(on.at.n);
            result.answer_words = 1 + trip_table(on, room).run(answer + 1);
            result.objective = prize_of(on, answer, result.answer_words);
            settle(result, result.objective, 0);
            return result;
        }
        trip_search search(on, room);
        trip_found const found = search.run(result.objective, budget, answer + 1);
        result.answer_words = found.size > 0 ? 1 + found.size : result.answer_words;
        result.objective = found.prize;
        result.steps = found.steps;
        settle(result, found.bound, 1);
        return result;
    }

private:
    /// A trip under construction.
    struct trip {
        families::routes_view on;
        std::int32_t const* list;
        std::int32_t count;
        std::int64_t length;
        std::int32_t* in;  ///< whether the place is on the trip

        /// Prize for each unit of length, 0 for a place that does not fit.
        [[nodiscard]] OPTGAP_HD std::int64_t merit(std::int32_t v) const {
            if (in[v] != 0 || on.amount[v] == 0) {
                return 0;
            }
            std::int64_t const extra = cheapest(v).key;
            std::int64_t const shown = extra > 1 ? extra : 1;
            return length + extra > on.limit ? 0 : (std::int64_t(on.amount[v]) << 32) / shown;
        }
        /// The least length that v adds, and where in the list.
        [[nodiscard]] OPTGAP_HD ranked cheapest(std::int32_t v) const {
            ranked best{INT64_MAX, 0};
            for (std::int32_t k = 0; k <= count; ++k) {
                std::int32_t const before = k > 0 ? list[k - 1] : 0;
                std::int32_t const after = k < count ? list[k] : 0;
                best = smaller(best, {std::int64_t(on.at.distance(before, v)) + on.at.distance(v, after) -
                                          on.at.distance(before, after),
                                      k});
            }
            return best;
        }
    };

    /// Inserts the places returned by pick(trip), until it returns -1.
    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t insert_all(Team& team, words_view instance, std::int32_t* answer,
                                             std::int32_t* scratch, Pick const& pick) {
        trip made{families::view_points(instance), answer + 1, 0, 0, scratch};
        team.each(instance[0], [&](std::int64_t v) { made.in[v] = v == 0 ? 1 : 0; });
        team.sync();
        for (std::int32_t v = pick(made); v >= 0; v = pick(made)) {
            team.sync();
            ranked const place = made.cheapest(v);
            team.sync();
            if (team.rank() == 0) {
                made.in[v] = 1;
                for (std::int32_t k = made.count; k > place.index; --k) {
                    answer[1 + k] = answer[k];
                }
                answer[1 + place.index] = v;
            }
            made.length += place.key;
            ++made.count;
            team.sync();
        }
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + made.count;
    }

    static std::int64_t prize_of(families::routes_view on, std::int32_t const* answer, std::int64_t words) {
        std::int64_t prize = 0;
        for (std::int64_t i = 1; i < words; ++i) {
            prize += on.amount[answer[i]];
        }
        return prize;
    }
};

}  // namespace tasks::orienteering
OPTGAP_KERNELS_END
