#pragma once
// Proof for few values of any size: the sorted sums of both halves meet in the middle (Horowitz & Sahni 1974).

#include <cstdint>

#include "kernels/core/bitset.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::subset_sum {

inline constexpr std::int32_t halves_values = 40;  ///< at most

/// Sums of the subsets of one half in rising order, with the subsets.
struct half_sums {
    std::int64_t* sum;
    std::uint32_t* members;
    std::int64_t count;

    /// Each value merges the sums without it with those that include it, from the largest down and in place.
    OPTGAP_HD void fill(std::int32_t const* value, std::int32_t values) {
        sum[0] = 0;
        members[0] = 0;
        count = 1;
        for (std::int32_t v = 0; v < values; ++v) {
            std::int64_t without = count - 1;
            std::int64_t with = count - 1;
            for (std::int64_t at = 2 * count - 1; at >= 0; --at) {
                bool const take = without < 0 || (with >= 0 && sum[with] + value[v] > sum[without]);
                if (take) {
                    sum[at] = sum[with] + value[v];
                    members[at] = members[with] | 1u << v;
                    --with;
                } else {
                    sum[at] = sum[without];
                    members[at] = members[without];
                    --without;
                }
            }
            count *= 2;
        }
    }
    /// Among the subsets with the sum at `at`, the first with the most members; moves `at` past them.
    OPTGAP_HD std::uint32_t largest_of_sum(std::int64_t& at) const {
        std::int64_t const here = sum[at];
        std::uint32_t best = members[at];
        for (++at; at < count && sum[at] == here; ++at) {
            best = popcount(members[at]) > popcount(best) ? members[at] : best;
        }
        return best;
    }
};

[[nodiscard]] OPTGAP_HD constexpr std::int64_t subsets_of_half(std::int32_t values) {
    return std::int64_t(1) << (values + 1) / 2;
}
/// Sums written and read.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t halves_steps(std::int32_t values) { return 6 * subsets_of_half(values); }
[[nodiscard]] OPTGAP_HD constexpr std::int64_t halves_scratch_words(std::int32_t values) {
    return 6 * subsets_of_half(values);
}

/// The largest number of values that sum to `goal`, with 1 or 0 for each in `taken`; -1 if there is none. `scratch` is
/// aligned to eight bytes.
OPTGAP_HD inline std::int32_t solve_halves(std::int32_t const* value, std::int32_t values, std::int64_t goal,
                                           std::int32_t* taken, std::int32_t* scratch) {
    std::int64_t const room = subsets_of_half(values);
    auto* const sums = reinterpret_cast<std::int64_t*>(scratch);
    auto* const members = reinterpret_cast<std::uint32_t*>(sums + 2 * room);
    std::int32_t const low_values = values / 2;
    half_sums low{sums, members, 0};
    half_sums high{sums + room, members + room, 0};
    low.fill(value, low_values);
    high.fill(value + low_values, values - low_values);
    std::int32_t best = -1;
    std::int64_t at = 0;
    std::int64_t from = 0;  // sums of the high half before it are already too large, counted from the end
    while (at < low.count && from < high.count) {
        std::int64_t const sum = low.sum[at] + high.sum[high.count - 1 - from];
        if (sum > goal) {
            ++from;
        } else if (sum < goal) {
            ++at;
        } else {
            std::uint32_t const left = low.largest_of_sum(at);
            std::int64_t const here = high.sum[high.count - 1 - from];
            std::uint32_t right = 0;
            for (std::int32_t most = -1; from < high.count && high.sum[high.count - 1 - from] == here; ++from) {
                std::uint32_t const set = high.members[high.count - 1 - from];
                if (popcount(set) > most) {
                    most = popcount(set);
                    right = set;
                }
            }
            if (popcount(left) + popcount(right) > best) {
                best = popcount(left) + popcount(right);
                std::uint64_t const set = left | std::uint64_t(right) << low_values;
                for (std::int32_t v = 0; v < values; ++v) {
                    taken[v] = std::int32_t(set >> v & 1u);
                }
            }
        }
    }
    return best;
}

}  // namespace tasks::subset_sum
OPTGAP_KERNELS_END
