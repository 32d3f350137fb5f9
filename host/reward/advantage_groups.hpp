#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace optgap {

/// Rows by group: group g's rows are order[begin[g], begin[g + 1]), ascending. Groups come in order of first
/// appearance. `order` is empty when every group's rows stand side by side: then row k of group g is begin[g] + k.
struct group_index {
    std::vector<std::int64_t> begin{0};
    std::vector<std::int64_t> order;

    [[nodiscard]] std::int64_t groups() const { return std::int64_t(begin.size()) - 1; }
};

/// Any ids, any order, any sizes. Linear.
group_index index_groups(std::span<std::int32_t const> group);

}  // namespace optgap
