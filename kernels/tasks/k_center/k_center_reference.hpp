#pragma once
// Oracle for k_center, written from README.md.

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::k_center {

inline std::int64_t left_alone(weighted_graph const& graph, std::set<std::int32_t> const& chosen) {
    std::set<std::int32_t> served = chosen;
    for (auto const& [u, v] : graph.edges) {
        if (chosen.contains(u)) {
            served.insert(v);
        }
        if (chosen.contains(v)) {
            served.insert(u);
        }
    }
    return graph.n - std::int64_t(served.size());
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    weighted_graph const graph(instance);
    answer_lists const answer(answer_block);
    if (auto const broken = broken_list(answer, graph.n, graph.n, false)) {
        return *broken;
    }
    if (std::int64_t const alone = left_alone(graph, {answer.values.begin(), answer.values.end()}); alone > 0) {
        return {first_task_code, -1, 0, alone, graph.n};
    }
    std::int64_t weight = 0;
    for (std::int32_t const v : answer.values) {
        weight += graph.weights[std::size_t(v)];
    }
    return {code_ok, -1, weight, 0, graph.n};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    weighted_graph const graph(instance);
    return lightest_set(graph, [&](std::set<std::int32_t> const& chosen) { return left_alone(graph, chosen) == 0; });
}

}  // namespace optgap::reference::k_center
