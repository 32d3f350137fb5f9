#pragma once
// Oracle for weighted_tardiness, written from README.md.

#include "tests/support/order_rules.hpp"

namespace optgap::reference::weighted_tardiness {

inline std::int64_t cost(std::span<std::int32_t const> words, int_list const& order) {
    auto const n = std::size_t(words[0]);
    std::int64_t now = 0;
    std::int64_t total = 0;
    for (std::int32_t const job : order) {
        auto const j = std::size_t(job);
        now += words[1 + j];
        total += std::int64_t(words[1 + n + j]) * std::max<std::int64_t>(0, now - words[1 + 2 * n + j]);
    }
    return total;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    answer_lists const answer(answer_block);
    if (auto const broken = broken_order(answer, std::size_t(instance[0]))) {
        return *broken;
    }
    return {code_ok, -1, cost(instance, answer.values), 0, instance[0]};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    return best_order(std::size_t(instance[0]), false, [&](int_list const& order) { return cost(instance, order); });
}

}  // namespace optgap::reference::weighted_tardiness
