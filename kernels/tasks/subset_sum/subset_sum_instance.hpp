#pragma once
// The words of an instance, and the order from the smallest value up that greedy, local search and proof share.
//
//   [n, target, v_0 … v_{n-1}]
//
// Values and target are int32 and not negative; sums are int64 and cannot overflow.

#include <cstdint>

#include "kernels/core/layout.hpp"
#include "kernels/core/team.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::subset_sum {

inline constexpr field layout[] = {
    {"n", field_kind::size, "there are 1 to 10000000 values", 1, 10'000'000},
    {"target", field_kind::number, "the target is 0 to 2147483647", 0, INT32_MAX},
    {"values", field_kind::list, "each of the n values is 0 to 2147483647", 0, INT32_MAX, of(0)},
};

struct numbers {
    std::int32_t count;
    std::int32_t target;
    std::int32_t const* value;
};

OPTGAP_HD inline numbers numbers_of(words_view instance) { return {instance[0], instance[1], instance.data + 2}; }

template <class Team>
OPTGAP_HD std::int64_t total_of(Team& team, numbers const& all) {
    std::int64_t own = 0;
    for (std::int32_t i = team.rank(); i < all.count; i += team.size()) {
        own += all.value[i];
    }
    return team.sum(own);
}

inline constexpr std::int32_t sorted_run = 64;  ///< up to this size counting ranks is faster than merging, and is
                                                ///< vectorised

/// Writes the indices by rising value, ties by index; `spare` has room for n. Runs are sorted by counting, then merged
/// by one lane. Synced.
template <class Team>
OPTGAP_HD void sort_by_value(Team& team, numbers const& all, std::int32_t* order, std::int32_t* spare) {
    std::int32_t const n = all.count;
    std::int32_t const* const value = all.value;
    team.each(n, [&](std::int64_t at) {
        auto const i = std::int32_t(at);
        std::int32_t const begin = i / sorted_run * sorted_run;
        std::int32_t const end = n < begin + sorted_run ? n : begin + sorted_run;
        std::int32_t const own = value[i];
        std::int32_t before = 0;
        for (std::int32_t j = begin; j < end; ++j) {
            before += std::int32_t(value[j] < own) + std::int32_t((value[j] == own) & (j < i));
        }
        order[begin + before] = i;
    });
    team.sync();
    if (team.rank() == 0) {
        std::int32_t* from = order;
        std::int32_t* to = spare;
        for (std::int64_t width = sorted_run; width < n; width *= 2) {
            for (std::int64_t begin = 0; begin < n; begin += 2 * width) {
                std::int64_t const middle = begin + width < n ? begin + width : n;
                std::int64_t const end = begin + 2 * width < n ? begin + 2 * width : n;
                std::int64_t left = begin;
                std::int64_t right = middle;
                for (std::int64_t i = begin; i < end; ++i) {
                    bool const take_left = right == end || (left < middle && value[from[left]] <= value[from[right]]);
                    to[i] = from[take_left ? left++ : right++];
                }
            }
            std::int32_t* const sorted = to;
            to = from;
            from = sorted;
        }
        if (from != order) {
            for (std::int32_t i = 0; i < n; ++i) {
                order[i] = from[i];
            }
        }
    }
    team.sync();
}

/// How many of the smallest values fit together, and their sum: no answer is longer, and a prefix that hits the target
/// is optimal.
struct prefix {
    std::int32_t count = 0;
    std::int64_t sum = 0;
};
OPTGAP_HD inline prefix fitting_prefix(numbers const& all, std::int32_t const* order) {
    prefix found;
    while (found.count < all.count && found.sum + all.value[order[found.count]] <= all.target) {
        found.sum += all.value[order[found.count++]];
    }
    return found;
}

}  // namespace tasks::subset_sum
OPTGAP_KERNELS_END
