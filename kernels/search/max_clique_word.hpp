#pragma once
// Maximum clique on at most 64 vertices, one machine word a vertex set.
//
// Branch and bound with a greedy colouring as bound (Tomita & Seki 2003; bit-parallel as in San Segundo et al. 2011). A
// clique has at most one vertex of each colour class, so the vertices that fit into (best - size) classes need no
// branch. Initial order: minimum width, by repeated removal of a vertex of smallest degree, which comes last. All sets
// are kept as "apart" rows: the non-neighbours of a vertex, without itself. A colour class grows by q &= apart[v], and
// for an independent set the apart rows are the graph's own.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/search/degree_greedy.hpp"

OPTGAP_KERNELS_BEGIN

namespace search {

struct clique_result {
    std::int64_t size = 0;   ///< of the best clique found
    std::int64_t bound = 0;  ///< no clique is larger
    std::int64_t steps = 0;  ///< nodes: candidate sets that were coloured
    bool proven = false;     ///< size == bound, by search
};

/// 64 counters of six bits, each bit in a plane of its own: all neighbours of a row are counted at once.
struct counter_planes {
    std::uint64_t plane[6] = {};

    OPTGAP_HD void add(std::uint64_t members) {
        for (int i = 0; i < 6; ++i) {
            std::uint64_t const carry = plane[i] & members;
            plane[i] ^= members;
            members = carry;
        }
    }
    OPTGAP_HD void subtract(std::uint64_t members) {
        for (int i = 0; i < 6; ++i) {
            std::uint64_t const borrow = ~plane[i] & members;
            plane[i] ^= members;
            members = borrow;
        }
    }
    /// The members (not empty) whose counter is smallest.
    [[nodiscard]] OPTGAP_HD std::uint64_t smallest(std::uint64_t members) const {
        for (int i = 5; i >= 0; --i) {
            std::uint64_t const below = members & ~plane[i];
            members = below != 0 ? below : members;
        }
        return members;
    }
    [[nodiscard]] OPTGAP_HD std::uint64_t largest(std::uint64_t members) const {
        for (int i = 5; i >= 0; --i) {
            std::uint64_t const above = members & plane[i];
            members = above != 0 ? above : members;
        }
        return members;
    }
};

OPTGAP_HD inline std::int32_t highest(std::uint64_t bits) {
#ifdef __CUDACC__
    std::int32_t found = 0;
    for (std::int32_t width = 32; width > 0; width /= 2) {
        if (bits >> width != 0) {
            bits >>= width;
            found += width;
        }
    }
    return found;
#else
    return 63 - __builtin_clzll(bits);
#endif
}

/// The rest of `open` after greedily filling `limit` colour classes in index order.
OPTGAP_HD inline std::uint64_t uncoloured(std::uint64_t const* apart, std::uint64_t open, std::int32_t limit) {
    for (std::int32_t colour = 0; colour < limit && open != 0; ++colour) {
        std::uint64_t rest = open;
        while (rest != 0) {
            std::int32_t const v = lowest(rest);
            open ^= bit(v);
            rest &= apart[v];
        }
    }
    return open;
}

/// The number of classes in the greedy colouring of {0 … n-1} that meet `open`: an upper bound on the cliques inside
/// `open`, which never rises as `open` shrinks.
OPTGAP_HD inline std::int32_t colours_met(std::uint64_t const* apart, std::int32_t n, std::uint64_t open) {
    std::int32_t met = 0;
    for (std::uint64_t left = first_bits(n); left != 0;) {
        std::uint64_t const after = uncoloured(apart, left, 1);
        met += ((left ^ after) & open) != 0;
        left = after;
    }
    return met;
}

/// Largest clique, or independent set, of a graph with n <= 64; `best` has room for n. The incumbent is the set of the
/// degree greedy, which is also the answer of budget 0, with n as bound. The budget counts nodes.
OPTGAP_HD inline clique_result max_clique_word(graph_view graph, vertex_set kind, std::int64_t budget,
                                               std::int32_t* best) {
    std::int32_t const n = graph.n;
    std::uint64_t const all = first_bits(n);
    std::uint64_t given[64];
    counter_planes degrees;
    for (std::int32_t v = 0; v < n; ++v) {
        std::uint64_t const row = graph.row64(v);
        given[v] = kind == vertex_set::independent ? row : all & ~row & ~bit(v);
        degrees.add(given[v]);
    }
    clique_result result;
    for (std::uint64_t open = all; open != 0;) {
        std::int32_t const v = lowest(degrees.smallest(open));
        best[result.size++] = v;
        open &= ~(given[v] | bit(v));
    }
    result.bound = n;
    result.proven = result.size == n;
    if (budget <= 0 || result.proven) {
        return result;
    }

    // Brings rows and columns into minimum-width order. The matrix is symmetric, hence: rows, transposition, rows.
    std::int32_t order[64];
    std::uint64_t permuted[64];
    std::uint64_t apart[64];
    std::uint64_t left = all;
    for (std::int32_t i = n - 1; i >= 0; --i) {
        std::int32_t const v = lowest(degrees.largest(left));
        order[i] = v;
        left ^= bit(v);
        degrees.subtract(given[v] & left);
        permuted[i] = given[v];
    }
    for (std::int32_t i = n; i < 64; ++i) {
        permuted[i] = 0;
    }
    transpose_bits(permuted);
    for (std::int32_t i = 0; i < n; ++i) {
        apart[i] = permuted[order[i]];
    }

    std::uint64_t open[64];    // candidates of the node at a depth, without those already branched on
    std::uint64_t branch[64];  // those of them that still need a branch
    std::int64_t known[64];    // best size for which `branch` was computed
    std::int32_t chosen[64];
    std::int32_t depth = 0;
    open[0] = all;
    branch[0] = uncoloured(apart, all, std::int32_t(result.size));
    known[0] = result.size;
    result.steps = 1;
    while (depth >= 0) {
        if (known[depth] != result.size) {
            branch[depth] = uncoloured(apart, open[depth], std::int32_t(result.size) - depth);
            known[depth] = result.size;
        }
        if (branch[depth] == 0) {
            --depth;
            continue;
        }
        std::int32_t const v = highest(branch[depth]);
        std::uint64_t const child = open[depth] & ~(apart[v] | bit(v));
        std::int32_t const size = depth + 1;
        chosen[depth] = v;
        if (size > result.size) {
            result.size = size;
            for (std::int32_t i = 0; i < size; ++i) {
                best[i] = order[chosen[i]];
            }
        }
        std::int32_t const limit = std::int32_t(result.size) - size;
        if (popcount(child) > limit) {
            if (result.steps >= budget) {
                std::int32_t const met = colours_met(apart, n, open[0] | bit(chosen[0]));
                result.bound = met > result.size ? met : result.size;
                result.proven = result.bound == result.size;
                return result;
            }
            ++result.steps;
            std::uint64_t const rest = uncoloured(apart, child, limit);
            branch[depth] ^= bit(v);
            open[depth] ^= bit(v);
            if (rest != 0) {
                depth = size;
                open[depth] = child;
                branch[depth] = rest;
                known[depth] = result.size;
            }
        } else {
            branch[depth] ^= bit(v);
            open[depth] ^= bit(v);
        }
    }
    result.bound = result.size;
    result.proven = true;
    return result;
}

}  // namespace search

OPTGAP_KERNELS_END
