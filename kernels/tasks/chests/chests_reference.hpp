#pragma once
// Oracle for chests, written from README.md.

#include <algorithm>
#include <numeric>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::chests {

struct hall {
    std::size_t n;
    std::vector<std::int64_t> hardness, uses;
    std::vector<std::vector<std::int64_t>> damage;  ///< [weapon][chest]

    explicit hall(std::span<std::int32_t const> words) : n(std::size_t(words[0])) {
        hardness.assign(words.begin() + 1, words.begin() + 1 + std::ptrdiff_t(n));
        uses.assign(words.begin() + 1 + std::ptrdiff_t(n), words.begin() + 1 + 2 * std::ptrdiff_t(n));
        for (std::size_t w = 0; w < n; ++w) {
            auto const row = words.begin() + 1 + std::ptrdiff_t((2 + w) * n);
            damage.emplace_back(row, row + std::ptrdiff_t(n));
        }
    }
    [[nodiscard]] std::int64_t whole() const {
        return std::accumulate(hardness.begin(), hardness.end(), std::int64_t(0));
    }
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    hall on(instance);
    answer_lists const answer(answer_block);
    std::int64_t const most = on.whole();
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.values.empty()) {
        return worst(code_empty, most);
    }
    if (answer.shape == answer_shape::list) {
        return worst(code_bad_depth, most);
    }
    if (!std::ranges::all_of(answer.rows, [](auto const& row) { return row.size() == 2; })) {
        return worst(code_wrong_length, most);
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] >= std::int32_t(on.n) || answer.values[i] < (i % 2 == 0 ? -1 : 0)) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    for (std::size_t hit = 0; hit < answer.rows.size(); ++hit) {
        std::int32_t const weapon = answer.rows[hit][0];
        auto const chest = std::size_t(answer.rows[hit][1]);
        auto const at = std::int32_t(hit);
        if (weapon >= 0 && on.hardness[std::size_t(weapon)] > 0) {
            return worst(first_task_code, most, at);
        }
        if (weapon >= 0 && on.uses[std::size_t(weapon)]-- == 0) {
            return worst(first_task_code + 1, most, at);
        }
        if (on.hardness[chest] <= 0) {
            return worst(first_task_code + 2, most, at);
        }
        on.hardness[chest] -= weapon < 0 ? 1 : on.damage[std::size_t(weapon)][chest];
    }
    std::int64_t left = 0;
    for (std::int64_t const one : on.hardness) {
        left += std::max<std::int64_t>(one, 0);
    }
    if (left > 0) {
        return {first_task_code + 3, -1, 0, left, most};
    }
    return {code_ok, -1, most - std::int64_t(answer.rows.size()) + 1, 0, most};
}

/// Every opening order, and every way to share each weapon's uses among the chests that open later.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    hall const on(instance);
    if (on.n > 3) {
        return std::nullopt;
    }
    std::vector<std::size_t> order(on.n);
    std::iota(order.begin(), order.end(), 0);
    std::int64_t best = on.whole();
    do {
        auto const share = [&](auto const& self, std::size_t from, std::size_t to, std::int64_t uses,
                               std::vector<std::int64_t> left, std::int64_t turns) -> void {
            if (from + 1 >= on.n) {
                for (std::int64_t const one : left) {
                    turns += std::max<std::int64_t>(one, 0);
                }
                best = std::min(best, turns);
                return;
            }
            if (to == on.n) {
                std::size_t const next = from + 1;
                self(self, next, next + 1, on.uses[order[next]], left, turns);
                return;
            }
            for (std::int64_t times = 0; times <= uses; ++times) {
                self(self, from, to + 1, uses - times, left, turns + times);
                left[order[to]] -= on.damage[order[from]][order[to]];
            }
        };
        share(share, 0, 1, on.uses[order[0]], on.hardness, 0);
    } while (std::ranges::next_permutation(order).found);
    return on.whole() - best + 1;
}

}  // namespace optgap::reference::chests
