#pragma once
// Proven shortest tours by branch and bound over Lagrangian 1-trees (Held & Karp 1970, 1971; Volgenant & Jonker 1982).
//
//   1. incumbent: the nearest neighbour tour from city 0; bound: half the sum of each city's two shortest edges
//   2. subgradient ascent at the root: the 1-tree bound, LB
//   3. rounds "is there a tour below LB + d?", d = 1, 3, 7, …: a small gap fixes most edges by reduced cost, and a
//      round
//      without a tour lifts LB to its target. Rounds end when LB meets the incumbent.
//   4. local search with kicks finds the incumbent if rounds may not finish: before the first round above 64 cities,
//      otherwise before the third. Before the fourth round, and before the first if the incumbent is above 3/2 of the
//      bound, the root is bounded again with steps that aim at the incumbent. The first ascent aims a little above
//      itself
//      and cannot cross such gaps (two far clusters).
//
// All numbers are integers, and one worker runs one instance: the same bytes on every machine. One step is one 1-tree
// or one kick for up to 128 cities; for n > 128 each counts as 1 + n² / 2^14 steps, so that a budget bounds the time at
// every size. The budget is checked before each of them: a longer run repeats a shorter one and continues.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/task.hpp"
#include "kernels/search/one_tree.hpp"
#include "kernels/tasks/tsp/tsp_bound.hpp"
#include "kernels/tasks/tsp/tsp_branch.hpp"
#include "kernels/tasks/tsp/tsp_distance.hpp"
#include "kernels/tasks/tsp/tsp_kicks.hpp"
#include "kernels/tasks/tsp/tsp_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

inline constexpr char const* exact_bound_kinds[] = {"optimum", "two_shortest_edges", "one_tree", "branch_and_bound",
                                                    nullptr};
enum exact_bound_kind : std::int32_t { bound_optimum, bound_two_shortest_edges, bound_one_tree, bound_search };

/// Forty times the steps that kroA100 needs; benchmark instances take some hundred steps.
inline constexpr std::int64_t exact_default_budget = 2'000'000;
/// Larger instances only get their anchor and the bound of step 1, because scratch grows with n².
inline constexpr std::int32_t max_proof_cities = 1024;
/// Kicks per city.
inline constexpr std::int32_t kick_effort = 10;

/// Allocates 64-byte aligned parts of the caller's scratch; without a base it only measures.
struct scratch_cursor {
    std::int32_t* base;
    std::int64_t used = 0;

    template <class T>
    OPTGAP_HD T* take(std::int64_t count) {
        T* const part = base == nullptr ? nullptr : reinterpret_cast<T*>(base + used);
        used += (count * std::int64_t(sizeof(T)) + 63) / 64 * 16;
        return part;
    }
};

template <class Key>
struct proof_scratch {
    branch_and_bound<Key> tree;
    std::int32_t* weight;
    tour_array walk;  ///< for the local search
};

template <class Key>
OPTGAP_HD inline void lay_out_decisions(edge_decisions<Key>& at, scratch_cursor& cursor, std::int64_t n) {
    at.set_words = std::int32_t((n + 63) / 64);
    at.alive = cursor.take<std::uint64_t>(n * at.set_words);
    at.forced = cursor.take<std::uint64_t>(n * at.set_words);
    at.alive_degree = cursor.take<std::int32_t>(n);
    at.forced_degree = cursor.take<std::int32_t>(n);
    at.path_end = cursor.take<std::int32_t>(n);
    at.pending = cursor.take<std::int32_t>(n);
    at.is_pending = cursor.take<std::int32_t>(n);
    at.trail = cursor.take<std::int32_t>(n * (n - 1));
}

template <class Key>
OPTGAP_HD inline void lay_out_node(node_search<Key>& node, scratch_cursor& cursor, std::int64_t n, std::int64_t lanes) {
    search::priced_graph<Key>& graph = node.at.graph;
    graph.rows = cursor.take<Key>(n * lanes);
    graph.nearest = cursor.take<Key>(lanes);
    graph.reached = cursor.take<Key>(lanes);
    graph.shifted = cursor.take<Key>(lanes);
    for (search::one_tree<Key>& tree : node.tree) {
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
    lay_out_decisions(node.at, cursor, n);
}

template <class Key>
OPTGAP_HD inline void lay_out(proof_scratch<Key>& proof, scratch_cursor& cursor, std::int32_t n) {
    std::int64_t const lanes = search::padded<Key>(n);
    lay_out_node(proof.tree.node, cursor, n, lanes);
    proof.weight = cursor.take<std::int32_t>(n * lanes);
    proof.tree.root_price = cursor.take<Key>(lanes);
    proof.tree.slots = n < 128 ? n : 128;
    proof.tree.level_price = cursor.take<Key>(lanes * proof.tree.slots);
    proof.tree.levels = cursor.take<branch_level>(std::int64_t(n) * (n - 1) / 2);
    search::priced_graph<Key>& graph = proof.tree.node.at.graph;
    graph.cities = n;
    graph.lanes = std::int32_t(lanes);
    graph.weight = proof.weight;
    proof.walk = {n, graph.lanes, proof.weight, nullptr, nullptr, nullptr, nullptr};
    proof.walk.city = cursor.take<std::int32_t>(n);
    proof.walk.position = cursor.take<std::int32_t>(n);
    proof.walk.queue = cursor.take<std::int32_t>(n);
    proof.walk.queued = cursor.take<std::int32_t>(n);
}

template <class Key>
[[nodiscard]] OPTGAP_HD constexpr std::int32_t index_bits(std::int32_t n) {
    std::int32_t bits = 1;
    while ((std::int32_t(1) << bits) < search::padded<Key>(n)) {
        ++bits;
    }
    return bits;
}

/// Largest reduced cost of a free edge: forced and removed edges need twice as much on either side, and a sum of three.
template <class Key>
[[nodiscard]] OPTGAP_HD constexpr std::int64_t cost_limit(std::int32_t bits) {
    return std::int64_t(1) << (8 * std::int32_t(sizeof(Key)) - 3 - 2 * bits);
}

/// 32-bit keys are the fast path: they must leave two price steps for each unit and prices of 1.5 times the longest
/// edge.
[[nodiscard]] OPTGAP_HD inline bool fits_small_keys(std::int32_t n, std::int64_t longest) {
    std::int32_t const bits = index_bits<std::int32_t>(n);
    return bits <= 10 && 2 * longest <= cost_limit<std::int32_t>(bits) / 4;
}

template <class Key>
OPTGAP_HD inline void load_graph(proof_scratch<Key>& proof, distances const& distance, std::int64_t longest) {
    search::priced_graph<Key>& graph = proof.tree.node.at.graph;
    for (std::int32_t i = 0; i < graph.cities; ++i) {
        std::int32_t* const row = proof.weight + std::int64_t(i) * graph.lanes;
        for (std::int32_t j = 0; j < graph.lanes; ++j) {
            row[j] = j < graph.cities ? distance(i, j) : 0;
        }
    }
    graph.bits = index_bits<Key>(graph.cities);
    graph.limit = Key(cost_limit<Key>(graph.bits));
    graph.scale = 64;
    while (graph.scale > 1 && longest * graph.scale > graph.limit / 4) {
        graph.scale /= 2;
    }
    graph.price_limit = (graph.limit - Key(longest) * graph.scale) / 2;
    free_all(graph);
}

/// The greedy anchor: always goes to the nearest unvisited city, ties by smallest index. Returns its length.
OPTGAP_HD inline std::int64_t nearest_neighbour_tour(std::int32_t n, distances const& distance, std::int32_t* tour) {
    for (std::int32_t i = 0; i < n; ++i) {
        tour[i] = i;
    }
    std::int64_t length = 0;
    for (std::int32_t k = 1; k < n; ++k) {
        std::int32_t best = k;
        std::int32_t best_distance = distance(tour[k - 1], tour[k]);
        for (std::int32_t i = k + 1; i < n; ++i) {
            std::int32_t const to = distance(tour[k - 1], tour[i]);
            if (to < best_distance || (to == best_distance && tour[i] < tour[best])) {
                best = i;
                best_distance = to;
            }
        }
        std::int32_t const city = tour[best];
        tour[best] = tour[k];
        tour[k] = city;
        length += best_distance;
    }
    return length + distance(tour[n - 1], tour[0]);
}

/// Every tour has two edges at each city. Returns half the sum of the two shortest ones, rounded up.
OPTGAP_HD inline std::int64_t two_shortest_edges(std::int32_t n, distances const& distance, std::int64_t& longest) {
    std::int64_t sum = 0;
    longest = 0;
    for (std::int32_t i = 0; i < n; ++i) {
        std::int64_t first = INT64_MAX;
        std::int64_t second = INT64_MAX;
        for (std::int32_t j = 0; j < n; ++j) {
            if (j == i) {
                continue;
            }
            std::int64_t const to = distance(i, j);
            second = to < first ? first : to < second ? to : second;
            first = to < first ? to : first;
            longest = to > longest ? to : longest;
        }
        sum += first + second;
    }
    return (sum + 1) / 2;
}

/// Iterated local search from the incumbent; a descent that ends with a longer tour is undone.
template <class Key>
OPTGAP_HD inline void improve_incumbent(proof_scratch<Key>& proof, std::int64_t kicks) {
    proof_effort& effort = proof.tree.node.effort;
    tour_array& walk = proof.walk;
    look_queue look{0, 0};
    std::uint64_t state = 1;
    for (std::int32_t k = 0; k < walk.cities; ++k) {
        place(walk, k, effort.tour[k]);
        walk.queued[k] = 0;
    }
    for (std::int32_t k = 0; k < walk.cities; ++k) {
        look.push(walk, walk.city[k]);
    }
    kicks = walk.cities < 8 ? 0 : kicks;
    for (std::int64_t round = 0; round <= kicks && !effort.spent(); ++round) {
        effort.steps += effort.charge;
        std::int64_t const added = round == 0 ? 0 : kick(walk, look, state);
        std::int64_t const length = effort.upper + added - descend(walk, look);
        bool const keep = length <= effort.upper;
        for (std::int32_t k = 0; k < walk.cities; ++k) {
            if (keep) {
                effort.tour[k] = walk.city[k];
            } else {
                place(walk, k, effort.tour[k]);
            }
        }
        effort.upper = keep ? length : effort.upper;
    }
}

/// Held & Karp's bound at the root, from the prices in node.next_price(). Returns whether the rounds have anything to
/// do.
template <class Key, class Aim>
OPTGAP_HD inline bool bound_root(branch_and_bound<Key>& tree, ascent_plan plan, Aim const& aim, solve_result& result) {
    node_search<Key>& node = tree.node;
    std::int64_t const scale = node.at.graph.scale;
    node.tree[node.best].bound = 0;
    node.effort.target = node.effort.upper;
    node_state const state = ascend(node, plan, aim);
    std::int64_t const best = node.best_tree().bound;
    if (best > tree.root_bound) {
        tree.root_bound = best;
        copy_prices(node.at.graph.lanes, node.best_tree().price, tree.root_price);
    }
    std::int64_t const lower = (tree.root_bound + scale - 1) / scale;
    if (lower > result.bound) {
        result.bound = lower;
        result.bound_kind = bound_one_tree;
    }
    result.bound = state == node_state::closed ? node.effort.upper : result.bound;
    return state == node_state::open && result.bound < node.effort.upper;
}

/// The first ascent: no good incumbent is known, so steps aim a sixtieth above the best bound so far.
template <class Key>
OPTGAP_HD inline bool bound_root_blindly(branch_and_bound<Key>& tree, solve_result& result) {
    search::priced_graph<Key> const& graph = tree.node.at.graph;
    for (std::int32_t j = 0; j < graph.lanes; ++j) {
        tree.node.tree[0].price[j] = 0;
        tree.node.tree[1].price[j] = 0;
        tree.root_price[j] = 0;
    }
    tree.node.best = 0;
    tree.root_bound = 0;
    ascent_plan const plan{.evaluations = 2 * graph.cities, .factor = 2048, .patience = 3, .shrink = 614};
    auto const aim = [&graph](std::int64_t best) { return best + (best > 0 ? best : -best) / 60 + graph.scale; };
    return bound_root(tree, plan, aim, result);
}

/// The second ascent: steps aim at the incumbent.
template <class Key>
OPTGAP_HD inline bool bound_root_again(branch_and_bound<Key>& tree, solve_result& result) {
    search::priced_graph<Key>& graph = tree.node.at.graph;
    free_all(graph);
    tree.node.best = 0;
    copy_prices(graph.lanes, tree.root_price, tree.node.next_price());
    ascent_plan const plan{
        .evaluations = 20 * graph.cities, .factor = 1024, .patience = 10 + graph.cities / 4, .shrink = 614};
    std::int64_t const aimed = tree.node.effort.upper * graph.scale;
    return bound_root(
        tree, plan, [aimed](std::int64_t) { return aimed; }, result);
}

/// The root of a later round: all edges are free again, with the 1-tree of the root's prices.
template <class Key>
OPTGAP_HD inline void restore_root(branch_and_bound<Key>& tree) {
    node_search<Key>& node = tree.node;
    free_all(node.at.graph);
    node.best = 0;
    copy_prices(node.at.graph.lanes, tree.root_price, node.tree[0].price);
    search::minimum_one_tree(node.at.graph, node.tree[0]);
    node.effort.steps += node.effort.charge;
}

template <class Key>
OPTGAP_HD inline void prove(proof_scratch<Key>& proof, solve_result& result) {
    branch_and_bound<Key>& tree = proof.tree;
    proof_effort& effort = tree.node.effort;
    std::int32_t const n = tree.node.at.graph.cities;
    bool const large = n > 64;
    if (large) {
        improve_incumbent(proof, 0);
    }
    bool open = bound_root_blindly(tree, result);
    for (std::int32_t round = 0; open && result.bound < effort.upper; ++round) {
        if (round == (large ? 0 : 2)) {
            improve_incumbent(proof, std::int64_t(kick_effort) * n);
        }
        bool const far = round == 3 || (round == 0 && 2 * (effort.upper - result.bound) > result.bound);
        bool const settled = far && !bound_root_again(tree, result);
        if (settled || result.bound >= effort.upper || effort.spent()) {
            return;
        }
        std::int64_t const asked = result.bound + (std::int64_t(2) << (round < 40 ? round : 40)) - 1;
        effort.target = asked < effort.upper ? asked : effort.upper;
        restore_root(tree);
        keep_short_edges(tree.node);
        open = search_below_target(tree) == node_state::closed;
        if (open) {
            result.bound = effort.target;
            result.bound_kind = bound_search;
        }
    }
}

template <class Key>
OPTGAP_HD inline void solve_with(distances const& distance, std::int32_t n, std::int64_t longest, std::int64_t budget,
                                 std::int32_t* tour, std::int32_t* scratch, solve_result& result) {
    proof_scratch<Key> proof;
    scratch_cursor cursor{scratch};
    lay_out(proof, cursor, n);
    load_graph(proof, distance, longest);
    proof_effort& effort = proof.tree.node.effort;
    effort.budget = budget;
    effort.steps = 0;
    effort.charge = n <= 128 ? 1 : 1 + std::int64_t(n) * n / 16384;
    effort.upper = result.objective;
    for (std::int32_t k = 0; k < n; ++k) {
        effort.tour[k] = tour[k];
    }
    prove(proof, result);
    for (std::int32_t k = 0; k < n; ++k) {
        tour[k] = effort.tour[k];
    }
    result.objective = effort.upper;
    result.steps = effort.steps;
}

/// int32 words of scratch that `solve_exact` uses: at most about 8 n².
inline std::int64_t exact_scratch_words(words_view instance) {
    std::int32_t const n = city_count(instance);
    if (n > max_proof_cities) {
        return 16;
    }
    proof_scratch<std::int32_t> small;
    proof_scratch<std::int64_t> wide;
    scratch_cursor small_cursor{nullptr};
    scratch_cursor wide_cursor{nullptr};
    lay_out(small, small_cursor, n);
    lay_out(wide, wide_cursor, n);
    return small_cursor.used > wide_cursor.used ? small_cursor.used : wide_cursor.used;
}

/// The shortest tour of a checked instance, or the best tour and the best bound found within `budget` steps. Writes
/// [answer_flat, tour …]; `answer` holds n + 1 words. Scratch is 64-byte aligned and need not be zeroed.
inline solve_result solve_exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
    std::int32_t const n = city_count(instance);
    distances const distance(instance);
    solve_result result;
    std::int64_t longest = 0;
    answer[0] = answer_flat;
    result.answer_words = n + 1;
    result.objective = nearest_neighbour_tour(n, distance, answer + 1);
    result.bound = two_shortest_edges(n, distance, longest);
    result.bound_kind = bound_two_shortest_edges;
    if (n <= max_proof_cities && budget > 0 && result.bound < result.objective) {
        if (fits_small_keys(n, longest)) {
            solve_with<std::int32_t>(distance, n, longest, budget, answer + 1, scratch, result);
        } else {
            solve_with<std::int64_t>(distance, n, longest, budget, answer + 1, scratch, result);
        }
    }
    bool const proven = result.bound >= result.objective;
    result.status = proven ? baseline_status::optimal : baseline_status::bounded;
    result.bound = proven ? result.objective : result.bound;
    result.bound_kind = proven ? std::int32_t(bound_optimum) : result.bound_kind;
    return result;
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
