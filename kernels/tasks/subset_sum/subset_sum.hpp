#pragma once
// Subset sum: choose as many of the values as possible so that they sum to the target exactly. The definition:
// README.md.
//
//   target 10, values 2 3 7 8 5:   [0, 1, 4] sums to 10 and has three values, the optimum

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/check_layout.hpp"
#include "kernels/core/task.hpp"
#include "kernels/tasks/subset_sum/subset_sum_exact.hpp"
#include "kernels/tasks/subset_sum/subset_sum_generate.hpp"
#include "kernels/tasks/subset_sum/subset_sum_instance.hpp"
#include "kernels/tasks/subset_sum/subset_sum_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::subset_sum {

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::maximise;
    /// Cells of a table over sums, or sums of halves; 0.1 to 1 ns each.
    static constexpr std::int64_t default_budget = 300'000'000;
    static constexpr std::int32_t code_wrong_sum = first_task_code;
    static constexpr char const* codes[] = {"wrong_sum", nullptr};
    static constexpr char const* bound_kinds[] = {"optimum", "count", nullptr};

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return 2 + std::int64_t(sizes_of(source, level).n);
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return sizes_of(source, level).n;
    }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        instance_sizes const sizes = sizes_of(source, level);
        if (team.rank() == 0) {
            for (std::int32_t i = 0; i < sizes.n; ++i) {
                scratch[i] = i;
            }
            draw_stream stream(source, draw_labels);
            shuffle(stream, scratch, sizes.n);
        }
        team.sync();
        std::int32_t own_target = 0;
        team.each(sizes.n, [&](std::int64_t i) {
            std::int32_t const value = drawn_value(source, level, sizes, std::int32_t(i));
            words[2 + scratch[i]] = value;
            own_target += i < sizes.planted ? value : 0;
        });
        std::int32_t const target = team.sum(own_target);
        if (team.rank() == 0) {
            words[0] = sizes.n;
            words[1] = target;
        }
        team.sync();
    }

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        return selection::scratch_words(instance[0]) + bitset_words(instance[0]);
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        numbers const all = numbers_of(instance);
        std::int64_t const target = all.target;
        std::int64_t const rest = total_of(team, all) - target;
        std::int64_t const farther = rest > target ? rest : target;
        std::int64_t const worst = farther > 1 ? farther : 1;
        auto const broken = [&](std::int32_t code, std::int32_t where) {
            return verdict{code, where, 0, worst, worst};
        };
        if (!answer.is_flat()) {
            bool const empty = answer.is_rows() && answer.rows == 0;
            return broken(answer.is_word() ? code_unparsable : empty ? code_empty : code_bad_depth, -1);
        }
        if (answer.count == 0 && target > 0) {
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
        std::int64_t own_sum = 0;
        for (std::int64_t i = team.rank(); i < answer.count; i += team.size()) {
            own_sum += all.value[answer.values[i]];
        }
        std::int64_t const sum = team.sum(own_sum);
        if (sum < target) {
            return {code_wrong_sum, -1, 0, target - sum, worst};
        }
        if (sum > target) {
            return {code_wrong_sum, first_beyond(team, all, answer), 0, sum - target, worst};
        }
        return {code_ok, -1, answer.count, 0, worst};
    }

    /// There is no constant answer.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team&, words_view, std::int32_t*, std::int32_t*) {
        return 0;
    }

    /// The sum may miss the target.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        numbers const all = numbers_of(instance);
        sort_by_value(team, all, scratch, scratch + all.count);
        prefix const fitting = fitting_prefix(all, scratch);
        team.each(fitting.count, [&](std::int64_t i) { answer[1 + i] = scratch[i]; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(fitting.count);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        selection now = begin_selection(team, numbers_of(instance), scratch);
        choose_noisily(now, source);
        return write_selection(team, now, now.chosen, answer);
    }

    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) {
        return search_state_words(numbers_of(instance).count);
    }

    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        numbers const all = numbers_of(instance);
        selection now = selection_in(all, scratch);
        if (slice.fresh()) {
            verdict const start = verify(team, instance, view_answer({answer, result.answer_words}), scratch);
            if (start.code != code_ok) {
                return result;
            }
            team.sync();
            begin_selection(team, all, scratch);
            auto* const members = reinterpret_cast<std::uint32_t*>(scratch + selection::scratch_words(all.count));
            clear(team, members, all.count);
            team.each(start.objective,
                      [&](std::int64_t i) { team.fetch_or(&members[answer[1 + i] >> 5], 1u << (answer[1 + i] & 31)); });
            team.sync();
            team.each(all.count, [&](std::int64_t p) { now.chosen[p] = contains(members, now.order[p]) ? 1 : 0; });
            team.sync();
            now.gap = 0;
            now.count = std::int32_t(start.objective);
            result.start_objective = result.objective = start.objective;
        }
        result = search_exchanges(team, now, result, slice, source);
        if (result.objective > result.start_objective) {
            result.answer_words = write_selection(team, now, now.best, answer);
        }
        return result;
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view instance) {
        return exact_scratch(numbers_of(instance));
    }

    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer,
                                        std::int32_t* scratch) {
        return prover(numbers_of(instance), scratch).run(budget, answer);
    }

private:
    /// Index of the value at which the running sum exceeds the target. The sum of the whole answer exceeds it.
    template <class Team>
    OPTGAP_HD static std::int32_t first_beyond(Team& team, numbers const& all, answer_view const& answer) {
        std::int64_t running = 0;
        for (std::int64_t begin = 0; begin < answer.count; begin += team.size()) {
            std::int64_t const own = begin + team.rank();
            std::int64_t const chunk = team.sum(own < answer.count ? std::int64_t(all.value[answer.values[own]]) : 0);
            if (running + chunk > all.target) {
                std::int64_t i = begin;
                while ((running += all.value[answer.values[i]]) <= all.target) {
                    ++i;
                }
                return std::int32_t(i);
            }
            running += chunk;
        }
        return -1;
    }
};

}  // namespace tasks::subset_sum
OPTGAP_KERNELS_END
