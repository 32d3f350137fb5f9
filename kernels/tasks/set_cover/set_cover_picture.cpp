// Sets as rows and elements as columns, with a square if the set contains the element; the chosen rows come first.

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "kernels/tasks/set_cover/set_cover_instance.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::text::set_cover {
namespace {

constexpr double cell = 10;
constexpr double left = 34;
constexpr double top = 18;

}  // namespace

std::string picture(words_view instance, words_view answer) {
    auto const all = tasks::set_cover::view_cover(instance);
    answer_view const list = view_answer(answer);
    std::vector<bool> chosen(std::size_t(all.s), false);
    for (std::int64_t i = 0; i < list.count && !list.is_word(); ++i) {
        chosen[std::size_t(list.values[i])] = true;
    }
    std::vector<std::int32_t> order(std::size_t(all.s));
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.end(), [&](std::int32_t j) { return chosen[std::size_t(j)]; });
    auto const picked = double(std::count(chosen.begin(), chosen.end(), true));

    double const width = cell * double(all.u);
    svg out(left + width + 6, top + cell * double(all.s) + 26, "Sets, the chosen ones first");
    out.rectangle({left, top}, width, cell * picked, "band");
    for (std::size_t row = 0; row < order.size(); ++row) {
        double const y = top + cell * double(row);
        std::int32_t const set = order[row];
        out.text({left - 4, y + 8.5}, fmt::format("{}", set), chosen[std::size_t(set)] ? "label" : "note",
                 text_anchor::end);
        for (std::int32_t e = 0; e < all.u; ++e) {
            if (all.holds(set, e)) {
                out.rectangle({left + cell * double(e) + 1, y + 1}, cell - 2, cell - 2,
                              chosen[std::size_t(set)] ? "chosen" : "bar", fmt::format("set {} holds {}", set, e));
            }
        }
    }
    double const split = top + cell * picked;
    out.line({left - 28, split}, {left + width, split}, "axis");
    out.text({left, top - 6}, fmt::format("{} elements", all.u), "note");
    out.text({left, top + cell * double(all.s) + 16},
             picked > 0 ? fmt::format("{:.0f} of {} sets: every column has a square above the line", picked, all.s)
                        : fmt::format("{} sets", all.s),
             "note");
    return out.finish();
}

}  // namespace optgap::text::set_cover
