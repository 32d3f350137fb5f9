#pragma once
// Oracle for steiner_tree, written from README.md.

#include <map>
#include <numeric>

#include "tests/support/reference_edges.hpp"
#include "tests/support/reference_rules.hpp"

namespace optgap::reference::steiner_tree {

/// For each vertex, the least number in its component, by labels that spread.
inline std::vector<std::int32_t> parts(std::int32_t n,
                                       std::vector<std::pair<std::int32_t, std::int32_t>> const& edges) {
    std::vector<std::int32_t> part(static_cast<std::size_t>(n));
    std::iota(part.begin(), part.end(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto const& [u, v] : edges) {
            std::int32_t const least = std::min(part[std::size_t(u)], part[std::size_t(v)]);
            changed = changed || part[std::size_t(u)] != least || part[std::size_t(v)] != least;
            part[std::size_t(u)] = part[std::size_t(v)] = least;
        }
    }
    return part;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    lengths_graph const graph(instance);
    auto const terminals = graph.rest.subspan(1);
    auto const most = std::int64_t(terminals.size()) - 1;
    answer_lists const answer(answer_block);
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.shape == answer_shape::rows ? answer.rows.empty() : answer.values.empty()) {
        return worst(code_empty, most);
    }
    if (answer.shape == answer_shape::list) {
        return worst(code_bad_depth, most);
    }
    for (auto const& row : answer.rows) {
        if (row.size() != 2) {
            return worst(code_wrong_length, most);
        }
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < 0 || answer.values[i] >= graph.n) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> weight;
    for (auto const& e : graph.edges) {
        weight[{e.u, e.v}] = e.weight;
    }
    std::vector<std::pair<std::int32_t, std::int32_t>> chosen;
    std::vector<std::int32_t> absent;
    std::int64_t total = 0;
    for (std::size_t r = 0; r < answer.rows.size(); ++r) {
        auto const pair = std::minmax(answer.rows[r][0], answer.rows[r][1]);
        auto const found = weight.find({pair.first, pair.second});
        if (found == weight.end()) {
            absent.push_back(std::int32_t(2 * r));
        } else {
            total += found->second;
            chosen.emplace_back(pair.first, pair.second);
        }
    }
    if (!absent.empty()) {
        return {first_task_code, absent[0], 0, std::int64_t(absent.size()), std::int64_t(answer.rows.size())};
    }
    auto const part = parts(graph.n, chosen);
    std::set<std::int32_t> ends;
    for (std::int32_t const v : terminals) {
        ends.insert(part[std::size_t(v)]);
    }
    if (ends.size() > 1) {
        return {first_task_code + 1, -1, 0, std::int64_t(ends.size()) - 1, most};
    }
    return {code_ok, -1, total, 0, most};
}

/// The least spanning tree (Kruskal) of the terminals and each set of other vertices; up to 12 vertices.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    lengths_graph graph(instance);
    if (graph.n > 12) {
        return std::nullopt;
    }
    std::uint32_t wanted = 0;
    for (std::int32_t const v : graph.rest.subspan(1)) {
        wanted |= 1u << v;
    }
    std::ranges::sort(graph.edges, {}, &lengths_graph::edge::weight);
    std::optional<std::int64_t> best;
    for (std::uint32_t set = 0; set < 1u << graph.n; ++set) {
        if ((set & wanted) != wanted) {
            continue;
        }
        std::vector<std::pair<std::int32_t, std::int32_t>> tree;
        std::int64_t total = 0;
        for (auto const& e : graph.edges) {
            auto const part = parts(graph.n, tree);
            if ((set >> e.u & 1u) && (set >> e.v & 1u) && part[std::size_t(e.u)] != part[std::size_t(e.v)]) {
                tree.emplace_back(e.u, e.v);
                total += e.weight;
            }
        }
        if (tree.size() + 1 == std::size_t(__builtin_popcount(set)) && (!best || total < *best)) {
            best = total;
        }
    }
    return best;
}

}  // namespace optgap::reference::steiner_tree
