#pragma once
// Depth-first search for a tour below a target, or the proof that there is none.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/search/one_tree.hpp"
#include "kernels/tasks/tsp/tsp_bound.hpp"
#include "kernels/tasks/tsp/tsp_branch.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

/// Measured on random matrices (45 to 55 cities) and TSPLIB: many short ascents are better than few long ones.
inline constexpr ascent_plan node_plan{.evaluations = 8, .factor = 1024, .patience = 2, .shrink = 614};
/// Further ascents of one node after decisions that changed its 1-tree.
inline constexpr std::int32_t node_repeats = 2;

struct tour_edge {
    std::int32_t i;
    std::int32_t j;
};

/// A decision whose opposite is still to be searched.
struct branch_level {
    tour_edge edge;
    std::int32_t mark;  ///< length of the trail before it
};

template <class Key>
struct branch_and_bound {
    node_search<Key> node;
    Key* root_price;
    std::int64_t root_bound;  ///< scaled, of the 1-tree at root_price
    Key* level_price;         ///< start prices of the opposite decisions; they need not be restored exactly
    std::int32_t slots;       ///< its number of rows; deeper levels share the last one
    branch_level* levels;

    [[nodiscard]] OPTGAP_HD Key* price_slot(std::int32_t depth) const {
        return level_price + std::int64_t(node.at.graph.lanes) * (depth < slots ? depth : slots - 1);
    }
};

template <class Key>
OPTGAP_HD inline void copy_prices(std::int32_t lanes, Key const* from, Key* to) {
    for (std::int32_t j = 0; j < lanes; ++j) {
        to[j] = from[j];
    }
}

/// All edges free.
template <class Key>
OPTGAP_HD inline void free_all(search::priced_graph<Key>& graph) {
    for (std::int32_t i = 0; i < graph.cities; ++i) {
        Key* const row = graph.row(i);
        std::int32_t const* const weight = graph.weight + std::int64_t(i) * graph.lanes;
        for (std::int32_t j = 0; j < graph.lanes; ++j) {
            row[j] = ((Key(weight[j]) * graph.scale) << (2 * graph.bits)) | j;
        }
    }
    graph.forced_offset = 0;
}

template <class Key>
OPTGAP_HD inline void clear_decisions(edge_decisions<Key>& at) {
    for (std::int32_t i = 0; i < at.graph.cities; ++i) {
        at.alive_degree[i] = 0;
        at.forced_degree[i] = 0;
        at.path_end[i] = i;
        at.is_pending[i] = 0;
        for (std::int32_t w = 0; w < at.set_words; ++w) {
            at.alive_set(i)[w] = 0;
            at.forced_set(i)[w] = 0;
        }
    }
    at.forced_count = 0;
    at.pending_count = 0;
    at.trail_count = 0;
    at.conflict = false;
}

/// The decisions at the root, without a trail: keeps the edges whose reduced cost is within the gap of the longest edge
/// they could replace. Coarser than `fix_edges` but linear for each city, and it removes most edges. All edges are free
/// before.
template <class Key>
OPTGAP_HD inline void keep_short_edges(node_search<Key>& node) {
    edge_decisions<Key>& at = node.at;
    search::priced_graph<Key> const& graph = at.graph;
    search::one_tree<Key> const& tree = node.best_tree();
    std::int64_t const slack = node.bound_limit() - tree.bound;
    std::int64_t longest = INT64_MIN;
    for (std::int32_t k = 1; k < graph.cities - 1; ++k) {
        longest = tree.cost[tree.order[k]] > longest ? tree.cost[tree.order[k]] : longest;
    }
    auto const capped = [&graph](std::int64_t cost) { return Key(cost < graph.limit ? cost : graph.limit); };
    Key const reach = capped(longest + slack);
    Key const leg_reach = capped(tree.leg_cost[1] + slack);
    clear_decisions(at);
    for (std::int32_t i = 0; i < graph.cities; ++i) {
        Key* const row = graph.row(i);
        std::uint64_t* const alive = at.alive_set(i);
        std::int32_t const* const weight = graph.weight + std::int64_t(i) * graph.lanes;
        for (std::int32_t j = 0; j < graph.cities; ++j) {
            Key const cost = Key(weight[j]) * graph.scale + tree.price[i] + tree.price[j];
            bool const keep = cost <= (i == 0 || j == 0 ? leg_reach : reach) && i != j;
            row[j] = keep ? row[j] : graph.marked_entry(2 * graph.limit, j);
            alive[j >> 6] |= std::uint64_t(keep) << (j & 63);
            at.alive_degree[i] += keep;
        }
    }
    for (std::int32_t i = 0; i < graph.cities; ++i) {
        if (at.alive_degree[i] <= 2) {
            remember_pending(at, i);
        }
    }
    propagate(at);
}

/// The branching edge: a free edge of the best 1-tree, at a city with too many tree edges. Cities where forcing it
/// completes the pair are preferred (Volgenant & Jonker 1982 force one edge, then both edges of a city), then the edge
/// whose removal lifts the bound most. {-1, -1} if the 1-tree has no free edge.
template <class Key>
[[nodiscard]] OPTGAP_HD inline tour_edge choose_edge(node_search<Key> const& node) {
    edge_decisions<Key> const& at = node.at;
    search::one_tree<Key> const& tree = node.tree[node.best];
    std::int64_t const cap = at.graph.limit;
    tour_edge chosen{-1, -1};
    std::int64_t best = INT64_MIN;
    auto const consider = [&](std::int32_t i, std::int32_t j, std::int64_t lift) {
        if (!at.is_free(i, j)) {
            return;
        }
        bool const full_i = tree.excess[i] > 0;
        bool const full_j = tree.excess[j] > 0;
        std::int64_t const pairs = (full_i ? at.forced_degree[i] : 0) + (full_j ? at.forced_degree[j] : 0);
        std::int64_t const rank = (full_i || full_j ? 16 : 0) + pairs;
        std::int64_t const score = 4 * rank * (cap / 16) + (lift < cap / 4 ? lift : cap / 4);
        if (score > best) {
            best = score;
            chosen = {i, j};
        }
    };
    consider(0, tree.leg[0], node.third_leg - tree.leg_cost[0]);
    consider(0, tree.leg[1], node.third_leg - tree.leg_cost[1]);
    for (std::int32_t k = 1; k < at.graph.cities - 1; ++k) {
        std::int32_t const city = tree.order[k];
        consider(city, tree.parent[city], std::int64_t(node.replacement[city]) - tree.cost[city]);
    }
    return chosen;
}

template <class Key>
OPTGAP_HD inline void decide(edge_decisions<Key>& at, tour_edge edge, bool force) {
    if (force) {
        force_edge(at, edge.i, edge.j);
    } else {
        remove_edge(at, edge.i, edge.j);
    }
    propagate(at);
}

/// Bounds one node and makes the decisions that follow. An open node has an edge to branch on.
template <class Key>
OPTGAP_HD inline node_state bound_node(node_search<Key>& node) {
    auto const aim = [&node](std::int64_t) { return node.bound_limit() + node.at.graph.scale; };
    for (std::int32_t repeat = 0; !node.at.conflict; ++repeat) {
        node_state const state = ascend(node, node_plan, aim);
        if (state != node_state::open) {
            return state;
        }
        bool const touched = fix_edges(node);
        if (!node.at.conflict && (!touched || (repeat >= node_repeats && choose_edge(node).i >= 0))) {
            return node_state::open;
        }
        copy_prices(node.at.graph.lanes, node.best_tree().price, node.next_price());
    }
    return node_state::closed;
}

/// Searches the decisions below the present ones: force first, then remove. Closed: all tours below the target that
/// agree with the decisions were found, and each of them lowered the target.
template <class Key>
OPTGAP_HD inline node_state search_below_target(branch_and_bound<Key>& tree) {
    node_search<Key>& node = tree.node;
    std::int32_t const lanes = node.at.graph.lanes;
    std::int32_t depth = 0;
    copy_prices(lanes, tree.root_price, node.next_price());
    for (;;) {
        node_state const state = bound_node(node);
        if (state == node_state::out_of_budget || (state == node_state::closed && depth == 0)) {
            return state;
        }
        if (state == node_state::open) {
            tour_edge const edge = choose_edge(node);
            tree.levels[depth] = {edge, node.at.trail_count};
            copy_prices(lanes, node.best_tree().price, tree.price_slot(depth));
            copy_prices(lanes, node.best_tree().price, node.next_price());
            ++depth;
            decide(node.at, edge, true);
        } else {
            --depth;
            undo_to(node.at, tree.levels[depth].mark);
            copy_prices(lanes, tree.price_slot(depth), node.next_price());
            decide(node.at, tree.levels[depth].edge, false);
        }
    }
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
