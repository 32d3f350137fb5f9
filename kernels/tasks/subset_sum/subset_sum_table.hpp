#pragma once
// Proof by a table over sums: best[s] is the largest (or smallest) number of values that sum to s. A small table is
// kept as a whole, otherwise two rows and one bit for each cell are kept.

#include <cstdint>

#include "kernels/core/bitset.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::subset_sum {

/// For `count` positive values, none above `goal`: the most (gain 1) or the fewest (gain -1) that sum to `goal`.
struct table_problem {
    std::int32_t const* value;
    std::int32_t count;
    std::int32_t gain;
    std::int64_t goal;

    [[nodiscard]] OPTGAP_HD std::int64_t cells() const { return count * (goal + 1); }
    /// A lower bound on the counts of reachable sums.
    [[nodiscard]] OPTGAP_HD std::int32_t least() const { return gain > 0 ? 0 : -count; }
};

inline constexpr std::int32_t small_table_count = 63;  ///< values; their counts and "none" share eight bits
inline constexpr std::int32_t small_table_sums = 256;
inline constexpr std::int64_t table_cells = std::int64_t(1) << 27;  ///< largest table: 16 MB of bits,
inline constexpr std::int64_t table_sums = std::int64_t(1) << 22;   ///< and 32 MB of rows

[[nodiscard]] OPTGAP_HD inline bool has_small_table(table_problem const& problem) {
    return problem.count <= small_table_count && problem.goal < small_table_sums;
}

/// int32 words of scratch.
[[nodiscard]] OPTGAP_HD inline std::int64_t table_scratch_words(table_problem const& problem) {
    if (has_small_table(problem)) {
        return (problem.count + 1) * 2 * small_table_sums / 4;
    }
    std::int64_t const width = 32 * bitset_words(problem.goal + 1);
    return 2 * width + problem.count * width / 32;
}

/// Writes 1 or 0 for each value to `taken`; false if the goal cannot be reached. Sums below 0 are read from the
/// unreachable cells before each row, so that a row is Width cells without a branch.
template <int Width>
OPTGAP_HD bool solve_small_table(table_problem const& problem, std::int32_t* taken, std::int32_t* scratch) {
    constexpr std::int8_t none = -64;
    constexpr std::int32_t stride = 2 * Width;
    auto* const cells = reinterpret_cast<std::int8_t*>(scratch) + Width;
    for (std::int32_t s = -Width; s < Width; ++s) {
        cells[s] = none;
    }
    cells[0] = 0;
    auto const gain = std::int8_t(problem.gain);
    for (std::int32_t i = 0; i < problem.count; ++i) {
        std::int8_t const* const before = cells + i * stride;
        std::int8_t const* const shifted = before - problem.value[i];
        std::int8_t* const after = cells + (i + 1) * stride;
        for (std::int32_t s = 0; s < Width; ++s) {
            after[s - Width] = none;
        }
        for (std::int32_t s = 0; s < Width; ++s) {
            auto const with = std::int8_t(shifted[s] + gain);
            after[s] = with > before[s] ? with : before[s];
        }
    }
    auto s = std::int32_t(problem.goal);
    if (cells[problem.count * stride + s] < problem.least()) {
        return false;
    }
    for (std::int32_t i = problem.count - 1; i >= 0; --i) {
        taken[i] = cells[(i + 1) * stride + s] != cells[i * stride + s] ? 1 : 0;
        s -= taken[i] * problem.value[i];
    }
    return true;
}

/// The same for any width.
OPTGAP_HD inline bool solve_large_table(table_problem const& problem, std::int32_t* taken, std::int32_t* scratch) {
    constexpr std::int32_t none = INT32_MIN / 2;
    std::int64_t const words = bitset_words(problem.goal + 1);
    std::int64_t const width = 32 * words;
    std::int32_t* before = scratch;
    std::int32_t* after = scratch + width;
    auto* const better = reinterpret_cast<std::uint32_t*>(scratch + 2 * width);
    for (std::int64_t s = 0; s < width; ++s) {
        before[s] = none;
    }
    before[0] = 0;
    for (std::int32_t i = 0; i < problem.count; ++i) {
        std::int64_t const value = problem.value[i];
        std::uint32_t* const bits = better + i * words;
        for (std::int64_t s = 0; s < value; ++s) {
            after[s] = before[s];
        }
        for (std::int64_t s = value; s < width; ++s) {
            std::int32_t const with = before[s - value] + problem.gain;
            after[s] = with > before[s] ? with : before[s];
        }
        for (std::int64_t w = 0; w < words; ++w) {
            std::uint32_t changed = 0;
            for (std::int32_t b = 0; b < 32; ++b) {
                changed |= std::uint32_t(after[32 * w + b] != before[32 * w + b]) << b;
            }
            bits[w] = changed;
        }
        std::int32_t* const row = after;
        after = before;
        before = row;
    }
    if (before[problem.goal] < problem.least()) {
        return false;
    }
    std::int64_t s = problem.goal;
    for (std::int32_t i = problem.count - 1; i >= 0; --i) {
        taken[i] = contains(better + i * words, std::int32_t(s)) ? 1 : 0;
        s -= std::int64_t(taken[i]) * problem.value[i];
    }
    return true;
}

OPTGAP_HD inline bool solve_table(table_problem const& problem, std::int32_t* taken, std::int32_t* scratch) {
    if (!has_small_table(problem)) {
        return solve_large_table(problem, taken, scratch);
    }
    return problem.goal < 64 ? solve_small_table<64>(problem, taken, scratch)
                             : solve_small_table<small_table_sums>(problem, taken, scratch);
}

}  // namespace tasks::subset_sum
OPTGAP_KERNELS_END
