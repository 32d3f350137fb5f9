// Value per weight of every item, best first, and below it the capacity, filled with the chosen items' weights.

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "kernels/tasks/knapsack/knapsack_instance.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::text::knapsack {
namespace {

using namespace optgap::tasks::knapsack;

constexpr double width = 420;
constexpr double margin = 10;
constexpr double plot_width = width - 2 * margin;
constexpr double bars_base = 170;
constexpr double bars_height = 150;
constexpr double strip_top = 208;
constexpr double strip_height = 34;

double ratio(items const& all, std::int32_t i) { return double(all.value[i]) / double(std::max(all.weight[i], 1)); }

std::string hint(items const& all, std::int32_t i) {
    return fmt::format("item {}: weight {}, value {}", i, all.weight[i], all.value[i]);
}

void draw_ratios(svg& out, items const& all, std::vector<std::int32_t> const& order, std::vector<bool> const& chosen) {
    double const step = plot_width / double(order.size());
    double best = 1e-9;
    for (std::int32_t const i : order) {
        best = std::max(best, ratio(all, i));
    }
    double x = margin;
    for (std::int32_t const i : order) {
        double const tall = ratio(all, i) / best * bars_height;
        out.rectangle({x, bars_base - tall}, step, tall, chosen[std::size_t(i)] ? "chosen" : "bar", hint(all, i));
        x += step;
    }
    out.line({margin, bars_base}, {width - margin, bars_base}, "axis");
    out.text({margin, bars_base + 13}, "value per weight, best first", "note");
}

void draw_capacity(svg& out, items const& all, std::vector<std::int32_t> const& order,
                   std::vector<bool> const& chosen) {
    double const unit = plot_width / std::max(double(all.capacity), 1.0);
    std::int64_t weight = 0;
    std::int64_t value = 0;
    out.rectangle({margin, strip_top}, plot_width, strip_height, "bar");
    for (std::int32_t const i : order) {
        if (chosen[std::size_t(i)]) {
            out.rectangle({margin + double(weight) * unit, strip_top}, double(all.weight[i]) * unit, strip_height,
                          "chosen", hint(all, i));
            weight += all.weight[i];
            value += all.value[i];
        }
    }
    out.line({width - margin, strip_top - 6}, {width - margin, strip_top + strip_height + 6}, "limit");
    out.text({margin, strip_top + strip_height + 14},
             fmt::format("chosen: weight {} of {}, value {}", weight, all.capacity, value), "note");
}

}  // namespace

std::string picture(words_view instance, words_view answer) {
    items const all = items_of(instance);
    answer_view const list = view_answer(answer);
    std::vector<bool> chosen(std::size_t(all.count), false);
    for (std::int64_t i = 0; i < list.count; ++i) {
        chosen[std::size_t(list.values[i])] = true;
    }
    std::vector<std::int32_t> order(std::size_t(all.count));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) { return goes_before(all, i, j); });
    svg out(width, strip_top + strip_height + 22, "Knapsack items, the chosen ones highlighted");
    draw_ratios(out, all, order, chosen);
    draw_capacity(out, all, order, chosen);
    return out.finish();
}

}  // namespace optgap::text::knapsack
