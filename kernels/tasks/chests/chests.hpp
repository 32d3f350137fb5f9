#pragma once
// Chests contain weapons that open chests. Each hit takes hardness from one closed chest, by a weapon from an open
// chest, which wears out, or by bare hands. The objective is the number of hits that open all chests, minimised.
//
//   hardness 3 and 2, one use each, the first weapon does 2 to the second chest:   three hits by hand, one by weapon
//
// Instance: n, the chests' hardness, the weapons' uses, and the damage, a row for each weapon.

#include "kernels/core/check_layout.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/chests/chests_exact.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::chests {

inline constexpr field room_layout[] = {
    {"n", field_kind::size, "there are 1 to 200 chests", 1, max_chests},
    {"hardness", field_kind::list, "each chest has a hardness, 1 to 1000", 1, max_hardness, of(0)},
    {"uses", field_kind::list, "the weapon in each chest can be used 1 to 20 times", 1, max_uses, of(0)},
    {"damage", field_kind::table, "each weapon takes 1 to 1000 from each chest", 1, 1000, of(0), of(0)},
};

struct task : families::declarative_task {
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::int64_t default_budget = 320'000;  ///< changes of a plan, 0.25 µs each
    static constexpr char const* bound_kinds[] = {"proven", "all weapons for each chest", nullptr};
    static constexpr abilities can{.proves = false};
    static constexpr std::int32_t code_closed = first_task_code;
    static constexpr std::int32_t code_broken = first_task_code + 1;
    static constexpr std::int32_t code_open = first_task_code + 2;
    static constexpr std::int32_t code_left = first_task_code + 3;
    static constexpr char const* codes[] = {"weapon_closed", "weapon_broken", "chest_open", "chest_left", nullptr};
    static constexpr std::span<field const> layout = room_layout;

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        std::int64_t const n = chests_of(level);
        return 1 + n * (n + 2);
    }
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        generate_room(team, source, chests_of(level), words);
    }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return moment::words(instance); }
    OPTGAP_HD static std::int64_t improve_scratch_words(words_view instance) {
        std::int64_t const rules = moment::words(instance);
        std::int64_t const own = plan::words(instance);
        return own > rules ? own : rules;
    }
    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) {
        return kept_words<std::int64_t>(plan::kept(instance));
    }
    /// One row for each hit; each hit takes at least 1.
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + 3 * room(instance).whole_hardness(); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        room const on(instance);
        std::int64_t const most = on.whole_hardness();
        if (!answer.is_rows() || answer.count == 0) {
            return worst(answer.is_word() ? code_unparsable : answer.count == 0 ? code_empty : code_bad_depth, most);
        }
        bool paired = true;
        team.each(answer.row_count(), [&](std::int64_t row) { paired = paired && answer.row_lengths[row] == 2; });
        if (!team.all(paired)) {
            return worst(code_wrong_length, most);
        }
        std::int64_t outside = INT32_MAX;
        team.each(answer.count, [&](std::int64_t i) {
            std::int32_t const low = i % 2 == 0 ? -1 : 0;
            if ((answer.values[i] < low || answer.values[i] >= on.n) && i < outside) {
                outside = i;
            }
        });
        outside = team.min_by(outside, 0).key;
        if (outside < INT32_MAX) {
            return worst(code_out_of_range, most, std::int32_t(outside));
        }
        verdict found;
        if (team.rank() == 0) {  // each hit depends on the hits before it
            found = run(on, answer, most, scratch);
        }
        found.code = team.broadcast(found.code);
        found.where = team.broadcast(found.where);
        found.objective = team.broadcast(found.objective);
        found.violation = team.broadcast(found.violation);
        found.violation_max = most;
        team.sync();
        return found;
    }

    /// Opens chest after chest with bare hands.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        room const on(instance);
        std::int64_t const rows = on.whole_hardness();
        if (team.rank() == 0) {
            answer[0] = std::int32_t(rows);
            std::int32_t* next = answer + 1 + rows;
            for (std::int32_t chest = 0; chest < on.n; ++chest) {
                for (std::int32_t hit = 0; hit < on.hardness[chest]; ++hit) {
                    *next++ = -1;
                    *next++ = chest;
                }
            }
        }
        team.each(rows, [&](std::int64_t row) { answer[1 + row] = 2; });
        team.sync();
        return 1 + 3 * rows;
    }
    /// The hit that takes most, ties by weapon, then chest. Without a weapon, bare hands open the chest with the least
    /// hardness left.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        room const on(instance);
        return play(
            team, instance, answer, scratch,
            [&](moment const& now, std::int32_t live) {
                ranked own{0, INT32_MAX};
                team.each(std::int64_t(live) * on.n, [&](std::int64_t i) {
                    std::int32_t const weapon = now.live[i / on.n];
                    auto const chest = std::int32_t(i % on.n);
                    std::int32_t const power = useful(on, now, weapon, chest);
                    if (power > 0) {
                        own = larger(own, {power, weapon * on.n + chest});
                    }
                });
                return team.max_by(own.key, own.index).index;
            },
            [&](moment const& now) {
                ranked own{INT64_MAX, INT32_MAX};
                team.each(on.n, [&](std::int64_t chest) {
                    if (now.left[chest] > 0) {
                        own = smaller(own, {now.left[chest], std::int32_t(chest)});
                    }
                });
                return team.min_by(own.key, own.index).index;
            });
    }
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        room const on(instance);
        draw_stream stream(source, 0);
        return play(
            team, instance, answer, scratch,
            [&](moment const& now, std::int32_t live) {
                search::noisy_pick pick(stream);
                for (std::int32_t i = 0; i < live; ++i) {
                    for (std::int32_t chest = 0; chest < on.n; ++chest) {
                        if (std::int32_t const power = useful(on, now, now.live[i], chest); power > 0) {
                            pick.offer(now.live[i] * on.n + chest, -power);
                        }
                    }
                }
                return pick.chosen();
            },
            [&](moment const& now) {
                search::noisy_pick pick(stream);
                for (std::int32_t chest = 0; chest < on.n; ++chest) {
                    if (now.left[chest] > 0) {
                        pick.offer(chest, now.left[chest]);
                    }
                }
                return pick.chosen();
            });
    }

    /// Runs on one lane, because a step changes few words of one plan.
    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        if (slice.fresh()) {
            verdict const found = verify(team, instance, view_answer({answer, result.answer_words}), scratch);
            if (!found.feasible()) {
                return result;
            }
            result.start_objective = result.objective = found.objective;
        }
        if (slice.end == slice.begin) {
            return result;
        }
        plan own(instance, scratch);
        std::int64_t turns = 0;
        if (!slice.fresh()) {
            take_up(team, slice, turns, scratch, plan::kept(instance));
        }
        if (team.rank() == 0) {
            own.prepare();
            if (slice.fresh()) {
                own.read(view_answer({answer, result.answer_words}));
            } else {
                own.set_turns(turns);
            }
            for (std::int64_t step = slice.begin; step < slice.end; ++step) {
                own.step(source, step, 0);
            }
            turns = own.turns();
            result.answer_words = own.write(answer);
            result.objective = worth(room(instance), turns);
        }
        team.sync();
        turns = team.broadcast(turns);
        keep(team, slice, turns, scratch, plan::kept(instance));
        result.answer_words = team.broadcast(result.answer_words);
        result.objective = team.broadcast(result.objective);
        result.evaluations += slice.end - slice.begin;
        result.moves += slice.end - slice.begin;
        team.sync();
        return result;
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const rules = moment::words(instance);
        std::int64_t const own = annealing::words(instance);
        return own > rules ? own : rules;
    }
    /// Few chests are searched exhaustively; for more chests no bound is known that comes near.
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        room const on(instance);
        solve_result result;
        result.answer_words = greedy(team, instance, answer, scratch);
        std::int64_t turns = answer[0];
        std::int64_t bound = worth(on, turns_bound(on));
        if (on.n <= all_plans::most && budget > 0) {
            all_plans every(instance, budget, turns);
            every.run();
            if (every.found()) {
                plan own(instance, scratch);
                own.prepare();
                own.copy(every.order(), every.targets());
                turns = own.turns();
                result.answer_words = own.write(answer);
            }
            result.steps = every.steps();
            bound = every.whole() ? worth(on, turns) : bound;
        } else if (budget > 0) {
            annealing search(instance, scratch);
            search.run(view_answer({answer, result.answer_words}), budget);
            turns = search.best().turns();
            result.answer_words = search.best().write(answer);
            result.steps = budget;
        }
        result.objective = worth(on, turns);
        settle(result, bound, 1);
        return result;
    }

private:
    OPTGAP_HD static std::int64_t worth(room const& on, std::int64_t turns) { return on.whole_hardness() - turns + 1; }
    OPTGAP_HD static std::int32_t useful(room const& on, moment const& now, std::int32_t weapon, std::int32_t chest) {
        std::int32_t const power = on.damage(weapon, chest);
        return power < now.left[chest] ? power : now.left[chest];
    }

    /// Makes the hits that `pick` returns as weapon · n + chest as long as there is a weapon to use. Otherwise the
    /// chest that `by_hand` returns is opened by hand. Rows are written from the front, their lengths at the end.
    template <class Team, class Pick, class ByHand>
    OPTGAP_HD static std::int64_t play(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                       Pick const& pick, ByHand const& by_hand) {
        room const on(instance);
        moment now(on, scratch);
        if (team.rank() == 0) {
            now.begin(on);
        }
        std::int32_t closed = on.n;
        std::int32_t live = 0;
        std::int64_t hits = 0;
        team.sync();
        while (closed > 0) {
            bool const armed = live > 0;
            std::int32_t const picked = armed ? pick(now, live) : by_hand(now);
            std::int32_t const weapon = armed ? picked / on.n : -1;
            std::int32_t const chest = armed ? picked % on.n : picked;
            team.sync();
            if (team.rank() == 0) {
                do {
                    now.hit(on, weapon, chest);
                    answer[1 + 2 * hits] = weapon;
                    answer[2 + 2 * hits] = chest;
                    ++hits;
                } while (!armed && now.left[chest] > 0);
                if (armed && now.uses[weapon] == 0) {
                    std::int32_t at = 0;
                    while (now.live[at] != weapon) {
                        ++at;
                    }
                    now.live[at] = now.live[--live];
                }
                if (now.left[chest] == 0) {
                    --closed;
                    now.live[live++] = chest;
                }
            }
            closed = team.broadcast(closed);
            live = team.broadcast(live);
            team.sync();
        }
        if (team.rank() == 0) {
            for (std::int64_t i = 2 * hits - 1; i >= 0; --i) {
                answer[1 + hits + i] = answer[1 + i];
            }
            answer[0] = std::int32_t(hits);
        }
        hits = team.broadcast(hits);
        team.sync();
        team.each(hits, [&](std::int64_t row) { answer[1 + row] = 2; });
        team.sync();
        return 1 + 3 * hits;
    }

    OPTGAP_HD static verdict run(room const& on, answer_view const& answer, std::int64_t most, std::int32_t* scratch) {
        moment now(on, scratch);
        now.begin(on);
        std::int64_t left = most;
        for (std::int32_t hit = 0; hit < answer.rows; ++hit) {
            std::int32_t const weapon = answer.values[2 * hit];
            std::int32_t const chest = answer.values[2 * hit + 1];
            if (weapon >= 0 && now.left[weapon] > 0) {
                return worst(code_closed, most, hit);
            }
            if (weapon >= 0 && now.uses[weapon] == 0) {
                return worst(code_broken, most, hit);
            }
            if (now.left[chest] == 0) {
                return worst(code_open, most, hit);
            }
            left -= useful(on, now, weapon, chest);
            now.hit(on, weapon, chest);
        }
        return left > 0 ? verdict{code_left, -1, 0, left, most} : verdict{code_ok, -1, worth(on, answer.rows), 0, most};
    }
};

}  // namespace tasks::chests
OPTGAP_KERNELS_END
