// Points at their positions. A matrix is drawn as a ring in the tour's order, with arcs in proportion to the tour's
// edges, and a line from each city to its nearest one if the tour does not go there.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "kernels/tasks/tsp/tsp_distance.hpp"
#include "kernels/tasks/tsp/tsp_prompt.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::text::tsp {
namespace {

using namespace optgap::tasks::tsp;

constexpr double side = 360;
constexpr double margin = 18;
constexpr std::int32_t max_numbered = 80;

/// The answer's cities without a closing repetition; all cities by number if there is no answer.
std::vector<std::int32_t> tour_of(words_view instance, words_view answer) {
    answer_view const view = view_answer(answer);
    std::vector<std::int32_t> tour(view.values, view.values + view.count);
    tour.resize(std::size_t(city_count(instance)));
    if (view.count == 0) {
        for (std::size_t i = 0; i < tour.size(); ++i) {
            tour[i] = std::int32_t(i);
        }
    }
    return tour;
}

std::vector<point> places_of_points(words_view instance) {
    auto const n = std::size_t(city_count(instance));
    std::vector<point> at(n);
    for (std::size_t i = 0; i < n; ++i) {
        at[i] = {double(instance[std::int64_t(3 + 2 * i)]), double(instance[std::int64_t(4 + 2 * i)])};
    }
    auto const [left, right] = std::minmax_element(at.begin(), at.end(), [](point a, point b) { return a.x < b.x; });
    auto const [low, high] = std::minmax_element(at.begin(), at.end(), [](point a, point b) { return a.y < b.y; });
    point const corner{left->x, low->y};
    double const span = std::max({right->x - left->x, high->y - low->y, 1.0});
    for (point& p : at) {
        p = {margin + (p.x - corner.x) / span * (side - 2 * margin),
             side - margin - (p.y - corner.y) / span * (side - 2 * margin)};
    }
    return at;
}

std::vector<point> places_on_ring(distances const& d, std::vector<std::int32_t> const& tour) {
    std::vector<double> walked{0};
    for (std::size_t i = 0; i < tour.size(); ++i) {
        walked.push_back(walked.back() + double(d(tour[i], tour[(i + 1) % tour.size()])));
    }
    std::vector<point> at(tour.size());
    for (std::size_t i = 0; i < tour.size(); ++i) {
        at[std::size_t(tour[i])] =
            on_circle({side / 2, side / 2}, side / 2 - margin, walked[i] / std::max(walked.back(), 1.0));
    }
    return at;
}

/// Lines from each city to its nearest one.
void draw_nearest(svg& out, distances const& d, std::vector<point> const& at) {
    auto const n = std::int32_t(at.size());
    for (std::int32_t i = 0; i < n; ++i) {
        std::int32_t nearest = i == 0 ? 1 : 0;
        for (std::int32_t j = 0; j < n; ++j) {
            nearest = j != i && d(i, j) < d(i, nearest) ? j : nearest;
        }
        out.line(at[std::size_t(i)], at[std::size_t(nearest)], "axis");
    }
}

}  // namespace

std::string picture(words_view instance, words_view answer) {
    distances const d(instance);
    std::vector<std::int32_t> const tour = tour_of(instance, answer);
    bool const points = instance[0] != matrix_form;
    std::vector<point> const at = points ? places_of_points(instance) : places_on_ring(d, tour);
    svg out(side, side + (points ? 0 : 20), "Cities and a tour");
    if (!points) {
        draw_nearest(out, d, at);
        out.text({side / 2, side + 12}, "Arcs are as long as the tour's edges; lines lead to each city's nearest.",
                 "note", text_anchor::middle);
    }
    if (answer.count > 0) {
        std::vector<point> way;
        for (std::int32_t const city : tour) {
            way.push_back(at[std::size_t(city)]);
        }
        out.polygon(way, "strong");
    }
    bool const numbered = std::int32_t(at.size()) <= max_numbered;
    for (std::size_t i = 0; i < at.size(); ++i) {
        out.circle(at[i], numbered ? 7 : 2, "vertex");
        if (numbered) {
            out.text({at[i].x, at[i].y + 2.8}, fmt::format("{}", i), "inside", text_anchor::middle);
        }
    }
    return out.finish();
}

}  // namespace optgap::text::tsp
