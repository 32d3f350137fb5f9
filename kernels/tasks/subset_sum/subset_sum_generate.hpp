#pragma once
// Generation of instances of subset_sum. Purposes of the random words:
//
//   0  sizes: word 0 n, word 1 k (the paper's levels); word 0 k, word 1 the modulus (the difficulty scale)
//   1  word i: the i-th value before the labels are shuffled
//   2  the shuffle of the labels

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/team.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::subset_sum {

enum purpose : std::uint32_t { draw_sizes = 0, draw_values, draw_labels };

struct level_shape {
    std::int32_t n_low, n_high, k_low, k_high, largest;
};
[[nodiscard]] OPTGAP_HD constexpr level_shape shape_of(difficulty level) {
    switch (level.code + 4) {
        case 0: return {5, 10, 4, 8, 5};
        case 1: return {8, 12, 4, 8, 10};
        case 2: return {12, 15, 8, 12, 15};
        default: return {15, 20, 10, 15, 15};
    }
}

/// The number of values and of planted ones: values 0 … planted-1 before the labels are shuffled.
struct instance_sizes {
    std::int32_t n;
    std::int32_t planted;
};

/// The parameters of step d of the difficulty scale. Small values are multiples of the modulus, large ones are
/// arbitrary.
struct scale_shape {
    std::int32_t modulus;
    std::int32_t planted_large;    ///< number of large values among the planted ones
    std::int32_t unplanted_large;  ///< and among the others, if there are that many
    std::int32_t spread;           ///< small: modulus * U(1, spread); large: U(1, 8) times modulus * spread
};
inline constexpr std::int32_t max_scale_values = 4096;
[[nodiscard]] OPTGAP_HD constexpr std::int32_t scale_values(std::int32_t d) {
    return d < max_scale_values - 8 ? 8 + d : max_scale_values;
}
[[nodiscard]] OPTGAP_HD inline scale_shape scale_of(draw source, std::int32_t d) {
    std::int32_t const n = scale_values(d);
    std::int32_t const modulus = uniform(source, draw_sizes, 1, 1, 3);
    std::int32_t const planted_large = 1 + n / 40;
    return {modulus, planted_large, n / 2 - planted_large, n / 2};
}

[[nodiscard]] OPTGAP_HD inline instance_sizes sizes_of(draw source, difficulty level) {
    if (level.code >= 0) {
        std::int32_t const n = scale_values(level.code);
        return {n, uniform(source, draw_sizes, 0, n / 2, 2 * n / 3)};
    }
    level_shape const shape = shape_of(level);
    std::int32_t const n = uniform(source, draw_sizes, 0, shape.n_low, shape.n_high);
    std::int32_t const planted = uniform(source, draw_sizes, 1, shape.k_low, shape.k_high);
    return {n > planted ? n : planted, planted};
}

/// Value i before the labels are shuffled.
[[nodiscard]] OPTGAP_HD inline std::int32_t drawn_value(draw source, difficulty level, instance_sizes sizes,
                                                        std::int32_t i) {
    std::uint32_t const word = random_word(source, draw_values, std::uint32_t(i));
    if (level.code < 0) {
        return to_range(word, 1, shape_of(level).largest);
    }
    scale_shape const shape = scale_of(source, level.code);
    bool const large = i < sizes.planted ? i < shape.planted_large : i < sizes.planted + shape.unplanted_large;
    std::int32_t const unit = shape.modulus * shape.spread;
    return large ? to_range(word, unit, 8 * unit) : shape.modulus * to_range(word, 1, shape.spread);
}

}  // namespace tasks::subset_sum
OPTGAP_KERNELS_END
