#pragma once
// The slow, obvious oracle, written from README.md alone.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::skeleton {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::int64_t const n = instance[0];
    std::int64_t const k = instance[1];
    std::int32_t const shape = answer_block.empty() ? -1 : answer_block[0];
    if (shape != -1) {
        return {shape == -2 ? code_unparsable : code_bad_depth, -1, 0, n, n};
    }
    if (answer_block.size() < 2) {
        return {code_empty, -1, 0, n, n};
    }
    std::vector<std::int32_t> const chosen(answer_block.begin() + 1, answer_block.end());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i] < 0 || chosen[i] >= n) {
            return {code_out_of_range, std::int32_t(i), 0, n, n};
        }
    }
    std::set<std::int32_t> before;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (!before.insert(chosen[i]).second) {
            return {code_repeated, std::int32_t(i), 0, n, n};
        }
    }
    if (std::int64_t(chosen.size()) > k) {
        return {first_task_code, std::int32_t(k), 0, std::int64_t(chosen.size()) - k, n};  // too_many
    }
    std::int64_t sum = 0;
    for (std::int32_t position : chosen) {
        sum += instance[2 + std::size_t(position)];
    }
    return {code_ok, -1, sum, 0, n};
}

/// nullopt would mean: too large for the oracle.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::vector<std::int64_t> values(instance.begin() + 2, instance.end());
    std::sort(values.begin(), values.end(), std::greater<>());
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < instance[1]; ++i) {
        sum += values[std::size_t(i)];
    }
    return sum;
}

}  // namespace optgap::reference::skeleton
