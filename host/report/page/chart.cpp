#include "host/report/page/chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "host/report/page/chart_parts.hpp"

namespace optgap {
namespace {

constexpr std::size_t colours = 6;

}  // namespace

// Okabe and Ito's blue and vermilion, and four that differ from them and one another for every colour vision: at least
// 3 to the page in contrast and 19 in CIE L*a*b* to each other (tests/cli/look_test.py).
std::string_view const chart_style_sheet = R"(
svg.chart{font-size:11px}
svg .head{font-size:12px;font-weight:600;fill:var(--ink)}
svg .tick{fill:var(--soft);font-size:10px}
svg .s0{--s:#0072b2}svg .s1{--s:#d55e00}svg .s2{--s:#095b33}svg .s3{--s:#ca699d}svg .s4{--s:#6b4a00}svg .s5{--s:#1f2328}
@media screen and (prefers-color-scheme:dark){
svg .s0{--s:#56b4e9}svg .s1{--s:#ff8a3d}svg .s2{--s:#14936f}svg .s3{--s:#ea94ba}svg .s4{--s:#f0e442}svg .s5{--s:#ffffff}}
svg .curve{fill:none;stroke:var(--s);stroke-width:2;stroke-linejoin:round}
svg .mark,svg .column{fill:var(--s);stroke:var(--paper);stroke-width:.7}
svg .ring{fill:var(--paper);stroke:var(--s);stroke-width:1.6}
svg .whisker{stroke:var(--s);stroke-width:1.2;fill:none}
svg .over{stroke:var(--ink);stroke-width:1.2;fill:none}
svg .interval{fill:var(--s);opacity:.18}
svg .curve.dashed{stroke-dasharray:6 3}
svg .column.dashed{fill-opacity:.45;stroke:var(--s)}
)";

namespace charts {

std::string series_class(char const* part, std::size_t series) {
    return fmt::format("{} s{}{}", part, series % colours, series / colours % 2 == 1 ? " dashed" : "");
}

void draw_mark(svg& out, point at, std::size_t series, std::string_view hint) {
    std::string const style = series_class("mark", series);
    auto const polygon = [&](std::vector<point> corners) {
        for (point& corner : corners) {
            corner = {at.x + corner.x, at.y + corner.y};
        }
        out.polygon(corners, style, hint);
    };
    switch (series % colours) {
        case 0: out.circle(at, 3.2, style, hint); return;
        case 1: out.rectangle({at.x - 2.8, at.y - 2.8}, 5.6, 5.6, style, hint); return;
        case 2: polygon({{0, -3.8}, {3.8, 3}, {-3.8, 3}}); return;
        case 3: polygon({{0, -4}, {4, 0}, {0, 4}, {-4, 0}}); return;
        case 4: polygon({{0, 3.8}, {3.8, -3}, {-3.8, -3}}); return;
        default: out.circle(at, 2.8, series_class("ring", series), hint); return;
    }
}

std::string shortened(std::string_view text, std::size_t most) {
    std::size_t characters = 0;
    std::size_t cut = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((text[i] & 0xC0) != 0x80) {
            cut = characters == most - 1 ? i : cut;
            ++characters;
        }
    }
    return characters <= most ? std::string(text) : std::string(text.substr(0, cut)) + "…";
}

double text_width(std::string_view text, double size) {
    double total = 0;
    for (char const c : text) {
        if ((c & 0xC0) != 0x80) {
            total += size * (static_cast<unsigned char>(c) >= 0xE3 ? 1 : 0.64);  // East Asian letters are square
        }
    }
    return total;
}

std::string fitted(std::string_view text, double room, double size) {
    std::size_t most = text.size();
    while (most > 2 && text_width(shortened(text, most), size) > room) {
        --most;
    }
    return shortened(text, most);
}

std::string hint_of(chart const& of, chart_series const& series, chart_point const& of_point) {
    std::string out = of.series.size() > 1 ? shortened(series.name, 40) + ": " : "";
    out += fmt::format("{:.5g}", of_point.y);
    if (!std::isnan(of_point.low)) {
        out += fmt::format(" ({:.4g} to {:.4g})", of_point.low, of_point.high);
    }
    if (of.kind == chart_kind::bars) {
        return of_point.name + ", " + out;
    }
    return out + fmt::format(" at {:.5g}", of_point.x);
}

namespace {

constexpr double legend_line = 15;
constexpr double legend_mark = 16;

struct legend_entry {
    std::string words;
    double x;
    double line;
};

std::vector<legend_entry> legend_of(chart const& of) {
    std::vector<legend_entry> entries;
    double x = edge;
    double line = 0;
    for (chart_series const& series : of.series) {
        std::string words = fitted(series.name, width - 2 * legend_mark, label_size);
        double const room = legend_mark + text_width(words, label_size) + 12;
        if (x > edge && x + room > width) {
            x = edge;
            line += 1;
        }
        entries.push_back({std::move(words), x, line});
        x += room;
    }
    return entries;
}

}  // namespace

double legend_height(chart const& of) {
    return of.series.size() < 2 ? 0 : legend_line * (legend_of(of).back().line + 1) + 2;
}

void draw_head(svg& out, chart const& of) {
    out.text({edge, 15}, fitted(of.title, width - 2 * edge, head_size), "head");
    if (of.series.size() < 2) {
        return;
    }
    std::vector<legend_entry> const entries = legend_of(of);
    for (std::size_t s = 0; s < entries.size(); ++s) {
        double const y = 31 + legend_line * entries[s].line;
        double const middle = entries[s].x + 7;
        if (of.kind == chart_kind::lines) {
            out.line({middle - 7, y - 4}, {middle + 7, y - 4}, series_class("curve", s));
        }
        if (of.kind == chart_kind::bars || of.kind == chart_kind::histogram) {
            out.rectangle({middle - 5, y - 9}, 10, 10, series_class("column", s));
        } else {
            draw_mark(out, {middle, y - 4}, s, {});
        }
        out.text({entries[s].x + legend_mark, y}, entries[s].words, "label");
    }
}

void draw_y_axis(svg& out, chart_axis const& by, frame const& at, std::string_view label, std::size_t max_ticks) {
    for (auto const& [value, words] : by.ticks(max_ticks)) {
        double const y = by.at(value);
        out.line({left, y}, {right, y}, "line");
        out.text({left - 5, y + 3.5}, words, "tick", text_anchor::end);
    }
    out.text({edge, at.top - 8}, fitted(label, width - 2 * edge, tick_size), "tick");
}

std::vector<chart_point> placed(chart const& of, chart_series const& series) {
    std::vector<chart_point> kept;
    bool const across = of.kind == chart_kind::lines || of.kind == chart_kind::points;
    for (chart_point const& p : series.points) {
        bool const fits = std::isfinite(p.y) && !(of.y.log && p.y <= 0) && !(across && of.x.log && p.x <= 0);
        if (fits) {
            kept.push_back(p);
            // An interval that reaches below a logarithmic axis is cut off at the point itself.
            if (of.y.log && kept.back().low <= 0) {
                kept.back().low = p.y;
            }
        }
    }
    return kept;
}

std::vector<double> heights(chart const& of) {
    std::vector<double> found;
    for (chart_series const& series : of.series) {
        for (chart_point const& p : placed(of, series)) {
            found.push_back(p.y);
            if (!std::isnan(p.low)) {
                found.push_back(p.low);
                found.push_back(p.high);
            }
        }
    }
    return found;
}

}  // namespace charts

std::string draw_chart(chart const& of) {
    std::string drawn;
    switch (of.kind) {
        case chart_kind::bars: drawn = charts::draw_bars(of); break;
        case chart_kind::histogram: drawn = charts::draw_histogram(of); break;
        default: drawn = charts::draw_curves(of); break;
    }
    return drawn.insert(drawn.find(" role="), " class=\"chart\"");
}

std::string standalone_chart(chart const& of) {
    std::string file = standalone_svg(draw_chart(of));
    return file.insert(file.find("</style>"), chart_style_sheet);
}

std::vector<std::string> chart_notes(chart const& of) {
    std::vector<std::string> notes;
    std::size_t off = 0;
    for (chart_series const& series : of.series) {
        auto const known = std::count_if(series.points.begin(), series.points.end(),
                                         [](chart_point const& p) { return !std::isnan(p.y); });
        std::size_t const kept = charts::placed(of, series).size();
        off += std::size_t(known) - kept;
        if (of.kind == chart_kind::lines) {
            std::size_t const drawn = charts::thinned(charts::placed(of, series)).size();
            if (drawn < kept) {
                notes.push_back(
                    fmt::format("{}: drawn through {} of {} points, lows and highs kept.", series.name, drawn, kept));
            }
        }
    }
    if (off > 0) {
        notes.push_back(fmt::format("{} point{} at or below 0 {} no place on a logarithmic axis.", off,
                                    off == 1 ? "" : "s", off == 1 ? "has" : "have"));
    }
    return notes;
}

}  // namespace optgap
