#pragma once
// The edge decisions of one node of the search tree, and their consequences.
//
// Each edge is free, forced or removed. Two rules propagate every decision: a city has exactly two tour edges, and
// forced edges form paths that must not close before they contain all cities. A trail undoes decisions in reverse.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/hd.hpp"
#include "kernels/search/one_tree.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

template <class Key>
struct edge_decisions {
    search::priced_graph<Key> graph;
    std::int32_t set_words;  ///< 64-bit words of a set of cities
    std::uint64_t* alive;    ///< for each city: neighbours by edges not removed
    std::uint64_t* forced;   ///< for each city: neighbours by forced edges
    std::int32_t* alive_degree;
    std::int32_t* forced_degree;
    std::int32_t* path_end;  ///< for one end of a forced path: the other end; an isolated city is its own end
    std::int32_t* pending;   ///< cities whose degree rule may apply, a stack without repeats
    std::int32_t* is_pending;
    std::int32_t* trail;  ///< two words per decision: (i, j) removed, (~i, j) forced
    std::int32_t pending_count;
    std::int32_t trail_count;
    std::int32_t forced_count;
    bool conflict;  ///< no tour agrees with the decisions

    [[nodiscard]] OPTGAP_HD std::uint64_t* alive_set(std::int32_t city) const {
        return alive + std::int64_t(city) * set_words;
    }
    [[nodiscard]] OPTGAP_HD std::uint64_t* forced_set(std::int32_t city) const {
        return forced + std::int64_t(city) * set_words;
    }
    [[nodiscard]] OPTGAP_HD bool is_alive(std::int32_t i, std::int32_t j) const {
        return (alive_set(i)[j >> 6] >> (j & 63)) & 1u;
    }
    [[nodiscard]] OPTGAP_HD bool is_forced(std::int32_t i, std::int32_t j) const {
        return (forced_set(i)[j >> 6] >> (j & 63)) & 1u;
    }
    [[nodiscard]] OPTGAP_HD bool is_free(std::int32_t i, std::int32_t j) const {
        return ((alive_set(i)[j >> 6] & ~forced_set(i)[j >> 6]) >> (j & 63)) & 1u;
    }
};

/// Calls f(j) for each neighbour j of `city` by a free edge, in rising order; f may decide edges of the city.
template <class Key, class Function>
OPTGAP_HD void each_free(edge_decisions<Key> const& at, std::int32_t city, Function const& function) {
    for (std::int32_t w = 0; w < at.set_words; ++w) {
        std::uint64_t rest = at.alive_set(city)[w] & ~at.forced_set(city)[w];
        while (rest != 0) {
            function(64 * w + lowest(rest));
            rest &= rest - 1;
        }
    }
}

template <class Key>
OPTGAP_HD inline void flip_alive(edge_decisions<Key>& at, std::int32_t i, std::int32_t j) {
    at.alive_set(i)[j >> 6] ^= bit(j & 63);
    at.alive_set(j)[i >> 6] ^= bit(i & 63);
}

template <class Key>
OPTGAP_HD inline void flip_forced(edge_decisions<Key>& at, std::int32_t i, std::int32_t j) {
    at.forced_set(i)[j >> 6] ^= bit(j & 63);
    at.forced_set(j)[i >> 6] ^= bit(i & 63);
}

template <class Key>
OPTGAP_HD inline void set_entries(edge_decisions<Key>& at, std::int32_t i, std::int32_t j, Key cost) {
    at.graph.row(i)[j] = at.graph.marked_entry(cost, j);
    at.graph.row(j)[i] = at.graph.marked_entry(cost, i);
}

template <class Key>
OPTGAP_HD inline void free_entries(edge_decisions<Key>& at, std::int32_t i, std::int32_t j) {
    at.graph.row(i)[j] = at.graph.free_entry(i, j);
    at.graph.row(j)[i] = at.graph.free_entry(j, i);
}

/// The part of a forced edge's cost that its reduced cost hides: its marker and its length.
template <class Key>
[[nodiscard]] OPTGAP_HD inline std::int64_t forced_share(edge_decisions<Key> const& at, std::int32_t i,
                                                         std::int32_t j) {
    return 2 * std::int64_t(at.graph.limit) + std::int64_t(at.graph.scale) * at.graph.weight_of(i, j);
}

template <class Key>
OPTGAP_HD inline void remember_pending(edge_decisions<Key>& at, std::int32_t city) {
    if (at.is_pending[city] == 0) {
        at.is_pending[city] = 1;
        at.pending[at.pending_count++] = city;
    }
}

template <class Key>
OPTGAP_HD inline void push_trail(edge_decisions<Key>& at, std::int32_t first, std::int32_t second) {
    at.trail[2 * std::int64_t(at.trail_count)] = first;
    at.trail[2 * std::int64_t(at.trail_count) + 1] = second;
    ++at.trail_count;
}

/// Removes a free edge. `propagate` handles the consequences.
template <class Key>
OPTGAP_HD inline void remove_edge(edge_decisions<Key>& at, std::int32_t i, std::int32_t j) {
    flip_alive(at, i, j);
    set_entries(at, i, j, Key(2 * at.graph.limit));
    --at.alive_degree[i];
    --at.alive_degree[j];
    push_trail(at, i, j);
    remember_pending(at, i);
    remember_pending(at, j);
}

/// Forces a free edge: joins two forced paths and removes the edge that would close the joined path too early. If an
/// edge cannot be forced, only `conflict` changes, so that undoing needs no special case.
template <class Key>
OPTGAP_HD inline void force_edge(edge_decisions<Key>& at, std::int32_t i, std::int32_t j) {
    std::int32_t const a = at.path_end[i];
    std::int32_t const b = at.path_end[j];
    bool const full = at.forced_degree[i] == 2 || at.forced_degree[j] == 2;
    if (full || (a == j && at.forced_count + 1 < at.graph.cities)) {
        at.conflict = true;
        return;
    }
    flip_forced(at, i, j);
    set_entries(at, i, j, Key(-2 * at.graph.limit));
    at.graph.forced_offset += forced_share(at, i, j);
    ++at.forced_degree[i];
    ++at.forced_degree[j];
    ++at.forced_count;
    push_trail(at, ~i, j);
    remember_pending(at, i);
    remember_pending(at, j);
    at.path_end[a] = b;
    at.path_end[b] = a;
    if (at.forced_count < at.graph.cities - 1 && at.is_free(a, b)) {
        remove_edge(at, a, b);
    }
}

/// Applies both rules until nothing more follows or there is a conflict.
template <class Key>
OPTGAP_HD inline void propagate(edge_decisions<Key>& at) {
    while (at.pending_count > 0) {
        std::int32_t const city = at.pending[--at.pending_count];
        at.is_pending[city] = 0;
        if (at.conflict || at.alive_degree[city] < 2 || at.forced_degree[city] > 2) {
            at.conflict = true;
        } else if (at.forced_degree[city] == 2 && at.alive_degree[city] > 2) {
            each_free(at, city, [&](std::int32_t j) { remove_edge(at, city, j); });
        } else if (at.alive_degree[city] == 2 && at.forced_degree[city] < 2) {
            each_free(at, city, [&](std::int32_t j) {
                if (!at.conflict && at.is_free(city, j)) {
                    force_edge(at, city, j);
                }
            });
        }
    }
}

/// Undoes decisions until `mark` of them are left.
template <class Key>
OPTGAP_HD inline void undo_to(edge_decisions<Key>& at, std::int32_t mark) {
    while (at.trail_count > mark) {
        --at.trail_count;
        std::int32_t const first = at.trail[2 * std::int64_t(at.trail_count)];
        std::int32_t const j = at.trail[2 * std::int64_t(at.trail_count) + 1];
        std::int32_t const i = first < 0 ? ~first : first;
        free_entries(at, i, j);
        if (first >= 0) {
            flip_alive(at, i, j);
            ++at.alive_degree[i];
            ++at.alive_degree[j];
            continue;
        }
        flip_forced(at, i, j);
        at.graph.forced_offset -= forced_share(at, i, j);
        --at.forced_count;
        --at.forced_degree[i];
        --at.forced_degree[j];
        std::int32_t const a = at.forced_degree[i] == 0 ? i : at.path_end[i];
        std::int32_t const b = at.forced_degree[j] == 0 ? j : at.path_end[j];
        at.path_end[a] = i;
        at.path_end[b] = j;
    }
    at.conflict = false;
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
