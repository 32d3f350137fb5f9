#pragma once
// Oracle for coin_change, written from README.md.

#include <algorithm>
#include <cstdlib>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::coin_change {

struct purse {
    std::vector<std::int64_t> coins;
    std::int64_t amount;

    explicit purse(std::span<std::int32_t const> words)
        : coins(words.begin() + 1, words.begin() + 1 + words[0]), amount(words.back()) {}
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    purse const on(instance);
    answer_lists const answer(answer_block);
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, on.amount);
    }
    if (answer.values.empty() && answer.rows.empty()) {
        return worst(code_empty, on.amount);
    }
    if (answer.shape == answer_shape::rows) {
        return worst(code_bad_depth, on.amount);
    }
    if (answer.values.size() != on.coins.size()) {
        return worst(code_wrong_length, on.amount);
    }
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < on.coins.size(); ++i) {
        if (answer.values[i] < 0 || answer.values[i] > on.amount) {
            return worst(code_out_of_range, on.amount, std::int32_t(i));
        }
        sum += on.coins[i] * answer.values[i];
        count += answer.values[i];
    }
    if (sum != on.amount) {
        return {first_task_code, -1, 0, std::min(std::abs(sum - on.amount), on.amount), on.amount};
    }
    return {code_ok, -1, count, 0, on.amount};
}

/// Adds one coin at a time to all reachable sums, until the amount is among them.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    purse const on(instance);
    std::set<std::int64_t> seen{0};
    std::set<std::int64_t> last{0};
    for (std::int64_t count = 1; !last.empty() && on.amount <= 3000; ++count) {
        std::set<std::int64_t> sums;
        for (std::int64_t const sum : last) {
            for (std::int64_t const coin : on.coins) {
                if (sum + coin <= on.amount && seen.insert(sum + coin).second) {
                    sums.insert(sum + coin);
                }
            }
        }
        if (sums.contains(on.amount)) {
            return count;
        }
        last = sums;
    }
    return std::nullopt;
}

}  // namespace optgap::reference::coin_change
