#pragma once
// Improves a tree between terminals by exchanging one vertex at a time. The tree is the minimum spanning tree of its
// vertices, without the branches that end in no terminal. A vertex is added or removed if that makes the tree lighter.
// Runs on one lane of the CPU.

#include <cstdint>

#include "kernels/search/pruned_tree.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

class steiner_exchange {
public:
    static constexpr std::int64_t scratch_words(std::int64_t n) { return 2 * n + pruned_tree::words(n); }

    steiner_exchange(std::int32_t const* rows, std::int32_t n, std::int32_t const* terminals, std::int32_t count,
                     std::int32_t* scratch)
        : n_(n), inside_(scratch), wanted_(inside_ + n), tree_(rows, n, terminals[0], wanted_, wanted_ + n) {
        for (std::int32_t v = 0; v < n; ++v) {
            wanted_[v] = inside_[v] = 0;
        }
        for (std::int32_t k = 0; k < count; ++k) {
            wanted_[terminals[k]] = inside_[terminals[k]] = 1;
        }
    }

    /// Starts from a tree's edges, given as pairs of vertices, and replaces them by a tree of at most the same weight.
    /// Weighing a tree costs one step, and one more for each ten thousand words of rows. Returns the new number of
    /// edges.
    std::int32_t run(std::int32_t* edges, std::int32_t size, std::int64_t budget, std::int64_t& steps) {
        std::int64_t const cost = 1 + std::int64_t(n_) * n_ / 10'000;
        if (steps + cost > budget) {
            return size;
        }
        for (std::int32_t i = 0; i < 2 * size; ++i) {
            inside_[edges[i]] = 1;
        }
        steps += cost;
        std::int64_t least = tree_.weigh(inside_);
        tree_.drop_branches(inside_);
        for (std::int32_t v = 0, failed = 0; failed < n_ && steps + cost <= budget; v = v + 1 < n_ ? v + 1 : 0) {
            ++failed;
            if (wanted_[v] != 0) {
                continue;
            }
            steps += cost;
            std::int64_t const weight = tree_.weigh(inside_, v);
            if (weight < least) {
                least = weight;
                failed = 0;
                inside_[v] ^= 1;
                tree_.drop_branches(inside_);
            }
        }
        tree_.weigh(inside_);
        return tree_.write(inside_, edges);
    }

private:
    std::int32_t n_;
    std::int32_t* inside_;
    std::int32_t* wanted_;  ///< terminals
    pruned_tree tree_;
};

}  // namespace search
OPTGAP_KERNELS_END
