#pragma once
// The proof of tasks whose answers are sequences of choices: branch and bound (kernels/search/sequence_search.hpp), or
// a pass over all subsets where there are few things. It takes a start, may be cut and is taken up again. Inside,
// losses are minimised: the objective itself, or what it lacks of `most` where it is maximised. A task says
//
//   most(instance)         where it maximises: what no objective can be above
//   least_loss(instance)   a bound of all losses, for instances that are beyond the search
//   rule                   of the search: rule(instance, scratch), words(instance), shape(instance), fits(instance);
//                          and target(), where losses from there on are not looked for: 1 where it decides
//   sets                   of the pass, where it has one: sets(instance, scratch), words(), last(set, i)
//
// besides size, worth, greedy and scratch_words.

#include <cstdint>

#include "kernels/families/light_task.hpp"
#include "kernels/search/sequence_search.hpp"
#include "kernels/search/subset_order.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

template <class Task>
concept has_sets = requires {
    typename Task::sets;
};

template <class Task>
struct sequence_proof : light_task {
    static constexpr char const* bound_kinds[] = {"proven", "search bound", "trivial", nullptr};

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const greedy = even(Task::scratch_words(instance));
        std::int64_t own = 0;
        if (by_sets(instance)) {
            if constexpr (has_sets<Task>) {
                own = even(Task::sets::words()) + search::subset_order_words(Task::size(instance));
            }
        }
        if (Task::rule::fits(instance)) {
            // The pass over all sets takes its bound from the rule as well, before it begins.
            std::int64_t const searched =
                even(Task::rule::words(instance)) +
                search::sequence_search<typename Task::rule>::scratch_words(Task::rule::shape(instance));
            own = own > searched ? own : searched;
        }
        return greedy + own;
    }
    static std::int64_t exact_state_words(words_view instance) {
        return Task::rule::fits(instance) && !by_sets(instance)
                   ? kept_words<search::sequence_numbers>(
                         search::sequence_search<typename Task::rule>::image_words(Task::rule::shape(instance)))
                   : 2;
    }

    template <class Proof>
    static solve_result exact(words_view instance, solve_result result, search_slice slice, std::int32_t* answer,
                              std::int32_t* scratch, Proof&) {
        solo team;
        if (slice.fresh() && result.answer_words == 0) {
            result.answer_words = Task::greedy(team, instance, answer, scratch);
            result.objective = Task::worth(team, instance, answer + 1, scratch);
        }
        std::int64_t const loss = loss_of(instance, result.objective);
        std::int32_t* const rest = scratch + even(Task::scratch_words(instance));
        if (!Task::rule::fits(instance)) {
            std::int64_t const bound = Task::least_loss(instance);
            conclude(instance, result, bound < loss ? bound : loss, 2);
            return result;
        }
        typename Task::rule rule(instance, rest);
        search::sequence_search<typename Task::rule> search(rule, Task::rule::shape(instance),
                                                            rest + even(Task::rule::words(instance)));
        std::int64_t const target = target_of(rule);
        auto const found = [&](std::int32_t const* choices, std::int64_t best) {
            result.objective = loss_of(instance, best);
            result.answer_words = Task::write_sequence(instance, choices, answer);
        };
        if (by_sets(instance)) {
            search.begin(loss);
            pass_over_sets(instance, result, slice, search.bound(), rest, found);
            return result;
        }
        if (slice.fresh()) {
            search.begin(loss < target ? loss : target);
        } else {
            search.take_up(slice);
        }
        bool const ended = search.run(slice.end, found);
        search.keep(slice);
        result.steps = search.steps();
        if (!ended && slice.end > result.steps) {
            result.steps = slice.end;  // a node that is dearer than what is left waits for more
        }
        conclude(instance, result, search.bound(), 1);
        return result;
    }

private:
    static constexpr std::int64_t even(std::int64_t words) { return (words + 1) / 2 * 2; }

    static bool by_sets(words_view instance) {
        return has_sets<Task> && Task::rule::fits(instance) && Task::size(instance) <= search::max_subset_things;
    }
    /// Loss to objective and back.
    static std::int64_t loss_of(words_view instance, std::int64_t value) {
        if constexpr (Task::objective_sense == sense::maximise) {
            return Task::most(instance) - value;
        } else {
            return value;
        }
    }
    template <class Rule>
    static std::int64_t target_of(Rule const& rule) {
        if constexpr (requires { rule.target(); }) {
            return rule.target();
        } else {
            return INT64_MAX;
        }
    }
    static void conclude(words_view instance, solve_result& result, std::int64_t bound, std::int32_t bound_kind) {
        light_task::settle(result, loss_of(instance, bound), bound_kind);
    }

    /// All of the pass or nothing: steps that do not suffice for it are spent, and leave what was there.
    template <class Found>
    static void pass_over_sets(words_view instance, solve_result& result, search_slice slice, std::int64_t bound,
                               std::int32_t* scratch, Found const& found) {
        std::int64_t const loss = loss_of(instance, result.objective);
        std::int32_t const n = Task::size(instance);
        std::int64_t const needed = search::subset_order_steps(n);
        if (bound < loss && slice.end >= needed) {
            if constexpr (has_sets<Task>) {
                std::int32_t order[search::max_subset_things];
                typename Task::sets const sets(instance, scratch);
                bound = search::best_subset_order(
                    n, [&](std::uint32_t set, std::int32_t i) { return sets.last(set, i); },
                    scratch + even(Task::sets::words()), order);
                if (bound < loss) {
                    found(order, bound);
                }
            }
            result.steps = needed;
        } else {
            result.steps = bound < loss ? slice.end : 0;
        }
        conclude(instance, result, bound, 1);
    }
};

}  // namespace families
OPTGAP_KERNELS_END
