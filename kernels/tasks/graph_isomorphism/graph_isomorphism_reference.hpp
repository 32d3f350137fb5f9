#pragma once
// Oracle for graph_isomorphism, written from README.md.

#include "tests/support/order_rules.hpp"

namespace optgap::reference::graph_isomorphism {

using pairs = std::set<std::pair<std::int32_t, std::int32_t>>;

/// The edges of the graph that the words [n, bits of each row] begin with, each in both directions.
inline pairs edges_of(std::span<std::int32_t const> words) {
    std::int32_t const n = words[0];
    std::size_t const row = (std::size_t(n) + 31) / 32;
    pairs edges;
    for (std::int32_t u = 0; u < n; ++u) {
        for (std::int32_t v = 0; v < n; ++v) {
            if (std::uint32_t(words[1 + std::size_t(u) * row + std::size_t(v) / 32]) >> (v % 32) & 1u) {
                edges.emplace(u, v);
            }
        }
    }
    return edges;
}

struct graph_pair {
    std::size_t n;
    pairs first;
    pairs second;

    explicit graph_pair(std::span<std::int32_t const> words)
        : n(std::size_t(words[0])), first(edges_of(words)), second(edges_of(words.subspan(words.size() / 2))) {}

    [[nodiscard]] std::int64_t landed(int_list const& images) const {
        std::int64_t ends = 0;
        for (auto const& [u, v] : first) {
            ends += std::int64_t(second.count({images[std::size_t(u)], images[std::size_t(v)]}));
        }
        return ends / 2;
    }
};

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    graph_pair const graphs(instance);
    answer_lists const answer(answer_block);
    if (auto const broken = broken_order(answer, graphs.n)) {
        return *broken;
    }
    return {code_ok, -1, graphs.landed(answer.values), 0, instance[0]};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    graph_pair const graphs(instance);
    return best_order(graphs.n > 7 ? 9 : graphs.n, true, [&](int_list const& images) { return graphs.landed(images); });
}

}  // namespace optgap::reference::graph_isomorphism
