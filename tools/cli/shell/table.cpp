#include "tools/cli/shell/table.hpp"

#include <algorithm>

namespace optgap::cli {
namespace {

/// Code points, so that UTF-8 text lines up.
std::size_t width_of(std::string const& text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string table::text() const {
    std::vector<std::size_t> widths;
    std::vector<std::string> titles;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        std::size_t width = width_of(columns_[c].title);
        for (auto const& row : rows_) {
            width = std::max(width, width_of(row[c]));
        }
        widths.push_back(width);
        titles.push_back(columns_[c].title);
    }
    std::string out;
    auto const line = [&](std::vector<std::string> const& cells) {
        for (std::size_t c = 0; c < cells.size(); ++c) {
            std::string const padding(widths[c] - width_of(cells[c]), ' ');
            out += c == 0 ? "" : "  ";
            out += columns_[c].side == align::right ? padding + cells[c] : cells[c] + padding;
        }
        out.erase(out.find_last_not_of(' ') + 1);
        out += '\n';
    };
    line(titles);
    std::vector<std::string> dashes;
    for (std::size_t const width : widths) {
        dashes.emplace_back(width, '-');
    }
    line(dashes);
    for (auto const& row : rows_) {
        line(row);
    }
    return out;
}

}  // namespace optgap::cli
