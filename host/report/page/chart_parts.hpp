#pragma once
// The parts that all kinds of charts share: the frame, the marks, the words.

#include <string>
#include <string_view>
#include <vector>

#include "host/report/page/chart.hpp"
#include "host/report/page/chart_axis.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::charts {

inline constexpr double width = 400;
inline constexpr double edge = 2;  ///< where words begin
inline constexpr double left = 40;
inline constexpr double right = width - 14;
inline constexpr double head_size = 13.2;  ///< bold
inline constexpr double label_size = 11;
inline constexpr double tick_size = 10;

/// The place of the plot; a legend above it takes the lines that it needs.
struct frame {
    double top;
    double bottom;
};

/// The height of the legend's lines; 0 for one series, which the title names.
double legend_height(chart const& of);
/// Title and legend; the plot begins below.
void draw_head(svg& out, chart const& of);
/// Lines and labels of a vertical axis along the left side, and the name of it.
void draw_y_axis(svg& out, chart_axis const& by, frame const& at, std::string_view label, std::size_t max_ticks);

/// "mark s2 dashed": the classes of a series' parts.
std::string series_class(char const* part, std::size_t series);
/// The series' shape around a point.
void draw_mark(svg& out, point at, std::size_t series, std::string_view hint);

/// The first `most` characters, and an ellipsis where there are more.
std::string shortened(std::string_view text, std::size_t most);
/// The approximate width of the words in letters of this size; fonts differ.
double text_width(std::string_view text, double size);
/// As many characters as fit into the room.
std::string fitted(std::string_view text, double room, double size);
/// "greedy: 0.5 (0.4 to 0.6) at 20"
std::string hint_of(chart const& of, chart_series const& series, chart_point const& of_point);

/// Points that have a place on both axes.
std::vector<chart_point> placed(chart const& of, chart_series const& series);
/// All numbers along the vertical axis that have a place there, intervals included.
std::vector<double> heights(chart const& of);

std::string draw_curves(chart const& of);  ///< lines and points
std::string draw_bars(chart const& of);
std::string draw_histogram(chart const& of);

/// The points of a curve that its drawing passes through: the lowest and the highest of each stretch of equally many.
std::vector<chart_point> thinned(std::vector<chart_point> points);

}  // namespace optgap::charts
