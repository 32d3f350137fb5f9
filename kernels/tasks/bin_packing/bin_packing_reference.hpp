#pragma once
// Oracle for bin_packing, written from README.md.

#include "tests/support/reference_parts.hpp"

namespace optgap::reference::bin_packing {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    shared_out const on(instance);
    answer_lists const answer(answer_block);
    std::int64_t const most = on.total();
    auto const none_empty = [](grid const& rows) {
        return std::none_of(rows.begin(), rows.end(), [](auto const& row) { return row.empty(); });
    };
    if (auto const broken = broken_parts(answer, on.sizes.size(), most, none_empty)) {
        return *broken;
    }
    std::int64_t const missing = most - on.sum(answer.values);
    std::int64_t excess = 0;
    std::int32_t first = -1;
    std::int32_t position = 0;
    for (auto const& row : answer.rows) {
        std::int64_t load = 0;
        for (std::int32_t const item : row) {
            load += on.sizes[std::size_t(item)];
            first = load > on.number && first < 0 ? position : first;
            ++position;
        }
        excess += std::max<std::int64_t>(0, load - on.number);
    }
    if (missing > 0) {
        return {first_task_code, -1, 0, missing + excess, most};
    }
    if (excess > 0) {
        return {first_task_code + 1, first, 0, excess, most};
    }
    return {code_ok, -1, std::int64_t(answer.rows.size()), 0, most};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    shared_out const on(instance);
    return best_parts(on, on.sizes.size(), on.number,
                      [](std::vector<std::int64_t> const& sums) { return std::int64_t(sums.size()); });
}

}  // namespace optgap::reference::bin_packing
