#pragma once
// Oracle for clique, written from README.md: pairs are checked one by one, sets are enumerated as binary numbers.

#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::clique {

inline std::vector<std::vector<bool>> adjacency(std::span<std::int32_t const> instance) {
    auto const n = std::size_t(instance[0]);
    std::size_t const row_words = (n + 31) / 32;
    std::vector<std::vector<bool>> matrix(n, std::vector<bool>(n));
    for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < n; ++v) {
            matrix[u][v] = ((std::uint32_t(instance[1 + u * row_words + v / 32]) >> (v % 32)) & 1u) == 1u;
        }
    }
    return matrix;
}

/// Takes quadratic time in the answer's length.
inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    std::int32_t const shape = answer_block.empty() ? -1 : answer_block[0];
    std::size_t const header = shape > 0 ? 1 + std::size_t(shape) : 1;
    std::vector<std::int32_t> values;
    for (std::size_t i = header; i < answer_block.size(); ++i) {
        values.push_back(answer_block[i]);
    }
    std::int64_t pairs = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        pairs += std::int64_t(i);
    }
    std::int64_t const worst = pairs == 0 ? 1 : pairs;
    if (shape == -2) {
        return {code_unparsable, -1, 0, worst, worst};
    }
    if (shape > 0) {
        return {code_bad_depth, -1, 0, worst, worst};
    }
    if (values.empty()) {
        return {code_empty, -1, 0, worst, worst};
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] < 0 || values[i] >= instance[0]) {
            return {code_out_of_range, std::int32_t(i), 0, worst, worst};
        }
    }
    std::set<std::int32_t> named;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!named.insert(values[i]).second) {
            return {code_repeated, std::int32_t(i), 0, worst, worst};
        }
    }
    auto const joined = adjacency(instance);
    std::int64_t missing = 0;
    std::int32_t first = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!joined[std::size_t(values[i])][std::size_t(values[j])]) {
                ++missing;
                first = first == -1 ? std::int32_t(i) : first;
            }
        }
    }
    if (missing > 0) {
        return {first_task_code, first, 0, missing, worst};
    }
    return {code_ok, -1, std::int64_t(values.size()), 0, worst};
}

/// The optimum of graphs with at most 20 vertices: a set is a clique if it is one without its highest vertex, and that
/// vertex is adjacent to all others.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::int32_t const n = instance[0];
    if (n > 20) {
        return std::nullopt;
    }
    auto const joined = adjacency(instance);
    std::vector<std::uint32_t> neighbours(std::size_t(n), 0);
    for (std::size_t u = 0; u < std::size_t(n); ++u) {
        for (std::size_t v = 0; v < std::size_t(n); ++v) {
            neighbours[u] |= joined[u][v] ? 1u << v : 0u;
        }
    }
    std::vector<bool> clique(std::size_t(1) << n, true);
    std::int64_t best = 0;
    for (std::uint32_t set = 1; set < clique.size(); ++set) {
        std::uint32_t const top = std::bit_width(set) - 1;
        std::uint32_t const others = set ^ (1u << top);
        clique[set] = clique[others] && (others & ~neighbours[top]) == 0;
        if (clique[set] && std::popcount(set) > best) {
            best = std::popcount(set);
        }
    }
    return best;
}

}  // namespace optgap::reference::clique
