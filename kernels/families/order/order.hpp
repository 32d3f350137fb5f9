#pragma once
// Orders: an answer is a list of all of 0 … n-1, and every such list is feasible. A task defines
//
//   size(instance)                              n, at least 1
//   worth(team, instance, order, scratch)       the objective of a whole order, the same on all lanes
//   worth_words(instance)                       its scratch
//   moment(instance, placed)                    what the keys of the next pick have in common
//   key(instance, moment, placed, i)            the item with the least key is placed next; a key of at least
//                                               last_resort is used only if there is no other item
//   place(instance, placed)                     where the item goes, if not behind the others; -1 marks empty places
//
// in addition to the requirements of the proof (kernels/families/order/sequence_proof.hpp), the generator and its
// layout.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/check_layout.hpp"
#include "kernels/families/order/sequence_proof.hpp"
#include "kernels/search/noisy_pick.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

/// Keys from here on belong to items that are placed only if nothing better is left.
inline constexpr std::int64_t last_resort = std::int64_t(1) << 60;

/// A growing order.
struct placed_things {
    std::int32_t const* order;  ///< the first `count` places, or all places if a task chooses them
    std::int32_t count;
    std::uint32_t const* taken;  ///< the set of these items

    [[nodiscard]] OPTGAP_HD bool has(std::int32_t i) const { return contains(taken, i); }
};

template <class Task>
struct order_task : sequence_proof<Task> {
    static constexpr char const* codes[] = {nullptr};

    static char const* check(words_view instance) { return check_layout(Task::layout, instance); }

    OPTGAP_HD static std::int64_t worth_words(words_view) { return 0; }
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        return set_words(instance) + Task::worth_words(instance);
    }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(Task::size(instance)); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        std::int32_t const n = Task::size(instance);
        bool const flat = answer.is_flat() || answer.rows == 0;  // a list of no rows is the empty list
        if (!flat || answer.count != n) {
            return declarative_task::worst(answer.is_word()    ? code_unparsable
                                           : !flat             ? code_bad_depth
                                           : answer.count == 0 ? code_empty
                                                               : code_wrong_length,
                                           n);
        }
        if (std::int32_t const at = first_out_of_range(team, answer.values, n, n); at >= 0) {
            return declarative_task::worst(code_out_of_range, n, at);
        }
        auto* const seen = reinterpret_cast<std::uint32_t*>(scratch);
        if (std::int32_t const at = first_repeat(team, answer.values, n, seen, n); at >= 0) {
            return declarative_task::worst(code_repeated, n, at);
        }
        return {code_ok, -1, Task::worth(team, instance, answer.values, scratch), 0, n};
    }

    /// The order 0, 1, …
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        team.each(answer_words(instance),
                  [&](std::int64_t i) { answer[i] = i == 0 ? answer_flat : std::int32_t(i - 1); });
        team.sync();
        return answer_words(instance);
    }

    /// The item with the least key comes next, ties by index.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return grow(team, instance, answer, scratch, [&](placed_things const& placed) {
            auto const moment = Task::moment(instance, placed);
            ranked own{INT64_MAX, 0};
            team.each(Task::size(instance), [&](std::int64_t i) {
                if (!placed.has(std::int32_t(i))) {
                    own = smaller(own, {Task::key(instance, moment, placed, std::int32_t(i)), std::int32_t(i)});
                }
            });
            return team.min_by(own.key, own.index).index;
        });
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return grow(team, instance, answer, scratch, [&](placed_things const& placed) {
            auto const moment = Task::moment(instance, placed);
            bool resort = true;
            for (std::int32_t i = 0; resort && i < Task::size(instance); ++i) {
                resort = placed.has(i) || Task::key(instance, moment, placed, i) >= last_resort;
            }
            search::noisy_pick pick(stream);
            for (std::int32_t i = 0; i < Task::size(instance); ++i) {
                if (placed.has(i)) {
                    continue;
                }
                if (std::int64_t const key = Task::key(instance, moment, placed, i); resort || key < last_resort) {
                    pick.offer(i, key);
                }
            }
            return pick.chosen();
        });
    }

protected:
    /// Words of the set of placed items; even, so that wider types may follow it.
    OPTGAP_HD static std::int64_t set_words(words_view instance) {
        return (bitset_words(Task::size(instance)) + 1) / 2 * 2;
    }

private:
    OPTGAP_HD static std::int32_t next_place(words_view instance, placed_things const& placed) {
        if constexpr (requires { Task::place(instance, placed); }) {
            return Task::place(instance, placed);
        } else {
            return placed.count;
        }
    }
    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t grow(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                       Pick const& pick) {
        std::int32_t const n = Task::size(instance);
        auto* const taken = reinterpret_cast<std::uint32_t*>(scratch);
        clear(team, taken, n);
        team.each(n, [&](std::int64_t i) { answer[1 + i] = -1; });
        team.sync();
        for (std::int32_t count = 0; count < n; ++count) {
            placed_things const placed{answer + 1, count, taken};
            std::int32_t const next = pick(placed);
            std::int32_t const at = next_place(instance, placed);
            team.sync();
            if (team.rank() == 0) {
                answer[1 + at] = next;
                taken[next / 32] |= 1u << (next % 32);
            }
            team.sync();
        }
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return answer_words(instance);
    }
};

}  // namespace families
OPTGAP_KERNELS_END
