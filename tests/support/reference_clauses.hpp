#pragma once
// Shared by the slow references of tasks on clauses, independent of kernels/.

#include <algorithm>
#include <cstdlib>

#include "tests/support/reference_labels.hpp"

namespace optgap::reference {

/// Reads [n, m, k, literals of each clause, k with zeros at the end …, weights …, marks of hard ones …]. Without
/// weights each is 1, and without marks none is hard.
struct clause_list {
    std::int64_t n;
    std::vector<std::vector<std::int32_t>> clauses;
    std::vector<std::int64_t> weights;
    std::vector<bool> hard;

    explicit clause_list(std::span<std::int32_t const> words) : n(words[0]) {
        auto const m = std::size_t(words[1]);
        auto const k = std::size_t(words[2]);
        for (std::size_t c = 0; c < m; ++c) {
            auto const from = words.begin() + std::ptrdiff_t(3 + c * k);
            clauses.emplace_back(from, std::find(from, from + std::ptrdiff_t(k), 0));
            weights.push_back(words.size() > 3 + m * k ? words[3 + m * k + c] : 1);
            hard.push_back(words.size() > 3 + m * k + m && words[3 + m * k + m + c] == 1);
        }
    }

    [[nodiscard]] bool holds(std::size_t c, std::vector<std::int32_t> const& values) const {
        bool found = false;
        for (std::int32_t const literal : clauses[c]) {
            found = found || (values[std::size_t(std::abs(literal)) - 1] == 1) == (literal > 0);
        }
        return found;
    }
    [[nodiscard]] std::int64_t worth(std::vector<std::int32_t> const& values) const {
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < clauses.size(); ++c) {
            sum += holds(c, values) && !hard[c] ? weights[c] : 0;
        }
        return sum;
    }
    [[nodiscard]] std::int64_t false_hard(std::vector<std::int32_t> const& values) const {
        std::int64_t count = 0;
        for (std::size_t c = 0; c < clauses.size(); ++c) {
            count += hard[c] && !holds(c, values) ? 1 : 0;
        }
        return count;
    }
};

/// The best value of a feasible answer; nullopt where there is none, or too many to try.
inline std::optional<std::int64_t> best_values(clause_list const& on) {
    std::optional<std::int64_t> const best = best_labels(on.n, [&](std::vector<std::int32_t> const& values) {
        return on.false_hard(values) > 0 ? std::int64_t(-1) : on.worth(values);
    });
    return best < 0 ? std::nullopt : best;
}

inline verdict verify_clauses(clause_list const& on, std::span<std::int32_t const> answer_block) {
    answer_lists const answer(answer_block);
    if (auto const broken = broken_labels(answer, on.n)) {
        return *broken;
    }
    if (std::int64_t const broken = on.false_hard(answer.values); broken > 0) {
        return {first_task_code, -1, 0, broken, std::count(on.hard.begin(), on.hard.end(), true)};
    }
    return {code_ok, -1, on.worth(answer.values), 0, on.n};
}

}  // namespace optgap::reference
