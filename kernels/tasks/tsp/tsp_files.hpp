#pragma once
// Host only: decimal coordinates as fixed-point words, and the TSPLIB reader.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/tasks/tsp/tsp_decimal.hpp"

namespace optgap::text::tsp {

/// x0, y0, x1, … in units of 1 / scale, the power of ten that the finest of them needs.
struct plane {
    std::vector<int128> coordinates;
    int128 scale = 1;
};

/// nullopt when a number would have more than max_digits.
std::optional<plane> common_scale(std::span<decimal const> numbers);

/// Words of points in form 1 or 2, where integers stay form 1; empty when the scale is above max_scale or a coordinate
/// too large for its word.
std::vector<std::int32_t> point_words(plane const& points, std::int32_t form);

/// Reads a symmetric TSPLIB instance (Reinelt 1995). EUC_2D stays points where these hold the coordinates, with the
/// distances of doubles that published lengths have; everything else becomes a matrix. Throws field_error whose field
/// is the line, such as "line 7".
std::vector<std::int32_t> read_tsplib(std::string_view text);

}  // namespace optgap::text::tsp
