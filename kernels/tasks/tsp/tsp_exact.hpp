#pragma once
#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/task.hpp"
#include "kernels/search/one_tree.hpp"
#include "kernels/tasks/tsp/tsp_bound.hpp"
#include "kernels/tasks/tsp/tsp_branch.hpp"
#include "kernels/tasks/tsp/tsp_distance.hpp"

#ifndef TUNE
#define TUNE(name, value) constexpr std::int32_t name = value;
#endif

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

TUNE(root_evals, 200)
TUNE(root_factor, 2048)
TUNE(root_patience, 6)
TUNE(root_shrink, 614)
TUNE(root_over, 20)
TUNE(node_evals, 20)
TUNE(node_factor, 1024)
TUNE(node_patience, 4)
TUNE(node_shrink, 614)
TUNE(node_repeats, 2)
TUNE(branch_rule, 0)
TUNE(force_first, 1)

inline constexpr char const* exact_bound_kinds[] = {"optimum", "degree", "one_tree", "branch_and_bound", nullptr};
inline constexpr std::int64_t exact_default_budget = 10'000'000;

/// Hands out 64-byte aligned parts of the caller's scratch; with a null base it only measures.
struct scratch_cursor {
    std::int32_t* base;
    std::int64_t used = 0;

    template <class T>
    OPTGAP_HD T* take(std::int64_t count) {
        std::int64_t const words = (count * std::int64_t(sizeof(T)) + 63) / 64 * 16;
        T* const part = base == nullptr ? nullptr : reinterpret_cast<T*>(base + used);
        used += words;
        return part;
    }
};

struct branch_level {
    std::int32_t i;
    std::int32_t j;
    std::int32_t mark;
};

template <class Key>
struct branch_and_bound {
    node_search<Key> node;
    Key* root_price;
    Key* level_price;
    branch_level* levels;
    std::int32_t depth;
    std::int32_t* weight;
};

template <class Key>
OPTGAP_HD inline void lay_out(branch_and_bound<Key>& bnb, scratch_cursor& cursor, std::int32_t n) {
    std::int64_t const lanes = search::padded<Key>(n);
    std::int64_t const pairs = std::int64_t(n) * (n - 1) / 2;
    auto& node = bnb.node;
    auto& at = node.at;
    auto& graph = at.graph;
    graph.cities = n;
    graph.lanes = std::int32_t(lanes);
    at.set_words = (n + 63) / 64;
    graph.rows = cursor.take<Key>(n * lanes);
    bnb.weight = cursor.take<std::int32_t>(n * lanes);
    graph.weight = bnb.weight;
    graph.nearest = cursor.take<Key>(lanes);
    graph.reached = cursor.take<Key>(lanes);
    graph.shifted = cursor.take<Key>(lanes);
    for (auto& tree : node.tree) {
        tree.price = cursor.take<Key>(lanes);
        tree.excess = cursor.take<Key>(lanes);
        tree.cost = cursor.take<Key>(lanes);
        tree.parent = cursor.take<std::int32_t>(n);
        tree.order = cursor.take<std::int32_t>(n);
    }
    node.previous = cursor.take<Key>(lanes);
    node.replacement = cursor.take<Key>(lanes);
    node.depth = cursor.take<std::int32_t>(n);
    node.adjacency = cursor.take<std::int32_t>(2 * n);
    node.effort.tour = cursor.take<std::int32_t>(n);
    at.alive = cursor.take<std::uint64_t>(std::int64_t(n) * at.set_words);
    at.forced = cursor.take<std::uint64_t>(std::int64_t(n) * at.set_words);
    at.alive_degree = cursor.take<std::int32_t>(n);
    at.forced_degree = cursor.take<std::int32_t>(n);
    at.path_end = cursor.take<std::int32_t>(n);
    at.pending = cursor.take<std::int32_t>(n);
    at.is_pending = cursor.take<std::int32_t>(n);
    at.trail = cursor.take<std::int32_t>(2 * pairs);
    bnb.root_price = cursor.take<Key>(lanes);
    bnb.level_price = cursor.take<Key>(lanes * n);
    bnb.levels = cursor.take<branch_level>(pairs);
}

template <class Key>
OPTGAP_HD inline void copy_prices(std::int32_t lanes, Key const* from, Key* to) {
    for (std::int32_t j = 0; j < lanes; ++j) {
        to[j] = from[j];
    }
}

/// All edges free.
template <class Key>
OPTGAP_HD inline void free_all(branch_and_bound<Key>& bnb) {
    auto& at = bnb.node.at;
    auto& graph = at.graph;
    for (std::int32_t i = 0; i < graph.cities; ++i) {
        Key* const row = graph.row(i);
        std::int32_t const* const weight = graph.weight + std::int64_t(i) * graph.lanes;
        for (std::int32_t j = 0; j < graph.lanes; ++j) {
            row[j] = ((Key(weight[j]) * graph.scale) << (2 * graph.bits)) | j;
        }
    }
    graph.forced_offset = 0;
}

/// Starts a round
template <class Key>
OPTGAP_HD inline void sparsify(branch_and_bound<Key>& bnb) {
    auto& node = bnb.node;
    auto& at = node.at;
    auto& graph = at.graph;
    std::int32_t const n = graph.cities;
    search::one_tree<Key> const& tree = node.best_tree();
    std::int64_t const slack = node.bound_limit() - tree.bound;
    Key longest = search::smallest_key<Key>;
    for (std::int32_t k = 1; k < n - 1; ++k) {
        Key const cost = tree.cost[tree.order[k]];
        longest = cost > longest ? cost : longest;
    }
    std::int64_t const room = graph.limit;
    Key const tree_threshold = Key(longest + slack > room ? room : longest + slack);
    Key const leg_threshold = Key(tree.leg_cost[1] + slack > room ? room : tree.leg_cost[1] + slack);
    for (std::int32_t i = 0; i < n; ++i) {
        at.alive_degree[i] = 0;
        at.forced_degree[i] = 0;
        at.path_end[i] = i;
        at.is_pending[i] = 0;
        Key* const row = graph.row(i);
        std::uint64_t* const alive = at.alive_set(i);
        for (std::int32_t w = 0; w < at.set_words; ++w) {
            alive[w] = 0;
            at.forced_set(i)[w] = 0;
        }
        std::int32_t const* const weight = graph.weight + std::int64_t(i) * graph.lanes;
        for (std::int32_t j = 0; j < n; ++j) {
            Key const cost = Key(weight[j]) * graph.scale + tree.price[i] + tree.price[j];
            bool const keep = cost <= (i == 0 || j == 0 ? leg_threshold : tree_threshold) && i != j;
            row[j] = keep ? row[j] : graph.marked_entry(2 * graph.limit, j);
            alive[j >> 6] |= std::uint64_t(keep) << (j & 63);
            at.alive_degree[i] += keep;
        }
    }
    at.forced_count = 0;
    at.pending_count = 0;
    at.trail_count = 0;
    at.conflict = false;
    for (std::int32_t i = 0; i < n; ++i) {
        if (at.alive_degree[i] <= 2) {
            remember_pending(at, i);
        }
    }
    propagate(at);
}

struct edge {
    std::int32_t i;
    std::int32_t j;
};

/// Tree edge at an over-full city
template <class Key>
OPTGAP_HD inline edge choose_branch(node_search<Key>& node) {
    auto& at = node.at;
    auto const& tree = node.best_tree();
    std::int32_t const n = at.graph.cities;
    edge chosen{-1, -1};
    std::int64_t best = INT64_MIN;
    auto const consider = [&](std::int32_t i, std::int32_t j, std::int64_t lift) {
        if (!at.is_free(i, j)) {
            return;
        }
        std::int64_t score = 0;
        std::int64_t const over = (tree.excess[i] > 0) + (tree.excess[j] > 0);
        std::int64_t const forced = at.forced_degree[i] * (tree.excess[i] > 0) + at.forced_degree[j] * (tree.excess[j] > 0);
        std::int64_t const cap = at.graph.limit;
        lift = lift > cap ? cap : lift;
        if (branch_rule == 0) {
            score = over > 0 ? lift + cap * 4: lift;
        } else if (branch_rule == 1) {
            score = lift;
        } else if (branch_rule == 2) {
            score = (over > 0 ? cap * 64 : 0) + forced * cap * 4 + lift;
        } else if (branch_rule == 3) {
            std::int32_t const d = at.alive_degree[i] < at.alive_degree[j] ? at.alive_degree[i] : at.alive_degree[j];
            score = (over > 0 ? cap * 64 : 0) - d * cap * 2 + lift;
        } else if (branch_rule == 4) {
            score = (over > 0 ? cap * 64 : 0) + forced * cap * 4 - lift;
        } else if (branch_rule == 5) {
            score = (over > 0 ? cap * 64 : 0) - lift;
        }
        if (score > best) {
            best = score;
            chosen = {i, j};
        }
    };
    std::int64_t third = INT64_MAX / 4;
    each_free(at, 0, [&](std::int32_t j) {
        if (j != tree.leg[0] && j != tree.leg[1]) {
            std::int64_t const cost =
                std::int64_t(at.graph.row(0)[j] >> (2 * at.graph.bits)) + tree.price[0] + tree.price[j];
            third = cost < third ? cost : third;
        }
    });
    consider(0, tree.leg[0], third - tree.leg_cost[0]);
    consider(0, tree.leg[1], third - tree.leg_cost[1]);
    for (std::int32_t k = 1; k < n - 1; ++k) {
        std::int32_t const city = tree.order[k];
        consider(city, tree.parent[city], std::int64_t(node.replacement[city]) - tree.cost[city]);
    }
    return chosen;
}

template <class Key>
OPTGAP_HD inline void decide(edge_decisions<Key>& at, edge which, bool force) {
    if (force) {
        force_edge(at, which.i, which.j);
    } else {
        remove_edge(at, which.i, which.j);
    }
    propagate(at);
}

inline std::int64_t g_nodes = 0;

/// Bounds one node; leaves the decisions that follow.
template <class Key>
OPTGAP_HD inline node_state bound_node(node_search<Key>& node) {
    ++g_nodes;
    ascent_plan const plan{node_evals, node_factor, node_patience, node_shrink};
    auto const aim = [&](std::int64_t) { return node.bound_limit() + node.at.graph.scale; };
    for (std::int32_t repeat = 0;; ++repeat) {
        if (node.at.conflict) {
            return node_state::closed;
        }
        node_state const state = ascend(node, plan, aim);
        if (state != node_state::open) {
            return state;
        }
        bool const touched = fix_edges(node);
        if (!touched || repeat == node_repeats) {
            return node.at.conflict ? node_state::closed : node_state::open;
        }
        copy_prices(node.at.graph.lanes, node.best_tree().price, node.tree[1 - node.best].price);
    }
}

/// Depth first. Closed: no tour below effort.target exists.
template <class Key>
OPTGAP_HD inline node_state search_below_target(branch_and_bound<Key>& bnb) {
    auto& node = bnb.node;
    auto& at = node.at;
    std::int32_t const lanes = at.graph.lanes;
    std::int32_t const last_slot = at.graph.cities - 1;
    auto const slot = [&](std::int32_t depth) {
        return bnb.level_price + std::int64_t(lanes) * (depth < last_slot ? depth : last_slot);
    };
    bnb.depth = 0;
    copy_prices(lanes, bnb.root_price, node.tree[1 - node.best].price);
    for (;;) {
        node_state const state = bound_node(node);
        if (state == node_state::out_of_budget) {
            return state;
        }
        if (state == node_state::open) {
            edge const which = choose_branch(node);
            bnb.levels[bnb.depth] = {which.i, which.j, at.trail_count};
            copy_prices(lanes, node.best_tree().price, slot(bnb.depth));
            ++bnb.depth;
            decide(at, which, force_first);
            copy_prices(lanes, node.best_tree().price, node.tree[1 - node.best].price);
            continue;
        }
        if (bnb.depth == 0) {
            return node_state::closed;
        }
        --bnb.depth;
        branch_level const level = bnb.levels[bnb.depth];
        undo_to(at, level.mark);
        decide(at, {level.i, level.j}, !force_first);
        copy_prices(lanes, slot(bnb.depth), node.tree[1 - node.best].price);
    }
}

[[nodiscard]] OPTGAP_HD constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

template <class Key>
OPTGAP_HD inline void prove(branch_and_bound<Key>& bnb, solve_result& result) {
    auto& node = bnb.node;
    auto& graph = node.at.graph;
    auto& effort = node.effort;
    std::int32_t const lanes = graph.lanes;
    free_all(bnb);
    for (std::int32_t j = 0; j < lanes; ++j) {
        node.tree[0].price[j] = 0;
        node.tree[1].price[j] = 0;
    }
    node.best = 0;
    effort.target = effort.upper;
    ascent_plan const plan{root_evals, root_factor, root_patience, root_shrink};
    auto const aim = [&](std::int64_t best) { return best + (best > 0 ? best : -best) / root_over + graph.scale; };
    node_state const root = ascend(node, plan, aim);
    std::int64_t const lower = ceil_div(node.best_tree().bound, graph.scale);
    if (effort.steps > 0 && lower > result.bound) {
        result.bound = lower;
        result.bound_kind = 2;
    }
    if (root == node_state::closed || result.bound >= effort.upper) {
        result.bound = effort.upper;
        return;
    }
    if (root == node_state::out_of_budget) {
        return;
    }
    copy_prices(lanes, node.best_tree().price, bnb.root_price);
    for (std::int64_t reach = 1; result.bound < effort.upper; reach = 2 * reach + 1) {
        if (effort.spent()) {
            return;
        }
        std::int64_t const aimed = result.bound + reach;
        effort.target = aimed < effort.upper ? aimed : effort.upper;
        if (reach > 1) {
            free_all(bnb);
            copy_prices(lanes, bnb.root_price, node.tree[0].price);
            node.best = 0;
            search::minimum_one_tree(graph, node.tree[0]);
            effort.steps += effort.charge;
        }
        sparsify(bnb);
        if (search_below_target(bnb) == node_state::out_of_budget) {
            return;
        }
        result.bound = effort.target;
        result.bound_kind = 3;
    }
}

template <class Key>
OPTGAP_HD inline void load_graph(branch_and_bound<Key>& bnb, std::int32_t const* matrix_weight, std::int32_t largest) {
    (void)matrix_weight;
    auto& graph = bnb.node.at.graph;
    std::int32_t bits = 1;
    while ((1 << bits) < graph.lanes) {
        ++bits;
    }
    graph.bits = bits;
    graph.limit = Key(1) << (8 * sizeof(Key) - 3 - 2 * bits);
    std::int32_t scale = 64;
    while (scale > 1 && std::int64_t(largest) * scale > graph.limit / 4) {
        scale /= 2;
    }
    graph.scale = scale;
    graph.price_limit = (graph.limit - Key(largest) * scale) / 2;
    graph.forced_offset = 0;
}

#ifndef FORCE64
#define FORCE64 0
#endif
#ifndef MINSCALE
#define MINSCALE 2
#endif

/// Whether 32-bit keys leave a scale of at least
[[nodiscard]] OPTGAP_HD inline bool fits_small_keys(std::int32_t n, std::int32_t largest) {
    std::int32_t const lanes = search::padded<std::int32_t>(n);
    std::int32_t bits = 1;
    while ((1 << bits) < lanes) {
        ++bits;
    }
    if (FORCE64) return false;
    return bits <= 10 && (std::int64_t(largest) * MINSCALE <= (std::int64_t(1) << (29 - 2 * bits)) / 4);
}

inline std::int64_t exact_scratch_words(words_view instance) {
    std::int32_t const n = city_count(instance);
    branch_and_bound<std::int32_t> small;
    branch_and_bound<std::int64_t> wide;
    scratch_cursor a{nullptr};
    scratch_cursor b{nullptr};
    lay_out(small, a, n);
    lay_out(wide, b, n);
    return a.used > b.used ? a.used : b.used;
}

template <class Key>
OPTGAP_HD inline solve_result solve_with(words_view instance, std::int32_t largest, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
    std::int32_t const n = city_count(instance);
    distances const d(instance);
    branch_and_bound<Key> bnb;
    scratch_cursor cursor{scratch};
    lay_out(bnb, cursor, n);
    std::int32_t const lanes = bnb.node.at.graph.lanes;
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = 0; j < lanes; ++j) {
            bnb.weight[i * lanes + j] = j < n ? d(i, j) : 0;
        }
    }
    load_graph(bnb, nullptr, largest);
    auto& effort = bnb.node.effort;
    effort.budget = budget;
    effort.steps = 0;
    effort.charge = 1;
    // nearest neighbour
    std::int32_t* tour = effort.tour;
    std::int32_t* used = bnb.node.depth;
    for (int i = 0; i < n; ++i) used[i] = 0;
    std::int64_t length = 0;
    tour[0] = 0;
    used[0] = 1;
    for (int k = 1; k < n; ++k) {
        int b = -1;
        for (int j = 0; j < n; ++j)
            if (!used[j] && (b < 0 || d(tour[k - 1], j) < d(tour[k - 1], b))) b = j;
        used[b] = 1;
        length += d(tour[k - 1], b);
        tour[k] = b;
    }
    length += d(tour[n - 1], 0);
    effort.upper = length;
    solve_result result;
    result.bound = 0;
    result.bound_kind = 1;
    prove(bnb, result);
    result.objective = effort.upper;
    if (result.bound >= effort.upper) {
        result.bound = effort.upper;
        result.bound_kind = 0;
        result.status = baseline_status::optimal;
    } else {
        result.status = baseline_status::bounded;
    }
    result.steps = effort.steps;
    answer[0] = answer_flat;
    for (int i = 0; i < n; ++i) answer[1 + i] = tour[i];
    result.answer_words = n + 1;
    return result;
}

inline solve_result solve_exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
    std::int32_t const n = city_count(instance);
    distances const d(instance);
    std::int32_t largest = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = 0; j < i; ++j) {
            largest = d(i, j) > largest ? d(i, j) : largest;
        }
    }
    return fits_small_keys(n, largest) ? solve_with<std::int32_t>(instance, largest, budget, answer, scratch)
                                       : solve_with<std::int64_t>(instance, largest, budget, answer, scratch);
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
