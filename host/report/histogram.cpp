#include "host/report/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "kernels/text/svg.hpp"

namespace optgap {
namespace {

constexpr double width = 220;
constexpr double height = 96;
constexpr point plot{6, 22};  ///< its upper left corner
constexpr double plot_width = width - 12;
constexpr double plot_height = 54;
constexpr std::size_t most_bars = 24;

/// A range cut into bars.
struct scale {
    double low;
    double step;
    bins how;

    [[nodiscard]] std::size_t bar_of(double value) const {
        if (how == bins::doubling) {
            return std::size_t(std::bit_width(std::uint64_t(value)));
        }
        return std::size_t(std::floor((value - low) / step + 1e-9));
    }
    [[nodiscard]] std::string from(std::size_t bar) const {
        if (how == bins::doubling) {
            return fmt::format("{}", bar == 0 ? 0 : std::uint64_t(1) << (bar - 1));
        }
        return fmt::format("{:.10g}", low + step * double(bar));
    }
};

scale scale_of(std::span<double const> sorted, bins how) {
    if (how == bins::share) {
        return {0, 0.05, how};
    }
    double const range = sorted.back() - sorted.front() + 1;
    return {sorted.front(), std::max(1.0, std::ceil(range / double(most_bars))), how};
}

}  // namespace

std::string draw_histogram(std::string_view title, std::span<double const> values, bins how) {
    svg out(width, height, title);
    out.text({plot.x, 12}, title, "label");
    if (values.empty()) {
        out.text({plot.x, plot.y + plot_height / 2}, "no values", "note");
        return out.finish();
    }
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    scale const by = scale_of(sorted, how);
    std::size_t const first = how == bins::doubling ? by.bar_of(sorted.front()) : 0;
    std::vector<std::size_t> counts(how == bins::share ? 21 : by.bar_of(sorted.back()) - first + 1);
    for (double const value : sorted) {
        ++counts[by.bar_of(value) - first];
    }
    double const highest = double(*std::max_element(counts.begin(), counts.end()));
    double const bar_width = plot_width / double(std::max<std::size_t>(counts.size(), 6));
    for (std::size_t b = 0; b < counts.size(); ++b) {
        if (counts[b] > 0) {
            double const tall = std::max(1.0, plot_height * double(counts[b]) / highest);
            out.rectangle({plot.x + bar_width * double(b), plot.y + plot_height - tall}, bar_width - 1, tall,
                          how == bins::share && b == 20 ? "right" : "left",
                          fmt::format("from {}: {}", by.from(first + b), counts[b]));
        }
    }
    double const base = plot.y + plot_height;
    out.line({plot.x, base}, {plot.x + plot_width, base}, "axis");
    double const median = sorted[sorted.size() / 2];
    double const middle = plot.x + bar_width * (double(by.bar_of(median) - first) + 0.5);
    out.line({middle, plot.y - 3}, {middle, base}, "limit");
    out.text({plot.x, base + 12}, fmt::format("{:.10g}", how == bins::share ? 0 : sorted.front()), "note");
    double const end = plot.x + std::max(bar_width * double(counts.size()), plot_width / 3);
    out.text({end, base + 12}, fmt::format("{:.10g}", how == bins::share ? 1 : sorted.back()), "note",
             text_anchor::end);
    out.text({plot.x + plot_width, 12}, fmt::format("median {:.4g}", median), "note", text_anchor::end);
    return out.finish();
}

}  // namespace optgap
