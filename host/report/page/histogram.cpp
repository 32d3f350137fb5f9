#include "host/report/page/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace optgap {
namespace {

constexpr double max_bars = 24;
constexpr double share_bars = 20;

/// A range cut into bars.
struct scale {
    double low;
    double step;
    bins how;

    [[nodiscard]] std::size_t bar_of(double value) const {
        if (how == bins::doubling) {
            return std::size_t(std::bit_width(std::uint64_t(value)));
        }
        // 0.15 is in the bar that begins there, though it is less than three times a twentieth.
        return std::size_t(std::floor((value - low) / step + (how == bins::share ? 1e-9 : 0)));
    }
    [[nodiscard]] double from(std::size_t bar) const {
        if (how == bins::doubling) {
            return bar == 0 ? 0 : std::exp2(double(bar - 1));
        }
        return how == bins::share ? double(bar) / share_bars : low + step * double(bar);
    }
};

scale scale_of(double least, double most, bins how) {
    if (how == bins::share) {
        return {0, 1 / share_bars, how};
    }
    return {least, std::max(1.0, std::ceil((most - least + 1) / max_bars)), how};
}

}  // namespace

std::vector<histogram_bar> count_values(std::span<double const> values, bins how) {
    if (values.empty()) {
        return {};
    }
    auto const [least, most] = std::minmax_element(values.begin(), values.end());
    scale const by = scale_of(*least, *most, how);
    std::size_t const first = how == bins::doubling ? by.bar_of(*least) : 0;
    std::size_t const last = how == bins::share ? std::size_t(share_bars) : by.bar_of(*most);
    std::vector<histogram_bar> bars;
    for (std::size_t b = first; b <= last; ++b) {
        bars.push_back({by.from(b), 0});
    }
    for (double const value : values) {
        ++bars[by.bar_of(value) - first].count;
    }
    return bars;
}

double median_of(std::span<double const> values) {
    if (values.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<double> sorted(values.begin(), values.end());
    auto const middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

}  // namespace optgap
