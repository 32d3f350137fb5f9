#pragma once
// Tables written by spreadsheets and scripts (.csv): cells separated by commas, semicolons, tabs or blanks.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/text/file_words.hpp"

namespace optgap {

/// The line's cells, without blanks and quotes at their ends. They are separated by the first of ; tab , that the line
/// contains, or by blanks. Quotes around a separator are not supported, because the cells are numbers.
inline std::vector<std::string_view> table_cells(std::string_view line) {
    std::vector<std::string_view> cells;
    char separator = ' ';
    for (char const each : {';', '\t', ','}) {
        if (line.find(each) != std::string_view::npos) {
            separator = each;
            break;
        }
    }
    if (separator == ' ') {
        file_words words(line);
        for (std::string_view word = words.next_word(); !word.empty(); word = words.next_word()) {
            cells.push_back(word);
        }
        return cells;
    }
    for (std::size_t begin = 0; begin <= line.size();) {
        std::size_t const end = std::min(line.find(separator, begin), line.size());
        std::string_view cell = file_words::trimmed(line.substr(begin, end - begin));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
            cell = file_words::trimmed(cell.substr(1, cell.size() - 2));
        }
        cells.push_back(cell);
        begin = end + 1;
    }
    return cells;
}

/// A header's name in lower case.
inline std::string lower_cell(std::string_view cell) {
    std::string out(cell);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return out;
}

/// Whether the cell contains a letter, as names do. The e of 1e3 does not count.
inline bool is_name(std::string_view cell) {
    if (cell.empty() || std::string_view("+-.0123456789").find(cell.front()) != std::string_view::npos) {
        return false;
    }
    return std::ranges::any_of(cell, [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// The position of the first of some names in a header; -1 if there is none.
inline std::int64_t column_named(std::vector<std::string> const& header, std::vector<std::string_view> const& names) {
    for (std::string_view const name : names) {
        auto const found = std::ranges::find(header, name);
        if (found != header.end()) {
            return found - header.begin();
        }
    }
    return -1;
}

inline std::int64_t cell_integer(file_lines const& lines, std::string_view cell, char const* noun, std::int64_t low,
                                 std::int64_t high) {
    std::int64_t value = 0;
    auto const [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (cell.empty() || status != std::errc() || end != cell.data() + cell.size() || value < low || value > high) {
        lines.fail(std::string(noun) + " must be an integer in " + std::to_string(low) + " ... " +
                   std::to_string(high) + ", found " +
                   (cell.empty() ? "an empty cell" : "'" + file_words::shown(cell) + "'"));
    }
    return value;
}

}  // namespace optgap
