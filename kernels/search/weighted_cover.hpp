#pragma once
// Least weight of vertices that meet every demand. A demand is a set of vertices of which at least one must be chosen:
// an edge for vertex covers, a closed neighbourhood for dominating sets. Branch and bound: the open demand with the
// fewest remaining vertices is met by each of them in turn, and vertices already tried are barred. Bounds are dual
// prices by ascent, whose reduced costs bar more vertices (Balas & Ho 1980). Runs on one lane of the CPU.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

/// Demands 0 … m-1 as non-empty lists of vertices, and for each vertex the list of its demands.
struct cover_lists {
    std::int32_t n = 0;
    std::int32_t m = 0;
    std::int32_t const* weight = nullptr;  ///< at least 1 each
    std::int32_t* demand_first = nullptr;  ///< m + 1
    std::int32_t* demand_vertex = nullptr;
    std::int32_t* vertex_first = nullptr;  ///< n + 1
    std::int32_t* vertex_demand = nullptr;
};

struct cover_result {
    std::int64_t weight = 0;  ///< of the best cover known
    std::int64_t bound = 0;
    std::int64_t steps = 0;  ///< one for each node, and one more for every thousand entries of the lists
    std::int32_t size = 0;   ///< of the cover that was written; 0: none is better than the given weight
};

/// What a vertex meets, per weight. Exact and order-preserving for gains below 2^23 and weights below 2^20.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t gain_per_weight(std::int64_t gain, std::int64_t weight) {
    return (gain << 40) / weight;
}

class weighted_cover {
public:
    static constexpr std::int64_t scratch_words(std::int64_t n, std::int64_t m) { return 7 * (n + 1) + 2 * m; }

    weighted_cover(cover_lists const& lists, std::int32_t* scratch)
        : at_(lists),
          slack_(scratch),
          gain_(slack_ + at_.n),
          state_(gain_ + at_.n),
          trail_(state_ + at_.n),
          chosen_(trail_ + at_.n),
          demand_at_(chosen_ + at_.n + 1),
          trail_at_(demand_at_ + at_.n + 1),
          met_(trail_at_ + at_.n + 1),
          left_(met_ + at_.m) {
        for (std::int32_t v = 0; v < at_.n; ++v) {
            state_[v] = vertex_free;
        }
        for (std::int32_t d = 0; d < at_.m; ++d) {
            met_[d] = 0;
        }
    }

    /// Writes a cover of less weight than `weight` to `best`, if there is one. If the budget cuts the search, the bound
    /// is that of the root.
    cover_result run(std::int64_t weight, std::int64_t budget, std::int32_t* best) {
        cover_result found{weight, price(), 0, 0};
        if (found.bound >= weight) {
            return found;
        }
        std::int64_t const cost = 1 + at_.demand_first[at_.m] / 1000;
        std::int32_t depth = 0;
        for (bool fresh = true;;) {
            if (fresh && found.steps + cost > budget) {
                return found;
            }
            found.steps += fresh ? cost : 0;
            if (fresh ? enter(depth, found, best) : advance(depth)) {
                depth += fresh ? 0 : 1;
                fresh = !fresh;
            } else if (depth > 0) {
                --depth;
                fresh = false;
            } else {
                break;
            }
        }
        found.bound = found.weight;
        return found;
    }

private:
    enum vertex_state : std::int32_t { vertex_free, vertex_chosen, vertex_barred };
    static constexpr std::int32_t none = -1;

    /// A lower bound on the cost of the open demands, -1 if one of them has no vertex left; sets slack, gain, left.
    std::int64_t price() {
        for (std::int32_t v = 0; v < at_.n; ++v) {
            slack_[v] = at_.weight[v];
            gain_[v] = 0;
        }
        for (std::int32_t d = 0; d < at_.m; ++d) {
            left_[d] = 0;
            if (met_[d] == 0) {
                each_free(d, [&](std::int32_t v) {
                    ++left_[d];
                    ++gain_[v];
                });
                if (left_[d] == 0) {
                    return none;
                }
            }
        }
        std::int64_t bound = 0;
        for (std::int32_t few = 1; few <= 3; ++few) {
            for (std::int32_t d = 0; d < at_.m; ++d) {
                if (left_[d] == few || (few == 3 && left_[d] > few)) {
                    std::int32_t least = INT32_MAX;
                    each_free(d, [&](std::int32_t v) { least = slack_[v] < least ? slack_[v] : least; });
                    each_free(d, [&](std::int32_t v) { slack_[v] -= least; });
                    bound += least;
                }
            }
        }
        return bound;
    }

    /// Opens a node. Returns false if it is a cover, which is recorded, or if it cannot become a better one.
    bool enter(std::int32_t depth, cover_result& found, std::int32_t* best) {
        trail_at_[depth] = trail_size_;
        chosen_[depth] = none;
        std::int64_t const bound = price();
        if (bound == none || cost_ + bound >= found.weight) {
            return false;
        }
        for (std::int32_t v = 0; v < at_.n; ++v) {
            if (state_[v] == vertex_free && gain_[v] > 0 && cost_ + bound + slack_[v] >= found.weight) {
                bar(v);
            }
        }
        demand_at_[depth] = hardest_demand();
        if (demand_at_[depth] == none) {
            found.weight = cost_;
            found.size = depth;
            for (std::int32_t k = 0; k < depth; ++k) {
                best[k] = chosen_[k];
            }
            return false;
        }
        return true;
    }

    /// The open demand with the fewest remaining vertices, ties by the vertex that meets most.
    std::int32_t hardest_demand() const {
        std::int32_t hardest = none;
        std::int64_t best = INT64_MAX;
        for (std::int32_t d = 0; d < at_.m; ++d) {
            if (met_[d] == 0) {
                std::int64_t count = 0;
                std::int64_t most = 0;
                each_free(d, [&](std::int32_t v) {
                    ++count;
                    most = gain_[v] > most ? gain_[v] : most;
                });
                std::int64_t const key = (count << 32) - most;
                hardest = key < best ? d : hardest;
                best = key < best ? key : best;
            }
        }
        return hardest;
    }

    /// Takes the level's next vertex; false if all have been tried.
    bool advance(std::int32_t depth) {
        if (std::int32_t const tried = chosen_[depth]; tried != none) {
            choose(tried, -1);
            bar(tried);
        }
        std::int32_t next = none;
        std::int64_t best = -1;
        each_free(demand_at_[depth], [&](std::int32_t v) {
            std::int64_t open = 0;
            for (std::int32_t k = at_.vertex_first[v]; k < at_.vertex_first[v + 1]; ++k) {
                open += met_[at_.vertex_demand[k]] == 0 ? 1 : 0;
            }
            std::int64_t const key = gain_per_weight(open, at_.weight[v]);
            next = key > best ? v : next;
            best = key > best ? key : best;
        });
        chosen_[depth] = next;
        if (next == none) {
            close(depth);
            return false;
        }
        choose(next, 1);
        return true;
    }

    void choose(std::int32_t v, std::int32_t change) {
        state_[v] = change > 0 ? vertex_chosen : vertex_free;
        cost_ += change * std::int64_t(at_.weight[v]);
        for (std::int32_t k = at_.vertex_first[v]; k < at_.vertex_first[v + 1]; ++k) {
            met_[at_.vertex_demand[k]] += change;
        }
    }
    void bar(std::int32_t v) {
        state_[v] = vertex_barred;
        trail_[trail_size_++] = v;
    }
    void close(std::int32_t depth) {
        while (trail_size_ > trail_at_[depth]) {
            state_[trail_[--trail_size_]] = vertex_free;
        }
    }
    template <class Function>
    void each_free(std::int32_t d, Function const& function) const {
        for (std::int32_t k = at_.demand_first[d]; k < at_.demand_first[d + 1]; ++k) {
            if (state_[at_.demand_vertex[k]] == vertex_free) {
                function(at_.demand_vertex[k]);
            }
        }
    }

    cover_lists at_;
    std::int32_t* slack_;      ///< weight minus the prices of the vertex's demands
    std::int32_t* gain_;       ///< number of open demands that the vertex meets
    std::int32_t* state_;      ///< vertex_state
    std::int32_t* trail_;      ///< vertices in the order in which they were barred
    std::int32_t* chosen_;     ///< by level
    std::int32_t* demand_at_;  ///< by level
    std::int32_t* trail_at_;   ///< by level
    std::int32_t* met_;        ///< number of chosen vertices that meet the demand
    std::int32_t* left_;       ///< number of free vertices of an open demand, at the node's start
    std::int32_t trail_size_ = 0;
    std::int64_t cost_ = 0;
};

}  // namespace search
OPTGAP_KERNELS_END
