#pragma once
// Oracle for partition, written from README.md.

#include "tests/support/reference_parts.hpp"

namespace optgap::reference::partition {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    shared_out const on(instance);
    answer_lists const answer(answer_block);
    auto const n = std::int64_t(on.sizes.size());
    auto const has_k = [&](grid const& rows) { return std::int64_t(rows.size()) == on.number; };
    if (auto const broken = broken_parts(answer, on.sizes.size(), n, has_k)) {
        return *broken;
    }
    if (auto const missing = n - std::int64_t(answer.values.size()); missing > 0) {
        return {first_task_code, -1, 0, missing, n};
    }
    std::int64_t largest = 0;
    for (auto const& row : answer.rows) {
        largest = std::max(largest, on.sum(row));
    }
    return {code_ok, -1, largest, 0, n};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    shared_out const on(instance);
    return best_parts(on, std::size_t(on.number), on.total(), [](std::vector<std::int64_t> const& sums) {
        return *std::max_element(sums.begin(), sums.end());
    });
}

}  // namespace optgap::reference::partition
