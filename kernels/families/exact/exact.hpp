#pragma once
// Tasks with one right answer, which an algorithm computes. An instance carries the answer behind the shown words:
//
//   [shown …, answer block, zeros, words of the answer block, words shown]
//
// The answer is computed once, when the instance is made. The verifier, on any device, only compares, and the proof
// copies. JSON and prompts contain only the shown words (`layout` ends before the answer), and the entry check computes
// the answer again. A task defines
//
//   layout, check_more(shown)             the shown words; their ranges limit what the entry check computes
//   shown_words(draw, level)              number of words that the generator shows
//   show(draw, level, words)              the generator; one lane
//   max_answer_words(shown words)        room for the answer block
//   compute(shown, slip, answer)          the plain, slow algorithm; writes the block, returns its words; one lane
//   low, high                             range of every integer in an answer
//   counted                               from which end an answer is read
//   in_rows                               true: answers are lists of lists
//
// `compute` asks its slip at every place where a careless solver makes a mistake, and makes one where the slip returns
// true. The reference never slips. The greedy policy slips from the middle of the answer on, the noisy one from a
// random place.

#include <cstdint>

#include "kernels/core/check_layout.hpp"
#include "kernels/families/declarative_task.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

/// A unit is an integer of the answer. Units before the first wrong one count as right, so that a lucky guess further
/// on earns no reward. A row of the wrong length is wrong from its first integer on.
enum class exact_units : std::int32_t {
    front,  ///< from the first integer on
    back,   ///< from the last integer backwards; for flat lists
};

/// The place from which on a solver is careless.
struct exact_slip {
    static constexpr std::int32_t never = INT32_MAX;
    std::int32_t from = never;

    /// Called where a slip changes the result, with the unit that it spoils.
    [[nodiscard]] OPTGAP_HD bool operator()(std::int64_t place) const { return place >= from; }
};

template <class Task>
struct exact_task : declarative_task {
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::int64_t default_budget = 1;  ///< there is no search
    static constexpr char const* codes[] = {nullptr};
    static constexpr char const* bound_kinds[] = {"proven", nullptr};
    static constexpr bool in_rows = false;
    static constexpr abilities can{.improves = false, .computes = true};

    OPTGAP_HD static words_view shown(words_view instance) { return {instance.data, instance[instance.count - 1]}; }
    /// The block of the right answer.
    OPTGAP_HD static words_view right(words_view instance) {
        return {instance.data + instance[instance.count - 1], instance[instance.count - 2]};
    }
    OPTGAP_HD static std::int64_t units(words_view instance) { return view_answer(right(instance)).count; }
    /// The total words of an instance with this many shown words.
    OPTGAP_HD static std::int64_t whole_words(std::int64_t shown_words) {
        return shown_words + Task::max_answer_words(shown_words) + 2;
    }
    /// Computes the words behind the shown ones. Called by one lane.
    OPTGAP_HD static void complete(std::int32_t* words, std::int64_t shown_words) {
        std::int64_t const whole = whole_words(shown_words);
        std::int64_t const used = Task::compute({words, shown_words}, exact_slip{}, words + shown_words);
        for (std::int64_t i = shown_words + used; i < whole - 2; ++i) {
            words[i] = 0;
        }
        words[whole - 2] = std::int32_t(used);
        words[whole - 1] = std::int32_t(shown_words);
    }

    /// Checks the shown words alone; nothing is computed before they pass.
    static char const* check_shown(words_view words) {
        char const* const broken = check_layout(Task::layout, words);
        return broken != nullptr ? broken : Task::check_more(words);
    }
    static char const* check_more(words_view) { return nullptr; }
    /// Checks everything except the answer, which is computed for an instance read from text.
    static char const* check(words_view instance) {
        std::int64_t const shown_words = instance.count < 2 ? -1 : instance[instance.count - 1];
        if (shown_words < 0 || shown_words > instance.count - 2) {
            return "behind the fields stand the right answer, its words and theirs";
        }
        return check_shown({instance.data, shown_words});
    }
    /// Also computes the answer again: at entry, on the host, in a scratch as large as the instance.
    static char const* check(words_view instance, std::int32_t* again) {
        if (char const* const broken = check(instance)) {
            return broken;
        }
        std::int64_t const shown_words = instance[instance.count - 1];
        if (whole_words(shown_words) != instance.count) {
            return "behind the fields stand the right answer, its words and theirs";
        }
        for (std::int64_t i = 0; i < shown_words; ++i) {
            again[i] = instance[i];
        }
        complete(again, shown_words);
        for (std::int64_t i = 0; i < instance.count; ++i) {
            if (again[i] != instance[i]) {
                return "the answer behind the fields is the right one";
            }
        }
        return nullptr;
    }

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return whole_words(Task::shown_words(source, level));
    }
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        if (team.rank() == 0) {
            Task::show(source, level, words);
            complete(words, Task::shown_words(source, level));
        }
        team.sync();
    }
    OPTGAP_HD static std::int64_t scratch_words(words_view) { return 0; }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) {
        return instance.count - 2 - instance[instance.count - 1];
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t*) {
        answer_view const truth = view_answer(right(instance));
        std::int64_t const most = units(instance);
        if (answer.is_word()) {
            return worst(code_unparsable, most);
        }
        if (answer.count == 0 && answer.row_count() == 0) {
            return worst(code_empty, most);
        }
        if (answer.is_flat() == Task::in_rows) {
            return worst(code_bad_depth, most);
        }
        bool shaped = Task::in_rows ? answer.rows == truth.rows : answer.count == truth.count;
        for (std::int32_t r = 0; Task::in_rows && shaped && r < truth.rows; ++r) {
            shaped = answer.row_lengths[r] > 0;
        }
        if (!shaped) {
            return worst(code_wrong_length, most);
        }
        std::int64_t outside = INT64_MAX;
        team.each(answer.count, [&](std::int64_t i) {
            if (i < outside && (answer.values[i] < Task::low || answer.values[i] > Task::high)) {
                outside = i;
            }
        });
        outside = team.min_by(outside, 0).key;
        if (outside != INT64_MAX) {
            return worst(code_out_of_range, most, std::int32_t(outside));
        }
        return {code_ok, -1, right_units(team, truth, answer), 0, most};
    }

    /// The same answer for all instances of a size: every integer is the least one, and a row has one integer.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        answer_view const truth = view_answer(right(instance));
        std::int64_t const head = 1 + truth.row_count();
        std::int64_t const values = truth.is_flat() ? truth.count : truth.row_count();
        team.each(head + values, [&](std::int64_t i) {
            answer[i] = i == 0 ? truth.rows : i < head ? 1 : Task::floor_value;
        });
        team.sync();
        return head + values;
    }
    static constexpr std::int32_t floor_value = 0;

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        std::int64_t used = 0;
        if (team.rank() == 0) {
            used = slipped(instance, {std::int32_t(units(instance) / 2)}, answer);
        }
        used = team.broadcast(used);
        team.sync();
        return used;
    }
    /// The random place is one of the units, or behind all of them.
    static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer, std::int32_t*) {
        return slipped(instance, {uniform(source, 0, 0, 0, std::int32_t(units(instance)))}, answer);
    }

    static std::int64_t exact_scratch_words(words_view) { return 0; }
    /// The answer is right by definition.
    static solve_result exact(words_view instance, std::int64_t, std::int32_t* answer, std::int32_t*) {
        words_view const truth = right(instance);
        for (std::int64_t i = 0; i < truth.count; ++i) {
            answer[i] = truth[i];
        }
        solve_result result;
        result.objective = units(instance);
        result.answer_words = truth.count;
        settle(result, result.objective, 0);
        return result;
    }

private:
    template <class Team>
    OPTGAP_HD static std::int64_t right_units(Team& team, answer_view const& truth, answer_view const& answer) {
        std::int64_t wrong = truth.is_flat() ? truth.count : 0;
        for (std::int32_t r = 0; r < truth.row_count() && answer.row_lengths[r] == truth.row_lengths[r]; ++r) {
            wrong += truth.row_lengths[r];
        }
        team.each(wrong, [&](std::int64_t k) {
            std::int64_t const i = Task::counted == exact_units::back ? truth.count - 1 - k : k;
            if (k < wrong && answer.values[i] != truth.values[i]) {
                wrong = k;
            }
        });
        return team.min_by(wrong, 0).key;
    }

    /// The answer of a solver with this slip, in the shape of the right answer: a flat list that is too short is filled
    /// with zeros at the end that is counted last. Called by one lane.
    OPTGAP_HD static std::int64_t slipped(words_view instance, exact_slip slip, std::int32_t* answer) {
        std::int64_t const used = Task::compute(shown(instance), slip, answer);
        std::int64_t const wanted = right(instance).count;
        if (Task::in_rows || used >= wanted) {
            return Task::in_rows ? used : wanted;
        }
        std::int64_t const missing = wanted - used;
        if (Task::counted == exact_units::back) {
            for (std::int64_t i = used - 1; i > 0; --i) {
                answer[i + missing] = answer[i];
            }
        }
        std::int64_t const first = Task::counted == exact_units::back ? 1 : used;
        for (std::int64_t i = first; i < first + missing; ++i) {
            answer[i] = 0;
        }
        return wanted;
    }
};

}  // namespace families
OPTGAP_KERNELS_END
