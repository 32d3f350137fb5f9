#pragma once
// A label, 0 or 1, for each item, with an objective to maximise: sides of a cut, truth values. Every list of n labels
// is feasible, unless a task has rules that labels can break. A task defines
//
//   items(instance)                              n, at least 1
//   prepare(team, instance, memory)              computes what the functions below read, in prepared_words(instance);
//                                                synced
//   key(instance, memory, item)                  greedy labels the item with the largest key first
//   pull(team, instance, memory, labels, item)   gain of label 1 over label 0, given the items labelled so far (not -1)
//   settle(team, instance, memory, item, label)  updates the memory after a label is set; synced
//   worth(team, instance, labels)                the objective
//   floor_label                                  label of the constant policy
//   broken(team, instance, labels)               number of broken rules, of rules(instance); if one is broken, the
//                                                verdict's code is the task's own first one. An instance may then have
//                                                no feasible answer
//
// and a `search` for its proof, whose state is flat words:
//
//   words(instance); search(instance, memory, numbers)   size of its memory; the constructor
//   begin(objective)   starts, given the objective of the known answer; like node, sets numbers.bound, .kind (of the
//                      bound) and .ended
//   node(objective)    one node; true if it knows an answer better than `objective`, which it then raises
//   write(labels)      writes that answer

#include <cstdint>

#include "kernels/core/check_layout.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

template <class Task>
struct labels_task : declarative_task {
    static constexpr sense objective_sense = sense::maximise;
    static constexpr char const* codes[] = {nullptr};

    static char const* check(words_view instance) {
        char const* const broken = check_layout(Task::layout, instance);
        return broken != nullptr ? broken : Task::check_more(instance);
    }
    static char const* check_more(words_view) { return nullptr; }
    template <class Team>
    OPTGAP_HD static constexpr std::int64_t broken(Team&, words_view, std::int32_t const*) {
        return 0;
    }
    OPTGAP_HD static constexpr std::int64_t rules(words_view) { return 1; }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return Task::prepared_words(instance); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(Task::items(instance)); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t*) {
        std::int64_t const n = Task::items(instance);
        bool const flat = answer.is_flat() || answer.rows == 0;  // a list of no rows is the empty list
        if (!flat || answer.count == 0) {
            return worst(answer.is_word() ? code_unparsable : flat ? code_empty : code_bad_depth, n);
        }
        if (answer.count != n) {
            return worst(code_wrong_length, n);
        }
        if (std::int32_t const at = first_out_of_range(team, answer.values, n, 2); at >= 0) {
            return worst(code_out_of_range, n, at);
        }
        if (std::int64_t const broken = Task::broken(team, instance, answer.values); broken > 0) {
            return {first_task_code, -1, 0, broken, Task::rules(instance)};
        }
        return {code_ok, -1, Task::worth(team, instance, answer.values), 0, n};
    }

    /// The same label for all items.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        team.each(answer_words(instance),
                  [&](std::int64_t i) { answer[i] = i == 0 ? answer_flat : Task::floor_label; });
        team.sync();
        return feasible_words(team, instance, answer);
    }

    /// The item with the largest key, ties by index, gets the label with the larger gain, ties for 0.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* memory) {
        std::int32_t const n = Task::items(instance);
        std::int32_t const* const labels = answer + 1;
        return label_all(
            team, instance, answer, memory,
            [&] {
                ranked own{INT64_MIN, n};
                team.each(n, [&](std::int64_t i) {
                    if (labels[i] < 0) {
                        own = larger(own, {Task::key(instance, memory, std::int32_t(i)), std::int32_t(i)});
                    }
                });
                return team.max_by(own.key, own.index).index;
            },
            [](std::int64_t pull) { return pull > 0 ? 1 : 0; });
    }

    /// Makes mistakes in the choice of item and of label.
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* memory) {
        solo team;
        draw_stream stream(source, 0);
        return label_all(
            team, instance, answer, memory,
            [&] {
                search::noisy_pick pick(stream);
                for (std::int32_t i = 0; i < Task::items(instance); ++i) {
                    if (answer[1 + i] < 0) {
                        pick.offer(i, -Task::key(instance, memory, i));
                    }
                }
                return pick.chosen();
            },
            [&](std::int64_t pull) {
                search::noisy_pick pick(stream);
                pick.offer(0, pull);
                pick.offer(1, 0);
                return pick.chosen();
            });
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const words = Task::search::words(instance);
        return words > scratch_words(instance) ? words : scratch_words(instance);
    }
    static std::int64_t exact_state_words(words_view instance) {
        return kept_words<typename Task::search::numbers>(Task::search::words(instance));
    }

    /// Runs the task's search node by node; a node costs Task::node_steps(instance) steps.
    template <class Proof>
    static solve_result exact(words_view instance, solve_result result, search_slice slice, std::int32_t* answer,
                              std::int32_t* scratch, Proof&) {
        solo team;
        typename Task::search::numbers at{};
        typename Task::search search(instance, scratch, at);
        std::int64_t const words = Task::search::words(instance);
        if (slice.fresh()) {
            if (result.answer_words == 0) {
                result.answer_words = Task::greedy(team, instance, answer, scratch);
                result.objective = result.answer_words > 0 ? Task::worth(team, instance, answer + 1) : no_objective;
            }
            search.begin(result.objective);
        } else {
            take_up(team, slice, at, scratch, words);
        }
        std::int64_t const cost = Task::node_steps(instance);
        while (at.ended == 0 && (at.nodes + 1) * cost <= slice.end) {
            ++at.nodes;
            if (search.node(result.objective)) {
                answer[0] = answer_flat;
                search.write(answer + 1);
                result.answer_words = answer_words(instance);
            }
        }
        result.steps = at.ended != 0 ? at.nodes * cost : slice.end;
        if (result.answer_words > 0) {
            declarative_task::settle(result, at.bound, at.kind);
        } else {
            result.status = at.ended != 0 ? baseline_status::infeasible : baseline_status::unknown;
            result.bound = at.ended != 0 ? no_objective : at.bound;
            result.bound_kind = at.ended != 0 ? 0 : at.kind;
        }
        keep(team, slice, at, scratch, words);
        return result;
    }

private:
    /// Labels the items returned by pick(), one after the other, with choose(pull).
    template <class Team, class Pick, class Choose>
    OPTGAP_HD static std::int64_t label_all(Team& team, words_view instance, std::int32_t* answer, std::int32_t* memory,
                                            Pick const& pick, Choose const& choose) {
        std::int32_t const n = Task::items(instance);
        team.each(1 + std::int64_t(n), [&](std::int64_t i) { answer[i] = i == 0 ? answer_flat : -1; });
        Task::prepare(team, instance, memory);
        for (std::int32_t k = 0; k < n; ++k) {
            std::int32_t const item = pick();
            std::int32_t const label = choose(Task::pull(team, instance, memory, answer + 1, item));
            team.sync();
            if (team.rank() == 0) {
                answer[1 + item] = label;
            }
            Task::settle(team, instance, memory, item, label);
            team.sync();
        }
        return feasible_words(team, instance, answer);
    }
    /// The size of a list of labels that has been written; 0 if it breaks a rule.
    template <class Team>
    OPTGAP_HD static std::int64_t feasible_words(Team& team, words_view instance, std::int32_t const* answer) {
        return Task::broken(team, instance, answer + 1) > 0 ? 0 : answer_words(instance);
    }
};

}  // namespace families
OPTGAP_KERNELS_END
