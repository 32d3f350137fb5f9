#pragma once
// Choose at most k positions of a list of positive integers with the largest sum. The definition is in README.md.
//
//   k = 2, values 4 9 2 7:   [1, 3] is worth 16, the optimum

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/check_layout.hpp"
#include "kernels/core/task.hpp"
#include "kernels/search/noisy_pick.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::skeleton {

// Random words by purpose.
inline constexpr std::uint32_t purpose_size = 0;
inline constexpr std::uint32_t purpose_values = 1;

inline constexpr std::int32_t largest_value = 1'000'000'000;

inline constexpr field layout[] = {
    {"n", field_kind::size, "there are 1 to 10000000 values", 1, 10'000'000},
    {"pick", field_kind::number, "pick is 1 to the number of values", 1, of(0)},
    {"values", field_kind::list, "each value is 1 to 1000000000", 1, largest_value, of(0)},
};

struct numbers {
    std::int32_t count;
    std::int32_t pick;
    std::int32_t const* value;
};

OPTGAP_HD inline numbers numbers_of(words_view instance) { return {instance[0], instance[1], instance.data + 2}; }

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::int64_t default_budget = 1000;
    static constexpr char const* codes[] = {"too_many", nullptr};
    static constexpr char const* bound_kinds[] = {"optimum", nullptr};
    static constexpr std::int32_t code_too_many = first_task_code;

    OPTGAP_HD static std::int32_t number_count(draw source, difficulty level) {
        if (level.on_scale()) {
            return 8 + 2 * (level.code < 10000 ? level.code : 10000);
        }
        std::int32_t const least[4] = {8, 16, 32, 48};
        std::int32_t const most[4] = {12, 24, 48, 64};
        return uniform(source, purpose_size, 0, least[level.level()], most[level.level()]);
    }

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return 2 + number_count(source, level);
    }

    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty) { return 0; }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = number_count(source, level);
        if (team.rank() == 0) {
            words[0] = n;
            words[1] = n / 3 + 1;
        }
        fill_uniform(team, source, purpose_values, 1, 1000, words + 2, n);
        team.sync();
    }

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return bitset_words(instance[0]) + instance[0]; }

    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[1]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        numbers const all = numbers_of(instance);
        auto const broken = [&](std::int32_t code, std::int32_t where) {
            return verdict{code, where, 0, all.count, all.count};
        };
        if (!answer.is_flat()) {
            return broken(answer.is_word() ? code_unparsable : code_bad_depth, -1);
        }
        if (answer.count == 0) {
            return broken(code_empty, -1);
        }
        std::int32_t const outside = first_out_of_range(team, answer.values, answer.count, all.count);
        if (outside >= 0) {
            return broken(code_out_of_range, outside);
        }
        auto* const seen = reinterpret_cast<std::uint32_t*>(scratch);
        std::int32_t const repeat = first_repeat(team, answer.values, answer.count, seen, all.count);
        if (repeat >= 0) {
            return broken(code_repeated, repeat);
        }
        if (answer.count > all.pick) {
            return {code_too_many, all.pick, 0, answer.count - all.pick, all.count};
        }
        std::int64_t own = 0;
        for (std::int64_t i = team.rank(); i < answer.count; i += team.size()) {
            own += all.value[answer.values[i]];
        }
        return {code_ok, -1, team.sum(own), 0, all.count};
    }

    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        std::int32_t const k = instance[1];
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.each(k, [&](std::int64_t i) { answer[1 + i] = std::int32_t(i); });
        team.sync();
        return 1 + std::int64_t(k);
    }

    /// The k largest: O(31 n) over the lanes for the smallest value among them, then one pass by one lane.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        numbers const all = numbers_of(instance);
        std::int32_t low = 1;
        std::int32_t high = largest_value;
        while (low < high) {
            std::int32_t const middle = low + (high - low + 1) / 2;
            if (count_from(team, all, middle) >= all.pick) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        std::int32_t equal = all.pick - count_from(team, all, low + 1);
        if (team.rank() == 0) {
            answer[0] = answer_flat;
            std::int32_t size = 1;
            for (std::int32_t i = 0; i < all.count; ++i) {
                if (all.value[i] > low || (all.value[i] == low && equal-- > 0)) {
                    answer[size++] = i;
                }
            }
        }
        team.sync();
        return 1 + std::int64_t(all.pick);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        numbers const all = numbers_of(instance);
        for (std::int32_t i = 0; i < all.count; ++i) {
            scratch[i] = 0;
        }
        draw_stream stream(source, 0);
        answer[0] = answer_flat;
        for (std::int32_t k = 0; k < all.pick; ++k) {
            search::noisy_pick pick(stream);
            for (std::int32_t i = 0; i < all.count; ++i) {
                if (scratch[i] == 0) {
                    pick.offer(i, -std::int64_t(all.value[i]));
                }
            }
            answer[1 + k] = pick.chosen();
            scratch[pick.chosen()] = 1;
        }
        return 1 + std::int64_t(all.pick);
    }

    /// The answer says all that a later slice must know; other tasks keep what they need
    /// (kernels/core/search_slice.hpp).
    OPTGAP_HD static std::int64_t improve_state_words(words_view) { return 0; }

    /// Each step adds the best position that is left while there is room, else exchanges it for the worst one chosen.
    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw, std::int32_t* scratch) {
        numbers const all = numbers_of(instance);
        answer_view const start = view_answer({answer, result.answer_words});
        if (slice.fresh()) {
            verdict const found = verify(team, instance, start, scratch);
            if (!found.feasible()) {
                return result;
            }
            result.start_objective = found.objective;
            result.objective = found.objective;
        }
        std::int32_t* const taken = scratch + bitset_words(all.count);
        team.each(all.count, [&](std::int64_t i) { taken[i] = 0; });
        team.sync();
        team.each(start.count, [&](std::int64_t i) { taken[start.values[i]] = 1; });
        team.sync();
        for (std::int64_t step = slice.begin; step < slice.end; ++step) {
            ranked const best = best_left(team, all, taken);
            std::int64_t const chosen = result.answer_words - 1;
            ranked const worst = chosen < all.pick ? ranked{0, 0} : worst_chosen(team, all, answer, chosen);
            result.evaluations += all.count;
            if (best.key <= worst.key) {
                break;
            }
            team.sync();
            if (team.rank() == 0) {
                std::int64_t const at = chosen < all.pick ? chosen : worst.index;
                if (chosen == all.pick) {
                    taken[answer[1 + at]] = 0;
                }
                answer[1 + at] = best.index;
                taken[best.index] = 1;
            }
            team.sync();
            result.answer_words += chosen < all.pick ? 1 : 0;
            result.objective += best.key - worst.key;
            ++result.moves;
        }
        return result;
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view) { return 0; }

    /// The greedy answer is the optimum; a task that needs a search counts its nodes against `budget`.
    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t, std::int32_t* answer,
                                        std::int32_t* scratch) {
        solo team;
        solve_result result{};
        result.answer_words = greedy(team, instance, answer, scratch);
        result.objective = 0;
        for (std::int64_t i = 1; i < result.answer_words; ++i) {
            result.objective += instance[2 + answer[i]];
        }
        result.bound = result.objective;
        result.status = baseline_status::optimal;
        result.steps = 1;
        return result;
    }

private:
    /// How many values are `least` or more.
    template <class Team>
    OPTGAP_HD static std::int32_t count_from(Team& team, numbers const& all, std::int32_t least) {
        std::int32_t own = 0;
        for (std::int32_t i = team.rank(); i < all.count; i += team.size()) {
            own += all.value[i] >= least ? 1 : 0;
        }
        return team.sum(own);
    }

    /// {value, position}; key 0 when every position is taken.
    template <class Team>
    OPTGAP_HD static ranked best_left(Team& team, numbers const& all, std::int32_t const* taken) {
        ranked own{0, all.count};
        for (std::int32_t i = team.rank(); i < all.count; i += team.size()) {
            if (taken[i] == 0) {
                own = larger(own, {all.value[i], i});
            }
        }
        return team.max_by(own.key, own.index);
    }

    /// {value, index into the answer}
    template <class Team>
    OPTGAP_HD static ranked worst_chosen(Team& team, numbers const& all, std::int32_t const* answer,
                                         std::int64_t chosen) {
        ranked own{INT64_MAX, std::int32_t(chosen)};
        for (std::int64_t i = team.rank(); i < chosen; i += team.size()) {
            own = smaller(own, {all.value[answer[1 + i]], std::int32_t(i)});
        }
        return team.min_by(own.key, own.index);
    }
};

}  // namespace tasks::skeleton
OPTGAP_KERNELS_END
