#pragma once
// Better trees between terminals by exchange of one vertex: a tree is the least spanning tree of the vertices that it
// holds, less the branches that end in no terminal, and a vertex goes in or out where that makes it lighter. By one
// lane of the CPU.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

class steiner_exchange {
public:
    static constexpr std::int64_t scratch_words(std::int64_t n) { return 6 * n; }

    steiner_exchange(std::int32_t const* rows, std::int32_t n, std::int32_t const* terminals, std::int32_t count,
                     std::int32_t* scratch)
        : rows_(rows),
          n_(n),
          root_(terminals[0]),
          inside_(scratch),
          wanted_(inside_ + n),
          gap_(wanted_ + n),
          parent_(gap_ + n),
          order_(parent_ + n),
          branches_(order_ + n) {
        for (std::int32_t v = 0; v < n; ++v) {
            wanted_[v] = inside_[v] = 0;
        }
        for (std::int32_t k = 0; k < count; ++k) {
            wanted_[terminals[k]] = inside_[terminals[k]] = 1;
        }
    }

    /// From a tree's edges, pairs of vertices, on; what they are replaced by weighs no more. A tree that is weighed
    /// costs a step, and one more for each ten thousand words of rows. Returns how many edges there are then.
    std::int32_t run(std::int32_t* edges, std::int32_t size, std::int64_t budget, std::int64_t& steps) {
        std::int64_t const cost = 1 + std::int64_t(n_) * n_ / 10'000;
        if (steps + cost > budget) {
            return size;
        }
        for (std::int32_t i = 0; i < 2 * size; ++i) {
            inside_[edges[i]] = 1;
        }
        steps += cost;
        std::int64_t least = weigh();
        drop_branches();
        for (std::int32_t v = 0, failed = 0; failed < n_ && steps + cost <= budget; v = v + 1 < n_ ? v + 1 : 0) {
            ++failed;
            if (wanted_[v] != 0) {
                continue;
            }
            inside_[v] ^= 1;
            steps += cost;
            std::int64_t const weight = weigh();
            if (weight < least) {
                least = weight;
                failed = 0;
                drop_branches();
            } else {
                inside_[v] ^= 1;
            }
        }
        weigh();
        size = 0;
        for (std::int32_t v = 0; v < n_; ++v) {
            if (inside_[v] != 0 && v != root_ && branches_[v] > 0) {
                edges[2 * size] = parent_[v];
                edges[2 * size + 1] = v;
                ++size;
            }
        }
        return size;
    }

private:
    /// The weight of the tree over what is inside (Prim 1957), INT64_MAX for none; branches_ is 0 where it was cut off.
    std::int64_t weigh() {
        std::int32_t total = 0;
        for (std::int32_t v = 0; v < n_; ++v) {
            total += inside_[v];
            gap_[v] = inside_[v] != 0 ? INT32_MAX : -1;
            branches_[v] = wanted_[v];
        }
        gap_[root_] = 0;
        for (std::int32_t i = 0; i < total; ++i) {
            std::int32_t next = -1;
            for (std::int32_t v = 0; v < n_; ++v) {
                next = gap_[v] >= 0 && (next < 0 || gap_[v] < gap_[next]) ? v : next;
            }
            if (gap_[next] == INT32_MAX) {
                return INT64_MAX;
            }
            gap_[next] = -1;
            order_[i] = next;
            std::int32_t const* const row = rows_ + std::int64_t(next) * n_;
            for (std::int32_t v = 0; v < n_; ++v) {
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
    void drop_branches() {
        for (std::int32_t v = 0; v < n_; ++v) {
            inside_[v] = branches_[v] > 0 ? inside_[v] : 0;
        }
    }

    std::int32_t const* rows_;
    std::int32_t n_;
    std::int32_t root_;
    std::int32_t* inside_;
    std::int32_t* wanted_;  ///< terminals
    std::int32_t* gap_;     ///< to the tree, -1 for what is in it or not inside
    std::int32_t* parent_;
    std::int32_t* order_;     ///< in which the tree grew
    std::int32_t* branches_;  ///< how many of a vertex's children lead to terminals, and one more for a terminal
};

}  // namespace search
OPTGAP_KERNELS_END
