// Bars and histograms.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "host/report/page/chart_parts.hpp"

namespace optgap::charts {
namespace {

constexpr double name_width = 118;
constexpr double histogram_height = 96;

/// The names of all series, each once, in the order they come.
std::vector<std::string> names_of(chart const& of) {
    std::vector<std::string> names;
    for (chart_series const& series : of.series) {
        for (chart_point const& p : series.points) {
            if (std::find(names.begin(), names.end(), p.name) == names.end()) {
                names.push_back(p.name);
            }
        }
    }
    return names;
}

}  // namespace

std::string draw_bars(chart const& of) {
    std::vector<std::string> const names = names_of(of);
    double const bar = of.series.size() == 1 ? 13 : 9;
    double const row = bar * double(of.series.size()) + 7;
    frame const at{46 + legend_height(of), 46 + legend_height(of) + std::max(row * double(names.size()), 24.0)};
    chart_axis along(heights(of), of.y.log, !of.y.log);
    along.place(name_width, right - 8);
    double const start = of.y.log ? name_width : along.at(0);

    svg out(width, at.bottom + 38, of.title);
    out.describe(fmt::format("Bars of {} series: {} for each {}; the numbers follow.", of.series.size(), of.y.label,
                             of.x.label));
    draw_head(out, of);
    for (auto const& [value, words] : along.ticks(5)) {
        double const x = along.at(value);
        out.line({x, at.top - 4}, {x, at.bottom}, "line");
        out.text({x, at.bottom + 13}, words, "tick", text_anchor::middle);
    }
    out.text({edge, at.top - 8}, fitted(of.x.label, name_width, tick_size), "tick");
    out.text({(name_width + right) / 2, at.bottom + 29}, fitted(of.y.label, right - name_width, tick_size), "tick",
             text_anchor::middle);
    for (std::size_t n = 0; n < names.size(); ++n) {
        double const middle = at.top + row * (double(n) + 0.5);
        out.text({name_width - 6, middle + 3.5}, fitted(names[n], name_width - 8, label_size), "label",
                 text_anchor::end);
    }
    for (std::size_t s = 0; s < of.series.size(); ++s) {
        for (chart_point const& p : placed(of, of.series[s])) {
            auto const place = std::find(names.begin(), names.end(), p.name) - names.begin();
            double const y = at.top + row * double(place) + 3 + bar * double(s);
            double const end = along.at(p.y);
            out.rectangle({std::min(start, end), y}, std::max(std::abs(end - start), 0.8), bar - 1,
                          series_class("column", s), hint_of(of, of.series[s], p));
            if (!std::isnan(p.low)) {
                double const centre = y + (bar - 1) / 2;
                out.line({along.at(p.low), centre}, {along.at(p.high), centre}, "over");
                for (double const limit : {p.low, p.high}) {
                    out.line({along.at(limit), centre - 2.5}, {along.at(limit), centre + 2.5}, "over");
                }
            }
        }
    }
    out.line({start, at.top - 4}, {start, at.bottom}, "axis");
    if (names.empty()) {
        out.text({(left + right) / 2, (at.top + at.bottom) / 2}, "no values", "label", text_anchor::middle);
    }
    return out.finish();
}

std::string draw_histogram(chart const& of) {
    frame const at{46 + legend_height(of), 46 + legend_height(of) + histogram_height};
    chart_axis up(heights(of), of.y.log, !of.y.log);
    up.place(at.bottom, at.top);
    svg out(width, at.bottom + 34, of.title);
    out.describe(fmt::format("Histogram: {} over {}; the numbers follow.", of.y.label, of.x.label));
    draw_head(out, of);
    draw_y_axis(out, up, at, of.y.label, 3);
    std::vector<chart_point> const& bins = of.series.front().points;
    double const column = (right - left) / double(std::max<std::size_t>(bins.size(), 6));
    double const part = (column - 1) / double(of.series.size());
    for (std::size_t s = 0; s < of.series.size(); ++s) {
        for (std::size_t b = 0; b < of.series[s].points.size(); ++b) {
            chart_point const& p = of.series[s].points[b];
            if (p.y > 0) {
                double const tall = std::max(1.0, at.bottom - up.at(p.y));
                out.rectangle(
                    {left + column * double(b) + part * double(s), at.bottom - tall}, part, tall,
                    series_class("column", s),
                    fmt::format("{}from {:.10g}: {:.10g}",
                                of.series.size() > 1 ? shortened(of.series[s].name, 40) + ", " : "", p.x, p.y));
            }
        }
    }
    out.line({left, at.bottom}, {right, at.bottom}, "axis");
    std::size_t const stride = (bins.size() + 6) / 7;
    for (std::size_t b = 0; b < bins.size(); b += std::max<std::size_t>(stride, 1)) {
        std::string const words = short_number(bins[b].x);
        double const x = left + column * double(b) + 1;
        if (x + text_width(words, tick_size) < width) {
            out.text({x, at.bottom + 13}, words, "tick");
        }
    }
    out.text({(left + right) / 2, at.bottom + 28}, fitted(of.x.label, right - left, tick_size), "tick",
             text_anchor::middle);
    if (bins.empty()) {
        out.text({(left + right) / 2, (at.top + at.bottom) / 2}, "no values", "label", text_anchor::middle);
    } else if (double const median = of.series.front().median; of.series.size() == 1 && !std::isnan(median)) {
        auto const above = std::upper_bound(bins.begin(), bins.end(), median,
                                            [](double value, chart_point const& bin) { return value < bin.x; });
        double const x = left + column * (double(above - bins.begin()) - 0.5);
        out.line({x, at.top - 3}, {x, at.bottom}, "limit");
        out.text({right, at.top - 8}, fmt::format("median {:.6g}", median), "tick", text_anchor::end);
    }
    return out.finish();
}

}  // namespace optgap::charts
