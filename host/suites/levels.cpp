// Several levels as one text.

#include <algorithm>

#include "optgap/status.hpp"
#include "optgap/suites/suite.hpp"

namespace optgap {
namespace {

constexpr std::int32_t max_levels = 1000;

difficulty step_of(std::string_view text, std::string_view whole) {
    difficulty const level = parse_level(text);
    if (!level.on_scale()) {
        throw field_error(
            "level", "'" + std::string(whole) + "' is no range: expected two steps of the difficulty scale, d0..d4");
    }
    return level;
}

void add_part(std::string_view part, std::vector<difficulty>& levels) {
    std::size_t const dots = part.find("..");
    if (dots == std::string_view::npos) {
        levels.push_back(parse_level(part));
        return;
    }
    std::int32_t const first = step_of(part.substr(0, dots), part).code;
    std::int32_t const last = step_of(part.substr(dots + 2), part).code;
    if (last < first || last - first >= max_levels) {
        throw field_error("level", "'" + std::string(part) + "' has no steps, or more than " +
                                       std::to_string(max_levels) + ": expected the easier step first, d0..d4");
    }
    for (std::int32_t d = first; d <= last; ++d) {
        levels.push_back(difficulty::scale(d));
    }
}

}  // namespace

std::vector<difficulty> parse_levels(std::string_view text) {
    std::vector<difficulty> levels;
    for (std::size_t first = 0; first <= text.size();) {
        std::size_t const comma = std::min(text.find(',', first), text.size());
        add_part(text.substr(first, comma - first), levels);
        first = comma + 1;
    }
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (std::find(levels.begin(), levels.begin() + std::ptrdiff_t(i), levels[i]) !=
            levels.begin() + std::ptrdiff_t(i)) {
            throw field_error(
                "level", "'" + std::string(text) + "' names " + level_name(levels[i]) + " twice: expected it once");
        }
    }
    return levels;
}

std::string levels_name(std::span<difficulty const> levels) {
    std::string text;
    for (std::size_t first = 0; first < levels.size();) {
        std::size_t last = first;
        while (levels[first].on_scale() && last + 1 < levels.size() && levels[last + 1].code == levels[last].code + 1) {
            ++last;
        }
        text += (text.empty() ? "" : ",") + level_name(levels[first]);
        if (last > first) {
            text += ".." + level_name(levels[last]);
        }
        first = last + 1;
    }
    return text;
}

std::vector<level_share> spread_evenly(std::span<difficulty const> levels, std::int64_t count) {
    std::vector<level_share> shares;
    auto const all = std::int64_t(levels.size());
    for (std::int64_t i = 0; i < all; ++i) {
        shares.push_back({levels[std::size_t(i)], count / all + (i < count % all ? 1 : 0)});
    }
    return shares;
}

}  // namespace optgap
