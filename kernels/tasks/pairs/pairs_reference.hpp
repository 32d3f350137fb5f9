#pragma once
// Oracle for pairs, written from README.md.

#include <algorithm>
#include <map>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::pairs {

struct board {
    std::vector<std::vector<std::int32_t>> grid;  ///< -1: no card
    std::vector<std::int32_t> deck;
    std::size_t row = 0, column = 0;

    explicit board(std::span<std::int32_t const> words) {
        auto const n = std::size_t(words[0]);
        for (std::size_t r = 0; r < n; ++r) {
            auto const line = words.begin() + 1 + std::ptrdiff_t(r * n);
            grid.emplace_back(line, line + std::ptrdiff_t(n));
        }
    }
    friend auto operator<=>(board const&, board const&) = default;

    [[nodiscard]] std::int64_t left() const {
        auto count = std::int64_t(deck.size());
        for (auto const& line : grid) {
            count += std::ranges::count_if(line, [](std::int32_t card) { return card >= 0; });
        }
        return count;
    }
    /// The rule that the operation breaks, or code_ok.
    std::int32_t apply(char operation) {
        std::size_t const end = grid.size() - 1;
        std::int32_t& here = grid[row][column];
        switch (operation) {
            case 'U': return row-- == 0 ? first_task_code + 1 : code_ok;
            case 'D': return row++ == end ? first_task_code + 1 : code_ok;
            case 'L': return column-- == 0 ? first_task_code + 1 : code_ok;
            case 'R': return column++ == end ? first_task_code + 1 : code_ok;
            case 'Z':
                if (here < 0) {
                    return first_task_code + 2;
                }
                deck.push_back(std::exchange(here, -1));
                if (deck.size() > 1 && deck[deck.size() - 2] == deck.back()) {
                    deck.resize(deck.size() - 2);
                }
                return code_ok;
            default:
                if (deck.empty()) {
                    return first_task_code + 3;
                }
                if (here >= 0) {
                    return first_task_code + 4;
                }
                here = deck.back();
                deck.pop_back();
                return code_ok;
        }
    }
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    board now(instance);
    answer_lists const answer(answer_block);
    std::int64_t const n = instance[0];
    std::int64_t const most = 2 * n * n * n;
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, n * n);
    }
    if (answer.shape == answer_shape::rows && !answer.rows.empty()) {
        return worst(code_bad_depth, n * n);
    }
    if (std::int64_t(answer.values.size()) > most) {
        return worst(first_task_code, n * n, std::int32_t(most));
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < 0 || answer.values[i] > 5) {
            return worst(code_out_of_range, n * n, std::int32_t(i));
        }
    }
    std::int64_t moves = 0;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        char const operation = "UDLRZX"[answer.values[i]];
        if (std::int32_t const code = now.apply(operation); code != code_ok) {
            return worst(code, n * n, std::int32_t(i));
        }
        moves += answer.values[i] < 4 ? 1 : 0;
    }
    std::int64_t const left = now.left();
    return {code_ok, -1, left > 0 ? n * n - left : n * n + most - moves, 0, n * n};
}

/// All boards of two rows that this number of moves reaches, move by move.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    if (instance[0] > 2) {
        return std::nullopt;
    }
    std::map<board, std::int64_t> least{{board(instance), 0}};
    std::vector<board> open{board(instance)};
    while (!open.empty()) {
        board const from = open.back();
        open.pop_back();
        for (char const operation : {'U', 'D', 'L', 'R', 'Z', 'X'}) {
            board to = from;
            if (to.apply(operation) != code_ok) {
                continue;
            }
            std::int64_t const moves = least.at(from) + (operation == 'Z' || operation == 'X' ? 0 : 1);
            auto const [known, fresh] = least.emplace(to, moves);
            if (fresh || moves < known->second) {
                known->second = moves;
                open.push_back(std::move(to));
            }
        }
    }
    std::int64_t best = 0;
    for (auto const& [one, moves] : least) {
        best = std::max(best, one.left() > 0 ? 4 - one.left() : 4 + 16 - moves);
    }
    return best;
}

}  // namespace optgap::reference::pairs
