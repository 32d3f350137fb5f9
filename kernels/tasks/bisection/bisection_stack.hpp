#pragma once
// Partial bisections as a depth-first search holds them. For every node, and for every open vertex side by side, it
// holds the weight into either part, the counts of open vertices by weight, and the values that branching needs. A
// count is the number of open vertices whose weight to this one is below a level; placing a vertex changes each count
// by one comparison. Loops over vertices run over whole vectors.

#include <cstdint>

#include "kernels/tasks/bisection/bisection_instance.hpp"
#include "kernels/tasks/bisection/bisection_levels.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

inline constexpr std::int32_t lanes = 16;    ///< rows are padded to whole vectors
inline constexpr std::int32_t quarters = 4;  ///< costs are in quarters

[[nodiscard]] OPTGAP_HD constexpr std::int64_t padded(std::int64_t n) {
    return (n + n % 2 + lanes - 1) / lanes * lanes;
}

/// A stack of partial bisections of `graph`, with an additional isolated vertex if the graph is odd. Cost, and the type
/// Sum of its sums over all vertices, must hold 8 times the largest weighted degree, and 2 more.
template <class Cost, class Sum>
class bisection_stack {
public:
    struct node {
        std::int64_t cut;        ///< between placed vertices
        std::int64_t bound;      ///< of every bisection below
        Sum multiplier;          ///< price of a place in part 0, as the last search left it
        std::int32_t places[2];  ///< left in part 0 and 1
        std::int32_t share;      ///< quarters of a cut edge that part 0 is charged
        std::int32_t lean;       ///< -1 or 1: direction in which a better share is looked for next
        std::int32_t vertex;     ///< branched on, first into `part`
        std::int32_t part;
    };

    /// For at most `open` vertices that are not yet placed, and a stack of `nodes`.
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_bytes(std::int64_t open, std::int64_t nodes) {
        std::int64_t const width = padded(open);
        std::int64_t const costs = width * (width + own_columns + nodes * (max_levels + other_columns));
        return costs * std::int64_t(sizeof(Cost)) + nodes * std::int64_t(sizeof(node)) + width * 4 + 64;
    }

    /// `side` receives the part of each placed vertex of the top node, by the graph's names.
    OPTGAP_HD bisection_stack(weighted_graph graph, std::int32_t* side, std::int64_t nodes, char* scratch)
        : side_(side), active_(std::int32_t(padded(graph.n))) {
        weight_levels const found = levels_of(graph);
        levels_ = found.count;
        typical_ = Cost(found.typical);
        for (std::int32_t t = 0; t < levels_; ++t) {
            level_[t] = Cost(found.level[t]);
            step_[t] = Cost(found.level[t] - (t > 0 ? found.level[t - 1] : 0));
        }
        divide(scratch, nodes);
        for (std::int32_t u = 0; u < active_; ++u) {
            Cost* const row = weights_ + std::int64_t(u) * active_;
            for (std::int32_t v = 0; v < active_; ++v) {
                row[v] = u < graph.n && v < graph.n ? Cost(graph.weight(u, v)) : Cost(0);
            }
            name_[u] = u;
        }
        begin(graph.n + graph.n % 2);
    }

    /// Starts a stack of its own with node `depth` of `whole`, for the open vertices alone, so that computations for
    /// each vertex take fewer vectors.
    OPTGAP_HD bisection_stack(bisection_stack const& whole, std::int32_t depth, std::int64_t nodes, char* scratch)
        : side_(whole.side_),
          active_(std::int32_t(padded(whole.open_count(depth)))),
          levels_(whole.levels_),
          typical_(whole.typical_),
          limit_(whole.limit_) {
        for (std::int32_t t = 0; t < levels_; ++t) {
            level_[t] = whole.level_[t];
            step_[t] = whole.step_[t];
        }
        divide(scratch, nodes);
        std::int32_t* const from = name_;  // until the end: indices in `whole`
        std::int32_t next = 0;
        for (std::int32_t round = 0; round < 2; ++round) {  // some placed vertices fill the last vector
            for (std::int32_t v = 0; v < whole.active_ && next < active_; ++v) {
                if (whole.open(depth, v) == (round == 0)) {
                    from[next++] = v;
                }
            }
        }
        for (std::int32_t i = 0; i < active_; ++i) {
            Cost const* const old = whole.weights_ + std::int64_t(from[i]) * whole.active_;
            Cost* const row = weights_ + std::int64_t(i) * active_;
            for (std::int32_t j = 0; j < active_; ++j) {
                row[j] = old[from[j]];
            }
        }
        nodes_[0] = whole.nodes_[depth];
        for (std::int32_t c = 0; c < levels_ + other_columns; ++c) {
            for (std::int32_t i = 0; i < active_; ++i) {
                column(0, c)[i] = whole.column(depth, c)[from[i]];
            }
        }
        for (std::int32_t i = 0; i < active_; ++i) {
            name_[i] = whole.name_[from[i]];
        }
    }

    [[nodiscard]] OPTGAP_HD std::int32_t open_count(std::int32_t depth) const {
        return nodes_[depth].places[0] + nodes_[depth].places[1];
    }
    /// Whether fewer vectors would do. Below 32 vertices a new stack costs more than it saves.
    [[nodiscard]] OPTGAP_HD bool is_sparse(std::int32_t depth) const {
        return active_ > 2 * lanes && padded(open_count(depth)) < active_;
    }
    /// All open vertices come before this index.
    [[nodiscard]] OPTGAP_HD std::int32_t active() const { return active_; }
    /// The graph's name of a vertex.
    [[nodiscard]] OPTGAP_HD std::int32_t name(std::int32_t v) const { return name_[v]; }
    [[nodiscard]] OPTGAP_HD node& at(std::int32_t depth) const { return nodes_[depth]; }
    [[nodiscard]] OPTGAP_HD bool open(std::int32_t depth, std::int32_t v) const {
        return column(depth, open_column())[v] != 0;
    }
    /// Weight of an open vertex into part s.
    [[nodiscard]] OPTGAP_HD Cost into(std::int32_t depth, std::int32_t s, std::int32_t v) const {
        return column(depth, levels_ + s)[v];
    }
    /// Puts node depth + 1 on the stack, a copy of node `depth`.
    OPTGAP_HD void push(std::int32_t depth) {
        Cost const* __restrict const from = column(depth, 0);
        Cost* __restrict const to = column(depth + 1, 0);
        std::int32_t const entries = (levels_ + other_columns) * run();
        for (std::int32_t i = 0; i < entries; ++i) {
            to[i] = from[i];
        }
        nodes_[depth + 1] = nodes_[depth];
    }

    OPTGAP_HD void place(std::int32_t depth, std::int32_t v, std::int32_t s) {
        std::int32_t const active = run();
        std::int32_t const levels = levels_;
        Cost const typical = typical_;
        Cost const* __restrict const row = weights_ + std::int64_t(v) * active;
        Cost* __restrict const counts = column(depth, 0);
        Cost* __restrict const into = column(depth, levels + s);
        Cost* __restrict const spread = column(depth, spread_column());
        nodes_[depth].cut += column(depth, levels + 1 - s)[v];
        --nodes_[depth].places[s];
        for (std::int32_t u = 0; u < active; ++u) {
            into[u] = Cost(into[u] + row[u]);
            spread[u] = Cost(spread[u] - (row[u] > typical ? row[u] - typical : typical - row[u]));
        }
        for (std::int32_t t = 0; t < levels; ++t) {
            Cost const level = level_[t];
            Cost* __restrict const count = counts + std::int64_t(t) * active;
            for (std::int32_t u = 0; u < active; ++u) {
                count[u] = Cost(count[u] - (row[u] < level));
            }
        }
        column(depth, open_column())[v] = 0;
        side_[name_[v]] = s;
    }

protected:
    // Columns of a node: a count for each level, the weights into parts 0 and 1, 1 for open vertices, and the spread,
    // which is the sum of the distances of the weights to open vertices from the typical one. Spreads, like the order
    // of all bisections, stay the same if all weights grow by the same amount.
    [[nodiscard]] OPTGAP_HD Cost* column(std::int32_t depth, std::int32_t c) const {
        return columns_ + (std::int64_t(depth) * (levels_ + other_columns) + c) * active_;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t open_column() const { return levels_ + 2; }
    [[nodiscard]] OPTGAP_HD std::int32_t spread_column() const { return levels_ + 3; }
    /// `active`, as a number that compilers recognise as whole vectors.
    [[nodiscard]] OPTGAP_HD std::int32_t run() const { return active_ & -lanes; }

    static constexpr std::int64_t own_columns = 4;
    static constexpr std::int32_t other_columns = 4;

    std::int32_t* side_;
    node* nodes_ = nullptr;
    std::int32_t* name_ = nullptr;
    Cost* weights_ = nullptr;
    Cost* saving_ = nullptr;
    Cost* spare_ = nullptr;
    Cost* inner_[2] = {};
    Cost* columns_ = nullptr;
    std::int32_t active_;
    std::int32_t levels_ = 0;
    Cost typical_ = 0;
    Sum limit_ = 0;
    Cost level_[max_levels] = {};
    Cost step_[max_levels] = {};

private:
    OPTGAP_HD void divide(char* scratch, std::int64_t nodes) {
        nodes_ = reinterpret_cast<node*>(scratch);
        name_ = reinterpret_cast<std::int32_t*>(nodes_ + nodes);
        saving_ = reinterpret_cast<Cost*>(name_ + active_);
        spare_ = saving_ + active_;
        inner_[0] = spare_ + active_;
        inner_[1] = inner_[0] + active_;
        weights_ = inner_[1] + active_;
        columns_ = weights_ + std::int64_t(active_) * active_;
    }

    /// Node 0: only the heaviest vertex is placed, in part 0, because the parts have no names.
    OPTGAP_HD void begin(std::int32_t vertices) {
        std::int32_t heaviest = 0;
        std::int64_t most = -1;
        for (std::int32_t v = 0; v < active_; ++v) {
            Cost const* const row = weights_ + std::int64_t(v) * active_;
            for (std::int32_t t = 0; t < levels_; ++t) {
                std::int32_t count = -1;  // v itself
                for (std::int32_t u = 0; u < vertices; ++u) {
                    count += row[u] < level_[t];
                }
                column(0, t)[v] = Cost(count);
            }
            column(0, levels_)[v] = 0;
            column(0, levels_ + 1)[v] = 0;
            column(0, open_column())[v] = v < vertices;
            std::int64_t degree = 0;
            std::int64_t spread = 0;
            for (std::int32_t u = 0; u < vertices; ++u) {
                degree += row[u];
                spread += row[u] > typical_ ? row[u] - typical_ : typical_ - row[u];
            }
            column(0, spread_column())[v] = Cost(spread);
            if (degree > most) {
                most = degree;
                heaviest = v;
            }
        }
        limit_ = Sum(quarters * most);
        nodes_[0] = {0, 0, 0, {vertices / 2, vertices / 2}, quarters / 2, 1, 0, 0};
        place(0, heaviest, 0);
    }
};

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
