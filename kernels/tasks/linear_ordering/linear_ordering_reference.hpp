#pragma once
// Oracle for linear_ordering, written from README.md.

#include "tests/support/order_rules.hpp"

namespace optgap::reference::linear_ordering {

inline std::int64_t gain(std::span<std::int32_t const> words, int_list const& order) {
    auto const n = std::size_t(words[0]);
    std::int64_t total = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            total += words[1 + std::size_t(order[i]) * n + std::size_t(order[j])];
        }
    }
    return total;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    answer_lists const answer(answer_block);
    if (auto const broken = broken_order(answer, std::size_t(instance[0]))) {
        return *broken;
    }
    return {code_ok, -1, gain(instance, answer.values), 0, instance[0]};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    return best_order(std::size_t(instance[0]), true, [&](int_list const& order) { return gain(instance, order); });
}

}  // namespace optgap::reference::linear_ordering
