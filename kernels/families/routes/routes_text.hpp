#pragma once
// Texts shared by tasks of routes: {n}, {last}, {limit}, {points} "0: (3, 5)", a line each, {list} "(3, 5) (0, 7) …",
// {table} "0 3 5 12" with the amount, {distances} (a matrix), {amounts} and {instance}, and a picture of the routes.
// Host only.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "kernels/families/routes/routes.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::families {

/// The places, one line each: before, number, between, x, comma, y, after.
inline void append_points(std::string& text, words_view instance, bool with_amounts) {
    routes_view const on = view_routes(instance);
    for (std::int32_t v = 0; v < on.at.n; ++v) {
        append_integer(text, v);
        text += with_amounts ? " " : ": (";
        append_integer(text, on.at.xy[2 * v]);
        text += with_amounts ? " " : ", ";
        append_integer(text, on.at.xy[2 * v + 1]);
        text += with_amounts ? " " : ")";
        if (with_amounts) {
            append_integer(text, on.amount[v]);
        }
        text += "\n";
    }
}

/// "(3, 5) (0, 7)\n"
inline void append_point_list(std::string& text, words_view instance) {
    routes_view const on = view_routes(instance);
    for (std::int32_t v = 0; v < on.at.n; ++v) {
        text += v > 0 ? " (" : "(";
        append_integer(text, on.at.xy[2 * v]);
        text += ", ";
        append_integer(text, on.at.xy[2 * v + 1]);
        text += ")";
    }
    text += "\n";
}

/// One line for each place but the first: its distances to the places before it.
inline void append_distances(std::string& text, words_view instance) {
    routes_view const on = view_routes(instance);
    for (std::int32_t v = 1; v < on.at.n; ++v) {
        append_integer(text, v);
        text += ":";
        for (std::int32_t u = 0; u < v; ++u) {
            text += " ";
            append_integer(text, on.at.distance(v, u));
        }
        text += "\n";
    }
}

/// Highlights place 0; larger dots have larger amounts. Each route is a line from place 0 through its places and back.
/// If distances are given, the places are drawn on a ring.
inline std::string draw_routes(char const* title, words_view instance, std::vector<std::vector<std::int32_t>> routes) {
    constexpr double side = 360;
    constexpr double margin = 16;
    routes_view const on = view_routes(instance);
    double span = 1;
    for (std::int32_t i = 0; i < 2 * on.at.n; ++i) {
        span = on.at.xy[i] > span ? on.at.xy[i] : span;
    }
    double most = 1;
    for (std::int32_t v = 0; v < on.at.n; ++v) {
        most = on.amount[v] > most ? on.amount[v] : most;
    }
    auto const place = [&](std::int32_t v) {
        if (on.at.given != nullptr) {
            double const angle = 2 * std::numbers::pi * v / on.at.n;
            double const radius = side / 2 - margin;
            return point{side / 2 + radius * std::sin(angle), side / 2 - radius * std::cos(angle)};
        }
        return point{margin + (side - 2 * margin) * on.at.xy[2 * v] / span,
                     side - margin - (side - 2 * margin) * on.at.xy[2 * v + 1] / span};
    };
    svg out(side, side, title);
    std::vector<std::string> style(std::size_t(on.at.n), "vertex");
    for (std::size_t r = 0; r < routes.size(); ++r) {
        std::vector<point> way{place(0)};
        for (std::int32_t const v : routes[r]) {
            way.push_back(place(v));
            style[std::size_t(v)] = routes.size() > 1 ? svg_group(std::int32_t(r)) : "left";
        }
        way.push_back(place(0));
        out.polyline(way, "strong");
    }
    style[0] = "chosen";
    for (std::int32_t v = 0; v < on.at.n; ++v) {
        double const radius = on.at.n > 80 ? 3 : v == 0 ? 8 : 6 + 4 * on.amount[v] / most;
        point const here = place(v);
        out.circle(here, radius, style[std::size_t(v)], std::to_string(on.amount[v]));
        if (on.at.n <= 80) {
            std::string const& own = style[std::size_t(v)];
            out.text({here.x, here.y + 2.8}, std::to_string(v),
                     own == "vertex"            ? "inside"
                     : own.starts_with("group") ? "dot"
                                                : "on",
                     text_anchor::middle);
        }
    }
    return out.finish();
}

template <class Task>
struct routes_text {
    static constexpr filler fillers[] = {
        {"n", [](std::string& text, words_view on) { append_integer(text, on[0]); }},
        {"last", [](std::string& text, words_view on) { append_integer(text, on[0] - 1); }},
        {"limit", [](std::string& text, words_view on) { append_integer(text, on[1]); }},
        {"points", [](std::string& text, words_view on) { append_points(text, on, false); }},
        {"table", [](std::string& text, words_view on) { append_points(text, on, true); }},
        {"list", append_point_list},
        {"distances", append_distances},
        {"amounts", [](std::string& text, words_view on) { append_list(text, view_routes(on).amount, on[0]); }},
        {"instance", [](std::string& text, words_view on) { text += layout_text(Task::layout, on); }},
    };
    static constexpr char const* family = "routes";
    static constexpr char const* reward = "forge";
};

}  // namespace optgap::families
