#pragma once
// Bisections under construction, as a depth-first search holds them: for every node, and for every vertex side by side,
// its weight into either part and its counts of open vertices by weight. A count is of the open vertices whose weight
// to this one is below a level; placing a vertex changes each count by one comparison. Loops over vertices are in runs
// that compilers turn into vectors.

#include <cstdint>

#include "kernels/tasks/bisection/bisection_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

inline constexpr std::int32_t max_levels = 16;
inline constexpr std::int32_t lanes = 16;    ///< rows are padded to whole vectors
inline constexpr std::int32_t quarters = 4;  ///< costs are in quarters

/// Rising weights. Weights between two levels are rounded down to the lower one.
struct weight_levels {
    std::int32_t level[max_levels];
    std::int32_t count = 0;
};

/// All weights of the graph when they are few, else sixteen evenly spaced ones.
OPTGAP_HD inline weight_levels levels_of(weighted_graph graph) {
    weight_levels found;
    std::int32_t largest = 0;
    bool few = true;
    std::int64_t const words = std::int64_t(graph.n) * graph.n;
    for (std::int64_t i = 0; i < words; ++i) {
        std::int32_t const weight = graph.rows[i];
        largest = weight > largest ? weight : largest;
        std::int32_t place = 0;
        while (few && place < found.count && found.level[place] < weight) {
            ++place;
        }
        if (!few || weight == 0 || (place < found.count && found.level[place] == weight)) {
            continue;
        }
        few = found.count < max_levels;
        for (std::int32_t t = found.count; few && t > place; --t) {
            found.level[t] = found.level[t - 1];
        }
        if (few) {
            found.level[place] = weight;
            ++found.count;
        }
    }
    if (!few) {
        for (std::int32_t t = 0; t < max_levels; ++t) {
            found.level[t] = std::int32_t(std::int64_t(largest) * (t + 1) / (max_levels + 1));
        }
    }
    return found;
}

[[nodiscard]] OPTGAP_HD constexpr std::int64_t padded(std::int64_t n) {
    return (n + n % 2 + lanes - 1) / lanes * lanes;
}

/// A stack of partial bisections of `graph`, an odd one with an isolated vertex more. Cost and its sums over all
/// vertices, Sum, hold 8 times the largest weighted degree.
template <class Cost, class Sum>
class bisection_stack {
public:
    struct node {
        std::int64_t cut;        ///< between placed vertices
        std::int64_t bound;      ///< of every bisection below
        Sum multiplier;          ///< price of a place in part 0, as good as the last search left it
        std::int32_t places[2];  ///< left in part 0 and 1
        std::int32_t share;      ///< quarters of a cut edge that part 0 pays
        std::int32_t lean;       ///< -1 or 1: where a better share is looked for next
        std::int32_t vertex;     ///< branched on, first into `part`
        std::int32_t part;
    };

    /// For a graph of n vertices, at most `open` of them not placed yet, and a stack of `nodes`.
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_bytes(std::int64_t n, std::int64_t open,
                                                                        std::int64_t nodes) {
        std::int64_t const width = padded(n);
        std::int64_t const costs =
            width * width + own_columns * width + nodes * (max_levels * padded(open) + 3 * width);
        return costs * std::int64_t(sizeof(Cost)) + nodes * std::int64_t(sizeof(node)) + width * 4 + 64;
    }

    OPTGAP_HD bisection_stack(weighted_graph graph, std::int64_t nodes, char* scratch)
        : vertices(graph.n + graph.n % 2), width_(std::int32_t(padded(graph.n))), active_(width_) {
        weight_levels const found = levels_of(graph);
        levels_ = found.count;
        for (std::int32_t t = 0; t < levels_; ++t) {
            level_[t] = Cost(found.level[t]);
            step_[t] = Cost(found.level[t] - (t > 0 ? found.level[t - 1] : 0));
        }
        divide(scratch, nodes);
        for (std::int32_t u = 0; u < width_; ++u) {
            Cost* const row = weights_ + std::int64_t(u) * width_;
            for (std::int32_t v = 0; v < width_; ++v) {
                row[v] = u < graph.n && v < graph.n ? Cost(graph.weight(u, v)) : Cost(0);
            }
            name_[u] = u;
        }
        begin();
    }

    /// Node `depth` of `whole` as the first node of a stack of its own, open vertices moved together, so that what is
    /// computed for each open vertex takes fewer vectors.
    OPTGAP_HD bisection_stack(bisection_stack const& whole, std::int32_t depth, std::int64_t nodes, char* scratch)
        : vertices(whole.vertices),
          width_(whole.width_),
          active_(std::int32_t(padded(whole.open_count(depth)))),
          levels_(whole.levels_),
          limit_(whole.limit_) {
        for (std::int32_t t = 0; t < levels_; ++t) {
            level_[t] = whole.level_[t];
            step_[t] = whole.step_[t];
        }
        divide(scratch, nodes);
        std::int32_t* const from = name_;  // until the end: indices in `whole`
        std::int32_t next = 0;
        for (std::int32_t round = 0; round < 2; ++round) {
            for (std::int32_t v = 0; v < width_; ++v) {
                if (whole.open(depth, v) == (round == 0)) {
                    from[next++] = v;
                }
            }
        }
        for (std::int32_t i = 0; i < width_; ++i) {
            Cost const* const old = whole.weights_ + std::int64_t(from[i]) * width_;
            Cost* const row = weights_ + std::int64_t(i) * width_;
            for (std::int32_t j = 0; j < width_; ++j) {
                row[j] = old[from[j]];
            }
        }
        nodes_[0] = whole.nodes_[depth];
        for (std::int32_t c = 0; c < levels_ + 3; ++c) {
            std::int32_t const entries = c < levels_ ? active_ : width_;
            for (std::int32_t i = 0; i < entries; ++i) {
                std::int32_t const v = from[i] < whole.active_ || c >= levels_ ? from[i] : 0;
                column(0, c)[i] = whole.column(depth, c)[v];
            }
        }
        for (std::int32_t i = 0; i < width_; ++i) {
            part_[i] = whole.part_[from[i]];
            degree_[i] = whole.degree_[from[i]];
        }
        for (std::int32_t i = 0; i < width_; ++i) {
            name_[i] = whole.name_[from[i]];
        }
    }

    [[nodiscard]] OPTGAP_HD std::int32_t open_count(std::int32_t depth) const {
        return nodes_[depth].places[0] + nodes_[depth].places[1];
    }
    /// Would fewer vectors do? Below 32 vertices a new stack costs more than it saves.
    [[nodiscard]] OPTGAP_HD bool is_sparse(std::int32_t depth) const {
        return active_ > 2 * lanes && padded(open_count(depth)) < active_;
    }
    /// Open vertices come before this index.
    [[nodiscard]] OPTGAP_HD std::int32_t active() const { return active_; }
    /// The graph's name of a vertex.
    [[nodiscard]] OPTGAP_HD std::int32_t name(std::int32_t v) const { return name_[v]; }
    [[nodiscard]] OPTGAP_HD node& at(std::int32_t depth) const { return nodes_[depth]; }
    [[nodiscard]] OPTGAP_HD bool open(std::int32_t depth, std::int32_t v) const {
        return column(depth, open_column())[v] != 0;
    }
    /// Where a placed vertex of the top node is.
    [[nodiscard]] OPTGAP_HD std::int32_t part(std::int32_t v) const { return std::int32_t(part_[v]); }
    /// Weight of an open vertex into part s.
    [[nodiscard]] OPTGAP_HD Cost into(std::int32_t depth, std::int32_t s, std::int32_t v) const {
        return column(depth, levels_ + s)[v];
    }
    /// Puts node depth + 1 on the stack, a copy of node `depth`.
    OPTGAP_HD void push(std::int32_t depth) {
        Cost const* __restrict const from = column(depth, 0);
        Cost* __restrict const to = column(depth + 1, 0);
        std::int32_t const entries = stride();
        for (std::int32_t i = 0; i < entries; ++i) {
            to[i] = from[i];
        }
        nodes_[depth + 1] = nodes_[depth];
    }

    OPTGAP_HD void place(std::int32_t depth, std::int32_t v, std::int32_t s) {
        Cost const* __restrict const row = weights_ + std::int64_t(v) * width_;
        std::int32_t const active = active_;
        std::int32_t const width = width_;
        nodes_[depth].cut += into(depth, 1 - s, v);
        --nodes_[depth].places[s];
        Cost* __restrict count = column(depth, 0);
        for (std::int32_t t = 0; t < levels_; ++t, count += active) {
            Cost const level = level_[t];
            for (std::int32_t u = 0; u < active; ++u) {
                count[u] = Cost(count[u] - (row[u] < level));
            }
        }
        Cost* __restrict const sum = column(depth, levels_ + s);
        for (std::int32_t u = 0; u < width; ++u) {
            sum[u] = Cost(sum[u] + row[u]);
        }
        column(depth, open_column())[v] = 0;
        part_[v] = Cost(s);
    }

    std::int32_t vertices;  ///< even

protected:
    // Columns of a node: a count for each level, the weights into parts 0 and 1, and 1 for open vertices.
    // Counts are kept for active vertices only.
    [[nodiscard]] OPTGAP_HD std::int32_t stride() const { return levels_ * active_ + 3 * width_; }
    [[nodiscard]] OPTGAP_HD Cost* column(std::int32_t depth, std::int32_t c) const {
        std::int32_t const before = c < levels_ ? c * active_ : levels_ * active_ + (c - levels_) * width_;
        return columns_ + std::int64_t(depth) * stride() + before;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t open_column() const { return levels_ + 2; }

    /// Weight of a vertex to the open ones.
    [[nodiscard]] OPTGAP_HD Cost rest(std::int32_t depth, std::int32_t v) const {
        return Cost(degree_[v] - into(depth, 0, v) - into(depth, 1, v));
    }

    static constexpr std::int64_t own_columns = 6;

    node* nodes_ = nullptr;
    std::int32_t* name_ = nullptr;
    Cost* weights_ = nullptr;
    Cost* saving_ = nullptr;
    Cost* spare_ = nullptr;
    Cost* inner_[2] = {};
    Cost* part_ = nullptr;
    Cost* degree_ = nullptr;
    Cost* columns_ = nullptr;
    std::int32_t width_;
    std::int32_t active_;
    std::int32_t levels_ = 0;
    Sum limit_ = 0;
    Cost level_[max_levels] = {};
    Cost step_[max_levels] = {};

private:
    OPTGAP_HD void divide(char* scratch, std::int64_t nodes) {
        nodes_ = reinterpret_cast<node*>(scratch);
        name_ = reinterpret_cast<std::int32_t*>(nodes_ + nodes);
        saving_ = reinterpret_cast<Cost*>(name_ + width_);
        spare_ = saving_ + width_;
        inner_[0] = spare_ + width_;
        inner_[1] = inner_[0] + width_;
        part_ = inner_[1] + width_;
        degree_ = part_ + width_;
        weights_ = degree_ + width_;
        columns_ = weights_ + std::int64_t(width_) * width_;
    }

    /// Node 0: nothing placed but the heaviest vertex, in part 0, since the parts have no names.
    OPTGAP_HD void begin() {
        std::int32_t heaviest = 0;
        std::int64_t most = -1;
        for (std::int32_t v = 0; v < width_; ++v) {
            Cost const* const row = weights_ + std::int64_t(v) * width_;
            for (std::int32_t t = 0; t < levels_; ++t) {
                std::int32_t count = -1;  // v itself
                for (std::int32_t u = 0; u < vertices; ++u) {
                    count += row[u] < level_[t];
                }
                column(0, t)[v] = Cost(count);
            }
            part_[v] = 0;
            column(0, levels_)[v] = 0;
            column(0, levels_ + 1)[v] = 0;
            column(0, open_column())[v] = v < vertices;
            std::int64_t degree = 0;
            for (std::int32_t u = 0; u < vertices; ++u) {
                degree += row[u];
            }
            degree_[v] = Cost(degree);
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
