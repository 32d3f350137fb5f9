#pragma once
// Oracle for queens, written from README.md.

#include <cstdlib>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::queens {

using columns = std::vector<std::int32_t>;

inline bool attack(columns const& of, std::size_t a, std::size_t b) {
    return of[a] == of[b] || std::abs(of[a] - of[b]) == std::abs(int(a) - int(b));
}

/// The number of queens that no other queen attacks.
inline std::int64_t kept(columns const& of) {
    std::int64_t count = 0;
    for (std::size_t row = 0; row < of.size(); ++row) {
        bool attacked = false;
        for (std::size_t other = 0; other < of.size(); ++other) {
            attacked = attacked || (other != row && attack(of, row, other));
        }
        count += attacked ? 0 : 1;
    }
    return count;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    columns const given(instance.begin() + 1, instance.end());
    auto const n = std::int64_t(given.size());
    answer_lists const answer(answer_block);
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, n);
    }
    if (answer.values.empty() && answer.rows.empty()) {
        return worst(code_empty, n);
    }
    if (answer.shape == answer_shape::rows) {
        return worst(code_bad_depth, n);
    }
    if (std::int64_t(answer.values.size()) != n) {
        return worst(code_wrong_length, n);
    }
    for (std::size_t row = 0; row < given.size(); ++row) {
        if (answer.values[row] < 0 || answer.values[row] >= n) {
            return worst(code_out_of_range, n, std::int32_t(row));
        }
    }
    std::vector<std::int32_t> changed;
    for (std::size_t row = 0; row < given.size(); ++row) {
        if (given[row] != -1 && given[row] != answer.values[row]) {
            changed.push_back(std::int32_t(row));
        }
    }
    if (!changed.empty()) {
        return {first_task_code, changed.front(), 0, std::int64_t(changed.size()), n};
    }
    return {code_ok, -1, kept(answer.values), 0, n};
}

inline bool solvable(columns const& given, columns& placed) {
    if (placed.size() == given.size()) {
        return true;
    }
    std::size_t const row = placed.size();
    for (std::int32_t column = 0; column < std::int32_t(given.size()); ++column) {
        if (given[row] != -1 && given[row] != column) {
            continue;
        }
        placed.push_back(column);
        bool attacked = false;
        for (std::size_t earlier = 0; earlier < row; ++earlier) {
            attacked = attacked || attack(placed, row, earlier);
        }
        if (!attacked && solvable(given, placed)) {
            return true;
        }
        placed.pop_back();
    }
    return false;
}

/// The number of all rows, if a placement without attacks exists on a board of at most 10 rows.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    columns const given(instance.begin() + 1, instance.end());
    columns placed;
    return given.size() <= 10 && solvable(given, placed) ? std::optional(std::int64_t(given.size())) : std::nullopt;
}

}  // namespace optgap::reference::queens
