#pragma once
// The best order of up to 20 items whose cost depends only on the set of items before it: dynamic programming over all
// subsets (Held and Karp 1962), in one pass over the sets in the order of their words. It keeps a table of 2^n losses,
// 8 MB for 20 items, from which the order is read back.

#include <cstdint>

#include "kernels/core/bitset.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

inline constexpr std::int32_t max_subset_things = 20;
/// Number of sets per step: some microseconds.
inline constexpr std::int64_t subset_step = 256;

[[nodiscard]] constexpr std::int64_t subset_order_words(std::int64_t n) { return std::int64_t(2) << n; }
[[nodiscard]] constexpr std::int64_t subset_order_steps(std::int64_t n) {
    return ((std::int64_t(1) << n) + subset_step - 1) / subset_step;
}

/// Returns the least loss of all orders, and writes an order that has it. `last(set, i)` is the loss of i as the last
/// of its set.
template <class Last>
std::int64_t best_subset_order(std::int32_t n, Last const& last, std::int32_t* scratch, std::int32_t* order) {
    auto* const least = reinterpret_cast<std::int64_t*>(scratch);
    std::uint32_t const all = std::uint32_t(first_bits(n));
    least[0] = 0;
    for (std::uint32_t set = 1; set <= all; ++set) {
        std::int64_t best = INT64_MAX;
        for (std::uint32_t bits = set; bits != 0; bits &= bits - 1) {
            std::int32_t const i = lowest(bits);
            std::int64_t const loss = least[set & ~(1u << i)] + last(set, i);
            best = loss < best ? loss : best;
        }
        least[set] = best;
    }
    for (std::uint32_t set = all; set != 0;) {
        std::int32_t i = lowest(set);
        for (std::uint32_t bits = set & (set - 1); bits != 0 && least[set & ~(1u << i)] + last(set, i) != least[set];
             bits &= bits - 1) {
            i = lowest(bits);
        }
        order[popcount(set) - 1] = i;
        set &= ~(1u << i);
    }
    return least[all];
}

/// Sums over sets of up to 20 items from two tables of 2^10: total(set) takes O(1).
class subset_sums {
public:
    [[nodiscard]] static constexpr std::int64_t words() { return 2 * 2 * half; }

    subset_sums() = default;
    /// `value(i)` is the value of each of n items; `memory` is 8-byte aligned.
    template <class Value>
    subset_sums(std::int32_t n, std::int32_t* memory, Value const& value)
        : low_(reinterpret_cast<std::int64_t*>(memory)), high_(low_ + half) {
        fill(low_, 0, n, value);
        fill(high_, bits_of_half, n, value);
    }
    [[nodiscard]] std::int64_t total(std::uint32_t set) const { return low_[set % half] + high_[set / half]; }

private:
    static constexpr std::int32_t bits_of_half = max_subset_things / 2;
    static constexpr std::int64_t half = std::int64_t(1) << bits_of_half;

    template <class Value>
    static void fill(std::int64_t* sums, std::int32_t first, std::int32_t n, Value const& value) {
        sums[0] = 0;
        for (std::uint32_t set = 1; set < half; ++set) {
            std::int32_t const i = first + lowest(set);
            sums[set] = sums[set & (set - 1)] + (i < n ? std::int64_t(value(i)) : 0);
        }
    }

    std::int64_t* low_ = nullptr;
    std::int64_t* high_ = nullptr;
};

}  // namespace search
OPTGAP_KERNELS_END
