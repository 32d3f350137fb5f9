// The plot of docs/curriculum.md.

#include <algorithm>
#include <limits>

#include "host/curriculum/simulation.hpp"
#include "host/report/page/chart.hpp"

namespace optgap {
namespace {

constexpr std::size_t max_points = 200;  ///< of a curve; more cannot be told apart

}  // namespace

std::string draw_simulation(std::vector<named_result> const& results) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    chart out{chart_kind::lines, "Mean ability of the simulated learners", {"step"}, {"mean ability"}, {}};
    for (auto const& [name, result] : results) {
        chart_series series{name, {}, none};
        std::size_t const stride = std::max<std::size_t>(1, result.ability.size() / max_points);
        for (std::size_t s = 0; s < result.ability.size(); s += stride) {
            series.points.push_back({double(s), result.ability[s], none, none, ""});
        }
        out.series.push_back(std::move(series));
    }
    return standalone_chart(out);
}

}  // namespace optgap
