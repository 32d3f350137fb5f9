#pragma once
// The bound of one node: subgradient ascent over 1-trees, and the decisions about edges that follow from its reduced
// costs.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/search/one_tree.hpp"
#include "kernels/tasks/tsp/tsp_branch.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

/// Data shared by all nodes: the effort, the incumbent and the current question, whether there is a tour below
/// `target`.
struct proof_effort {
    std::int64_t budget;  ///< in steps
    std::int64_t steps;   ///< spent
    std::int64_t charge;  ///< of one 1-tree
    std::int64_t upper;   ///< length of the best tour known
    std::int64_t target;  ///< at most `upper`
    std::int32_t* tour;   ///< the best tour

    [[nodiscard]] OPTGAP_HD bool spent() const { return steps + charge > budget; }
};

/// Parameters of one ascent. Factors are in 1/1024.
struct ascent_plan {
    std::int32_t evaluations;
    std::int32_t factor;    ///< first step factor
    std::int32_t patience;  ///< evaluations without a better bound before the factor shrinks
    std::int32_t shrink;
};

enum class node_state : std::int32_t { open, closed, out_of_budget };

template <class Key>
struct node_search {
    edge_decisions<Key> at;
    search::one_tree<Key> tree[2];
    std::int32_t best;        ///< index of the 1-tree with the best bound of this node
    Key* previous;            ///< the previous subgradient
    Key* replacement;         ///< for each city: least expensive edge that could replace the one to its parent
    std::int32_t* depth;      ///< of a city in the 1-tree
    std::int64_t third_leg;   ///< reduced cost of the least expensive edge of city 0 outside the 1-tree
    std::int32_t* adjacency;  ///< of a tour, two per city
    proof_effort effort;

    /// Scaled bounds above this value close a node: no tour below the target is left.
    [[nodiscard]] OPTGAP_HD std::int64_t bound_limit() const {
        return (effort.target - 1) * std::int64_t(at.graph.scale);
    }
    [[nodiscard]] OPTGAP_HD search::one_tree<Key>& best_tree() { return tree[best]; }
    /// The prices with which the next ascent starts.
    [[nodiscard]] OPTGAP_HD Key* next_price() { return tree[1 - best].price; }
};

/// Writes the cities of a 1-tree that is a tour, from city 0 towards its first leg.
template <class Key>
OPTGAP_HD inline void record_tour(node_search<Key>& node, search::one_tree<Key> const& tree) {
    std::int32_t const n = node.at.graph.cities;
    std::int32_t* const next = node.adjacency;
    for (std::int32_t i = 0; i < 2 * n; ++i) {
        next[i] = -1;
    }
    auto const join = [next](std::int32_t a, std::int32_t b) {
        next[2 * a + (next[2 * a] >= 0)] = b;
        next[2 * b + (next[2 * b] >= 0)] = a;
    };
    join(0, tree.leg[0]);
    join(0, tree.leg[1]);
    for (std::int32_t k = 1; k < n - 1; ++k) {
        join(tree.order[k], tree.parent[tree.order[k]]);
    }
    std::int32_t before = next[1];
    std::int32_t city = 0;
    for (std::int32_t k = 0; k < n; ++k) {
        node.effort.tour[k] = city;
        std::int32_t const after = next[2 * city] == before ? next[2 * city + 1] : next[2 * city];
        before = city;
        city = after;
    }
}

/// Held & Karp's ascent from the prices in the 1-tree that is not the best, with Polyak's step length
/// factor · (aim − bound) / norm. Leaves the best 1-tree of this node in node.best.
template <class Key, class Aim>
OPTGAP_HD inline node_state ascend(node_search<Key>& node, ascent_plan plan, Aim const& aim) {
    std::int64_t best_bound = INT64_MIN;
    std::int64_t factor = plan.factor;
    std::int32_t misses = 0;
    std::int32_t current = 1 - node.best;
    for (std::int32_t j = 0; j < node.at.graph.lanes; ++j) {
        node.previous[j] = 0;
    }
    for (std::int32_t k = 0; k < plan.evaluations; ++k) {
        if (node.effort.spent()) {
            return node_state::out_of_budget;
        }
        node.effort.steps += node.effort.charge;
        search::one_tree<Key>& tree = node.tree[current];
        search::minimum_one_tree(node.at.graph, tree);
        if (!tree.spans) {
            return node_state::closed;
        }
        if (tree.norm == 0) {
            std::int64_t const length = tree.bound / node.at.graph.scale;
            if (length < node.effort.upper) {
                record_tour(node, tree);
                node.effort.upper = length;
                node.effort.target = length < node.effort.target ? length : node.effort.target;
            }
        }
        bool const better = tree.bound > best_bound;
        if (better) {
            best_bound = tree.bound;
            node.best = current;
            misses = 0;
        } else if (++misses == plan.patience) {
            factor = factor * plan.shrink / 1024;
            misses = 0;
        }
        if (best_bound > node.bound_limit()) {
            return node_state::closed;
        }
        std::int64_t const gap = aim(best_bound) - tree.bound;
        std::int64_t length = factor * (gap > 0 ? gap : 1) / (1024 * tree.norm);
        length = length < 1 ? 1 : length > node.at.graph.price_limit ? node.at.graph.price_limit : length;
        std::int32_t const next = 1 - node.best;
        search::move_prices(node.at.graph, tree, node.previous, length, node.tree[next].price);
        current = next;
    }
    return node_state::open;
}

/// Decides edges by the marginal costs of the best 1-tree (Volgenant & Jonker 1982; Benchimol et al. 2012). An edge is
/// removed if adding it lifts the bound beyond the limit; a tree edge is forced if its least expensive replacement does
/// so. Returns whether the 1-tree itself changes.
template <class Key>
OPTGAP_HD inline bool fix_edges(node_search<Key>& node) {
    edge_decisions<Key>& at = node.at;
    search::priced_graph<Key> const& graph = at.graph;
    search::one_tree<Key> const& tree = node.best_tree();
    std::int32_t const n = graph.cities;
    std::int64_t const slack = node.bound_limit() - tree.bound;
    Key const* const price = tree.price;
    std::int32_t const shift = 2 * graph.bits;

    node.depth[1] = 0;
    for (std::int32_t k = 1; k < n - 1; ++k) {
        std::int32_t const city = tree.order[k];
        node.depth[city] = node.depth[tree.parent[city]] + 1;
        node.replacement[city] = search::largest_key<Key> / 4;
    }
    for (std::int32_t i = 1; i < n; ++i) {
        each_free(at, i, [&](std::int32_t j) {
            if (j < i || tree.parent[j] == i || (i != 1 && tree.parent[i] == j)) {
                return;
            }
            Key const cost = (graph.row(i)[j] >> shift) + price[i] + price[j];
            Key longest = search::smallest_key<Key>;
            std::int32_t a = i;
            std::int32_t b = j;
            while (a != b) {
                std::int32_t& lower = node.depth[a] >= node.depth[b] ? a : b;
                longest = tree.cost[lower] > longest ? tree.cost[lower] : longest;
                node.replacement[lower] = cost < node.replacement[lower] ? cost : node.replacement[lower];
                lower = tree.parent[lower];
            }
            if (std::int64_t(cost) - longest > slack) {
                remove_edge(at, i, j);
            }
        });
    }
    node.third_leg = INT64_MAX / 4;
    each_free(at, 0, [&](std::int32_t j) {
        if (j == tree.leg[0] || j == tree.leg[1]) {
            return;
        }
        std::int64_t const cost = std::int64_t(graph.row(0)[j] >> shift) + price[0] + price[j];
        node.third_leg = cost < node.third_leg ? cost : node.third_leg;
        if (cost - tree.leg_cost[1] > slack) {
            remove_edge(at, 0, j);
        }
    });
    for (std::int32_t k = 1; k < n - 1; ++k) {
        std::int32_t const city = tree.order[k];
        if (std::int64_t(node.replacement[city]) - tree.cost[city] > slack && at.is_free(city, tree.parent[city])) {
            force_edge(at, city, tree.parent[city]);
        }
    }
    for (std::int32_t which = 0; which < 2; ++which) {
        if (node.third_leg - tree.leg_cost[which] > slack && at.is_free(0, tree.leg[which])) {
            force_edge(at, 0, tree.leg[which]);
        }
    }
    propagate(at);
    bool touched = at.conflict;
    for (std::int32_t k = 1; k < n - 1; ++k) {
        touched = touched || !at.is_alive(tree.order[k], tree.parent[tree.order[k]]);
    }
    return touched || !at.is_alive(0, tree.leg[0]) || !at.is_alive(0, tree.leg[1]);
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
