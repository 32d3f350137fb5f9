// The chosen numbers laid end to end up to the target, and below them the others; smallest first.

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "kernels/tasks/subset_sum/subset_sum_instance.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::text::subset_sum {
namespace {

constexpr double width = 440;
constexpr double margin = 10;
constexpr double row_height = 40;
constexpr double row_step = 74;
constexpr double min_lettered = 9;  ///< least width of a bar that has room for its number

}  // namespace

std::string picture(words_view instance, words_view answer) {
    auto const all = tasks::subset_sum::numbers_of(instance);
    answer_view const list = view_answer(answer);
    std::vector<bool> chosen(std::size_t(all.count), false);
    for (std::int64_t i = 0; i < list.count; ++i) {
        chosen[std::size_t(list.values[i])] = true;
    }
    std::vector<std::int32_t> order(std::size_t(all.count));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t i, std::int32_t j) { return all.value[i] < all.value[j]; });
    double left_out = 0;
    for (std::int32_t const i : order) {
        left_out += chosen[std::size_t(i)] ? 0.0 : double(all.value[i]);
    }
    double const unit = (width - 2 * margin) / std::max({double(all.target), left_out, 1.0});

    svg out(width, 2 * row_step + 4, "Numbers that add up to a target, and the others");
    for (bool const in : {true, false}) {
        double const y = in ? 12 : 12 + row_step;
        std::int64_t sum = 0;
        std::int64_t count = 0;
        for (std::int32_t const i : order) {
            if (chosen[std::size_t(i)] == in) {
                double const x = margin + double(sum) * unit;
                double const wide = double(all.value[i]) * unit;
                out.rectangle({x, y}, wide, row_height, in ? "chosen" : "bar",
                              fmt::format("index {}: {}", i, all.value[i]));
                if (wide >= min_lettered) {
                    out.text({x + wide / 2, y + row_height / 2 + 3}, fmt::format("{}", all.value[i]),
                             in ? "on" : "inside", text_anchor::middle);
                }
                sum += all.value[i];
                ++count;
            }
        }
        out.text({margin, y + row_height + 13},
                 fmt::format("{}: {} numbers, sum {}", in ? "chosen" : "left out", count, sum), "note");
    }
    double const limit = margin + double(all.target) * unit;
    out.line({limit, 4}, {limit, 12 + row_height + 6}, "limit");
    out.text({limit, row_height + 25}, fmt::format("target {}", all.target), "note", text_anchor::end);
    return out.finish();
}

}  // namespace optgap::text::subset_sum
