#include "host/report/shares.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace optgap {

double pass_at(std::int64_t rows, std::int64_t passed, std::int64_t k) {
    if (rows - passed < k) {
        return 1.0;
    }
    double none = 1.0;
    for (std::int64_t i = 0; i < k; ++i) {
        none *= double(rows - passed - i) / double(rows - i);
    }
    return 1.0 - none;
}

double best_of(std::vector<double> values, std::int64_t k) {
    std::sort(values.begin(), values.end(), std::greater<>());
    auto const rows = std::int64_t(values.size());
    double chance = double(k) / double(rows);  // that the best row is drawn
    double expected = 0;
    for (std::int64_t i = 0; i + k <= rows; ++i) {
        expected += chance * std::max(0.0, values[std::size_t(i)]);
        // C(rows - i - 2, k - 1) / C(rows - i - 1, k - 1): the next one leads.
        if (rows - i - 1 > 0) {
            chance *= double(rows - i - k) / double(rows - i - 1);
        }
    }
    return expected;
}

share_interval wilson_interval(double share, double rows, double z) {
    if (rows <= 0) {
        return {0, 1};
    }
    double const square = z * z;
    double const middle = (share + square / (2 * rows)) / (1 + square / rows);
    double const half = z / (1 + square / rows) * std::sqrt(share * (1 - share) / rows + square / (4 * rows * rows));
    return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}  // namespace optgap
