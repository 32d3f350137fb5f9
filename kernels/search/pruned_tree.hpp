#pragma once
// The least spanning tree of some vertices of a graph with weights (Prim 1957), less the branches that end in no
// terminal. By one lane.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

class pruned_tree {
public:
    static constexpr std::int64_t words(std::int64_t n) { return 4 * n; }

    /// `rows`: n of n weights, 0 where no edge is; terminals have wanted[v] = 1, one of them is the root.
    OPTGAP_HD pruned_tree(std::int32_t const* rows, std::int32_t n, std::int32_t root, std::int32_t const* wanted,
                          std::int32_t* memory)
        : rows_(rows),
          n_(n),
          root_(root),
          wanted_(wanted),
          gap_(memory),
          parent_(gap_ + n),
          order_(parent_ + n),
          branches_(order_ + n) {}

    /// Of the vertices inside, with or without one that changes over (-1: none does): the weight, INT64_MAX where they
    /// do not hang together.
    OPTGAP_HD std::int64_t weigh(std::int32_t const* inside, std::int32_t changed = -1) const {
        std::int32_t total = 0;
        for (std::int32_t v = 0; v < n_; ++v) {
            bool const is = (inside[v] != 0) != (v == changed);
            order_[total] = v;
            total += is ? 1 : 0;
            gap_[v] = INT32_MAX;
            branches_[v] = wanted_[v];
        }
        gap_[root_] = 0;
        for (std::int32_t i = 0; i < total; ++i) {
            std::int32_t at = i;  // of the vertices to come the nearest one, ties by number
            for (std::int32_t k = i + 1; k < total; ++k) {
                std::int32_t const gap = gap_[order_[k]];
                std::int32_t const least = gap_[order_[at]];
                at = gap < least || (gap == least && order_[k] < order_[at]) ? k : at;
            }
            std::int32_t const next = order_[at];
            if (gap_[next] == INT32_MAX) {
                return INT64_MAX;
            }
            order_[at] = order_[i];
            order_[i] = next;
            std::int32_t const* const row = rows_ + std::int64_t(next) * n_;
            for (std::int32_t k = i + 1; k < total; ++k) {
                std::int32_t const v = order_[k];
                if (row[v] > 0 && gap_[v] > row[v]) {
                    gap_[v] = row[v];
                    parent_[v] = next;
                }
            }
        }
        std::int64_t weight = 0;
        for (std::int32_t i = total - 1; i > 0; --i) {
            std::int32_t const v = order_[i];
            if (branches_[v] > 0) {
                ++branches_[parent_[v]];
                weight += rows_[std::int64_t(v) * n_ + parent_[v]];
            }
        }
        return weight;
    }
    // Of the tree weighed last.

    /// A vertex that was inside: did it stay?
    [[nodiscard]] OPTGAP_HD bool holds(std::int32_t v) const { return branches_[v] > 0; }
    OPTGAP_HD void drop_branches(std::int32_t* inside) const {
        for (std::int32_t v = 0; v < n_; ++v) {
            inside[v] = branches_[v] > 0 ? inside[v] : 0;
        }
    }
    /// Pairs of vertices; returns how many there are.
    OPTGAP_HD std::int32_t write(std::int32_t const* inside, std::int32_t* edges) const {
        std::int32_t size = 0;
        for (std::int32_t v = 0; v < n_; ++v) {
            if (inside[v] != 0 && v != root_ && branches_[v] > 0) {
                edges[2 * size] = parent_[v];
                edges[2 * size + 1] = v;
                ++size;
            }
        }
        return size;
    }

private:
    std::int32_t const* rows_;
    std::int32_t n_;
    std::int32_t root_;
    std::int32_t const* wanted_;
    std::int32_t* gap_;  ///< to the tree
    std::int32_t* parent_;
    std::int32_t* order_;     ///< in which the tree grew, and behind that the vertices to come
    std::int32_t* branches_;  ///< how many of a vertex's children lead to terminals, and one more for a terminal
};

}  // namespace search
OPTGAP_KERNELS_END
