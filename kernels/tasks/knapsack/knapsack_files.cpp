// Files of items in three layouts, distinguished by the first line that is not a comment:
//
//   5 50              5                 name,value,weight
//   60 10             1 60 10           item 0,60,10
//   ...               ...               ...
//   20 5              5 20 5            capacity,50
//   1 1 0 1 1         50
//
// Left: n and the capacity, a value and a weight in each line, optionally the solution (Pisinger's generators, and the
// libraries that include their files). Middle: n, an item's number, value and weight in each line, the capacity
// (Jooken, Leyman & De Causmaecker 2022). Right: a table with a header and a line for the capacity.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tasks/knapsack/knapsack_instance.hpp"
#include "kernels/text/file_words.hpp"
#include "kernels/text/files/file_numbers.hpp"
#include "kernels/text/files/file_table.hpp"

namespace optgap::text::knapsack {
namespace {

constexpr std::int64_t max_items = tasks::knapsack::layout[0].high.plus;

/// The data collected by the readers below; words() is the instance.
struct item_file {
    std::int64_t capacity = 0;
    std::vector<std::int32_t> values, weights;

    void add(std::int64_t value, std::int64_t weight) {
        values.push_back(std::int32_t(value));
        weights.push_back(std::int32_t(weight));
    }
    /// Sorts the items by their numbers instead of the file's order.
    void sort_by(file_numbers const& numbers) {
        item_file const given = *this;
        for (std::size_t r = 0; r < given.values.size(); ++r) {
            values[numbers.place(r)] = given.values[r];
            weights[numbers.place(r)] = given.weights[r];
        }
    }
    [[nodiscard]] std::vector<std::int32_t> words() const {
        std::vector<std::int32_t> out{std::int32_t(values.size()), std::int32_t(capacity)};
        out.insert(out.end(), weights.begin(), weights.end());
        out.insert(out.end(), values.begin(), values.end());
        return out;
    }
};

/// Whether the line behind the last item is a solution: a 0 or 1 for each of n items.
bool is_solution(file_lines const& lines, std::int64_t n) {
    std::int64_t found = 0;
    file_words words = lines.words();
    for (std::string_view word = words.next_word(); !word.empty(); word = words.next_word(), ++found) {
        if (word != "0" && word != "1") {
            return false;
        }
    }
    return found == n;
}

/// Reads from the line "n capacity" on.
item_file read_pairs(file_lines& lines) {
    std::vector<std::int64_t> const head = lines.integers("n or the capacity", 0, INT32_MAX, 2);
    std::int64_t const n = head[0];
    if (n < 1 || n > max_items) {
        lines.fail("n must be in 1 ... " + std::to_string(max_items));
    }
    item_file out;
    out.capacity = head[1];
    for (std::int64_t i = 0; i < n; ++i) {
        if (!lines.next()) {
            lines.fail("the head says " + std::to_string(n) + " items, but the file ended behind " + std::to_string(i));
        }
        if (lines.count() != 2) {
            lines.fail("expected an item's value and weight, found " + std::to_string(lines.count()) + " words");
        }
        file_words row = lines.words();
        std::int64_t const value = row.next_integer("a value", 0, INT32_MAX);
        out.add(value, row.next_integer("a weight", 0, INT32_MAX));
    }
    bool const more = lines.next();
    if (more && !is_solution(lines, n)) {
        lines.fail("behind the " + std::to_string(n) + " items that the head says there may be one line more, of " +
                   std::to_string(n) + " zeros and ones, the solution");
    }
    if (more && lines.next()) {
        lines.fail("the file must end with the line of the solution");
    }
    return out;
}

/// Reads from the line "n" on.
item_file read_numbered(file_lines& lines) {
    std::int64_t const n = lines.integers("n", 1, max_items, 1)[0];
    file_numbers numbers(n, "item");
    item_file out;
    for (std::int64_t i = 0; i < n; ++i) {
        if (!lines.next()) {
            lines.fail("the head says " + std::to_string(n) + " items, but the file ended behind " + std::to_string(i));
        }
        if (lines.count() != 3) {
            lines.fail("expected an item's number, value and weight, found " + std::to_string(lines.count()) +
                       " words");
        }
        file_words row = lines.words();
        numbers.take(lines, row.next_integer("an item's number"));
        std::int64_t const value = row.next_integer("a value", 0, INT32_MAX);
        out.add(value, row.next_integer("a weight", 0, INT32_MAX));
    }
    if (!lines.next()) {
        lines.fail("the file ended before the capacity");
    }
    if (lines.count() != 1) {
        lines.fail("expected the capacity alone behind the " + std::to_string(n) + " items that the head says, found " +
                   std::to_string(lines.count()) + " words");
    }
    out.capacity = lines.integers("the capacity", 0, INT32_MAX)[0];
    if (lines.next()) {
        lines.fail("the file must end with the capacity");
    }
    out.sort_by(numbers);
    return out;
}

/// Reads from a header that names the columns to the line "capacity,50". Without that line, an incomplete table would
/// look complete.
item_file read_table(file_lines& lines) {
    std::vector<std::string> header;
    for (std::string_view const cell : table_cells(lines.line())) {
        header.push_back(lower_cell(cell));
    }
    std::int64_t const value = column_named(header, {"value", "profit", "price"});
    std::int64_t const weight = column_named(header, {"weight", "size"});
    if (value < 0 || weight < 0) {
        lines.fail("expected a header with the columns value and weight, or n and the capacity");
    }
    item_file out;
    while (lines.next()) {
        std::vector<std::string_view> cells = table_cells(lines.line());
        if (lower_cell(cells[0]) == "capacity") {
            cells.resize(std::size_t(std::ranges::find(cells, std::string_view()) - cells.begin()));
            if (cells.size() != 2) {
                lines.fail("expected capacity,NUMBER");
            }
            out.capacity = cell_integer(lines, cells[1], "the capacity", 0, INT32_MAX);
            if (lines.next()) {
                lines.fail("the table must end with its capacity");
            }
            if (out.values.empty()) {
                lines.fail("there is no item");
            }
            return out;
        }
        if (cells.size() != header.size()) {
            lines.fail("expected " + std::to_string(header.size()) + " cells, as in the header, found " +
                       std::to_string(cells.size()));
        }
        std::int64_t const worth = cell_integer(lines, cells[std::size_t(value)], "a value", 0, INT32_MAX);
        out.add(worth, cell_integer(lines, cells[std::size_t(weight)], "a weight", 0, INT32_MAX));
    }
    lines.fail(
        "the table ended without a capacity; expected a line capacity,NUMBER behind the items, or a file with n "
        "and the capacity in its first line");
}

}  // namespace

std::vector<std::int32_t> read_items(std::string_view text) {
    file_lines lines(text);
    if (!lines.next()) {
        lines.fail("the file is empty; expected n and the capacity, then an item's value and weight in each line");
    }
    if (is_name(table_cells(lines.line())[0])) {
        if (table_cells(lines.line()).size() < 2) {
            lines.fail(
                "expected n and the capacity, then an item's value and weight in each line; or n, lines of an "
                "item's number, value and weight, and the capacity; found '" +
                file_words::shown(lines.line()) + "'");
        }
        return read_table(lines).words();
    }
    if (lines.count() == 2) {
        return read_pairs(lines).words();
    }
    if (lines.count() == 1) {
        return read_numbered(lines).words();
    }
    lines.fail(
        "expected n and the capacity, then an item's value and weight in each line; or n, lines of an item's "
        "number, value and weight, and the capacity; found '" +
        file_words::shown(lines.line()) + "'");
}

}  // namespace optgap::text::knapsack
