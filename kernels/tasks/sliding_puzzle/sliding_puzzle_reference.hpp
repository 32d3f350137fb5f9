#pragma once
// Oracle for sliding_puzzle, written from README.md.

#include <cstdlib>
#include <utility>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::sliding_puzzle {

struct puzzle {
    std::int32_t rows;
    std::int32_t columns;
    std::vector<std::int32_t> cells;
    std::int32_t limit;

    explicit puzzle(std::span<std::int32_t const> words)
        : rows(words[0]), columns(words[1]), cells(words.begin() + 2, words.end() - 1), limit(words.back()) {}

    [[nodiscard]] std::int64_t max_away() const { return std::int64_t(cells.size()) * (rows + columns - 2); }
    [[nodiscard]] std::int64_t away() const {
        std::int64_t sum = 0;
        for (std::int32_t i = 0; i < rows * columns; ++i) {
            if (std::int32_t const tile = cells[std::size_t(i)]; tile > 0) {
                sum += std::abs((tile - 1) / columns - i / columns) + std::abs((tile - 1) % columns - i % columns);
            }
        }
        return sum;
    }
    /// Moves the gap to U, R, D or L; false if it would leave the board.
    bool move(std::int32_t way) {
        std::int32_t gap = 0;
        while (cells[std::size_t(gap)] != 0) {
            ++gap;
        }
        std::int32_t const row = gap / columns + (way == 2 ? 1 : way == 0 ? -1 : 0);
        std::int32_t const column = gap % columns + (way == 1 ? 1 : way == 3 ? -1 : 0);
        if (row < 0 || row >= rows || column < 0 || column >= columns) {
            return false;
        }
        std::swap(cells[std::size_t(gap)], cells[std::size_t(row * columns + column)]);
        return true;
    }
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    puzzle board(instance);
    std::int64_t const most = board.max_away();
    answer_lists const answer(answer_block);
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.values.empty() && answer.rows.empty()) {
        return worst(code_empty, most);
    }
    if (answer.shape == answer_shape::rows) {
        return worst(code_bad_depth, most);
    }
    if (answer.values.size() > std::size_t(board.limit)) {
        return worst(code_wrong_length, most);
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < 0 || answer.values[i] > 3) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (!board.move(answer.values[i])) {
            return worst(first_task_code, most, std::int32_t(i));
        }
    }
    if (board.away() > 0) {
        return {first_task_code + 1, -1, 0, board.away(), most};
    }
    return {code_ok, -1, std::int64_t(answer.values.size()), 0, most};
}

/// All boards, by their distance from the start; up to six cells.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    puzzle const start(instance);
    if (start.cells.size() > 6) {
        return std::nullopt;
    }
    std::set<std::vector<std::int32_t>> seen{start.cells};
    std::vector<puzzle> last{start};
    for (std::int64_t moves = 0; !last.empty() && moves <= start.limit; ++moves) {
        std::vector<puzzle> next;
        for (puzzle const& board : last) {
            if (board.away() == 0) {
                return moves;
            }
            for (std::int32_t way = 0; way < 4; ++way) {
                puzzle other = board;
                if (other.move(way) && seen.insert(other.cells).second) {
                    next.push_back(other);
                }
            }
        }
        last = next;
    }
    return std::nullopt;
}

}  // namespace optgap::reference::sliding_puzzle
