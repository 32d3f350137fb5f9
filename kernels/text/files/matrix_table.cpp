#include "kernels/text/files/matrix_table.hpp"

#include <string>
#include <string_view>

#include "kernels/text/files/file_table.hpp"

namespace optgap {
namespace {

constexpr std::size_t max_table_rows = 20'000;

}  // namespace

std::vector<std::int32_t> read_matrix_table(file_lines& lines, std::int64_t high, std::int64_t& out_n) {
    std::vector<std::string> labels;
    std::vector<std::string_view> cells = table_cells(lines.line());
    if (cells.front().empty() || is_name(cells.back())) {
        for (std::string_view const cell : cells) {
            labels.emplace_back(cell);
        }
        if (!lines.next()) {
            lines.fail("there is no row behind the header");
        }
        cells = table_cells(lines.line());
    }
    bool const named = is_name(cells.front());  // each row begins with its city's name
    std::size_t const skip =
        named || (!labels.empty() && cells.size() == labels.size() && labels.front().empty()) ? 1 : 0;
    std::size_t const n = cells.size() - skip;
    if (n > max_table_rows) {
        lines.fail("a matrix may have at most " + std::to_string(max_table_rows) + " cities");
    }
    std::vector<std::int32_t> words;
    std::vector<std::vector<std::int32_t>> rows;
    for (bool more = true; more; more = lines.next()) {
        cells = table_cells(lines.line());
        if (rows.size() == n || cells.size() != n + skip) {
            lines.fail("expected a square matrix of distances, " + std::to_string(n) + " rows of " + std::to_string(n) +
                       " numbers as in its first one; found " +
                       (rows.size() == n ? "a further row" : "a row of " + std::to_string(cells.size() - skip)));
        }
        std::vector<std::int32_t>& row = rows.emplace_back();
        for (std::size_t j = 0; j < n; ++j) {
            row.push_back(std::int32_t(cell_integer(lines, cells[skip + j], "a distance", 0, high)));
            std::size_t const i = rows.size() - 1;
            if (i == j && row[j] != 0) {
                lines.fail("a city's distance to itself must be 0, found " + std::to_string(row[j]));
            }
            if (j < i && row[j] != rows[j][i]) {
                lines.fail("the matrix must be symmetric, an asymmetric one is another problem; cities " +
                           std::to_string(j) + " and " + std::to_string(i) + " have two distances");
            }
            if (j < i) {
                words.push_back(row[j]);
            }
        }
    }
    if (rows.size() != n) {
        lines.fail("the first row has " + std::to_string(n) + " distances, but there are " +
                   std::to_string(rows.size()) + " rows");
    }
    out_n = std::int64_t(n);
    return words;
}

}  // namespace optgap
