// The plot of docs/curriculum.md.

#include <algorithm>

#include <fmt/format.h>

#include "host/curriculum/simulation.hpp"
#include "kernels/text/svg.hpp"

namespace optgap {
namespace {

constexpr double width = 560;
constexpr double height = 300;
constexpr double left = 40;
constexpr double right = 430;
constexpr double top = 20;
constexpr double bottom = 260;
constexpr std::size_t curve_styles = 5;
constexpr char const* curve_style_sheet = R"(svg [class^=curve]{stroke-width:1.6;fill:none;stroke-linejoin:round}
svg .curve0{stroke:var(--accent)}svg .curve1{stroke:var(--alarm)}svg .curve2{stroke:var(--second)}
svg .curve3{stroke:var(--ink)}svg .curve4{stroke:var(--soft);stroke-dasharray:4 3}
)";

/// The least of 1, 2, 5, 10, 20, … that cuts `range` into at most six parts.
double tick(double range) {
    double size = 1;
    for (std::int32_t k = 0; range / size > 6; ++k) {
        size *= k % 3 == 1 ? 2.5 : 2;
    }
    return size;
}

/// Heights for labels that want to stand at `wanted` (ascending) without touching.
std::vector<double> spread(std::vector<double> wanted) {
    constexpr double line = 12;
    for (std::size_t k = 1; k < wanted.size(); ++k) {
        wanted[k] = std::max(wanted[k], wanted[k - 1] + line);
    }
    return wanted;
}

}  // namespace

std::string draw_simulation(std::vector<named_result> const& results) {
    double low = 0;
    double high = 1;
    std::size_t steps = 1;
    for (auto const& [name, result] : results) {
        auto const [least, most] = std::minmax_element(result.ability.begin(), result.ability.end());
        low = std::min(low, *least);
        high = std::max(high, *most);
        steps = std::max(steps, result.ability.size() - 1);
    }
    auto const x = [&](double step) { return left + (right - left) * step / double(steps); };
    auto const y = [&](double ability) { return bottom - (bottom - top) * (ability - low) / (high - low); };

    svg out(width, height, "Mean ability of the simulated learners after each step, per curriculum");
    for (double value = 0; value <= high; value += tick(high)) {
        out.line({left, y(value)}, {right, y(value)}, "line");
        out.text({left - 6, y(value) + 3}, fmt::format("{:.0f}", value), "note", text_anchor::end);
    }
    for (double step = 0; step <= double(steps); step += tick(double(steps))) {
        out.text({x(step), bottom + 14}, fmt::format("{:.0f}", step), "note", text_anchor::middle);
    }
    out.line({left, bottom}, {right, bottom}, "axis");
    out.text({(left + right) / 2, bottom + 30}, "step", "label", text_anchor::middle);
    out.text({left - 6, top - 8}, "mean ability", "label");

    std::vector<std::size_t> order(results.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[k] = k;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return results[a].result.ability.back() > results[b].result.ability.back();
    });
    std::vector<double> ends;
    for (std::size_t const k : order) {
        ends.push_back(y(results[k].result.ability.back()));
    }
    std::vector<double> const labels = spread(ends);
    for (std::size_t place = 0; place < order.size(); ++place) {
        std::vector<double> const& ability = results[order[place]].result.ability;
        std::string const style = fmt::format("curve{}", order[place] % curve_styles);
        std::vector<point> curve;
        std::size_t const stride = std::max<std::size_t>(1, steps / 200);
        for (std::size_t s = 0; s < ability.size(); s += stride) {
            curve.push_back({x(double(s)), y(ability[s])});
        }
        out.polyline(curve, style);
        out.line(curve.back(), {right + 12, labels[place]}, style);
        out.text({right + 16, labels[place] + 3}, results[order[place]].name, "label");
    }
    std::string file = standalone_svg(out.finish());
    return file.insert(file.find("</style>"), curve_style_sheet);
}

}  // namespace optgap
