#pragma once
// Moves of steiner_tree: a vertex is added to the tree or removed. The tree is then the least one over its vertices,
// without the branches that end in no terminal. The effect of a move is computed by growing that tree.

#include <cstdint>

#include "kernels/core/weighted_graph.hpp"
#include "kernels/families/routes/weighted_edges.hpp"
#include "kernels/search/local_search.hpp"
#include "kernels/search/pruned_tree.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::steiner_tree {

/// The state is the vertices of the tree; the loss is its weight.
class vertex_changes {
public:
    OPTGAP_HD static std::int64_t image_words(words_view on) { return even(2 + std::int64_t(on[0])); }
    /// One tree for each row, and the state's own.
    OPTGAP_HD static std::int64_t table_words(words_view on) {
        std::int64_t const n = on[0];
        return n + (n + 1) * search::pruned_tree::words(n);
    }
    OPTGAP_HD static std::int32_t things(words_view on) { return on[0]; }

    OPTGAP_HD vertex_changes(words_view on, std::int32_t* image, std::int32_t* tables)
        : graph_(families::view_edges(on)),
          terminals_(on.data + weighted_graph_words(on[0]) + 1),
          count_(on[weighted_graph_words(on[0])]),
          weight_(reinterpret_cast<std::int64_t*>(image)),
          inside_(image + 2),
          wanted_(tables),
          trees_(tables + on[0]) {}

    template <class Team>
    OPTGAP_HD void prepare(Team& team) const {
        team.each(graph_.n, [&](std::int64_t v) { wanted_[v] = 0; });
        team.sync();
        team.each(count_, [&](std::int64_t k) { wanted_[terminals_[k]] = 1; });
        team.sync();
    }
    template <class Team>
    OPTGAP_HD void look(Team&) const {}
    /// Starts from an answer that need not be a tree.
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        team.each(graph_.n, [&](std::int64_t v) { inside_[v] = wanted_[v]; });
        team.sync();
        if (team.rank() == 0) {
            for (std::int64_t i = 0; i < answer.count; ++i) {
                inside_[answer.values[i]] = 1;
            }
            drop_foreign();
            grow();
        }
        team.sync();
        return *weight_;
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return loss; }
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        std::int32_t size = 0;
        if (team.rank() == 0) {
            for (std::int32_t v = 0; v < graph_.n; ++v) {
                size += inside_[v];
            }
            --size;
            tree(graph_.n).weigh(inside_);
            tree(graph_.n).write(inside_, answer + 1 + size);
            answer[0] = size;
            for (std::int32_t r = 0; r < size; ++r) {
                answer[1 + r] = 2;
            }
        }
        size = team.broadcast(size);
        team.sync();
        return 1 + 3 * std::int64_t(size);
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return graph_.n; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t width() { return 1; }
    /// A vertex that would be added as the end of a branch changes nothing.
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t v, Offer const& offer) const {
        if (wanted_[v] != 0 || (inside_[v] == 0 && neighbours(v) < 2)) {
            return;
        }
        search::pruned_tree const grown = tree(v);
        std::int64_t const weight = grown.weigh(inside_, v);
        if (weight != INT64_MAX && (inside_[v] != 0 || grown.holds(v))) {
            offer(0, weight - *weight_);
        }
    }
    [[nodiscard]] OPTGAP_HD static constexpr search::moved_things moved(std::int32_t v) { return {v}; }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t v) const {
        if (team.rank() == 0) {
            inside_[v] ^= 1;
            grow();
        }
        team.sync();
    }

private:
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t even(std::int64_t words) { return (words + 1) / 2 * 2; }
    [[nodiscard]] OPTGAP_HD search::pruned_tree tree(std::int64_t row) const {
        return {graph_.rows, graph_.n, terminals_[0], wanted_, trees_ + row * search::pruned_tree::words(graph_.n)};
    }
    /// The number of neighbours in the tree; counting stops at two.
    [[nodiscard]] OPTGAP_HD std::int32_t neighbours(std::int32_t v) const {
        std::int32_t count = 0;
        for (std::int32_t u = 0; u < graph_.n && count < 2; ++u) {
            count += inside_[u] != 0 && graph_.weight(v, u) > 0 ? 1 : 0;
        }
        return count;
    }
    /// Called by one lane.
    OPTGAP_HD void grow() const {
        *weight_ = tree(graph_.n).weigh(inside_);
        tree(graph_.n).drop_branches(inside_);
    }
    /// Removes edges of an answer that are not connected to a terminal.
    OPTGAP_HD void drop_foreign() const {
        std::int32_t* const reached = trees_;
        std::int32_t* const line = trees_ + graph_.n;
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            reached[v] = 0;
        }
        reached[terminals_[0]] = 1;
        line[0] = terminals_[0];
        for (std::int32_t next = 0, end = 1; next < end; ++next) {
            for (std::int32_t v = 0; v < graph_.n; ++v) {
                if (inside_[v] != 0 && reached[v] == 0 && graph_.weight(line[next], v) > 0) {
                    reached[v] = 1;
                    line[end++] = v;
                }
            }
        }
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            inside_[v] = reached[v];
        }
    }

    families::weighted_edges graph_;
    std::int32_t const* terminals_;
    std::int32_t count_;
    std::int64_t* weight_;
    std::int32_t* inside_;
    std::int32_t* wanted_;  ///< terminals
    std::int32_t* trees_;
};

}  // namespace tasks::steiner_tree
OPTGAP_KERNELS_END
