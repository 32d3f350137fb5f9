#pragma once
// The minimum spanning tree of some vertices of a weighted graph (Prim 1957), without the branches that end in no
// terminal. Runs on one lane.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

class pruned_tree {
public:
    static constexpr std::int64_t words(std::int64_t n) { return 4 * n; }

    /// `rows`: n rows of n weights, 0 for no edge. Terminals have wanted[v] = 1; the root is one of them.
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

    /// The weight for the vertices inside, after one of them has been toggled (changed = -1: none); INT64_MAX if they
    /// are not connected.
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
            std::int32_t at = i;  // the nearest remaining vertex, ties by number
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
    // The members below describe the tree weighed last.

    /// For a vertex that was inside: whether it stayed.
    [[nodiscard]] OPTGAP_HD bool holds(std::int32_t v) const { return branches_[v] > 0; }
    OPTGAP_HD void drop_branches(std::int32_t* inside) const {
        for (std::int32_t v = 0; v < n_; ++v) {
            inside[v] = branches_[v] > 0 ? inside[v] : 0;
        }
    }
    /// Writes the edges as pairs of vertices; returns their number.
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
    std::int32_t* gap_;  ///< distance to the tree
    std::int32_t* parent_;
    std::int32_t* order_;     ///< vertices in the order in which the tree grew, followed by the remaining ones
    std::int32_t* branches_;  ///< number of a vertex's children that lead to terminals, plus one if it is a terminal
};

}  // namespace search
OPTGAP_KERNELS_END
