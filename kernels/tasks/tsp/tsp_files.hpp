#pragma once
// Host only: decimal coordinates as fixed-point words, and the TSPLIB reader.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/tasks/tsp/tsp_decimal.hpp"

namespace optgap::text::tsp {

/// x0, y0, x1, … in units of 1 / scale, where scale is the power of ten that the finest of them needs.
struct plane {
    std::vector<int128> coordinates;
    int128 scale = 1;
};

/// nullopt if a number would have more than max_digits.
std::optional<plane> common_scale(std::span<decimal const> numbers);

/// The words of points in form 1 or 2; integers stay in form 1. Empty if the scale is above max_scale or a coordinate
/// is too large for its word.
std::vector<std::int32_t> point_words(plane const& points, std::int32_t form);

/// Reads a symmetric TSPLIB instance (Reinelt 1995). EUC_2D stays in points if these can hold the coordinates, with the
/// distances in doubles on which published lengths are based; everything else becomes a matrix. Throws field_error
/// whose field is the line, such as "line 7".
std::vector<std::int32_t> read_tsplib(std::string_view text);

}  // namespace optgap::text::tsp
