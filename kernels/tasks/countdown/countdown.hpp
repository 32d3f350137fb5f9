#pragma once
// An arithmetic expression over some of the given numbers whose value is as near to a target as possible.
//
//   numbers 2 3 25 7, target 150:   (25 * 3) * 2 is 150; (25 - 3) * 7 is 154, four away

#include "kernels/core/check_layout.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/countdown/countdown_generate.hpp"
#include "kernels/tasks/countdown/countdown_workings.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::countdown {

inline constexpr field round_layout[] = {
    {"count", field_kind::size, "there are 1 to 12 numbers", 1, max_numbers},
    {"numbers", field_kind::list, "a number is 1 to 1000000", 1, 1'000'000, of(0)},
    {"target", field_kind::number, "the target is 1 to 1000000", 1, 1'000'000},
};

struct round {
    std::int32_t count;
    std::int32_t const* numbers;
    std::int32_t target;

    /// The objective of a value: its distance from the target plus one, so that the best objective is not 0.
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t value) const {
        return 1 + (value < target ? target - value : value - target);
    }
};

struct task : families::declarative_task {
    static constexpr sense objective_sense = sense::minimise;
    static constexpr char const* codes[] = {"not_expression", "number_not_given", "bad_result", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "trivial", nullptr};
    static constexpr std::span<field const> layout = round_layout;

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static round view(words_view instance) {
        return {instance[0], instance.data + 1, instance[1 + instance[0]]};
    }

    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) { return 2 + plan_of(step_of(level)).count; }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) {
        return workings::words(plan_of(step_of(level)).count) + plan_of(step_of(level)).count;
    }

    /// The target is the value of a random calculation.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        std::int32_t const n = plan_of(step_of(level)).count;
        if (team.rank() == 0) {
            workings made(scratch, n);
            words[0] = n;
            words[1 + n] = made.value(deal(source, plan_of(step_of(level)), made, words + 1));
            draw_stream stream(source, draw_order);
            shuffle(stream, words + 1, n);
        }
        team.sync();
    }

    static std::int64_t planted_words(draw, difficulty level) {
        return 2 * std::int64_t(plan_of(step_of(level)).count);
    }
    static std::int64_t planted_scratch_words(draw source, difficulty level) {
        return generate_scratch_words(source, level);
    }
    static std::int64_t planted(draw source, difficulty level, std::int32_t* answer, std::int32_t* scratch) {
        std::int32_t const n = plan_of(step_of(level)).count;
        workings made(scratch, n);
        return made.write(deal(source, plan_of(step_of(level)), made, scratch + workings::words(n)), answer);
    }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return workings::words(instance[0]); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 2 * std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        std::int64_t const most = instance[0];
        if (answer.is_word() || (answer.is_rows() && answer.count == 0 && answer.row_count() == 0)) {
            return worst(answer.is_word() ? code_unparsable : code_empty, most);
        }
        if (!answer.is_flat()) {
            return worst(code_bad_depth, most);
        }
        verdict own;
        if (team.rank() == 0) {
            own = judge(view(instance), answer, scratch);
        }
        own.code = team.broadcast(own.code);
        own.where = team.broadcast(own.where);
        own.objective = team.broadcast(own.objective);
        own.violation = team.broadcast(own.violation);
        own.violation_max = most;
        return own;
    }

    /// The number nearest to the target, ties by index.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        round const on = view(instance);
        ranked own{INT64_MAX, 0};
        team.each(on.count, [&](std::int64_t i) {
            own = smaller(own, {on.objective(on.numbers[i]), std::int32_t(i)});
        });
        ranked const best = team.min_by(own.key, own.index);
        if (team.rank() == 0) {
            answer[0] = answer_flat;
            answer[1] = on.numbers[best.index];
        }
        team.sync();
        return 2;
    }

    /// Repeats the calculation whose result is nearest to the target, ties by index; the answer is the best of all
    /// results.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        round const on = view(instance);
        workings made(scratch, on.count);
        nearest best(on);
        // All lanes know the shape of the pool; one lane writes it.
        if (team.rank() == 0) {
            made.begin(on.numbers);
            best.offer_pool(made);
        }
        team.sync();
        for (std::int32_t left = on.count; left > 1; --left) {
            ranked own{INT64_MAX, 0};
            team.each(choices(left), [&](std::int64_t c) {
                std::int32_t const result = made.result(choice_of(left, std::int32_t(c)));
                own = result != 0 ? smaller(own, {on.objective(result), std::int32_t(c)}) : own;
            });
            ranked const pick = team.min_by(own.key, own.index);
            if (pick.key == INT64_MAX) {
                break;
            }
            team.sync();
            if (team.rank() == 0) {
                choice const of = choice_of(left, pick.index);
                best.offer(made, made.calculate(of, made.result(of)));
            }
            team.sync();
        }
        std::int64_t words = 0;
        if (team.rank() == 0) {
            words = made.write(best.node, answer);
        }
        words = team.broadcast(words);
        team.sync();
        return words;
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        round const on = view(instance);
        workings made(scratch, on.count);
        nearest best(on);
        made.begin(on.numbers);
        best.offer_pool(made);
        draw_stream stream(source, 0);
        while (made.left_over() > 1) {
            search::noisy_pick pick(stream);
            for (std::int32_t c = 0; c < choices(made.left_over()); ++c) {
                if (std::int32_t const result = made.result(choice_of(made.left_over(), c)); result != 0) {
                    pick.offer(c, on.objective(result));
                }
            }
            if (pick.chosen() < 0) {
                break;
            }
            choice const of = choice_of(made.left_over(), pick.chosen());
            best.offer(made, made.calculate(of, made.result(of)));
        }
        return made.write(best.node, answer);
    }

    static std::int64_t exact_scratch_words(words_view instance) { return scratch_words(instance); }
    static std::int64_t exact_state_words(words_view) { return kept_words<std::int64_t>(0); }

    /// A step is one way to calculate until three numbers are left, followed by all calculations of these three. Ways
    /// are numbered by their choices. They are visited at equal strides around the circle of all ways, near the golden
    /// section, so that early ways differ in their first choices as well as in their last. Each way is visited once.
    template <class Proof>
    static solve_result exact(words_view instance, solve_result result, search_slice slice, std::int32_t* answer,
                              std::int32_t* scratch, Proof&) {
        solo team;
        round const on = view(instance);
        std::int64_t const ways = ways_of(on.count);
        std::int64_t const stride = stride_of(ways);
        std::int64_t at = 0;
        if (!slice.fresh()) {
            take_up(team, slice, at, scratch, 0);
        } else if (result.answer_words == 0) {
            result.answer_words = greedy(team, instance, answer, scratch);
            result.objective = judge(on, view_answer({answer, result.answer_words}), scratch).objective;
        } else {
            workings made(scratch, on.count);
            made.begin(on.numbers);
            nearest best(on, result.objective);
            best.offer_pool(made);
            if (best.node >= 0) {
                result.answer_words = made.write(best.node, answer);
                result.objective = best.objective;
            }
        }
        std::int64_t step = slice.begin;
        for (; step < slice.end && step < ways && result.objective > 1; ++step) {
            workings made(scratch, on.count);
            made.begin(on.numbers);
            nearest best(on, result.objective);
            if (std::int64_t const words = follow(made, at, best, answer); words > 0) {
                result.answer_words = words;
                result.objective = best.objective;
            }
            at += stride;
            at -= at >= ways ? ways : 0;
        }
        result.steps = step;
        settle(result, step == ways ? result.objective : 1, 1);
        keep(team, slice, at, scratch, 0);
        return result;
    }

private:
    /// The node whose value is nearest to the target, the first of equal ones.
    struct nearest {
        round const& on;
        std::int64_t objective;
        std::int32_t node = -1;

        OPTGAP_HD explicit nearest(round const& round_, std::int64_t above = INT64_MAX)
            : on(round_), objective(above) {}
        OPTGAP_HD bool better(std::int32_t value) const { return on.objective(value) < objective; }
        OPTGAP_HD void offer(workings const& made, std::int32_t candidate) {
            if (better(made.value(candidate))) {
                objective = on.objective(made.value(candidate));
                node = candidate;
            }
        }
        OPTGAP_HD void offer_pool(workings const& made) {
            for (std::int32_t i = 0; i < on.count; ++i) {
                offer(made, i);
            }
        }
    };

    /// Checks first that the answer is well-formed, then that it uses the given numbers, then that its results are
    /// allowed.
    OPTGAP_HD static verdict judge(round const& on, answer_view const& answer, std::int32_t* scratch) {
        std::int64_t numbers = 0;
        std::int64_t open = 0;
        for (std::int64_t i = 0; i < answer.count; ++i) {
            std::int32_t const value = answer.values[i];
            if (value < sign_over || (value < 0 && open < 2)) {
                return worst(first_task_code, on.count, std::int32_t(i));
            }
            numbers += value < 0 ? 0 : 1;
            open += value < 0 ? -1 : 1;
        }
        if (open != 1) {
            return worst(first_task_code, on.count);
        }
        std::uint32_t used = 0;
        std::int64_t surplus = 0;
        std::int32_t first = -1;
        for (std::int64_t i = 0; i < answer.count; ++i) {
            if (answer.values[i] >= 0 && !use(on, answer.values[i], used)) {
                ++surplus;
                first = first < 0 ? std::int32_t(i) : first;
            }
        }
        if (surplus > 0) {
            std::int64_t const violation = surplus < on.count ? surplus : on.count;
            return {first_task_code + 1, first, 0, violation, on.count};
        }
        std::int32_t* const stack = scratch;  // at most as many numbers as are given
        std::int32_t top = 0;
        for (std::int64_t i = 0; i < answer.count; ++i) {
            std::int32_t const value = answer.values[i];
            if (value >= 0) {
                stack[top++] = value;
                continue;
            }
            std::int32_t const result = result_of(stack[top - 2], value, stack[top - 1]);
            if (result == 0) {
                return {first_task_code + 2, std::int32_t(i), 0, 1, on.count};
            }
            stack[--top - 1] = result;
        }
        return {code_ok, -1, on.objective(stack[0]), 0, on.count};
    }
    /// Marks a given number of this value that is not yet used, if there is one.
    OPTGAP_HD static bool use(round const& on, std::int32_t value, std::uint32_t& used) {
        for (std::int32_t i = 0; i < on.count; ++i) {
            if (on.numbers[i] == value && (used >> i & 1u) == 0) {
                used |= 1u << i;
                return true;
            }
        }
        return false;
    }

    static std::int64_t ways_of(std::int32_t n) {
        std::int64_t ways = 1;
        for (std::int32_t m = n; m > 3; --m) {
            ways *= choices(m);
        }
        return ways;  // 8.2e17 for twelve numbers
    }
    /// A stride without a common divisor with `ways`, which has no prime factor above 11.
    static std::int64_t stride_of(std::int64_t ways) {
        std::int64_t stride = ways / 1000 * 618 + 1;
        while (stride % 2 == 0 || stride % 3 == 0 || stride % 5 == 0 || stride % 7 == 0 || stride % 11 == 0) {
            ++stride;
        }
        return stride;
    }

    /// Follows one way and tries all calculations of its last three numbers. Writes an answer that is better than
    /// `best` was and returns its words; 0 if there is none.
    static std::int64_t follow(workings& made, std::int64_t way, nearest& best, std::int32_t* answer) {
        std::int64_t words = 0;
        auto const consider = [&](std::int32_t result, choice const& of) {
            if (!best.better(result)) {
                return;
            }
            std::int32_t const first = made.node_at(of.i);
            best.offer(made, made.calculate(of, result));
            words = made.write(best.node, answer);
            made.undo(of, first);
        };
        while (made.left_over() > 3) {
            std::int32_t const all = choices(made.left_over());
            choice const of = choice_of(made.left_over(), std::int32_t(way % all));
            std::int32_t const result = made.result(of);
            if (result == 0) {
                return words;
            }
            consider(result, of);
            made.calculate(of, result);
            way /= all;
        }
        for (std::int32_t c = 0; c < choices(made.left_over()); ++c) {
            choice const of = choice_of(made.left_over(), c);
            std::int32_t const result = made.result(of);
            if (result == 0) {
                continue;
            }
            consider(result, of);
            std::int32_t const first = made.node_at(of.i);
            made.calculate(of, result);
            for (std::int32_t k = 0; k < choices(made.left_over()); ++k) {
                choice const last = choice_of(made.left_over(), k);
                if (std::int32_t const end = made.result(last); end != 0) {
                    consider(end, last);
                }
            }
            made.undo(of, first);
        }
        return words;
    }
};

}  // namespace tasks::countdown
OPTGAP_KERNELS_END
