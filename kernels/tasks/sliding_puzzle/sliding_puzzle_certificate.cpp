// Certificates for optima of sliding_puzzle (docs/certificates.md; the checker's side:
// tools/certificates/tasks/sliding_puzzle.py).

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "kernels/text/certificate.hpp"

namespace sliding_puzzle_certificate {

using optgap::numbers;

/// How many of a line's own tiles, given by the places where they belong, are outside the longest rising sequence.
std::int64_t conflicts(numbers const& places) {
    numbers rising;
    std::int64_t longest = 0;
    for (std::size_t at = 0; at < places.size(); ++at) {
        std::int64_t own = 1;
        for (std::size_t k = 0; k < at; ++k) {
            own = places[k] < places[at] ? std::max(own, rising[k] + 1) : own;
        }
        rising.push_back(own);
        longest = std::max(longest, own);
    }
    return std::int64_t(places.size()) - longest;
}

/// A case: the tiles, the number of moves so far, the gap's cell, the last move.
struct board {
    std::int64_t rows, columns;

    [[nodiscard]] std::int64_t least(numbers const& one) const {
        std::int64_t sum = 0;
        std::vector<numbers> in_row(std::size_t(rows), numbers{});
        std::vector<numbers> in_column(std::size_t(columns), numbers{});
        for (std::int64_t cell = 0; cell < rows * columns; ++cell) {
            std::int64_t const own = one[std::size_t(cell)] - 1;
            if (own < 0) {
                continue;
            }
            sum += std::abs(own / columns - cell / columns) + std::abs(own % columns - cell % columns);
            if (own / columns == cell / columns) {
                in_row[std::size_t(cell / columns)].push_back(own % columns);
            }
            if (own % columns == cell % columns) {
                in_column[std::size_t(cell % columns)].push_back(own / columns);
            }
        }
        for (auto const* lines : {&in_row, &in_column}) {
            for (numbers const& line : *lines) {
                sum += 2 * conflicts(line);
            }
        }
        return sum;
    }
};

std::int64_t cases(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::int64_t most) {
    optgap::number_rows const grid = instance.rows("grid");
    board const on{std::int64_t(grid.size()), std::int64_t(grid[0].size())};
    std::int64_t const goal = objective ? *objective : instance.number("limit") + 1;
    numbers first;
    for (numbers const& row : grid) {
        first.insert(first.end(), row.begin(), row.end());
    }
    std::size_t const size = first.size();
    auto const gap = std::find(first.begin(), first.end(), 0) - first.begin();
    for (std::int64_t const number : {std::int64_t(0), std::int64_t(gap), std::int64_t(-1)}) {
        first.push_back(number);
    }
    auto const step = [&](numbers const& one, optgap::number_rows& next) {
        std::int64_t const at = one[size + 1];
        bool in_order = true;
        for (std::size_t cell = 0; cell + 1 < size; ++cell) {
            in_order = in_order && one[cell] == std::int64_t(cell) + 1;
        }
        for (std::int64_t move = 0; !in_order && move < 4; ++move) {
            std::int64_t const row = at / on.columns - (move == 0) + (move == 2);
            std::int64_t const column = at % on.columns + (move == 1) - (move == 3);
            if (row < 0 || row == on.rows || column < 0 || column == on.columns || (move + 2) % 4 == one[size + 2]) {
                continue;
            }
            std::int64_t const to = row * on.columns + column;
            numbers after = one;
            std::swap(after[std::size_t(at)], after[std::size_t(to)]);
            ++after[size];
            after[size + 1] = to;
            after[size + 2] = move;
            if (after[size] + on.least(after) < goal) {
                next.push_back(std::move(after));
            }
        }
        return !in_order;
    };
    return optgap::walked(first, step, most);
}

}  // namespace sliding_puzzle_certificate

extern optgap::certificate_form const optgap_certificate_sliding_puzzle;
optgap::certificate_form const optgap_certificate_sliding_puzzle{.cases = sliding_puzzle_certificate::cases};
