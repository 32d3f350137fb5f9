#pragma once
// Oracle for sudoku, written from README.md.

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::sudoku {

struct puzzle {
    std::size_t n;
    std::size_t box_rows;
    std::size_t box_columns;
    grid given;

    explicit puzzle(std::span<std::int32_t const> words)
        : n(std::size_t(words[0])), box_rows(std::size_t(words[1])), box_columns(std::size_t(words[2])) {
        for (std::size_t r = 0; r < n; ++r) {
            given.emplace_back(words.begin() + std::ptrdiff_t(3 + r * n),
                               words.begin() + std::ptrdiff_t(3 + r * n + n));
        }
    }

    [[nodiscard]] std::int64_t kept(grid const& cells) const {
        std::vector<std::set<std::int32_t>> rows(n);
        std::vector<std::set<std::int32_t>> columns(n);
        std::vector<std::set<std::int32_t>> boxes(n);
        for (std::size_t r = 0; r < n; ++r) {
            for (std::size_t c = 0; c < n; ++c) {
                rows[r].insert(cells[r][c]);
                columns[c].insert(cells[r][c]);
                boxes[r / box_rows * box_rows + c / box_columns].insert(cells[r][c]);
            }
        }
        std::int64_t count = 0;
        for (auto const* const lines : {&rows, &columns, &boxes}) {
            for (auto const& line : *lines) {
                count += line.size() == n ? 1 : 0;
            }
        }
        return count;
    }

    /// Whether the value of this cell occurs earlier, in reading order, in its row, column or box.
    [[nodiscard]] bool repeats(grid const& cells, std::size_t r, std::size_t c) const {
        for (std::size_t s = 0; s <= r; ++s) {
            for (std::size_t t = 0; t < (s == r ? c : n); ++t) {
                bool const meets =
                    s == r || t == c || (s / box_rows == r / box_rows && t / box_columns == c / box_columns);
                if (meets && cells[s][t] == cells[r][c]) {
                    return true;
                }
            }
        }
        return false;
    }
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    puzzle const on(instance);
    answer_lists const answer(answer_block);
    if (auto const broken = broken_grid(answer, on.given, 1, std::int32_t(on.n))) {
        return *broken;
    }
    return {code_ok, -1, on.kept(answer.rows), 0, std::int64_t(on.n * on.n)};
}

/// Whether the cells from `at` on can be filled so that everything holds.
inline bool solvable(puzzle const& on, grid& cells, std::size_t at) {
    if (at == on.n * on.n) {
        return true;
    }
    std::size_t const r = at / on.n;
    std::size_t const c = at % on.n;
    for (std::int32_t value = 1; value <= std::int32_t(on.n); ++value) {
        cells[r][c] = value;
        bool const kept = on.given[r][c] == 0 || on.given[r][c] == value;
        if (kept && !on.repeats(cells, r, c) && solvable(on, cells, at + 1)) {
            return true;
        }
    }
    return false;
}

/// The number of all constraints, if some grid of at most 6 rows meets all of them.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    puzzle const on(instance);
    grid cells = on.given;
    return on.n <= 6 && solvable(on, cells, 0) ? std::optional(std::int64_t(3 * on.n)) : std::nullopt;
}

}  // namespace optgap::reference::sudoku
