#pragma once
// The words of an instance, and the one order that greedy, branch lists and bounds share.
//
//   [n, capacity, w_0 … w_{n-1}, v_0 … v_{n-1}]
//
// Weights, values and the capacity are int32 and not negative; their sums are int64 and cannot overflow.

#include <cstdint>

#include "kernels/core/layout.hpp"
#include "kernels/core/team.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::knapsack {

inline constexpr field layout[] = {
    {"n", field_kind::size, "there are 1 to 100000000 items", 1, 100'000'000},
    {"capacity", field_kind::number, "the capacity is 0 to 2147483647", 0, INT32_MAX},
    {"weights", field_kind::list, "each item has a weight, 0 to 2147483647", 0, INT32_MAX, of(0)},
    {"values", field_kind::list, "each item has a value, 0 to 2147483647", 0, INT32_MAX, of(0)},
};

struct items {
    std::int32_t count;
    std::int32_t capacity;
    std::int32_t const* weight;
    std::int32_t const* value;
};

OPTGAP_HD inline items items_of(words_view instance) {
    std::int32_t const n = instance[0];
    return {n, instance[1], instance.data + 2, instance.data + 2 + n};
}

OPTGAP_HD inline std::int64_t smaller_of(std::int64_t a, std::int64_t b) { return b < a ? b : a; }
OPTGAP_HD inline std::int64_t larger_of(std::int64_t a, std::int64_t b) { return b > a ? b : a; }

/// Value over weight, as a fraction that can be compared by cross-multiplication in int64. A weightless item counts as
/// 1/0: before all others and equal to other weightless ones, which keeps the order transitive.
struct ratio {
    std::int64_t value;
    std::int64_t weight;
};

OPTGAP_HD inline ratio ratio_of(items const& all, std::int32_t i) {
    return {all.weight[i] == 0 ? 1 : all.value[i], all.weight[i]};
}

/// The strict total order: larger ratio first, then smaller index.
OPTGAP_HD inline bool goes_before(items const& all, std::int32_t i, std::int32_t j) {
    ratio const a = ratio_of(all, i);
    ratio const b = ratio_of(all, j);
    std::int64_t const left = a.value * b.weight;
    std::int64_t const right = b.value * a.weight;
    return left > right || (left == right && i < j);
}

inline constexpr std::int32_t sorted_run = 128;  ///< up to this size counting ranks is faster than merging, and is
                                                 ///< vectorised

/// Sorts each run of indices by counting, for every item, those that go before it. `Product` must hold any value ·
/// weight; the narrow type doubles the number of items that a vector compares.
template <class Product, class Team>
OPTGAP_HD void rank_in_runs(Team& team, std::int32_t const* value, std::int32_t const* weight, std::int32_t n,
                            std::int32_t* order) {
    team.each(n, [&](std::int64_t at) {
        auto const i = std::int32_t(at);
        Product const own_value = value[i];
        Product const own_weight = weight[i];
        std::int32_t const begin = i / sorted_run * sorted_run;
        std::int32_t const end = std::int32_t(smaller_of(begin + sorted_run, n));
        Product rank = 0;
        for (std::int32_t j = begin; j < i; ++j) {
            rank += value[j] * own_weight >= own_value * weight[j] ? 1 : 0;
        }
        for (std::int32_t j = i + 1; j < end; ++j) {
            rank += value[j] * own_weight > own_value * weight[j] ? 1 : 0;
        }
        order[begin + std::int32_t(rank)] = i;
    });
}

/// Writes the items' indices in that order; `spare` has room for as many. Computes ranks by counting inside runs, then
/// merges by binary search: O(n log² n) over the lanes; no lane waits for another inside a pass.
template <class Team>
OPTGAP_HD void order_by_ratio(Team& team, items const& all, std::int32_t* order, std::int32_t* spare) {
    std::int32_t const n = all.count;
    std::int32_t* const value = spare;
    std::int64_t heaviest = 0;
    std::int64_t costliest = 0;
    team.each(n, [&](std::int64_t i) {
        value[i] = std::int32_t(ratio_of(all, std::int32_t(i)).value);
        heaviest = larger_of(heaviest, all.weight[i]);
        costliest = larger_of(costliest, value[i]);
    });
    team.sync();
    heaviest = team.max_by(heaviest, 0).key;
    costliest = team.max_by(costliest, 0).key;
    if (heaviest * costliest <= INT32_MAX) {
        rank_in_runs<std::int32_t>(team, value, all.weight, n, order);
    } else {
        rank_in_runs<std::int64_t>(team, value, all.weight, n, order);
    }
    team.sync();
    std::int32_t* from = order;
    std::int32_t* to = spare;
    for (std::int64_t width = sorted_run; width < n; width *= 2) {
        team.each(n, [&](std::int64_t at) {
            std::int64_t const own_begin = at / width * width;
            std::int64_t const pair_begin = at / (2 * width) * (2 * width);
            std::int64_t const other_begin = own_begin == pair_begin ? smaller_of(own_begin + width, n) : pair_begin;
            std::int64_t low = other_begin;
            std::int64_t high = smaller_of(other_begin + width, n);
            while (low < high) {
                std::int64_t const middle = low + (high - low) / 2;
                if (goes_before(all, from[middle], from[at])) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            to[pair_begin + (at - own_begin) + (low - other_begin)] = from[at];
        });
        team.sync();
        std::int32_t* const filled = to;
        to = from;
        from = filled;
    }
    if (from != order) {
        team.each(n, [&](std::int64_t i) { order[i] = from[i]; });
        team.sync();
    }
}

/// Takes every item that still fits, in the given order (null: by index), into `taken` (0/1 per item). One lane works;
/// all lanes return the value taken.
template <class Team>
OPTGAP_HD std::int64_t fill_in_order(Team& team, items const& all, std::int32_t const* order, std::int32_t* taken) {
    std::int64_t value = 0;
    if (team.rank() == 0) {
        std::int64_t room = all.capacity;
        for (std::int32_t k = 0; k < all.count; ++k) {
            std::int32_t const i = order != nullptr ? order[k] : k;
            std::int32_t const fits = all.weight[i] <= room ? 1 : 0;
            taken[i] = fits;
            room -= fits * std::int64_t(all.weight[i]);
            value += fits * std::int64_t(all.value[i]);
        }
    }
    team.sync();
    return team.broadcast(value);
}

/// The answer block of a 0/1 selection, items in rising order; returns its word count on all lanes.
template <class Team>
OPTGAP_HD std::int64_t write_answer(Team& team, items const& all, std::int32_t const* taken, std::int32_t* answer) {
    std::int64_t size = 1;
    if (team.rank() == 0) {
        answer[0] = answer_flat;
        for (std::int32_t i = 0; i < all.count; ++i) {
            if (taken[i] != 0) {
                answer[size++] = i;
            }
        }
    }
    team.sync();
    return team.broadcast(size);
}

}  // namespace tasks::knapsack
OPTGAP_KERNELS_END
