#pragma once
// Oracle for bisection, written from README.md: pairs are checked one by one, halves are tried one by one.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::bisection {

/// Weight between vertices of different parts; `part` holds one number a vertex.
inline std::int64_t cut(std::span<std::int32_t const> instance, std::vector<int> const& part) {
    std::size_t const n = part.size();
    std::int64_t sum = 0;
    for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < u; ++v) {
            sum += part[u] != part[v] ? instance[1 + u * n + v] : 0;
        }
    }
    return sum;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::int64_t const n = instance[0];
    std::int32_t const shape = answer_block[0];
    std::size_t const header = shape > 0 ? 1 + std::size_t(shape) : 1;
    std::vector<std::int32_t> const values(answer_block.begin() + std::ptrdiff_t(header), answer_block.end());

    verdict result;
    result.violation_max = 2 * n;
    result.violation = result.violation_max;
    auto const broken = [&](std::int32_t code, std::int64_t where = -1) {
        result.code = code;
        result.where = std::int32_t(where);
        return result;
    };
    if (shape == -2) {
        return broken(code_unparsable);
    }
    if (shape <= 0) {
        return broken(values.empty() ? code_empty : code_bad_depth);
    }
    if (shape != 2) {
        return broken(first_task_code);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] < 0 || values[i] >= n) {
            return broken(code_out_of_range, std::int64_t(i));
        }
    }
    std::vector<int> times(static_cast<std::size_t>(n), 0);
    std::vector<int> part(static_cast<std::size_t>(n), 0);
    std::int64_t first_repeat = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const v = std::size_t(values[i]);
        part[v] = std::int64_t(i) < answer_block[1] ? 0 : 1;
        if (++times[v] > 1 && first_repeat < 0) {
            first_repeat = std::int64_t(i);
        }
    }
    std::int64_t const missing = std::count(times.begin(), times.end(), 0);
    std::int64_t const repeated = std::count_if(times.begin(), times.end(), [](int t) { return t > 1; });
    std::int64_t const apart = std::abs(std::int64_t(answer_block[1]) - answer_block[2]);
    std::int64_t const imbalance = std::max<std::int64_t>(0, apart - 1);
    result.violation = std::min(2 * n, missing + repeated + imbalance);
    if (repeated > 0) {
        return broken(code_repeated, first_repeat);
    }
    if (missing > 0) {
        return broken(code_wrong_length);
    }
    if (imbalance > 0) {
        return broken(first_task_code + 1);
    }
    result.objective = cut(instance, part);
    return result;
}

/// The optimum of graphs with at most 16 vertices, over every subset of half the vertices.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::int32_t const n = instance[0];
    if (n > 16) {
        return std::nullopt;
    }
    std::optional<std::int64_t> best;
    for (std::uint32_t set = 0; set < 1u << n; ++set) {
        std::vector<int> part;
        for (std::int32_t v = 0; v < n; ++v) {
            part.push_back(int(set >> v & 1u));
        }
        if (std::count(part.begin(), part.end(), 1) == n / 2) {
            std::int64_t const weight = cut(instance, part);
            best = best ? std::min(*best, weight) : weight;
        }
    }
    return best;
}

}  // namespace optgap::reference::bisection
