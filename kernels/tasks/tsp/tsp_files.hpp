#pragma once
// Host only: decimal coordinates as fixed-point words, and the TSPLIB reader.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace optgap::text::tsp {

/// x in millionths when x is a decimal number of at most six places below 2^32, else nothing.
std::optional<std::int64_t> millionths(double x);

/// Words of the points form with the smallest scale that keeps x0, y0, x1, … exact; empty when a coordinate is too
/// large for its word.
std::vector<std::int32_t> point_words(std::span<std::int64_t const> coordinates);

/// Reads a symmetric TSPLIB instance (Reinelt 1995). EUC_2D stays points, every other weight type becomes a matrix.
/// Throws field_error whose field is the line, such as "line 7".
std::vector<std::int32_t> read_tsplib(std::string_view text);

}  // namespace optgap::text::tsp
