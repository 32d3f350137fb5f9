#pragma once
// The instance's words, and the one distance function through which all code in this folder reads them.
//
//   form 0   [0, n, d(1,0), d(2,0), d(2,1), d(3,0), …]    lower triangle without the diagonal, row by row
//   form 1   [1, n, scale, x0, y0, x1, y1, …]             points in units of 1 / scale, EUC_2D of exact roots
//   form 2   [2, n, scale, x0, y0, x1, y1, …]             the same, EUC_2D as TSPLIB's programs compute it, in doubles

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/rounded_distance.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

inline constexpr std::int32_t matrix_form = 0;
inline constexpr std::int32_t points_form = 1;
inline constexpr std::int32_t doubles_form = 2;

inline constexpr std::int32_t min_cities = 3;
inline constexpr std::int32_t max_cities = 1'000'000;
inline constexpr std::int32_t max_weight = 1 << 24;  ///< of every distance in either form; `check` holds points to it
inline constexpr std::int32_t max_coordinate = 1 << 29;  ///< absolute value; keeps dx² + dy² at 2^61 or less
inline constexpr std::int32_t max_scale = 1'000'000;     ///< six decimal places

/// n; the instance has passed `check`.
OPTGAP_HD inline std::int32_t city_count(words_view instance) { return instance.data[1]; }

/// Words before row i of the lower triangle.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t triangle(std::int64_t i) { return i * (i - 1) / 2; }

using optgap::doubles_distance;
using optgap::rounded_distance;

/// d(i, j) of a checked instance, for cities in range; d(i, i) = 0, the others are in 0 … max_weight.
struct distances {
    std::int32_t const* payload;
    std::int32_t form;

    OPTGAP_HD explicit distances(words_view instance) : payload(instance.data + 2), form(instance.data[0]) {}

    [[nodiscard]] OPTGAP_HD std::int32_t from_matrix(std::int32_t i, std::int32_t j) const {
        std::int32_t const high = i > j ? i : j;
        std::int32_t const low = i > j ? j : i;
        return high == low ? 0 : payload[triangle(high) + low];
    }
    [[nodiscard]] OPTGAP_HD std::int32_t from_points(std::int32_t i, std::int32_t j) const {
        std::int32_t const* const a = payload + 1 + 2 * std::int64_t(i);
        std::int32_t const* const b = payload + 1 + 2 * std::int64_t(j);
        return std::int32_t(form == doubles_form
                                ? doubles_distance(a, b, payload[0])
                                : rounded_distance(std::int64_t(a[0]) - b[0], std::int64_t(a[1]) - b[1], payload[0]));
    }
    [[nodiscard]] OPTGAP_HD std::int32_t operator()(std::int32_t i, std::int32_t j) const {
        return form == matrix_form ? from_matrix(i, j) : from_points(i, j);
    }
};

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
