#pragma once
// Host only: coordinates as exact decimals, and TSPLIB's distances between them, rounded by comparing squares.

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/tasks/tsp/tsp_distance.hpp"

namespace optgap::text::tsp {

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

/// With these limits no square below exceeds 256 bits: differences are at most 2 · 10^36, scales at most 10^30.
inline constexpr std::int32_t max_digits = 36;  ///< of a coordinate in units of the finest one's last place
inline constexpr std::int32_t max_places = 30;

/// 10^exponent, exponent in 0 … max_digits.
constexpr int128 power_of_ten(std::int32_t exponent) {
    int128 power = 1;
    for (; exponent > 0; --exponent) {
        power *= 10;
    }
    return power;
}

/// digits / 10^places with the fewest places.
struct decimal {
    int128 digits = 0;
    std::int32_t places = 0;
    bool fits = true;  ///< false: more than max_digits or max_places; the numbers above are then meaningless
};

/// nullopt unless all of `word` is a number such as 3, -0.25, +.5 or 1.5e+02.
std::optional<decimal> read_decimal(std::string_view word);

/// An integer below 2^256.
struct wide {
    uint128 high = 0, low = 0;
    friend constexpr auto operator<=>(wide const&, wide const&) = default;
    friend constexpr wide operator+(wide a, wide b) {
        uint128 const sum = a.low + b.low;
        return {a.high + b.high + (sum < a.low ? 1 : 0), sum};
    }
};

constexpr wide square(uint128 x) {
    uint128 const a = x >> 64;
    uint128 const b = x & UINT64_MAX;
    return wide{a * a, b * b} + wide{a * b >> 63, a * b << 65};
}

/// The smallest t in 0 … max_weight that is long enough, where every larger one is too; max_weight + 1 if there is
/// none.
template <class Test>
constexpr std::int64_t shortest(Test long_enough) {
    std::int64_t first = 0;
    for (std::int64_t last = optgap::tasks::tsp::max_weight + 1; first < last;) {
        std::int64_t const middle = (first + last) / 2;
        if (long_enough(uint128(middle))) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

// TSPLIB's distances of points that are dx / scale and dy / scale apart; dx, dy >= 0.

/// CEIL_2D: sqrt(dx² + dy²) / scale, rounded up.
constexpr std::int64_t euclidean_up(uint128 dx, uint128 dy, uint128 scale) {
    wide const length = square(dx) + square(dy);
    return shortest([&](uint128 t) { return length <= square(t * scale); });
}

/// ATT: sqrt((dx² + dy²) / 10) / scale, rounded up; 10 = 3² + 1².
constexpr std::int64_t pseudo_euclidean(uint128 dx, uint128 dy, uint128 scale) {
    wide const length = square(dx) + square(dy);
    return shortest([&](uint128 t) { return length <= square(3 * t * scale) + square(t * scale); });
}

/// MAN_2D, and each axis of MAX_2D: length / scale to the nearest integer, halves up.
constexpr std::int64_t rounded(uint128 length, uint128 scale) {
    uint128 const limit = optgap::tasks::tsp::max_weight + 1;
    return std::int64_t(std::min((2 * length + scale) / (2 * scale), limit));
}

}  // namespace optgap::text::tsp
