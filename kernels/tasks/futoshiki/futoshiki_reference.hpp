#pragma once
// Oracle for futoshiki, written from README.md.

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::futoshiki {

struct puzzle {
    std::size_t n;
    grid given;
    std::vector<std::array<std::size_t, 4>> less;

    explicit puzzle(std::span<std::int32_t const> words) : n(std::size_t(words[0])) {
        std::size_t at = 2;
        for (std::size_t r = 0; r < n; ++r, at += n) {
            given.emplace_back(words.begin() + std::ptrdiff_t(at), words.begin() + std::ptrdiff_t(at + n));
        }
        for (; at < words.size(); at += 4) {
            less.push_back({std::size_t(words[at]), std::size_t(words[at + 1]), std::size_t(words[at + 2]),
                            std::size_t(words[at + 3])});
        }
    }
    [[nodiscard]] std::int64_t constraints() const { return std::int64_t(2 * n + less.size()); }

    [[nodiscard]] std::int64_t kept(grid const& cells) const {
        std::int64_t count = 0;
        for (std::size_t line = 0; line < n; ++line) {
            std::set<std::int32_t> row;
            std::set<std::int32_t> column;
            for (std::size_t k = 0; k < n; ++k) {
                row.insert(cells[line][k]);
                column.insert(cells[k][line]);
            }
            count += (row.size() == n ? 1 : 0) + (column.size() == n ? 1 : 0);
        }
        for (auto const& [r, c, s, t] : less) {
            count += cells[r][c] < cells[s][t] ? 1 : 0;
        }
        return count;
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
        return on.kept(cells) == on.constraints();
    }
    std::size_t const r = at / on.n;
    std::size_t const c = at % on.n;
    for (std::int32_t value = 1; value <= std::int32_t(on.n); ++value) {
        bool fits = on.given[r][c] == 0 || on.given[r][c] == value;
        for (std::size_t k = 0; k < on.n; ++k) {
            fits = fits && (k >= c || cells[r][k] != value) && (k >= r || cells[k][c] != value);
        }
        cells[r][c] = value;
        if (fits && solvable(on, cells, at + 1)) {
            return true;
        }
    }
    return false;
}

/// The number of all constraints, if some grid of at most 4 rows meets all of them.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    puzzle const on(instance);
    grid cells = on.given;
    return on.n <= 4 && solvable(on, cells, 0) ? std::optional(on.constraints()) : std::nullopt;
}

}  // namespace optgap::reference::futoshiki
