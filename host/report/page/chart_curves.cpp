// Lines and points.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "host/report/page/chart_parts.hpp"

namespace optgap::charts {
namespace {

constexpr double plot_height = 190;
constexpr std::size_t max_on_curve = 400;
constexpr std::size_t max_marked = 40;  ///< points of a curve that have marks of their own

void draw_x_axis(svg& out, chart_axis const& by, frame const& at, std::string_view label) {
    out.line({left, at.bottom}, {right, at.bottom}, "axis");
    for (auto const& [value, words] : by.ticks(6)) {
        double const x = by.at(value);
        out.line({x, at.bottom}, {x, at.bottom + 4}, "axis");
        out.text({x, at.bottom + 15}, words, "tick", text_anchor::middle);
    }
    out.text({(left + right) / 2, at.bottom + 30}, fitted(label, right - left, tick_size), "tick", text_anchor::middle);
}

/// Runs of successive points that have a number each; one line goes through a run.
std::vector<std::vector<chart_point>> runs_of(chart const& of, chart_series const& series) {
    std::vector<std::vector<chart_point>> runs(1);
    for (chart_point const& p : series.points) {
        if (std::isnan(p.y)) {
            runs.emplace_back();
            continue;
        }
        chart_series const alone{"", {p}, 0};
        for (chart_point const& kept : placed(of, alone)) {
            runs.back().push_back(kept);
        }
    }
    std::erase_if(runs, [](auto const& run) { return run.empty(); });
    return runs;
}

void draw_band(svg& out, std::vector<chart_point> const& run, chart_axis const& x, chart_axis const& y, std::size_t s) {
    std::vector<point> corners;
    for (chart_point const& p : run) {
        if (!std::isnan(p.high)) {
            corners.push_back({x.at(p.x), y.at(p.high)});
        }
    }
    for (auto p = run.rbegin(); p != run.rend(); ++p) {
        if (!std::isnan(p->low)) {
            corners.push_back({x.at(p->x), y.at(p->low)});
        }
    }
    if (corners.size() > 2) {
        out.polygon(corners, series_class("interval", s));
    }
}

}  // namespace

std::vector<chart_point> thinned(std::vector<chart_point> points) {
    if (points.size() <= max_on_curve) {
        return points;
    }
    auto const lower = [](chart_point const& a, chart_point const& b) { return a.y < b.y; };
    std::size_t const parts = max_on_curve / 2;
    std::vector<chart_point> kept;
    for (std::size_t k = 0; k < parts; ++k) {
        auto const first = points.begin() + std::ptrdiff_t(points.size() * k / parts);
        auto const last = points.begin() + std::ptrdiff_t(points.size() * (k + 1) / parts);
        auto [least, most] = std::minmax_element(first, last, lower);
        auto const [sooner, later] = std::minmax(least, most);
        kept.push_back(*sooner);
        if (later != sooner) {
            kept.push_back(*later);
        }
    }
    return kept;
}

std::string draw_curves(chart const& of) {
    frame const at{46 + legend_height(of), 46 + legend_height(of) + plot_height};
    std::vector<double> across;
    for (chart_series const& series : of.series) {
        for (chart_point const& p : placed(of, series)) {
            across.push_back(p.x);
        }
    }
    chart_axis x(across, of.x.log, false);
    chart_axis y(heights(of), of.y.log, false);
    x.place(left + 8, right - 8);
    y.place(at.bottom, at.top);

    svg out(width, at.bottom + 38, of.title);
    out.describe(fmt::format("{} of {} series: {} over {}; the numbers follow.",
                             of.kind == chart_kind::lines ? "Lines" : "Points", of.series.size(), of.y.label,
                             of.x.label));
    draw_head(out, of);
    draw_y_axis(out, y, at, of.y.label, 6);
    draw_x_axis(out, x, at, of.x.label);
    if (across.empty()) {
        out.text({(left + right) / 2, (at.top + at.bottom) / 2}, "no values", "label", text_anchor::middle);
    }
    for (std::size_t s = 0; s < of.series.size(); ++s) {
        bool const few = placed(of, of.series[s]).size() <= max_marked;
        for (auto const& run : runs_of(of, of.series[s])) {
            std::vector<chart_point> const shown = of.kind == chart_kind::lines ? thinned(run) : run;
            if (of.kind == chart_kind::lines) {
                draw_band(out, shown, x, y, s);
                std::vector<point> path;
                for (chart_point const& p : shown) {
                    path.push_back({x.at(p.x), y.at(p.y)});
                }
                out.polyline(path, series_class("curve", s));
            }
            for (chart_point const& p : shown) {
                if (of.kind == chart_kind::points && !std::isnan(p.low)) {
                    out.line({x.at(p.x), y.at(p.low)}, {x.at(p.x), y.at(p.high)}, series_class("whisker", s));
                }
                if (of.kind == chart_kind::points || few || run.size() == 1) {
                    draw_mark(out, {x.at(p.x), y.at(p.y)}, s, hint_of(of, of.series[s], p));
                }
            }
        }
    }
    return out.finish();
}

}  // namespace optgap::charts
