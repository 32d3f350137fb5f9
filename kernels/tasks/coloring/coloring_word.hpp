#pragma once
// Branch and bound on at most 64 vertices, one machine word a vertex set: DSATUR (Brelaz 1979) as a search.
//
// For each colour the search keeps the set of vertices to which the colour is closed, so that colouring a vertex is one
// OR with its row. The number of colours closed to a vertex, its saturation, is counted for all vertices at once in bit
// planes.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/search/max_clique_word.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::coloring {

struct colouring_result {
    std::int64_t colours = 0;  ///< of the best colouring found
    std::int64_t steps = 0;    ///< nodes: vertices chosen
    bool proven = false;       ///< no colouring has fewer
};

class word_search {
public:
    OPTGAP_HD explicit word_search(graph_view graph) : n_(graph.n) {
        for (std::int32_t v = 0; v < n_; ++v) {
            row_[v] = graph.row64(v);
        }
    }

    /// The greedy_colouring of this graph, computed on words.
    OPTGAP_HD std::int32_t greedy(std::int32_t* colours) {
        search::counter_planes degree;
        for (std::int32_t v = 0; v < n_; ++v) {
            degree.add(row_[v]);
        }
        std::int32_t used = 0;
        for (std::uint64_t open = first_bits(n_); open != 0;) {
            std::int32_t const v = lowest(degree.largest(open));
            std::int32_t c = 0;
            while (c < used && (closed_[c] >> v & 1) != 0) {
                ++c;
            }
            closed_[c] = row_[v] | (c == used ? 0 : closed_[c]);
            used += c == used;
            colours[v] = c;
            open ^= bit(v);
        }
        return used;
    }

    /// The vertices of a clique get the first colours. `best` is a colouring with `colours` colours; better ones
    /// replace it when they are found.
    OPTGAP_HD colouring_result run(std::int32_t const* clique, std::int32_t clique_size, std::int64_t budget,
                                   std::int32_t* best, std::int64_t colours) {
        node& root = nodes_[0];
        root = {};
        root.open = first_bits(n_);
        root.used = clique_size;
        for (std::int32_t c = 0; c < clique_size; ++c) {
            colour_[clique[c]] = c;
            closed_[c] = row_[clique[c]];
            root.open ^= bit(clique[c]);
            root.saturation.add(closed_[c]);
        }
        colouring_result result{.colours = colours};
        std::int32_t depth = 0;
        bool entered = true;
        while (result.colours > clique_size) {
            node& at = nodes_[depth];
            std::int32_t limit = std::int32_t(result.colours) - 1;
            if (entered) {
                if (at.open == 0) {
                    result.colours = at.used;
                    for (std::int32_t v = 0; v < n_; ++v) {
                        best[v] = colour_[v];
                    }
                    limit = at.used - 1;
                } else {
                    if (result.steps >= budget) {
                        return result;
                    }
                    ++result.steps;
                    choose(at);
                }
            }
            std::uint64_t const left = at.used > limit ? 0 : at.left & first_bits(limit);
            if (left == 0) {
                if (depth == 0) {
                    break;
                }
                --depth;
                closed_[nodes_[depth].colour] = nodes_[depth].closed;
                entered = false;
                continue;
            }
            std::int32_t const c = lowest(left);
            bool const fresh = c == at.used;
            std::uint64_t const row = row_[at.vertex];
            node& next = nodes_[depth + 1];
            next.open = at.open ^ bit(at.vertex);
            next.used = at.used + fresh;
            at.left = left ^ bit(c);
            at.colour = c;
            at.closed = fresh ? 0 : closed_[c];
            closed_[c] = at.closed | row;
            entered = next.used < limit || !stuck(next.open, limit);
            if (entered) {
                colour_[at.vertex] = c;
                next.saturation = at.saturation;
                next.saturation.add(row & ~at.closed);
                ++depth;
            } else {
                closed_[c] = at.closed;
            }
        }
        result.proven = true;
        return result;
    }

private:
    struct node {
        search::counter_planes saturation;
        std::uint64_t open;    ///< without a colour
        std::uint64_t left;    ///< colours of `vertex` still to try
        std::uint64_t closed;  ///< the vertices to which `colour` was closed before
        std::int32_t vertex;
        std::int32_t colour;
        std::int32_t used;  ///< colours 0 … used-1 are in use
    };

    /// Whether all of `limit` colours are closed to one of the open vertices.
    [[nodiscard]] OPTGAP_HD bool stuck(std::uint64_t open, std::int32_t limit) const {
        for (std::int32_t c = 0; c < limit; ++c) {
            open &= closed_[c];
        }
        return open != 0;
    }

    /// Highest saturation, then most uncoloured neighbours, then smallest index.
    OPTGAP_HD void choose(node& at) const {
        std::int32_t most = -1;
        for (std::uint64_t tied = at.saturation.largest(at.open); tied != 0; tied &= tied - 1) {
            std::int32_t const v = lowest(tied);
            std::int32_t const rating = popcount(row_[v] & at.open) * 64 + 63 - v;
            most = rating > most ? rating : most;
        }
        at.vertex = 63 - most % 64;
        at.left = bit(at.used);
        for (std::int32_t c = 0; c < at.used; ++c) {
            at.left |= (~closed_[c] >> at.vertex & 1) << c;
        }
    }

    std::int32_t n_;
    std::uint64_t row_[64];
    std::uint64_t closed_[64];
    std::int32_t colour_[64];
    node nodes_[65];
};

}  // namespace tasks::coloring

OPTGAP_KERNELS_END
