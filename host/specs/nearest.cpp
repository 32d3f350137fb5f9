#include "host/specs/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace optgap {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t const replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::string closest_first(std::string_view name, std::vector<std::string> names) {
    std::stable_sort(names.begin(), names.end(), [&](std::string const& a, std::string const& b) {
        return edit_distance(name, a) < edit_distance(name, b);
    });
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string nearest(std::string_view name, std::vector<std::string> const& names) {
    std::string found;
    std::size_t fewest = std::max<std::size_t>(name.size() / 3, 1) + 1;
    for (std::string const& known : names) {
        std::size_t const wrong = edit_distance(name, known);
        if (wrong < fewest && wrong < known.size()) {
            found = known;
            fewest = wrong;
        }
    }
    // Neighbours that changed places are two edits, and in a short name the commonest slip.
    if (found.empty() && name.size() < 6) {
        std::string letters(name);
        std::sort(letters.begin(), letters.end());
        for (std::string const& known : names) {
            std::string others = known;
            std::sort(others.begin(), others.end());
            if (letters == others) {
                return known;
            }
        }
    }
    return found;
}

std::string did_you_mean(std::string_view name, std::vector<std::string> const& names) {
    std::string const found = nearest(name, names);
    return found.empty() ? std::string() : fmt::format("; did you mean {}?", found);
}

}  // namespace optgap
