#pragma once
// Oracle for flow_shop, written from README.md.

#include "tests/support/order_rules.hpp"

namespace optgap::reference::flow_shop {

/// The longest path through the table of operations, from the first operation of the first job to the last one of the
/// last job.
inline std::int64_t makespan(std::span<std::int32_t const> words, int_list const& order) {
    auto const machines = std::size_t(words[1]);
    std::vector<std::vector<std::int64_t>> ends(order.size() + 1, std::vector<std::int64_t>(machines + 1, 0));
    for (std::size_t i = 1; i <= order.size(); ++i) {
        for (std::size_t k = 1; k <= machines; ++k) {
            std::int64_t const time = words[2 + std::size_t(order[i - 1]) * machines + k - 1];
            ends[i][k] = std::max(ends[i - 1][k], ends[i][k - 1]) + time;
        }
    }
    return ends.back().back();
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    answer_lists const answer(answer_block);
    if (auto const broken = broken_order(answer, std::size_t(instance[0]))) {
        return *broken;
    }
    return {code_ok, -1, makespan(instance, answer.values), 0, instance[0]};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    return best_order(std::size_t(instance[0]), false,
                      [&](int_list const& order) { return makespan(instance, order); });
}

}  // namespace optgap::reference::flow_shop
