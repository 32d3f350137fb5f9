#pragma once
// Small drawings as SVG text. Colours are classes, so that one style sheet serves light and dark pages. Coordinates are
// written with one decimal, so that the same drawing has the same bytes everywhere.
//
//   svg out(200, 100, "two cities");
//   out.line({20, 50}, {180, 50}, "strong");
//   out.circle({20, 50}, 6, "chosen");
//   std::string const element = out.finish();      // <svg …>…</svg>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace optgap {

struct point {
    double x = 0;
    double y = 0;
};

enum class text_anchor { start, middle, end };

class svg {
public:
    /// A drawing of width × height units; screen readers read `title`.
    svg(double width, double height, std::string_view title);

    /// A longer description for screen readers; called before anything is drawn.
    void describe(std::string_view words);
    void line(point from, point to, std::string_view style);
    /// `hint` is shown when the pointer rests on the circle.
    void circle(point centre, double radius, std::string_view style, std::string_view hint = {});
    void rectangle(point corner, double width, double height, std::string_view style, std::string_view hint = {});
    void polyline(std::span<point const> points, std::string_view style);
    void polygon(std::span<point const> corners, std::string_view style, std::string_view hint = {});
    /// `at` is on the base line.
    void text(point at, std::string_view words, std::string_view style, text_anchor anchor = text_anchor::start);

    /// Ends the drawing and returns the element, for a page that has `svg_style_sheet`.
    [[nodiscard]] std::string finish();

private:
    void open(char const* element);
    void number(char const* name, double value);
    void attribute(char const* name, std::string_view value);
    void path(char const* element, std::span<point const> points, std::string_view style, std::string_view hint);
    void close(char const* element, std::string_view hint);

    std::string out_;
};

/// CSS for everything that the pictures use. Lines: line (faint), strong, cut, axis, limit (dashed). Areas: vertex,
/// bar, chosen, left, right, band (translucent), and group0 … group11 for colours that mean "the same". Text: label,
/// note (small), and by its background: on (chosen), inside (vertex, bar), dot (a group's colour).
extern std::string_view const svg_style_sheet;

inline constexpr std::int32_t svg_groups = 12;
/// "group3" for 3, 15, …
std::string svg_group(std::int32_t group);

/// The element as a file of its own that includes the style sheet.
std::string standalone_svg(std::string_view element);

/// `text` with & < > " escaped and characters that XML does not allow replaced.
std::string xml_text(std::string_view text);

/// The point at `turn` (1 is the whole circle, from twelve o'clock, clockwise). Uses plain arithmetic, because
/// libraries differ in the last digit of a cosine.
point on_circle(point centre, double radius, double turn);

}  // namespace optgap
