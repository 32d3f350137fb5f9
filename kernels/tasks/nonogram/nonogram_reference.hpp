#pragma once
// Oracle for nonogram, written from README.md.

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::nonogram {

using runs = std::vector<std::int32_t>;

struct puzzle {
    std::size_t height;
    std::size_t width;
    std::vector<runs> rows;
    std::vector<runs> columns;

    explicit puzzle(std::span<std::int32_t const> words) : height(std::size_t(words[0])), width(std::size_t(words[1])) {
        std::size_t at = 4;
        for (std::size_t line = 0; line < height + width; ++line) {
            auto const longest = std::size_t(line < height ? words[2] : words[3]);
            runs& clue = line < height ? rows.emplace_back() : columns.emplace_back();
            for (std::size_t i = 0; i < longest; ++i) {
                if (words[at + i] > 0) {
                    clue.push_back(words[at + i]);
                }
            }
            at += longest;
        }
    }
};

inline runs runs_of(std::vector<std::int32_t> const& line) {
    runs found;
    bool black = false;
    for (std::int32_t const cell : line) {
        if (cell == 1 && black) {
            ++found.back();
        } else if (cell == 1) {
            found.push_back(1);
        }
        black = cell == 1;
    }
    return found;
}

inline std::vector<std::int32_t> column_of(grid const& cells, std::size_t c) {
    std::vector<std::int32_t> line;
    for (auto const& row : cells) {
        line.push_back(row[c]);
    }
    return line;
}

inline std::int64_t kept(puzzle const& on, grid const& cells) {
    std::int64_t count = 0;
    for (std::size_t r = 0; r < on.height; ++r) {
        count += runs_of(cells[r]) == on.rows[r] ? 1 : 0;
    }
    for (std::size_t c = 0; c < on.width; ++c) {
        count += runs_of(column_of(cells, c)) == on.columns[c] ? 1 : 0;
    }
    return count;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    puzzle const on(instance);
    answer_lists const answer(answer_block);
    grid const free(on.height, std::vector<std::int32_t>(on.width, 0));  // no cell is given: any value keeps 0
    if (auto const broken = broken_grid(answer, free, 0, 1)) {
        return *broken;
    }
    return {code_ok, -1, kept(on, answer.rows), 0, std::int64_t(on.height * on.width)};
}

/// Whether rows from cells.size() on can be chosen, among all with the right runs, so that the columns have theirs.
inline bool solvable(puzzle const& on, grid& cells) {
    if (cells.size() == on.height) {
        return kept(on, cells) == std::int64_t(on.height + on.width);
    }
    runs const clue = on.rows[cells.size()];
    for (std::uint32_t set = 0; set < 1u << on.width; ++set) {
        std::vector<std::int32_t> row;
        for (std::size_t c = 0; c < on.width; ++c) {
            row.push_back(std::int32_t(set >> c & 1));
        }
        if (runs_of(row) != clue) {
            continue;
        }
        cells.push_back(row);
        bool begun = true;  // begins like the column's clue; the last run may still grow
        for (std::size_t c = 0; begun && c < on.width; ++c) {
            runs const so_far = runs_of(column_of(cells, c));
            begun = so_far.size() <= on.columns[c].size();
            for (std::size_t i = 0; begun && i < so_far.size(); ++i) {
                begun = i + 1 < so_far.size() ? so_far[i] == on.columns[c][i] : so_far[i] <= on.columns[c][i];
            }
        }
        if (begun && solvable(on, cells)) {
            return true;
        }
        cells.pop_back();
    }
    return false;
}

/// The number of all lines, if some picture of at most 6 rows and columns has all runs.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    puzzle const on(instance);
    grid cells;
    return on.height <= 6 && on.width <= 6 && solvable(on, cells) ? std::optional(std::int64_t(on.height + on.width))
                                                                  : std::nullopt;
}

}  // namespace optgap::reference::nonogram
