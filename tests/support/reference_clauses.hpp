#pragma once
// What the slow twins of tasks about clauses share, written again.

#include <cstdlib>

#include "tests/support/reference_labels.hpp"

namespace optgap::reference {

/// Read from [n, m, k, literals of each clause …, weights …]; without weights each is 1.
struct clause_list {
    std::int64_t n;
    std::vector<std::vector<std::int32_t>> clauses;
    std::vector<std::int64_t> weights;

    explicit clause_list(std::span<std::int32_t const> words) : n(words[0]) {
        auto const m = std::size_t(words[1]);
        auto const k = std::size_t(words[2]);
        for (std::size_t c = 0; c < m; ++c) {
            auto const from = words.begin() + std::ptrdiff_t(3 + c * k);
            clauses.emplace_back(from, from + std::ptrdiff_t(k));
            weights.push_back(words.size() > 3 + m * k ? words[3 + m * k + c] : 1);
        }
    }

    [[nodiscard]] std::int64_t worth(std::vector<std::int32_t> const& values) const {
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < clauses.size(); ++c) {
            bool holds = false;
            for (std::int32_t const literal : clauses[c]) {
                holds = holds || (values[std::size_t(std::abs(literal)) - 1] == 1) == (literal > 0);
            }
            sum += holds ? weights[c] : 0;
        }
        return sum;
    }
};

inline verdict verify_clauses(clause_list const& on, std::span<std::int32_t const> answer_block) {
    answer_lists const answer(answer_block);
    if (auto const broken = broken_labels(answer, on.n)) {
        return *broken;
    }
    return {code_ok, -1, on.worth(answer.values), 0, on.n};
}

}  // namespace optgap::reference
