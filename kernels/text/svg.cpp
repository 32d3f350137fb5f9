#include "kernels/text/svg.hpp"

#include <cmath>

#include <fmt/format.h>

namespace optgap {
namespace {

/// sin(x) for 0 <= x <= pi / 2, to ten digits.
double sine(double x) {
    double term = x;
    double sum = x;
    for (int k = 1; k < 9; ++k) {
        term *= -x * x / double(2 * k * (2 * k + 1));
        sum += term;
    }
    return sum;
}

}  // namespace

std::string_view const svg_style_sheet = R"(svg{
--ink:#1f2328;--soft:#6b7280;--faint:#c9ced6;--paper:#ffffff;--area:#e3e7ed;--accent:#2563eb;--second:#b45309;--alarm:#dc2626;
font:10px ui-sans-serif,system-ui,sans-serif;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){svg{
--ink:#e6e8eb;--soft:#9aa3af;--faint:#454c57;--paper:#14171c;--area:#2c323b;--accent:#60a5fa;--second:#fbbf24;--alarm:#f87171}}
svg .line{stroke:var(--faint);stroke-width:.6;fill:none}
svg .strong{stroke:var(--accent);stroke-width:2;fill:none;stroke-linejoin:round}
svg .cut{stroke:var(--alarm);stroke-width:1.2;fill:none}
svg .axis{stroke:var(--soft);stroke-width:1;fill:none}
svg .limit{stroke:var(--alarm);stroke-width:1.5;stroke-dasharray:4 3;fill:none}
svg .vertex{fill:var(--paper);stroke:var(--soft)}
svg .bar{fill:var(--area);stroke:var(--soft);stroke-width:.5}
svg .chosen{fill:var(--accent);stroke:var(--paper);stroke-width:.7}
svg .left{fill:var(--accent);stroke:var(--paper)}
svg .right{fill:var(--second);stroke:var(--paper)}
svg .band{fill:var(--accent);opacity:.15}
svg .label{fill:var(--ink)}
svg .note{fill:var(--soft);font-size:9px}
svg .on{fill:var(--paper);font-size:8px}
svg .inside{fill:var(--ink);font-size:8px}
svg .dot{fill:#0b0d10;font-size:8px}
svg .group0{fill:#8ecae6}svg .group1{fill:#ffb703}svg .group2{fill:#90be6d}svg .group3{fill:#f28482}
svg .group4{fill:#b79ced}svg .group5{fill:#e9c46a}svg .group6{fill:#4fb3a5}svg .group7{fill:#f4a261}
svg .group8{fill:#a3b18a}svg .group9{fill:#ff99c8}svg .group10{fill:#c9ada7}svg .group11{fill:#a9def9}
)";

svg::svg(double width, double height, std::string_view title) {
    out_ = fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.0f} {:.0f}" width="{:.0f}")"
                       R"( height="{:.0f}" role="img"><title>{}</title>)",
                       width, height, width, height, xml_text(title));
}

void svg::open(char const* element) { out_ += fmt::format("\n<{}", element); }

void svg::number(char const* name, double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) {
        text.resize(text.size() - 2);
    }
    attribute(name, text == "-0" ? "0" : text);
}

void svg::attribute(char const* name, std::string_view value) {
    out_ += fmt::format(" {}=\"{}\"", name, xml_text(value));
}

/// Writes the end of a tag, with the text shown on hovering.
void svg::close(char const* element, std::string_view hint) {
    out_ += hint.empty() ? "/>" : fmt::format("><title>{}</title></{}>", xml_text(hint), element);
}

void svg::describe(std::string_view words) { out_ += fmt::format("<desc>{}</desc>", xml_text(words)); }

void svg::line(point from, point to, std::string_view style) {
    open("line");
    number("x1", from.x);
    number("y1", from.y);
    number("x2", to.x);
    number("y2", to.y);
    attribute("class", style);
    out_ += "/>";
}

void svg::circle(point centre, double radius, std::string_view style, std::string_view hint) {
    open("circle");
    number("cx", centre.x);
    number("cy", centre.y);
    number("r", radius);
    attribute("class", style);
    close("circle", hint);
}

void svg::rectangle(point corner, double width, double height, std::string_view style, std::string_view hint) {
    open("rect");
    number("x", corner.x);
    number("y", corner.y);
    number("width", width);
    number("height", height);
    attribute("class", style);
    close("rect", hint);
}

void svg::path(char const* element, std::span<point const> points, std::string_view style, std::string_view hint) {
    open(element);
    std::string list;
    for (point const& p : points) {
        list += fmt::format("{}{:.1f},{:.1f}", list.empty() ? "" : " ", p.x, p.y);
    }
    attribute("points", list);
    attribute("class", style);
    close(element, hint);
}

void svg::polyline(std::span<point const> points, std::string_view style) { path("polyline", points, style, {}); }
void svg::polygon(std::span<point const> corners, std::string_view style, std::string_view hint) {
    path("polygon", corners, style, hint);
}

void svg::text(point at, std::string_view words, std::string_view style, text_anchor anchor) {
    open("text");
    number("x", at.x);
    number("y", at.y);
    attribute("class", style);
    if (anchor != text_anchor::start) {
        attribute("text-anchor", anchor == text_anchor::middle ? "middle" : "end");
    }
    out_ += fmt::format(">{}</text>", xml_text(words));
}

std::string svg::finish() { return std::move(out_) + "\n</svg>\n"; }

std::string svg_group(std::int32_t group) { return fmt::format("group{}", group % svg_groups); }

std::string standalone_svg(std::string_view element) {
    std::size_t const inside = element.find("<title>");
    return fmt::format("{}<style>{}</style>{}", element.substr(0, inside), svg_style_sheet, element.substr(inside));
}

std::string xml_text(std::string_view text) {
    std::string out;
    for (char const c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\t':
            case '\n': out += c; break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    out += "\xEF\xBF\xBD";
                } else {
                    out += c;
                }
        }
    }
    return out;
}

point on_circle(point centre, double radius, double turn) {
    double const full = turn - std::floor(turn);
    int const quarter = int(full * 4);
    double const angle = (full - double(quarter) / 4) * 6.283185307179586;
    double const along = sine(angle);
    double const across = sine(1.5707963267948966 - angle);
    switch (quarter) {
        case 0: return {centre.x + radius * along, centre.y - radius * across};
        case 1: return {centre.x + radius * across, centre.y + radius * along};
        case 2: return {centre.x - radius * along, centre.y + radius * across};
        default: return {centre.x - radius * across, centre.y - radius * along};
    }
}

}  // namespace optgap
