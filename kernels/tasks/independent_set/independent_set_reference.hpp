#pragma once
// Oracle for independent_set, written from README.md: pairs are checked one by one, sets are tried one by one.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::independent_set {

inline bool adjacent(std::span<std::int32_t const> instance, std::int64_t u, std::int64_t v) {
    std::int64_t const row_words = (instance[0] + 31) / 32;
    auto const word = std::uint32_t(instance[std::size_t(1 + u * row_words + v / 32)]);
    return (word >> (v % 32)) % 2 == 1;
}

/// Takes quadratic time in the answer's length.
inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::int64_t const n = instance[0];
    std::int32_t const shape = answer_block[0];
    std::size_t const header = shape > 0 ? 1 + std::size_t(shape) : 1;
    std::vector<std::int32_t> const values(answer_block.begin() + std::ptrdiff_t(header), answer_block.end());
    auto const count = std::int64_t(values.size());
    std::int64_t const pairs = count * (count - 1) / 2;

    verdict result;
    result.violation_max = pairs < 1 ? 1 : pairs;
    result.violation = result.violation_max;
    auto const broken = [&](std::int32_t code, std::int64_t where) {
        result.code = code;
        result.where = std::int32_t(where);
        return result;
    };
    if (shape == -2) {
        return broken(code_unparsable, -1);
    }
    if (shape > 0) {
        return broken(code_bad_depth, -1);
    }
    if (values.empty()) {
        return broken(code_empty, -1);
    }
    for (std::int64_t i = 0; i < count; ++i) {
        if (values[std::size_t(i)] < 0 || values[std::size_t(i)] >= n) {
            return broken(code_out_of_range, i);
        }
    }
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::int64_t j = 0; j < i; ++j) {
            if (values[std::size_t(i)] == values[std::size_t(j)]) {
                return broken(code_repeated, i);
            }
        }
    }
    std::int64_t conflicts = 0;
    std::int64_t first = -1;
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::int64_t j = 0; j < i; ++j) {
            if (adjacent(instance, values[std::size_t(i)], values[std::size_t(j)])) {
                ++conflicts;
                first = first < 0 ? i : first;
            }
        }
    }
    result.violation = conflicts;
    if (conflicts > 0) {
        return broken(first_task_code, first);
    }
    result.objective = count;
    return result;
}

/// Size of the largest independent set within `open`: the first vertex is either left out or taken.
inline std::int64_t largest_within(std::span<std::int32_t const> instance, std::vector<std::int64_t> const& open) {
    if (open.empty()) {
        return 0;
    }
    std::vector<std::int64_t> const without(open.begin() + 1, open.end());
    std::vector<std::int64_t> compatible;
    for (std::int64_t const v : without) {
        if (!adjacent(instance, open.front(), v)) {
            compatible.push_back(v);
        }
    }
    std::int64_t const taken = 1 + largest_within(instance, compatible);
    if (compatible.size() == without.size()) {
        return taken;
    }
    std::int64_t const left_out = largest_within(instance, without);
    return taken > left_out ? taken : left_out;
}

/// The optimum of graphs with at most 24 vertices.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    if (instance[0] > 24) {
        return std::nullopt;
    }
    std::vector<std::int64_t> all;
    for (std::int64_t v = 0; v < instance[0]; ++v) {
        all.push_back(v);
    }
    return largest_within(instance, all);
}

}  // namespace optgap::reference::independent_set
