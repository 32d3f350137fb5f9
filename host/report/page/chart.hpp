#pragma once
// Charts as SVG: their data, and the drawing. host/report/page/page.hpp puts them into pages.

#include <string>
#include <string_view>
#include <vector>

namespace optgap {

enum class chart_kind {
    lines,      ///< curves, with a band where points have intervals; x ascends in a series
    points,     ///< marks, with a whisker where a point has an interval
    bars,       ///< one row per name, with one bar per series, and a whisker where there is an interval
    histogram,  ///< counts from each x to the next, in columns of one width
};

struct chart_axis_words {
    std::string label;
    bool log = false;  ///< base 10; only positive values have a place on it
};

/// NaN stands for a missing number.
struct chart_point {
    double x = 0;
    double y = 0;
    double low = 0;  ///< of the interval around y
    double high = 0;
    std::string name;  ///< what a bar stands for, instead of x
};

struct chart_series {
    std::string name;
    std::vector<chart_point> points;
    double median = 0;  ///< of a histogram's values
};

struct chart {
    chart_kind kind = chart_kind::lines;
    std::string title;
    chart_axis_words x;
    chart_axis_words y;
    std::vector<chart_series> series;
};

/// An element that scales to the width it is given. Needs `svg_style_sheet` and `chart_style_sheet`.
std::string draw_chart(chart const& of);

/// The drawing as a file of its own.
std::string standalone_chart(chart const& of);

/// Sentences about what the drawing leaves out: points without a place on an axis, curves of too many points.
std::vector<std::string> chart_notes(chart const& of);

/// The CSS of charts. Six series differ in colour, lightness and mark; the next six are dashed.
extern std::string_view const chart_style_sheet;

}  // namespace optgap
