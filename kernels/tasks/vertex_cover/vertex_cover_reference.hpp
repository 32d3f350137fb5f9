#pragma once
// Oracle for vertex_cover, written from README.md.

#include <algorithm>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::vertex_cover {

inline std::int64_t uncovered(weighted_graph const& graph, std::set<std::int32_t> const& chosen) {
    return std::ranges::count_if(
        graph.edges, [&](auto const& edge) { return !chosen.contains(edge.first) && !chosen.contains(edge.second); });
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    weighted_graph const graph(instance);
    answer_lists const answer(answer_block);
    std::int64_t const most = std::max<std::int64_t>(1, std::int64_t(graph.edges.size()));
    if (auto const broken = broken_list(answer, graph.n, most, true)) {
        return *broken;
    }
    if (std::int64_t const open = uncovered(graph, {answer.values.begin(), answer.values.end()}); open > 0) {
        return {first_task_code, -1, 0, open, most};
    }
    std::int64_t weight = 0;
    for (std::int32_t const v : answer.values) {
        weight += graph.weights[std::size_t(v)];
    }
    return {code_ok, -1, weight, 0, most};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    weighted_graph const graph(instance);
    return lightest_set(graph, [&](std::set<std::int32_t> const& chosen) { return uncovered(graph, chosen) == 0; });
}

}  // namespace optgap::reference::vertex_cover
