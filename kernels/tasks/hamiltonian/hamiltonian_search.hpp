#pragma once
// Decides whether a block has a cycle of at least `target` vertices. Depth-first search that puts edges on the cycle or
// excludes them, with these consequences:
//
//   a vertex with two edges on the cycle excludes its others; a vertex with fewer than two edges left is omitted;
//   at most `slack` vertices of each side may be omitted, and once they are, every other one keeps its last two edges;
//   the ends of a path that is too short must not be joined; and the rest must have a block that contains all chosen
//   edges and `target` vertices.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_blocks.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

enum class search_outcome : std::int32_t { found, excluded, stopped };

class cycle_search {
public:
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t n, std::int64_t half_edges) {
        return 7 * n + each_block_scratch_words(n) + 2 * half_edges + 4 * (half_edges / 2 + n);
    }

    /// slack[s] vertices of side s may be omitted; the cycle must contain the others, `target` in all. A cycle longer
    /// than `size` that is met on the way is written to `best`, with its vertices named by `names`. Each `turn` breaks
    /// ties in another way.
    OPTGAP_HD cycle_search(sparse_graph const& graph, std::int32_t const* side, std::int32_t const (&slack)[2],
                           std::int32_t const* names, std::int32_t* best, std::int32_t size, std::int32_t turn,
                           std::int32_t* scratch)
        : graph_(graph),
          side_(side),
          slack_{slack[0], slack[1]},
          target_(graph.n - slack[0] - slack[1]),
          names_(names),
          best_(best),
          size_(size),
          first_vertex_(to_range(std::uint32_t(turn) * golden_ratio, 0, graph.n - 1)),
          last_edge_first_(turn % 2 == 1) {
        std::int32_t const n = graph.n;
        std::int32_t const half_edges = graph.first[n];
        left_ = scratch;
        chosen_ = left_ + n;
        other_end_ = chosen_ + n;
        path_size_ = other_end_ + n;
        omitted_ = path_size_ + n;
        waiting_ = omitted_ + n;
        queue_ = waiting_ + n;
        block_scratch_ = queue_ + n;
        state_ = block_scratch_ + each_block_scratch_words(n);
        levels_ = state_ + half_edges;
        trail_ = reinterpret_cast<change*>(levels_ + half_edges);
        for (std::int32_t v = 0; v < n; ++v) {
            left_[v] = graph.first[v + 1] - graph.first[v];
            chosen_[v] = omitted_[v] = waiting_[v] = 0;
            other_end_[v] = v;
            path_size_[v] = 1;
        }
        for (std::int32_t h = 0; h < half_edges; ++h) {
            state_[h] = undecided;
        }
    }

    /// Adds its steps to `steps` and stops before they exceed `limit`. A step is a node, that is one decision, of up to
    /// 256 vertices; a larger node costs one step for each 256 vertices.
    OPTGAP_HD search_outcome run(std::int64_t& steps, std::int64_t limit) {
        std::int32_t const cost = 1 + (graph_.n - 1) / 256;
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            enqueue(v);
        }
        bool alive = propagate();
        while (!found_) {
            if (steps + cost > limit) {
                return search_outcome::stopped;
            }
            steps += cost;
            std::int32_t const vertex = alive ? vertex_to_decide() : -1;
            if (vertex >= 0) {
                std::int32_t const h = edge_to_choose(vertex);
                levels_[2 * depth_] = changes_;
                levels_[2 * depth_ + 1] = h;
                ++depth_;
                alive = choose(h) && propagate();
            } else if (depth_ > 0) {
                --depth_;
                undo_to(levels_[2 * depth_]);
                leave_out(levels_[2 * depth_ + 1]);
                alive = propagate();
            } else {
                return search_outcome::excluded;
            }
        }
        return search_outcome::found;
    }

    /// The size of the cycle in `best`.
    [[nodiscard]] OPTGAP_HD std::int32_t size() const { return size_; }

private:
    static constexpr std::uint32_t golden_ratio = 0x9e3779b9;  ///< of 2^32: multiples spread evenly
    static constexpr std::int32_t undecided = 0;
    static constexpr std::int32_t on_cycle = 1;
    static constexpr std::int32_t left_out = 2;

    /// A decided half-edge, or ~v for an omitted vertex. If a half-edge u-v joined two paths: their far ends, and the
    /// number of vertices in the path of u.
    struct change {
        std::int32_t what, end_u, end_v, size_u;
    };

    OPTGAP_HD std::int32_t from(std::int32_t h) const { return graph_.to[graph_.twin[h]]; }
    OPTGAP_HD bool required(std::int32_t v) const { return chosen_[v] > 0 || omissions_[side_[v]] == slack_[side_[v]]; }

    OPTGAP_HD void enqueue(std::int32_t v) {
        if (waiting_[v] == 0) {
            waiting_[v] = 1;
            queue_[queued_++] = v;
        }
    }

    OPTGAP_HD void decide(std::int32_t h, std::int32_t state) {
        state_[h] = state_[graph_.twin[h]] = state;
        enqueue(from(h));
        enqueue(graph_.to[h]);
    }

    OPTGAP_HD void leave_out(std::int32_t h) {
        decide(h, left_out);
        --left_[from(h)];
        --left_[graph_.to[h]];
        trail_[changes_++] = {h, -1, -1, 0};
    }

    OPTGAP_HD void leave_out_others(std::int32_t v) {
        for (std::int32_t h = graph_.first[v]; h < graph_.first[v + 1]; ++h) {
            if (state_[h] == undecided) {
                leave_out(h);
            }
        }
    }

    /// Puts an undecided edge on the cycle; false for a contradiction, including when that closes a cycle.
    OPTGAP_HD bool choose(std::int32_t h) {
        std::int32_t const u = from(h);
        std::int32_t const v = graph_.to[h];
        if (chosen_[u] == 2 || chosen_[v] == 2) {
            return false;
        }
        std::int32_t const end_u = other_end_[u];
        std::int32_t const end_v = other_end_[v];
        if (end_u == v) {
            close(u);
            return false;
        }
        std::int32_t const size_u = path_size_[u];
        std::int32_t const joined = size_u + path_size_[v];
        decide(h, on_cycle);
        ++chosen_[u];
        ++chosen_[v];
        trail_[changes_++] = {h, end_u, end_v, size_u};
        other_end_[end_u] = end_v;
        other_end_[end_v] = end_u;
        path_size_[end_u] = path_size_[end_v] = joined;
        for (std::int32_t closing = graph_.first[end_u]; closing < graph_.first[end_u + 1]; ++closing) {
            if (graph_.to[closing] == end_v && state_[closing] == undecided) {
                close(end_u);
                if (!found_) {
                    leave_out(closing);
                }
                return !found_;
            }
        }
        return true;
    }

    /// Keeps the cycle formed by the path from u and an edge between its ends, if it is the longest.
    OPTGAP_HD void close(std::int32_t u) {
        std::int32_t const length = path_size_[u];
        found_ = length >= target_;
        if (length <= size_) {
            return;
        }
        size_ = length;
        std::int32_t before = -1;
        for (std::int32_t i = 0; i < length; ++i) {
            best_[i] = names_[u];
            std::int32_t after = -1;
            for (std::int32_t h = graph_.first[u]; h < graph_.first[u + 1]; ++h) {
                if (state_[h] == on_cycle && graph_.to[h] != before) {
                    after = graph_.to[h];
                }
            }
            before = u;
            u = after;
        }
    }

    /// Returns false if too many vertices are omitted.
    OPTGAP_HD bool omit(std::int32_t v) {
        std::int32_t const side = side_[v];
        omitted_[v] = 1;
        trail_[changes_++] = {~v, -1, -1, 0};
        ++omissions_[side];
        if (omissions_[side] > slack_[side]) {
            return false;
        }
        leave_out_others(v);
        if (omissions_[side] == slack_[side]) {
            for (std::int32_t u = 0; u < graph_.n; ++u) {
                if (side_[u] == side && left_[u] <= 2 && omitted_[u] == 0) {
                    enqueue(u);
                }
            }
        }
        return true;
    }

    OPTGAP_HD bool propagate() {
        bool alive = true;
        while (alive && queued_ > 0) {
            std::int32_t const v = queue_[--queued_];
            waiting_[v] = 0;
            if (omitted_[v] != 0) {
                continue;
            }
            if (chosen_[v] == 2) {
                leave_out_others(v);
            } else if (left_[v] < 2) {
                alive = chosen_[v] == 0 && omit(v);
            } else if (left_[v] == 2 && required(v)) {
                for (std::int32_t h = graph_.first[v]; alive && h < graph_.first[v + 1]; ++h) {
                    alive = state_[h] != undecided || choose(h);
                }
            }
        }
        while (queued_ > 0) {
            waiting_[queue_[--queued_]] = 0;
        }
        return alive;
    }

    OPTGAP_HD void undo_to(std::int32_t mark) {
        while (changes_ > mark) {
            change const last = trail_[--changes_];
            if (last.what < 0) {
                omitted_[~last.what] = 0;
                --omissions_[side_[~last.what]];
                continue;
            }
            std::int32_t const u = from(last.what);
            std::int32_t const v = graph_.to[last.what];
            if (last.end_u < 0) {
                ++left_[u];
                ++left_[v];
            } else {
                --chosen_[u];
                --chosen_[v];
                std::int32_t const size_v = path_size_[last.end_u] - last.size_u;
                other_end_[last.end_u] = u;
                other_end_[last.end_v] = v;
                path_size_[last.end_u] = path_size_[u] = last.size_u;
                path_size_[last.end_v] = path_size_[v] = size_v;
            }
            state_[last.what] = state_[graph_.twin[last.what]] = undecided;
        }
    }

    /// The end of a path with the fewest edges left, or the vertex with the fewest if there is no path; -1 if no block
    /// can contain a long enough cycle.
    OPTGAP_HD std::int32_t vertex_to_decide() {
        std::int32_t best = -1;
        std::int32_t fewest = INT32_MAX;
        std::int32_t on_paths = 0;
        for (std::int32_t i = 0; i < graph_.n; ++i) {
            std::int32_t const v = first_vertex_ + i < graph_.n ? first_vertex_ + i : first_vertex_ + i - graph_.n;
            on_paths += chosen_[v] > 0 ? 1 : 0;
            std::int32_t const key = left_[v] + (chosen_[v] == 0 ? graph_.n : 0);
            if (omitted_[v] == 0 && chosen_[v] < 2 && key < fewest) {
                fewest = key;
                best = v;
            }
        }
        auto const usable = [&](std::int32_t h) { return state_[h] != left_out; };
        auto const holds_all = [&](std::int32_t const* vertices, std::int32_t count, std::int32_t joint) {
            if (count + 1 < target_) {
                return false;
            }
            std::int32_t held = chosen_[joint] > 0 ? 1 : 0;
            for (std::int32_t i = 0; i < count; ++i) {
                held += chosen_[vertices[i]] > 0 ? 1 : 0;
            }
            return held == on_paths;
        };
        return each_block(graph_, block_scratch_, usable, holds_all) ? best : -1;
    }

    /// The undecided edge of v to the neighbour with the fewest edges left.
    OPTGAP_HD std::int32_t edge_to_choose(std::int32_t v) const {
        std::int32_t best = -1;
        for (std::int32_t h = graph_.first[v]; h < graph_.first[v + 1]; ++h) {
            if (state_[h] != undecided) {
                continue;
            }
            std::int32_t const gain = best < 0 ? 1 : left_[graph_.to[best]] - left_[graph_.to[h]];
            if (gain > 0 || (gain == 0 && last_edge_first_)) {
                best = h;
            }
        }
        return best;
    }

    sparse_graph graph_;
    std::int32_t const* side_;
    std::int32_t slack_[2];
    std::int32_t target_;
    std::int32_t const* names_;
    std::int32_t* best_;
    std::int32_t size_;
    std::int32_t first_vertex_;  ///< the first vertex in ties
    bool last_edge_first_;
    std::int32_t* left_;       ///< edges of v on the cycle or undecided
    std::int32_t* chosen_;     ///< edges of v on the cycle
    std::int32_t* other_end_;  ///< the other end of the path that v ends; stale inside paths
    std::int32_t* path_size_;  ///< likewise
    std::int32_t* omitted_;
    std::int32_t* waiting_;  ///< in the queue
    std::int32_t* queue_;
    std::int32_t* block_scratch_;
    std::int32_t* state_;   ///< of half-edges
    std::int32_t* levels_;  ///< pairs: changes before the decision, and the half-edge chosen
    change* trail_;
    std::int32_t omissions_[2] = {0, 0};
    std::int32_t queued_ = 0;
    std::int32_t changes_ = 0;
    std::int32_t depth_ = 0;
    bool found_ = false;
};

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
