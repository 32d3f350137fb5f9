#include "kernels/text/graph_picture.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/core/graph.hpp"

namespace optgap {
namespace {

constexpr double side = 360;
constexpr double margin = 16;
constexpr double note_height = 20;
constexpr std::int32_t max_numbered = 80;  ///< up to this many vertices have room for their numbers

}  // namespace

graph_picture::graph_picture(std::string_view title, std::int32_t n)
    : title_(title), ring_(std::size_t(n)), style_(std::size_t(n), "vertex") {
    std::iota(ring_.begin(), ring_.end(), 0);
}

void graph_picture::group(std::span<std::int32_t const> members, std::string_view style) {
    for (std::int32_t const v : members) {
        auto const from = ring_.begin() + std::ptrdiff_t(grouped_);
        auto const at = std::find(from, ring_.end(), v);
        if (at != ring_.end()) {
            std::rotate(from, at, at + 1);
            ++grouped_;
        }
        style_[std::size_t(v)] = style;
    }
}

void graph_picture::edge(std::int32_t u, std::int32_t v, std::string_view style) { edges_.push_back({u, v, style}); }

void graph_picture::edges(words_view instance, std::span<char const> marked, std::string_view style) {
    graph_view const graph = view_graph(instance);
    for (bool const wanted : {false, true}) {
        for (std::int32_t u = 0; u < graph.n; ++u) {
            for (std::int32_t v = u + 1; v < graph.n; ++v) {
                bool const stands_out = !marked.empty() && marked[std::size_t(u)] != 0 && marked[std::size_t(v)] != 0;
                if (stands_out == wanted && graph.adjacent(u, v)) {
                    edge(u, v, wanted ? style : "line");
                }
            }
        }
    }
}

std::string graph_picture::draw() const {
    auto const n = std::int32_t(ring_.size());
    point const centre{side / 2, side / 2};
    double const dot = n <= max_numbered ? std::clamp(330.0 / double(n), 5.0, 10.0) : 2.5;
    std::vector<point> at(ring_.size());
    for (std::int32_t i = 0; i < n; ++i) {
        at[std::size_t(ring_[std::size_t(i)])] = on_circle(centre, side / 2 - margin, double(i) / double(n));
    }
    svg out(side, side + (note_.empty() ? 0 : note_height), title_);
    for (drawn_edge const& e : edges_) {
        out.line(at[std::size_t(e.u)], at[std::size_t(e.v)], e.style);
    }
    for (std::int32_t v = 0; v < n; ++v) {
        std::string const& style = style_[std::size_t(v)];
        point const here = at[std::size_t(v)];
        out.circle(here, dot, style);
        if (n <= max_numbered) {
            char const* const ink = style == "vertex" ? "inside" : style.starts_with("group") ? "dot" : "on";
            out.text({here.x, here.y + 2.8}, std::to_string(v), ink, text_anchor::middle);
        }
    }
    if (!note_.empty()) {
        out.text({centre.x, side + note_height - 8}, note_, "note", text_anchor::middle);
    }
    return out.finish();
}

}  // namespace optgap
