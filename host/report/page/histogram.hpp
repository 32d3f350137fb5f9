#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace optgap {

/// How a histogram cuts its range.
enum class bins {
    whole,     ///< integers: one bar per value, or per equally many values where there are too many
    doubling,  ///< integers >= 0: 0, 1, 2-3, 4-7, …
    share,     ///< 0 … 1 in twentieths, and exactly 1 in a bar of its own
};

struct histogram_bar {
    double from = 0;  ///< a bar ends where the next begins; the last is as wide as the one before it
    std::size_t count = 0;
};

/// Bars that cover every value, ascending and without gaps, at most 64; none where there is no value.
std::vector<histogram_bar> count_values(std::span<double const> values, bins how);

/// The upper one of two in the middle; NaN for no value.
double median_of(std::span<double const> values);

}  // namespace optgap
