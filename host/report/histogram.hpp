#pragma once

#include <span>
#include <string>
#include <string_view>

namespace optgap {

/// How a histogram cuts its range.
enum class bins {
    whole,     ///< integers: one bar per value, or per equally many values where there are too many
    doubling,  ///< integers >= 0: 0, 1, 2-3, 4-7, …
    share,     ///< 0 … 1 in twentieths, and exactly 1 in a bar of another colour
};

/// A small SVG histogram of values >= 0 with the ends of its range and the median marked. Says so when there is no
/// value.
std::string draw_histogram(std::string_view title, std::span<double const> values, bins how);

}  // namespace optgap
