#pragma once
// Proof by dynamic programming over an expanding core (Pisinger, "A minimal algorithm for the 0-1 knapsack problem",
// Operations Research 45, 1997), integers only.
//
// Items stand in the order of their ratios; the break solution contains all items before the break item. The core
// starts empty at the break and grows by one item alternately to the right (put in) and to the left (taken out). A list
// holds the undominated (weight, value) pairs of the core's choices, weight and value both rising. A state is dropped
// if its Dantzig bound, with the ratios next to the core, cannot exceed the incumbent. When no state is left, the
// incumbent is optimal. A step examines one state. Stages depend on the instance alone, so a larger budget continues a
// smaller one exactly.

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/tasks/knapsack/knapsack_instance.hpp"
#include "kernels/tasks/knapsack/knapsack_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::knapsack {

__extension__ typedef __int128 int128;

/// A partial choice. `trace`: the low half tells which of the last (at most 32) stages changed an item; the high half
/// is the entry of the history that holds the stages before those.
///
/// If the total weight and the total value are below 2^29, both fit one word: (weight << 32) - value orders by weight,
/// then by falling value, and is changed by one addition.
struct narrow_state {
    using product = std::int64_t;
    std::int64_t key;
    std::uint64_t trace;
    OPTGAP_HD static std::int64_t key_of(std::int64_t w, std::int64_t v) { return w * (std::int64_t(1) << 32) - v; }
    [[nodiscard]] OPTGAP_HD std::int64_t value() const { return -std::int64_t(std::int32_t(std::uint32_t(key))); }
    [[nodiscard]] OPTGAP_HD std::int64_t weight() const { return (key + value()) >> 32; }
    OPTGAP_HD static narrow_state of(std::int64_t w, std::int64_t v, std::uint64_t trace) {
        return {key_of(w, v), trace};
    }
    [[nodiscard]] OPTGAP_HD narrow_state moved(narrow_state step) const { return {key + step.key, trace | step.trace}; }
    [[nodiscard]] OPTGAP_HD bool goes_first(narrow_state other) const { return key <= other.key; }
    /// Of the heads of two lists, the one that goes first; `other` does unless `first`. Without a branch, which would
    /// be unpredictable.
    [[nodiscard]] OPTGAP_HD narrow_state or_else(narrow_state other, bool first) const {
        std::uint64_t const mask = std::uint64_t(0) - std::uint64_t(first);
        return {key < other.key ? key : other.key, other.trace ^ ((trace ^ other.trace) & mask)};
    }
    /// A value behind every state, also after a move.
    OPTGAP_HD static narrow_state last() { return {std::int64_t(1) << 62, 0}; }
};

struct wide_state {
    using product = int128;
    std::int64_t w;
    std::int64_t v;
    std::uint64_t trace;
    [[nodiscard]] OPTGAP_HD std::int64_t value() const { return v; }
    [[nodiscard]] OPTGAP_HD std::int64_t weight() const { return w; }
    OPTGAP_HD static wide_state of(std::int64_t w, std::int64_t v, std::uint64_t trace) { return {w, v, trace}; }
    [[nodiscard]] OPTGAP_HD wide_state moved(wide_state step) const {
        return {w + step.w, v + step.v, trace | step.trace};
    }
    [[nodiscard]] OPTGAP_HD bool goes_first(wide_state other) const {
        return w < other.w || (w == other.w && v >= other.v);
    }
    [[nodiscard]] OPTGAP_HD wide_state or_else(wide_state other, bool first) const { return first ? *this : other; }
    OPTGAP_HD static wide_state last() { return {INT64_MAX / 2, 0, 0}; }
};

inline constexpr std::int64_t max_states = std::int64_t(1) << 19;    ///< in one list
inline constexpr std::int64_t max_history = std::int64_t(1) << 21;   ///< entries of 8 bytes
inline constexpr std::int64_t narrow_limit = std::int64_t(1) << 29;  ///< of the sum of weights, and of the sum of
                                                                     ///< values

/// Sizes that depend on the instance alone.
struct core_plan {
    bool narrow;
    std::int64_t distinct;  ///< no list is longer, because its weights and values all differ
    std::int64_t states;    ///< room of one list
    std::int64_t history;   ///< room of the history
};

OPTGAP_HD inline core_plan plan_core(items const& all) {
    std::int64_t weight = 0;
    std::int64_t value = 0;
    for (std::int32_t i = 0; i < all.count; ++i) {
        weight += all.weight[i];
        value += all.value[i];
    }
    std::int64_t distinct = smaller_of(weight, value) + 1;
    if (all.count < 40) {
        distinct = smaller_of(distinct, std::int64_t(1) << all.count);
    }
    core_plan plan{};
    plan.narrow = weight < narrow_limit && value < narrow_limit;
    plan.distinct = distinct;
    plan.states = smaller_of(distinct, max_states);
    plan.history = 1 + smaller_of(plan.states * (all.count / 32), max_history);
    return plan;
}

OPTGAP_HD inline std::int64_t core_scratch_words(items const& all) {
    core_plan const plan = plan_core(all);
    std::int64_t const state_words = std::int64_t(plan.narrow ? sizeof(narrow_state) : sizeof(wide_state)) / 4;
    return 2 * plan.history + 2 * (plan.states + 2) * state_words + 4 * std::int64_t(all.count) + 16;
}

/// The two ratios next to the core: the largest value of room, and the least cost of excess. If no item is left on the
/// right, room has no value (0/1). If none is left on the left, excess cannot be removed (1/0).
struct core_rates {
    ratio room;
    ratio excess;
};

/// Whether a completion of this state can exceed `best`. Dantzig's bound without a division.
template <class State>
OPTGAP_HD inline bool may_beat(std::int64_t weight, std::int64_t value, core_rates const& rates, std::int64_t capacity,
                               std::int64_t best) {
    using product = typename State::product;
    std::int64_t const room = capacity - weight;
    std::int64_t const over = room >> 63;  // all ones when negative: a select that cannot become a branch
    std::int64_t const rate_value = rates.room.value ^ ((rates.room.value ^ rates.excess.value) & over);
    std::int64_t const rate_weight = rates.room.weight ^ ((rates.room.weight ^ rates.excess.weight) & over);
    return product(room) * rate_value + product(value - best - 1) * rate_weight >= 0;
}

/// The floor of Dantzig's bound for a state that passed `may_beat`.
template <class State>
OPTGAP_HD inline std::int64_t dantzig(std::int64_t weight, std::int64_t value, core_rates const& rates,
                                      std::int64_t capacity) {
    using product = typename State::product;
    std::int64_t const room = capacity - weight;
    ratio const rate = room >= 0 ? rates.room : rates.excess;
    product const whole = product(room) * rate.value;
    product quotient = whole / rate.weight;
    if (quotient * rate.weight > whole) {
        --quotient;
    }
    return value + std::int64_t(quotient);
}

/// One expanding-core run over the items order[0 … count-1], all of positive weight <= capacity and positive value.
template <class State>
struct core_search {
    items all;
    std::int32_t const* order;
    std::int32_t count;
    std::int64_t capacity;
    core_plan plan;
    std::int32_t* stage_item;  ///< the item each stage decides
    std::uint64_t* history;
    State* list;
    State* next;

    std::int64_t best = 0;  ///< value of the best solution found
    bool improved = false;  ///< the incumbent is the one in best_trace, not the caller's
    std::uint64_t best_trace = 0;
    std::int32_t best_stage = 0;  ///< stage that found it
    std::int32_t break_at = 0;
    std::int64_t bound = 0;
    std::int64_t steps = 0;

    OPTGAP_HD std::int64_t weight_at(std::int32_t k) const { return all.weight[order[k]]; }
    OPTGAP_HD std::int64_t value_at(std::int32_t k) const { return all.value[order[k]]; }

    /// Merges the list with a copy of itself shifted by one item's change. Returns the new list's length.
    OPTGAP_HD std::int64_t grow(std::int64_t length, std::int64_t weight, std::int64_t value, std::int32_t stage,
                                core_rates const& rates) {
        State const step = State::of(weight, value, std::uint64_t(1) << (stage % 32));
        std::int64_t plain = 0;
        std::int64_t moved = 0;
        std::int64_t kept = 0;
        std::int64_t last_value = INT64_MIN;
        std::int64_t incumbent = best;
        list[length] = State::last();
        State const* const from = list;
        State* const to = next;
        for (std::int64_t left_over = 2 * length; left_over > 0; --left_over) {
            State const a = from[plain];
            State const b = from[moved].moved(step);
            bool const first = a.goes_first(b);
            State const state = a.or_else(b, first);
            plain += first;
            moved += !first;
            std::int64_t const v = state.value();
            std::int64_t const w = state.weight();
            if (w <= capacity && v > incumbent) {
                incumbent = v;
                improved = true;
                best_trace = state.trace;
                best_stage = stage;
            }
            // A state dominated by a dropped one is not better than that one, so every value passed counts.
            bool const undominated = v > last_value;
            last_value = undominated ? v : last_value;
            to[kept] = state;
            kept += undominated & may_beat<State>(w, v, rates, capacity, incumbent);
        }
        best = incumbent;
        return kept;
    }

    /// Runs until the list is empty (true: the incumbent is optimal), or until budget or memory is exhausted.
    OPTGAP_HD bool run(std::int64_t budget) {
        std::int64_t weight = 0;
        std::int64_t value = 0;
        std::int32_t right = 0;
        while (right < count && weight + weight_at(right) <= capacity) {
            weight += weight_at(right);
            value += value_at(right);
            ++right;
        }
        break_at = right;
        std::int32_t left = right - 1;
        ratio const break_rate = right < count ? ratio{value_at(right), weight_at(right)} : ratio{0, 1};
        core_rates rates = rates_beside(left, right);
        bound = larger_of(best, dantzig<State>(weight, value, rates, capacity));
        list[0] = State::of(weight, value, 0);
        std::int64_t length = bound > best ? 1 : 0;
        std::int64_t used = 1;
        history[0] = 0;
        std::int32_t stage = 0;
        bool put_in = true;
        // An item is excluded from the core if even forcing it against the break solution cannot exceed the incumbent.
        auto const worth_deciding = [&](std::int64_t dw, std::int64_t dv) {
            core_rates const at_break{break_rate, break_rate};
            return may_beat<State>(weight + dw, value + dv, at_break, capacity, best);
        };
        auto const skip = [&] {
            while (right < count && !worth_deciding(weight_at(right), value_at(right))) {
                ++right;
            }
            while (left >= 0 && !worth_deciding(-weight_at(left), -value_at(left))) {
                --left;
            }
        };
        while (length > 0) {
            skip();
            if (stage > 0 && stage % 32 == 0) {
                if (used + length > plan.history) {
                    break;
                }
                for (std::int64_t i = 0; i < length; ++i) {
                    history[used] = list[i].trace;
                    list[i].trace = std::uint64_t(used++) << 32;
                }
            }
            if (steps + 2 * length > budget || smaller_of(2 * length, plan.distinct) > plan.states) {
                break;
            }
            steps += 2 * length;
            put_in = right < count && (put_in || left < 0);
            std::int32_t const k = put_in ? right++ : left--;
            if (k < 0) {
                length = 0;
                break;
            }
            stage_item[stage] = order[k];
            skip();
            rates = rates_beside(left, right);
            std::int64_t const sign = put_in ? 1 : -1;
            length = grow(length, sign * weight_at(k), sign * value_at(k), stage, rates);
            State* const filled = next;
            next = list;
            list = filled;
            ++stage;
            put_in = !put_in;
        }
        std::int64_t open = best;
        for (std::int64_t i = 0; i < length; ++i) {
            if (may_beat<State>(list[i].weight(), list[i].value(), rates, capacity, best)) {
                open = larger_of(open, dantzig<State>(list[i].weight(), list[i].value(), rates, capacity));
            }
        }
        bound = smaller_of(bound, open);
        return bound == best;
    }

    OPTGAP_HD core_rates rates_beside(std::int32_t left, std::int32_t right) const {
        return {right < count ? ratio{value_at(right), weight_at(right)} : ratio{0, 1},
                left >= 0 ? ratio{value_at(left), weight_at(left)} : ratio{1, 0}};
    }

    /// Sets `taken` to the incumbent's selection plus all weightless items.
    OPTGAP_HD void take_best(std::int32_t* taken) const {
        for (std::int32_t i = 0; i < all.count; ++i) {
            taken[i] = all.weight[i] == 0 ? 1 : 0;
        }
        for (std::int32_t k = 0; k < break_at; ++k) {
            taken[order[k]] = 1;
        }
        std::uint64_t trace = best_trace;
        for (std::int32_t block = best_stage / 32; block >= 0; --block) {
            for (std::int32_t j = 0; j < 32; ++j) {
                if ((trace >> j) & 1u) {
                    std::int32_t const i = stage_item[block * 32 + j];
                    taken[i] = 1 - taken[i];
                }
            }
            trace = history[trace >> 32];
        }
    }
};

inline constexpr std::int32_t max_exchanged = 512;  ///< up to this number of items the first exchange costs less than
                                                    ///< it saves

/// Applies the best single exchange to a selection, for n steps. A better incumbent from the start saves a third of the
/// states at the benchmark level. Returns the gain. `offer` is spare memory.
OPTGAP_HD inline std::int64_t exchange_once(items const& all, std::int32_t* taken, std::int32_t* offer) {
    solo team;
    selection now{taken, offer, 0, 0, 0};
    for (std::int32_t i = 0; i < all.count; ++i) {
        offer[i] = taken[i] != 0 ? -1 : all.value[i];
        now.weight += taken[i] != 0 ? all.weight[i] : 0;
    }
    exchange const move = best_exchange(team, all, now);
    if (move.gain <= 0) {
        return 0;
    }
    if (move.drop < all.count) {
        take_out(all, now, move.drop);
    }
    put_in(all, now, move.add);
    return move.gain;
}

template <class State>
OPTGAP_HD solve_result prove(items const& all, core_plan const& plan, std::int64_t budget, std::int32_t* answer,
                             std::int32_t* scratch) {
    solo team;
    std::int32_t const n = all.count;
    auto* const history = reinterpret_cast<std::uint64_t*>(scratch);
    auto* const lists = reinterpret_cast<State*>(history + plan.history);
    auto* const order = reinterpret_cast<std::int32_t*>(lists + 2 * (plan.states + 2));
    std::int32_t* const stage_item = order + n;
    std::int32_t* const taken = stage_item + n;

    order_by_ratio(team, all, order, stage_item);
    std::int64_t const greedy = fill_in_order(team, all, order, taken);
    // Weightless items are always in; worthless ones and those heavier than the knapsack cannot help.
    std::int32_t* const core_order = taken + n;
    std::int32_t kept = 0;
    std::int64_t free_value = 0;
    for (std::int32_t k = 0; k < n; ++k) {
        std::int32_t const i = order[k];
        free_value += all.weight[i] == 0 ? all.value[i] : 0;
        core_order[kept] = i;
        kept += all.weight[i] > 0 && all.weight[i] <= all.capacity && all.value[i] > 0;
    }
    core_search<State> search{all,        core_order, kept,  all.capacity,           plan,
                              stage_item, history,    lists, lists + plan.states + 2};
    search.best = greedy - free_value;
    std::int64_t spendable = budget;
    if (n <= max_exchanged) {
        if (budget >= n) {
            search.steps = n;
            search.best += exchange_once(all, taken, stage_item);
        } else {
            spendable = 0;  // stages before the exchange would not be a prefix of those after it
        }
    }
    bool const proven = search.run(spendable);
    if (search.improved) {
        search.take_best(taken);
    }
    solve_result result{};
    result.status = proven ? baseline_status::optimal : baseline_status::bounded;
    result.bound_kind = proven ? 0 : 1;
    result.objective = search.best + free_value;
    result.bound = search.bound + free_value;
    result.steps = search.steps;
    result.answer_words = write_answer(team, all, taken, answer);
    return result;
}

OPTGAP_HD inline solve_result prove_by_core(items const& all, std::int64_t budget, std::int32_t* answer,
                                            std::int32_t* scratch) {
    core_plan const plan = plan_core(all);
    return plan.narrow ? prove<narrow_state>(all, plan, budget, answer, scratch)
                       : prove<wide_state>(all, plan, budget, answer, scratch);
}

}  // namespace tasks::knapsack
OPTGAP_KERNELS_END
