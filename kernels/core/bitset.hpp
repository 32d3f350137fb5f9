#pragma once
// Sets of small integers: one 64-bit word for solvers on up to 64 elements, and arrays of words in scratch for any
// size.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN

OPTGAP_HD inline std::int32_t popcount(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
    return __popcll(bits);
#else
    return __builtin_popcountll(bits);
#endif
}

/// Index of the lowest set bit; bits must not be 0.
OPTGAP_HD inline std::int32_t lowest(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
    return __ffsll(static_cast<long long>(bits)) - 1;
#else
    return __builtin_ctzll(bits);
#endif
}

[[nodiscard]] OPTGAP_HD constexpr std::uint64_t bit(std::int32_t i) { return std::uint64_t(1) << i; }
/// {0 … count-1} for 0 <= count <= 64.
[[nodiscard]] OPTGAP_HD constexpr std::uint64_t first_bits(std::int32_t count) {
    return count >= 64 ? ~std::uint64_t(0) : bit(count) - 1;
}

/// 32-bit words that hold a set over `universe` elements.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t bitset_words(std::int64_t universe) { return (universe + 31) / 32; }

[[nodiscard]] OPTGAP_HD inline bool contains(std::uint32_t const* set, std::int32_t i) {
    return (set[i >> 5] >> (i & 31)) & 1u;
}

template <class Team>
OPTGAP_HD void clear(Team& team, std::uint32_t* set, std::int64_t universe) {
    team.each(bitset_words(universe), [&](std::int64_t w) { set[w] = 0; });
    team.sync();
}

/// Smallest i with values[i] outside [0, universe); -1 if there is none.
template <class Team>
OPTGAP_HD std::int32_t first_out_of_range(Team& team, std::int32_t const* values, std::int64_t count,
                                          std::int64_t universe) {
    std::int64_t found = INT64_MAX;
    for (std::int64_t i = team.rank(); i < count; i += team.size()) {
        if (values[i] < 0 || values[i] >= universe) {
            found = i;
            break;
        }
    }
    ranked const first = team.min_by(found, 0);
    return first.key == INT64_MAX ? -1 : std::int32_t(first.key);
}

/// Smallest i whose value also occurs at an earlier index; -1 if there is none. Afterwards `seen` holds the values
/// before it. Values are in [0, universe). Takes linear time: chunks enter the set one after the other, and pairs are
/// compared only within a chunk. Which of two equal values comes first therefore never depends on the team's size.
template <class Team>
OPTGAP_HD std::int32_t first_repeat(Team& team, std::int32_t const* values, std::int64_t count, std::uint32_t* seen,
                                    std::int64_t universe) {
    clear(team, seen, universe);
    std::int64_t const chunk = team.size();
    for (std::int64_t begin = 0; begin < count; begin += chunk) {
        std::int64_t const i = begin + team.rank();
        bool const active = i < count;
        bool repeated = active && contains(seen, values[active ? i : 0]);
        for (std::int64_t j = begin; active && !repeated && j < i; ++j) {
            repeated = values[j] == values[i];
        }
        ranked const first = team.min_by(repeated ? i : INT64_MAX, 0);
        if (first.key != INT64_MAX) {
            return std::int32_t(first.key);
        }
        if (active) {
            team.fetch_or(&seen[values[i] >> 5], 1u << (values[i] & 31));
        }
        team.sync();
    }
    return -1;
}

OPTGAP_KERNELS_END
