#pragma once
// Oracle for k_center, written from README.md.

#include "tests/support/reference_edges.hpp"
#include "tests/support/reference_rules.hpp"

namespace optgap::reference::k_center {

inline std::int64_t largest_distance(std::vector<std::vector<std::int64_t>> const& far,
                                     std::vector<std::int32_t> const& centres) {
    std::int64_t largest = 0;
    for (auto const& row : far) {
        std::int64_t nearest = lengths_graph::infinite;
        for (std::int32_t const c : centres) {
            nearest = std::min(nearest, row[std::size_t(c)]);
        }
        largest = std::max(largest, nearest);
    }
    return largest;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    lengths_graph const graph(instance);
    std::int64_t const k = graph.rest[0];
    answer_lists const answer(answer_block);
    bool const rows = answer.shape == answer_shape::rows && !answer.rows.empty();
    if (answer.shape == answer_shape::list && std::int64_t(answer.values.size()) != k) {
        return worst(code_wrong_length, k);
    }
    if (answer.shape == answer_shape::rows && !rows) {
        return worst(code_wrong_length, k);
    }
    if (auto const broken = broken_list(answer, graph.n, k, true)) {
        return *broken;
    }
    return {code_ok, -1, largest_distance(graph.distances(), answer.values), 0, k};
}

/// Tries all sets of k vertices; up to 14 vertices.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    lengths_graph const graph(instance);
    if (graph.n > 14) {
        return std::nullopt;
    }
    auto const far = graph.distances();
    std::int64_t best = lengths_graph::infinite;
    for (std::uint32_t set = 0; set < 1u << graph.n; ++set) {
        std::vector<std::int32_t> centres;
        for (std::int32_t v = 0; v < graph.n; ++v) {
            if (set >> v & 1u) {
                centres.push_back(v);
            }
        }
        if (std::int32_t(centres.size()) == graph.rest[0]) {
            best = std::min(best, largest_distance(far, centres));
        }
    }
    return best;
}

}  // namespace optgap::reference::k_center
