#include "host/report/page/chart_axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace optgap {
namespace {

/// The least of 1, 2 and 5 times a power of ten that cuts `range` into at most `most` parts.
double round_step(double range, std::size_t most) {
    double const least = range / double(std::max<std::size_t>(most, 1));
    double const power = std::pow(10.0, std::floor(std::log10(least)));
    for (double const times : {1.0, 2.0, 5.0}) {
        if (times * power >= least * (1 - 1e-9)) {
            return times * power;
        }
    }
    return 10 * power;
}

}  // namespace

std::string short_number(double value) {
    double const size = std::abs(value);
    if (size >= 1e4 && size < 1e15) {
        static constexpr std::pair<double, char> suffixes[] = {{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}};
        for (auto const& [unit, suffix] : suffixes) {
            if (size >= unit) {
                return fmt::format("{:.3g}{}", value / unit, suffix);
            }
        }
    }
    return fmt::format("{:.4g}", value == 0 ? 0.0 : value);
}

chart_axis::chart_axis(std::vector<double> const& values, bool log, bool from_zero) : log_(log) {
    if (!values.empty()) {
        auto const [least, most] = std::minmax_element(values.begin(), values.end());
        low_ = log_ ? std::log10(*least) : *least;
        high_ = log_ ? std::log10(*most) : *most;
        // A range that begins near 0 begins there.
        if (!log_ && (from_zero || (low_ > 0 && low_ < 0.5 * high_))) {
            low_ = std::min(low_, 0.0);
            high_ = std::max(high_, 0.0);
        }
    }
    if (high_ - low_ <= 1e-12 * std::max(std::abs(low_), std::abs(high_))) {
        double const room = log_ || low_ == 0 ? 1 : 0.1 * std::abs(low_);
        low_ -= from_zero && low_ == 0 ? 0 : room;
        high_ += room;
    }
}

void chart_axis::place(double first, double last) {
    first_ = first;
    last_ = last;
}

double chart_axis::at(double value) const {
    double const found = first_ + (last_ - first_) * ((log_ ? std::log10(value) : value) - low_) / (high_ - low_);
    return std::round(found * 1e4) / 1e4;  // removes the differences between libraries
}

std::vector<chart_axis::tick> chart_axis::ticks(std::size_t most) const {
    return log_ ? log_ticks(most) : linear_ticks(most);
}

std::vector<chart_axis::tick> chart_axis::linear_ticks(std::size_t most) const {
    std::vector<tick> found;
    double const step = round_step(high_ - low_, most);
    double const first = std::ceil(low_ / step - 1e-6);
    for (std::size_t k = 0; first + double(k) <= high_ / step + 1e-6 && k <= most; ++k) {
        double const value = (first + double(k)) * step;
        found.push_back({value, short_number(value)});
    }
    return found;
}

std::vector<chart_axis::tick> chart_axis::log_ticks(std::size_t most) const {
    std::vector<tick> found;
    auto const add = [&](double exponent, double times) {
        double const value = times * std::pow(10.0, exponent);
        double const place = std::log10(value);
        if (place >= low_ - 1e-9 && place <= high_ + 1e-9) {
            found.push_back({value, short_number(value)});
        }
    };
    double const first = std::floor(low_);
    double const decades = std::floor(high_) - first;
    double const stride = std::max(1.0, std::ceil(decades / double(std::max<std::size_t>(most, 1))));
    for (double exponent = first; exponent <= high_; exponent += stride) {
        add(exponent, 1);
        if (high_ - low_ < 2.5) {
            add(exponent, 2);
            add(exponent, 5);
        }
    }
    if (found.size() >= 2) {
        return found;
    }
    // Less than a decade between two round numbers: the ticks of a linear axis.
    chart_axis const plain({std::pow(10.0, low_), std::pow(10.0, high_)}, false, false);
    found = plain.linear_ticks(most);
    std::erase_if(found, [&](tick const& t) { return !(t.value > 0) || std::log10(t.value) < low_ - 1e-9; });
    return found;
}

}  // namespace optgap
