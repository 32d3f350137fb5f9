#pragma once
// Oracle for coloring, written from README.md: edges are checked one by one, colourings are tried one by one.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::coloring {

inline bool adjacent(std::span<std::int32_t const> instance, std::int64_t u, std::int64_t v) {
    std::int64_t const row_words = (instance[0] + 31) / 32;
    auto const word = std::uint32_t(instance[std::size_t(1 + u * row_words + v / 32)]);
    return (word >> (v % 32)) % 2 == 1;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::int64_t const n = instance[0];
    std::int32_t const shape = answer_block[0];
    std::size_t const header = shape > 0 ? 1 + std::size_t(shape) : 1;
    std::vector<std::int32_t> const values(answer_block.begin() + std::ptrdiff_t(header), answer_block.end());
    auto const count = std::int64_t(values.size());
    std::int64_t edges = 0;
    std::int64_t conflicts = 0;
    std::int64_t first = -1;
    for (std::int64_t u = 0; u < n; ++u) {
        for (std::int64_t v = 0; v < u; ++v) {
            if (!adjacent(instance, u, v)) {
                continue;
            }
            ++edges;
            if (count == n && values[std::size_t(u)] == values[std::size_t(v)]) {
                ++conflicts;
                first = first < 0 ? u : first;
            }
        }
    }

    verdict result;
    result.violation_max = edges < 1 ? 1 : edges;
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
    for (std::int64_t v = 0; v < count; ++v) {
        if (values[std::size_t(v)] < 0) {
            return broken(code_out_of_range, v);
        }
    }
    if (count != n) {
        return broken(code_wrong_length, -1);
    }
    result.violation = conflicts;
    if (conflicts > 0) {
        return broken(first_task_code, first);
    }
    result.objective = std::int64_t(std::set<std::int32_t>(values.begin(), values.end()).size());
    return result;
}

/// Whether the vertices from `colours.size()` on can be coloured as well, with at most `limit` colours.
inline bool completes(std::span<std::int32_t const> instance, std::vector<std::int64_t>& colours, std::int64_t limit) {
    auto const v = std::int64_t(colours.size());
    if (v == instance[0]) {
        return true;
    }
    std::int64_t used = 0;
    for (std::int64_t const c : colours) {
        used = c + 1 > used ? c + 1 : used;
    }
    for (std::int64_t c = 0; c < limit && c <= used; ++c) {
        bool free = true;
        for (std::int64_t u = 0; u < v; ++u) {
            free = free && !(adjacent(instance, u, v) && colours[std::size_t(u)] == c);
        }
        if (free) {
            colours.push_back(c);
            if (completes(instance, colours, limit)) {
                return true;
            }
            colours.pop_back();
        }
    }
    return false;
}

/// The optimum of graphs with at most 22 vertices.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    if (instance[0] > 22) {
        return std::nullopt;
    }
    std::vector<std::int64_t> colours;
    std::int64_t limit = 1;
    while (!completes(instance, colours, limit)) {
        ++limit;
    }
    return limit;
}

}  // namespace optgap::reference::coloring
