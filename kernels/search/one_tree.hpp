#pragma once
// Minimum 1-trees under Lagrangian node prices (Held & Karp 1970, 1971), in integers.
//
// Weights are multiplied by `scale`, so a price moves in steps of 1 / scale of a length unit. For any integer prices
//
//   L(price) = min over 1-trees of sum(scale·w(i,j) + price_i + price_j) − 2·sum(price)
//
// is a lower bound on scale × the shortest tour: no rounding is involved, whatever the ascent does. A reduced cost, the
// city that offers it and the city that would be reached are packed into one key,
//
//   key = reduced cost << 2k | parent << k | city
//
// so that Prim's argmin is one minimum over a vector and ties go to the smallest parent, then to the smallest city.
// A free edge costs between −limit and limit. A removed edge costs 2·limit plus its prices, more than any free one; a
// forced edge −2·limit plus its prices, less than any free one. Prices are clamped to keep these three apart: nothing
// overflows.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

/// A 1-tree: a spanning tree on the cities 1 … n−1 with root 1, and the two least expensive edges ("legs") of city 0.
template <class Key>
struct one_tree {
    Key* price;            ///< the prices for which the tree is minimal
    Key* excess;           ///< degree − 2: the subgradient
    Key* cost;             ///< reduced cost of the edge to the parent
    std::int32_t* parent;  ///< of 2 … n−1
    std::int32_t* order;   ///< order[0] = 1, then in the order in which Prim reached them: parents come first
    std::int32_t leg[2];
    Key leg_cost[2];
    std::int64_t bound;  ///< L(price), in units of 1 / scale
    std::int64_t norm;   ///< sum of excess²: 0 when the 1-tree is a tour
    bool spans;          ///< false: it needs a removed edge, so no tour is left
};

/// The graph in the form that Prim's algorithm reads: rows of packed keys, and the vectors of one evaluation.
template <class Key>
struct priced_graph {
    std::int32_t cities;
    std::int32_t lanes;  ///< row stride: cities rounded up to whole vectors
    std::int32_t bits;   ///< k
    std::int32_t scale;
    Key limit;
    Key price_limit;
    Key* rows;                   ///< reduced cost without prices << 2k | city
    std::int32_t const* weight;  ///< same shape
    std::int64_t forced_offset;  ///< hidden by the reduced costs of forced edges: sum of 2·limit + scale·w
    Key* nearest;                ///< Prim's key of each city
    Key* reached;                ///< smallest key of a city outside the tree, largest inside: masks the argmin
    Key* shifted;                ///< price << 2k

    [[nodiscard]] OPTGAP_HD Key* row(std::int32_t city) const { return rows + std::int64_t(city) * lanes; }
    [[nodiscard]] OPTGAP_HD std::int32_t weight_of(std::int32_t i, std::int32_t j) const {
        return weight[std::int64_t(i) * lanes + j];
    }
    [[nodiscard]] OPTGAP_HD Key free_entry(std::int32_t i, std::int32_t j) const {
        return Key(((Key(weight_of(i, j)) * scale) << (2 * bits)) | j);
    }
    [[nodiscard]] OPTGAP_HD Key marked_entry(Key cost, std::int32_t j) const { return Key((cost << (2 * bits)) | j); }
};

template <class Key>
inline constexpr Key largest_key = Key((std::uint64_t(1) << (8 * sizeof(Key) - 1)) - 1);
template <class Key>
inline constexpr Key smallest_key = -largest_key<Key> - 1;

/// The number of keys in one vector register, at most; rows are padded to whole blocks.
template <class Key>
inline constexpr std::int32_t key_block = 64 / sizeof(Key) / 2;

template <class Key>
[[nodiscard]] OPTGAP_HD constexpr std::int32_t padded(std::int32_t cities) {
    return (cities + key_block<Key> - 1) / key_block<Key> * key_block<Key>;
}

/// Offers the edges of `row` to all cities and returns the smallest key among those outside the tree.
template <class Key>
[[nodiscard]] OPTGAP_HD inline Key relax_row(std::int32_t lanes, Key const* __restrict row, Key from,
                                             Key const* __restrict shifted, Key const* __restrict reached,
                                             Key* __restrict nearest) {
    Key best = largest_key<Key>;
    std::int32_t const end = lanes & -key_block<Key>;
    for (std::int32_t j = 0; j < end; ++j) {
        Key const offered = row[j] + shifted[j] + from;
        Key const key = offered < nearest[j] ? offered : nearest[j];
        nearest[j] = key;
        Key const masked = key > reached[j] ? key : reached[j];
        best = masked < best ? masked : best;
    }
    return best;
}

/// Smallest key among the edges from city 0 to cities outside `reached`.
template <class Key>
[[nodiscard]] OPTGAP_HD inline Key cheapest_leg(std::int32_t lanes, Key const* __restrict row, Key from,
                                                Key const* __restrict shifted, Key const* __restrict reached) {
    Key best = largest_key<Key>;
    std::int32_t const end = lanes & -key_block<Key>;
    for (std::int32_t j = 0; j < end; ++j) {
        Key const offered = row[j] + shifted[j] + from;
        Key const masked = offered > reached[j] ? offered : reached[j];
        best = masked < best ? masked : best;
    }
    return best;
}

template <class Key>
OPTGAP_HD inline void begin_one_tree(priced_graph<Key> const& graph, Key const* __restrict price,
                                     Key* __restrict excess) {
    Key* const __restrict nearest = graph.nearest;
    Key* const __restrict reached = graph.reached;
    Key* const __restrict shifted = graph.shifted;
    std::int32_t const shift = 2 * graph.bits;
    for (std::int32_t j = 0; j < graph.lanes; ++j) {
        nearest[j] = largest_key<Key>;
        reached[j] = j >= graph.cities ? largest_key<Key> : smallest_key<Key>;
        shifted[j] = price[j] << shift;
        excess[j] = j >= graph.cities ? 0 : -2;
    }
}

/// Finds the two least expensive edges of city 0. Any two edges there close exactly one cycle with the spanning tree.
template <class Key>
OPTGAP_HD inline void attach_legs(priced_graph<Key> const& graph, one_tree<Key>& tree) {
    for (std::int32_t j = 0; j < graph.lanes; ++j) {
        graph.reached[j] = j == 0 || j >= graph.cities ? largest_key<Key> : smallest_key<Key>;
    }
    for (std::int32_t which = 0; which < 2; ++which) {
        Key const key = cheapest_leg(graph.lanes, graph.row(0), graph.shifted[0], graph.shifted, graph.reached);
        tree.leg[which] = std::int32_t(key & ((Key(1) << graph.bits) - 1));
        tree.leg_cost[which] = key >> (2 * graph.bits);
        tree.excess[tree.leg[which]] += 1;
        graph.reached[tree.leg[which]] = largest_key<Key>;
    }
    tree.excess[0] = 0;
}

/// Computes all of `tree` from tree.price: n − 2 argmins over vectors of n keys.
template <class Key>
OPTGAP_HD inline void minimum_one_tree(priced_graph<Key> const& graph, one_tree<Key>& tree) {
    begin_one_tree(graph, tree.price, tree.excess);
    std::int32_t const shift = 2 * graph.bits;
    Key const mask = (Key(1) << graph.bits) - 1;
    graph.reached[0] = largest_key<Key>;
    std::int32_t city = 1;
    tree.order[0] = city;
    std::int64_t total = 0;
    Key worst = smallest_key<Key>;
    for (std::int32_t count = 1; count < graph.cities - 1; ++count) {
        graph.reached[city] = largest_key<Key>;
        Key const from = graph.shifted[city] + (Key(city) << graph.bits);
        Key const key = relax_row(graph.lanes, graph.row(city), from, graph.shifted, graph.reached, graph.nearest);
        city = std::int32_t(key & mask);
        std::int32_t const parent = std::int32_t((key >> graph.bits) & mask);
        Key const cost = key >> shift;
        tree.order[count] = city;
        tree.parent[city] = parent;
        tree.cost[city] = cost;
        tree.excess[city] += 1;
        tree.excess[parent] += 1;
        total += cost;
        worst = cost > worst ? cost : worst;
    }
    attach_legs(graph, tree);
    total += std::int64_t(tree.leg_cost[0]) + tree.leg_cost[1];
    worst = tree.leg_cost[1] > worst ? tree.leg_cost[1] : worst;
    std::int64_t prices = 0;
    std::int64_t norm = 0;
    for (std::int32_t j = 0; j < graph.lanes; ++j) {
        prices += tree.price[j];
        norm += tree.excess[j] * tree.excess[j];
    }
    tree.bound = total - 2 * prices + graph.forced_offset;
    tree.norm = norm;
    tree.spans = worst <= graph.limit;
}

/// Makes one subgradient move into `next`, with the memory of Volgenant & Jonker (1982), 0.6 / 0.4, as 5/8 and 3/8:
/// next.price = from.price + length · (5·excess + 3·previous) / 8, clamped. Padding lanes stay 0.
template <class Key>
OPTGAP_HD inline void move_prices(priced_graph<Key> const& graph, one_tree<Key> const& from, Key* __restrict previous,
                                  std::int64_t length, Key* next) {
    Key const step = Key(length);
    Key const top = graph.price_limit;
    for (std::int32_t j = 0; j < graph.lanes; ++j) {
        Key const excess = from.excess[j];
        Key const moved = from.price[j] + ((step * (5 * excess + 3 * previous[j]) + 4) >> 3);
        previous[j] = excess;
        next[j] = moved > top ? top : moved < -top ? -top : moved;
    }
}

}  // namespace search
OPTGAP_KERNELS_END
