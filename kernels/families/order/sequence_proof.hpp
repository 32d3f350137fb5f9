#pragma once
// The proof of tasks whose answers are sequences of choices: branch and bound (kernels/search/sequence_search.hpp), or
// a pass over all subsets if there are few items. It takes a start, may be cut and resumed. Internally losses are
// minimised: the objective itself, or if it is maximised, its difference from `most`. A task defines
//
//   most(instance)         if it maximises: an upper bound of the objective
//   least_loss(instance)   a lower bound of all losses, for instances that are too large to search
//   rule                   of the search: rule(instance, scratch), words(instance), shape(instance), fits(instance),
//                          and target() if losses of at least that value are not searched for: 1 for a decision
//   sets                   of the pass, if there is one: sets(instance, scratch), words(), last(set, i)
//   moves                  if the answer is an order that a walk (kernels/search/insertion_walk.hpp) improves before
//                          the search: moves(instance, scratch), words(instance), best_move(order, n, from)
//
// in addition to size, worth, greedy and scratch_words.

#include <cstdint>

#include "kernels/families/declarative_task.hpp"
#include "kernels/search/insertion_walk.hpp"
#include "kernels/search/sequence_search.hpp"
#include "kernels/search/subset_order.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

template <class Task>
concept has_sets = requires {
    typename Task::sets;
};

template <class Task>
concept has_moves = requires {
    typename Task::moves;
};

template <class Task>
struct sequence_proof : declarative_task {
    static constexpr char const* bound_kinds[] = {"proven", "search bound", "trivial", nullptr};

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t own = 0;
        if (by_sets(instance)) {
            if constexpr (has_sets<Task>) {
                own = even(Task::sets::words()) + search::subset_order_words(Task::size(instance));
            }
        }
        if (Task::rule::fits(instance)) {
            // The pass over all sets also uses the rule's bound, before it begins.
            std::int64_t const searched = tree_words(instance) + walk_words(instance);
            own = own > searched ? own : searched;
        }
        return even(Task::scratch_words(instance)) + own;
    }
    static std::int64_t exact_state_words(words_view instance) {
        return Task::rule::fits(instance) && !by_sets(instance)
                   ? walk_state_words(instance) +
                         kept_words<search::sequence_numbers>(tree<Task>::image_words(Task::rule::shape(instance)))
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
        tree<Task> search(rule, Task::rule::shape(instance), rest + even(Task::rule::words(instance)));
        auto const found = [&](std::int32_t const* choices, std::int64_t best) {
            result.objective = loss_of(instance, best);
            result.answer_words = Task::write_sequence(instance, choices, answer);
        };
        search.begin(loss);
        if (by_sets(instance)) {
            pass_over_sets(instance, result, slice, search.bound(), rest, found);
            return result;
        }
        walked const before = walk(instance, result, slice, search.bound(), scratch, answer);
        bool const begins = before.ended_now;
        if (begins || !before.ended) {
            std::int64_t const now = loss_of(instance, result.objective);
            std::int64_t const target = target_of(rule);
            search.begin(now < target ? now : target);
        }
        result.steps = before.steps;
        if (before.ended) {
            search_slice const own{begins ? 0 : 1, slice.end - before.steps,
                                   slice.state == nullptr ? nullptr : slice.state + walk_state_words(instance)};
            if (!begins) {
                search.take_up(own);
            }
            bool const ended = search.run(own.end, found);
            search.keep(own);
            result.steps += search.steps();
            if (!ended && slice.end > result.steps) {
                result.steps = slice.end;  // a node that costs more than the remaining steps waits for more
            }
        }
        conclude(instance, result, search.bound(), 1);
        return result;
    }

    static std::int64_t write_order(words_view instance, std::int32_t const* order, std::int32_t* answer) {
        std::int32_t const n = Task::size(instance);
        answer[0] = answer_flat;
        for (std::int32_t i = 0; i < n; ++i) {
            answer[1 + i] = order[i];
        }
        return 1 + std::int64_t(n);
    }
    /// The choices of the proof are the order.
    static std::int64_t write_sequence(words_view instance, std::int32_t const* choices, std::int32_t* answer) {
        return write_order(instance, choices, answer);
    }

private:
    template <class Own>
    using tree = search::sequence_search<typename Own::rule>;

    static constexpr std::int64_t even(std::int64_t words) { return (words + 1) / 2 * 2; }

    static bool by_sets(words_view instance) {
        return has_sets<Task> && Task::rule::fits(instance) && Task::size(instance) <= search::max_subset_things;
    }
    static std::int64_t tree_words(words_view instance) {
        return even(Task::rule::words(instance)) + even(tree<Task>::scratch_words(Task::rule::shape(instance)));
    }
    static bool walks(words_view instance) { return has_moves<Task> && !by_sets(instance); }
    static std::int64_t walk_words(words_view instance) {
        if constexpr (has_moves<Task>) {
            return walks(instance) ? even(Task::moves::words(instance)) + search::walk_words(Task::size(instance)) : 0;
        }
        return 0;
    }
    static std::int64_t walk_state_words(words_view instance) {
        return walks(instance) ? kept_words<search::insertion_numbers>(search::walk_words(Task::size(instance))) : 0;
    }

    struct walked {
        std::int64_t steps;
        bool ended;      ///< so that the tree search may begin
        bool ended_now;  ///< in this slice
    };
    /// Runs the walk before the tree search, until it meets the bound of all orders.
    static walked walk(words_view instance, solve_result& result, search_slice slice, std::int64_t bound,
                       std::int32_t* scratch, std::int32_t* answer) {
        if constexpr (has_moves<Task>) {
            if (!walks(instance)) {
                return {0, true, slice.fresh()};
            }
            std::int32_t* const rest = scratch + even(Task::scratch_words(instance)) + tree_words(instance);
            typename Task::moves moves(instance, rest);
            auto const loss = [&](std::int32_t const* order) {
                solo team;
                return loss_of(instance, Task::worth(team, instance, order, scratch));
            };
            search::insertion_walk walk(moves, loss, Task::size(instance), rest + even(Task::moves::words(instance)));
            if (slice.fresh()) {
                walk.begin(answer + 1, loss_of(instance, result.objective));
            } else {
                walk.take_up(slice);
            }
            bool const ended = !slice.fresh() && walk.ended();
            walk.run(slice.end, bound, [&](std::int32_t const* order, std::int64_t best) {
                result.objective = loss_of(instance, best);
                result.answer_words = Task::write_order(instance, order, answer);
            });
            walk.keep(slice);
            return {walk.steps(), walk.ended(), walk.ended() && !ended};
        }
        return {0, true, slice.fresh()};
    }

    /// Converts an objective to a loss, and back.
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
        declarative_task::settle(result, loss_of(instance, bound), bound_kind);
    }

    /// Runs the whole pass or nothing: if the steps do not suffice, they are spent and the result stays as it was.
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
