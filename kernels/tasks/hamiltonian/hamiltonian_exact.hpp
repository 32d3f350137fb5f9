#pragma once
// The longest cycle of any graph. Vertices that cannot be on a cycle are dropped, and each block gets a bound. The
// block with the largest bound is searched for a cycle that attains it, until one is found or excluded; then the bound
// falls.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_blocks.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_cover.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_search.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_walk.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

enum bound_kind : std::int32_t { bound_proven = 0, bound_search, bound_matching, bound_block, bound_vertices };

struct cycle_proof {
    std::int32_t size;   ///< 0: no cycle found
    std::int32_t bound;  ///< 0: there is no cycle
    std::int32_t kind;
    std::int64_t steps;
};

/// Denser graphs are not searched: 4 M half-edges take 100 MB, and a search there seldom proves more than rotations
/// find.
inline constexpr std::int64_t max_search_half_edges = 4'000'000;
/// Steps of the local search that finds the incumbent; it ends at the bound.
inline constexpr std::int64_t incumbent_steps = 500;

class longest_cycle_proof {
public:
    [[nodiscard]] OPTGAP_HD static std::int64_t scratch_words(graph_view graph) {
        std::int64_t const n = graph.n;
        std::int64_t half_edges = 0;
        for (std::int32_t v = 0; v < graph.n; ++v) {
            half_edges += graph.degree(v);
        }
        half_edges = half_edges <= max_search_half_edges ? half_edges : 0;
        std::int64_t const searching = cycle_search::scratch_words(n, half_edges);
        std::int64_t const walking = walk::scratch_words(n);
        return 9 * n + 1 + 2 * sparse_graph::words(n, half_edges) + (searching > walking ? searching : walking);
    }

    /// best[0 … size) is a cycle; size 0 for none.
    OPTGAP_HD longest_cycle_proof(graph_view given, std::int32_t* best, std::int32_t size, std::int32_t* scratch)
        : given_(given), best_(best), size_(size) {
        std::int32_t const n = given.n;
        degree_ = scratch;
        local_ = degree_ + n;
        members_ = local_ + n;
        first_ = members_ + 2 * n;
        bound_ = first_ + n + 1;
        kind_ = bound_ + n;
        side_ = kind_ + n;
        queue_ = side_ + n;
        free_ = queue_ + n;
    }

    OPTGAP_HD cycle_proof run(std::int64_t budget) {
        if (drop_leaves() > max_search_half_edges) {
            std::int32_t vertices = 0;
            std::int32_t start = 0;
            for (std::int32_t v = 0; v < given_.n; ++v) {
                vertices += degree_[v] > 0 ? 1 : 0;
                start = degree_[v] > degree_[start] ? v : start;
            }
            bool const fresh = size_ == 0;
            walk_from(fresh ? &start : best_, fresh ? 1 : size_, vertices);
            return {size_, vertices, bound_vertices, 0};
        }
        find_blocks();
        std::int32_t block = largest_block();
        if (block >= 0) {
            start_from_tree(block);
            walk_from(best_, size_, bound_[block]);
        }
        std::int64_t steps = 0;
        while (block >= 0 && bound_[block] > size_) {
            if (!attain(block, steps, budget)) {
                return {size_, bound_[block], kind_[block], steps};
            }
            block = largest_block();
        }
        return {size_, block < 0 ? 0 : size_, bound_proven, steps};
    }

private:
    /// Sets degree_, which is 0 for vertices removed by iterated removal of degrees below 2. Returns the previous
    /// number of half-edges.
    OPTGAP_HD std::int64_t drop_leaves() {
        std::int64_t half_edges = 0;
        std::int32_t queued = 0;
        for (std::int32_t v = 0; v < given_.n; ++v) {
            degree_[v] = given_.degree(v);
            half_edges += degree_[v];
            if (degree_[v] == 1) {
                queue_[queued++] = v;
            }
        }
        while (queued > 0) {
            std::int32_t v = queue_[--queued];
            if (degree_[v] == 0) {
                continue;
            }
            degree_[v] = 0;
            each_kept_neighbour(v, [&](std::int32_t u) {
                if (--degree_[u] == 1) {
                    queue_[queued++] = u;
                }
            });
        }
        return half_edges;
    }

    template <class Function>
    OPTGAP_HD void each_kept_neighbour(std::int32_t v, Function const& function) const {
        std::uint32_t const* const row = given_.row(v);
        for (std::int32_t w = 0; w < given_.row_words; ++w) {
            for (std::uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
                std::int32_t const u = 32 * w + lowest(bits);
                if (degree_[u] > 0) {
                    function(u);
                }
            }
        }
    }

    /// The vertices of block b are members_[first_[b]] … members_[first_[b + 1] - 1], at least three.
    OPTGAP_HD void find_blocks() {
        std::int32_t const n = given_.n;
        graph_ = build_sparse(n, free_, [&](auto const& edge) {
            for (std::int32_t u = 0; u < n; ++u) {
                if (degree_[u] > 0) {
                    each_kept_neighbour(u, [&](std::int32_t v) {
                        if (u < v) {
                            edge(u, v);
                        }
                    });
                }
            }
        });
        block_memory_ = free_ + sparse_graph::words(n, graph_.first[n]);
        free_ = block_memory_ + sparse_graph::words(n, graph_.first[n]);
        first_[0] = 0;
        auto const keep = [&](std::int32_t const* vertices, std::int32_t count, std::int32_t joint) {
            if (count >= 2) {
                std::int32_t* const to = members_ + first_[blocks_];
                for (std::int32_t i = 0; i < count; ++i) {
                    to[i] = vertices[i];
                }
                to[count] = joint;
                first_[blocks_ + 1] = first_[blocks_] + count + 1;
                ++blocks_;
            }
            return false;
        };
        each_block(
            graph_, free_, [](std::int32_t) { return true; }, keep);
        for (std::int32_t v = 0; v < n; ++v) {
            local_[v] = -1;
        }
        for (std::int32_t block = 0; block < blocks_; ++block) {
            sparse_graph const part = extract(block);
            bound_[block] = max_on_cycles(part, free_);
            kind_[block] = bound_[block] < part.n ? bound_matching : bound_block;
        }
    }

    /// The block as a graph of its own, with vertices numbered in the order of members_.
    OPTGAP_HD sparse_graph extract(std::int32_t block) {
        std::int32_t const* const members = members_ + first_[block];
        std::int32_t const count = first_[block + 1] - first_[block];
        for (std::int32_t i = 0; i < count; ++i) {
            local_[members[i]] = i;
        }
        sparse_graph const part = build_sparse(count, block_memory_, [&](auto const& edge) {
            for (std::int32_t i = 0; i < count; ++i) {
                for (std::int32_t h = graph_.first[members[i]]; h < graph_.first[members[i] + 1]; ++h) {
                    if (std::int32_t const j = local_[graph_.to[h]]; j > i) {
                        edge(i, j);
                    }
                }
            }
        });
        for (std::int32_t i = 0; i < count; ++i) {
            local_[members[i]] = -1;
        }
        return part;
    }

    /// The first block with the largest bound, -1 if there is none.
    [[nodiscard]] OPTGAP_HD std::int32_t largest_block() const {
        std::int32_t largest = blocks_ > 0 ? 0 : -1;
        for (std::int32_t block = 1; block < blocks_; ++block) {
            largest = bound_[block] > bound_[largest] ? block : largest;
        }
        return largest;
    }

    /// Every block has a cycle; finds one.
    OPTGAP_HD void start_from_tree(std::int32_t block) {
        sparse_graph const part = extract(block);
        std::int32_t const found = tree_cycle(part, queue_, free_);
        if (found > size_) {
            size_ = found;
            for (std::int32_t i = 0; i < found; ++i) {
                best_[i] = members_[first_[block] + queue_[i]];
            }
        }
    }

    OPTGAP_HD void walk_from(std::int32_t const* path, std::int32_t length, std::int32_t target) {
        solo team;
        improve_result result{.objective = size_};
        walk at = begin_walk(team, given_, path, length, free_);
        extend_and_rotate(team, at, best_, target, {0, incumbent_steps}, draw{}, result);
        size_ = std::int32_t(result.objective);
    }

    /// Finds a cycle as long as the block's bound, or lowers the bound; false if the budget ends first. The search
    /// restarts with other ties after twice as many steps each time, because only few starts need many.
    OPTGAP_HD bool attain(std::int32_t block, std::int64_t& steps, std::int64_t budget) {
        sparse_graph const part = extract(block);
        std::int32_t const right = two_sides(part, side_, queue_);
        std::int32_t const half = bound_[block] / 2;
        std::int32_t const slack[2] = {right < 0 ? part.n - bound_[block] : part.n - right - half,
                                       right < 0 ? 0 : right - half};
        auto outcome = search_outcome::stopped;
        std::int64_t limit = steps;
        std::int64_t patience = 2 * part.n;
        for (std::int32_t turn = 0; outcome == search_outcome::stopped && limit < budget; ++turn, patience *= 2) {
            limit = patience < budget - steps ? steps + patience : budget;
            cycle_search search(part, side_, slack, members_ + first_[block], best_, size_, turn, free_);
            outcome = search.run(steps, limit);
            size_ = search.size();
        }
        if (outcome == search_outcome::excluded) {
            bound_[block] -= right < 0 ? 1 : 2;
            kind_[block] = bound_search;
        }
        return outcome != search_outcome::stopped;
    }

    graph_view given_;
    sparse_graph graph_;
    std::int32_t* best_;
    std::int32_t size_;
    std::int32_t* degree_;
    std::int32_t* local_;    ///< a vertex's number in the extracted block, otherwise -1
    std::int32_t* members_;  ///< a vertex may be in several blocks; all blocks together have less than 2 n
    std::int32_t* first_;
    std::int32_t* bound_;
    std::int32_t* kind_;
    std::int32_t* side_;
    std::int32_t* queue_;
    std::int32_t* block_memory_ = nullptr;
    std::int32_t* free_;
    std::int32_t blocks_ = 0;
};

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
