#include "kernels/canonical/labelling.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/canonical/colouring.hpp"
#include "kernels/canonical/twins.hpp"

namespace optgap::canonical {
namespace {

/// A node of the search costs the nodes and arcs of its structure. The total cost is at most this.
constexpr std::int64_t max_work = 20'000'000;
constexpr std::size_t max_symmetries = 512;

/// Sets of nodes that symmetries map to each other.
class orbits {
public:
    explicit orbits(std::int32_t n) : parent_(std::size_t(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
    std::int32_t find(std::int32_t v) {
        while (parent_[std::size_t(v)] != v) {
            parent_[std::size_t(v)] = parent_[std::size_t(parent_[std::size_t(v)])];
            v = parent_[std::size_t(v)];
        }
        return v;
    }
    void join(std::int32_t a, std::int32_t b) { parent_[std::size_t(find(a))] = find(b); }

private:
    std::vector<std::int32_t> parent_;
};

/// A row that contains at least one in `dense_share` of all nodes is sorted by their places.
constexpr std::size_t dense_share = 4;

/// Returns false, without a change, if two arcs lead to one place. `by_place` is -1 everywhere, before and after.
bool order_by_place(std::vector<arc>& row, std::vector<arc>& by_place) {
    bool once = true;
    for (arc const& one : row) {
        once = once && by_place[std::size_t(one.to)].to < 0;
        by_place[std::size_t(one.to)] = one;
    }
    auto next = row.begin();
    for (arc& one : by_place) {
        if (one.to >= 0 && once) {
            *next++ = one;
        }
        one.to = -1;
    }
    return once;
}

/// Writes kind and facts of the nodes in their order, and their arcs.
void write_words(graph const& of, colouring const& leaf, std::vector<std::int32_t>& out) {
    out.clear();
    for (std::int32_t const v : leaf.order) {
        std::span<std::int32_t const> const words = of.words_of(v);
        out.push_back(std::int32_t(words.size()));
        out.insert(out.end(), words.begin(), words.end());
    }
    std::vector<arc> row, by_place(std::size_t(of.size), {-1, 0, 0});
    for (std::int32_t const v : leaf.order) {
        row.clear();
        for (arc const& one : of.arcs_of(v)) {
            // An undirected joint, and a directed one that begins here, is written once.
            std::int32_t const to = leaf.place[std::size_t(one.to)];
            if (one.tag % 2 == 0) {
                row.push_back({to, one.tag, one.value});
            }
        }
        if (row.size() < std::size_t(of.size) / dense_share || !order_by_place(row, by_place)) {
            std::sort(row.begin(), row.end());
        }
        out.push_back(std::int32_t(row.size()));
        for (arc const& one : row) {
            out.insert(out.end(), {one.to, std::int32_t(one.tag), one.value});
        }
    }
}

/// Writes the result of refinement alone: the cells, and how many arcs of which sort there are between which cells.
void write_cells(graph const& of, colouring const& refined, std::vector<std::int32_t>& out) {
    out.clear();
    auto const push = [&](std::uint64_t word) {
        out.push_back(std::int32_t(std::uint32_t(word)));
        out.push_back(std::int32_t(std::uint32_t(word >> 32)));
    };
    for (std::int32_t at = 0; at < of.size; at += refined.length[std::size_t(at)]) {
        std::uint64_t words = 0, arcs = 0;
        for (std::int32_t i = at; i < at + refined.length[std::size_t(at)]; ++i) {
            std::size_t const v = std::size_t(refined.order[std::size_t(i)]);
            std::uint64_t own = 0;
            for (std::int32_t const word : of.words_of(std::int32_t(v))) {
                own = mixed(own, std::uint32_t(word));
            }
            words += own;
            for (std::int64_t a = of.arc_begin[v]; a < of.arc_begin[v + 1]; ++a) {
                arcs += mixed(std::uint32_t(refined.cell[std::size_t(of.arcs[std::size_t(a)].to)]),
                              of.arc_hash[std::size_t(a)]);
            }
        }
        out.push_back(refined.length[std::size_t(at)]);
        push(words);
        push(arcs);
    }
}

/// Depth first, without recursion, because a path may be as long as the structure.
class search {
public:
    search(graph const& of, refiner& by, std::int64_t budget) : graph_(of), by_(by), budget_(budget) {}

    /// Returns false if the budget ended first.
    bool run(colouring const& root) {
        if (root.discrete()) {
            write_words(graph_, root, best_words_);
            return true;
        }
        push(root, -1);
        while (!levels_.empty() && !over_) {
            std::size_t const depth = levels_.size() - 1;
            bool const left = jump_ < depth || levels_.back().next == levels_.back().open.size();
            if (left) {
                levels_.pop_back();
            } else {
                jump_ = nowhere;
                descend(depth);
            }
        }
        return !over_;
    }
    [[nodiscard]] std::vector<std::int32_t>& best() { return best_words_; }
    [[nodiscard]] std::int64_t nodes() const { return nodes_; }

private:
    struct level {
        colouring colours;
        std::vector<std::int32_t> open;   ///< of the cell that is split
        std::vector<std::int32_t> tried;  ///< those of `open` that were tried
        std::size_t next = 0;
        int compared = 0;       ///< the path to this level compared with the best one's: -1 if better, 0 if equal
        orbits alike;           ///< orbits under the symmetries that fix the path to this level
        std::size_t known = 0;  ///< number of symmetries taken into account
    };
    static constexpr std::size_t nowhere = SIZE_MAX;

    void push(colouring const& colours, int compared) {
        std::int32_t const begin = colours.smallest_cell();
        auto const first = colours.order.begin() + begin;
        levels_.push_back(
            {colours, {first, first + colours.length[std::size_t(begin)]}, {}, 0, compared, orbits(graph_.size), 0});
    }

    bool is_like_a_tried_one(level& here, std::int32_t v) {
        for (; here.known < symmetries_.size(); ++here.known) {
            std::vector<std::int32_t> const& to = symmetries_[here.known];
            if (std::all_of(path_.begin(), path_.end(), [&](std::int32_t u) { return to[std::size_t(u)] == u; })) {
                for (std::int32_t u = 0; u < graph_.size; ++u) {
                    here.alike.join(u, to[std::size_t(u)]);
                }
            }
        }
        return std::any_of(here.tried.begin(), here.tried.end(),
                           [&](std::int32_t u) { return here.alike.find(u) == here.alike.find(v); });
    }

    void descend(std::size_t depth) {
        level& here = levels_[depth];
        std::int32_t const v = here.open[here.next++];
        path_.resize(depth);
        trace_.resize(depth);
        if (is_like_a_tried_one(here, v)) {
            return;
        }
        here.tried.push_back(v);
        if (++nodes_ > budget_) {
            over_ = true;
            return;
        }
        colouring child = here.colours;
        std::int32_t const begin = child.cell[std::size_t(v)];
        child.single_out(v);
        std::int32_t const from[] = {begin};
        std::uint64_t const trace = by_.refine(graph_, child, from);
        path_.push_back(v);
        trace_.push_back(mixed(trace, std::uint64_t(child.cells)));
        int compared = here.compared;
        if (compared == 0 && trace_[depth] != best_trace_[depth]) {
            compared = trace_[depth] < best_trace_[depth] ? -1 : 1;
        }
        if (compared > 0) {
            return;
        }
        if (child.discrete()) {
            take_leaf(child, compared);
        } else {
            push(child, compared);
        }
    }

    void take_leaf(colouring const& leaf, int compared) {
        write_words(graph_, leaf, leaf_words_);
        if (compared == 0 && leaf_words_ == best_words_) {
            std::vector<std::int32_t> to(std::size_t(graph_.size));
            for (std::size_t i = 0; i < to.size(); ++i) {
                to[std::size_t(best_order_[i])] = leaf.order[i];
            }
            if (symmetries_.size() < max_symmetries) {
                symmetries_.push_back(std::move(to));
            }
            // The subtree below the first difference is the image, under this symmetry, of the subtree below the best
            // path's node.
            jump_ = std::size_t(std::mismatch(path_.begin(), path_.end(), best_path_.begin()).first - path_.begin());
        } else if (compared < 0 || leaf_words_ < best_words_) {
            best_words_ = leaf_words_;
            best_order_ = leaf.order;
            best_path_ = path_;
            best_trace_ = trace_;
            for (level& own : levels_) {
                own.compared = 0;
            }
        }
    }

    graph const& graph_;
    refiner& by_;
    std::int64_t budget_;
    std::vector<level> levels_;
    std::vector<std::int32_t> path_, best_path_;
    std::vector<std::uint64_t> trace_, best_trace_;
    std::vector<std::int32_t> leaf_words_, best_words_, best_order_;
    std::vector<std::vector<std::int32_t>> symmetries_;
    std::size_t jump_ = nowhere;  ///< the level at which to continue
    std::int64_t nodes_ = 0;
    bool over_ = false;
};

}  // namespace

labelled label(structure const& of, std::int64_t budget) {
    labelled out;
    graph nodes;
    std::vector<std::int32_t> head;
    read_structure(of, nodes, head);
    thread_local refiner by;  // keeps its memory
    colouring colours;
    std::vector<std::int32_t> cells;
    auto const refine_all = [&] {
        colours.begin(nodes);
        cells.clear();
        for (std::int32_t at = 0; at < nodes.size; at += colours.length[std::size_t(at)]) {
            cells.push_back(at);
        }
        by.refine(nodes, colours, cells);
    };
    refine_all();
    for (std::int32_t round = 0; !colours.discrete() && merge_twins(nodes, colours, round); ++round) {
        refine_all();
    }
    std::int64_t const cost = nodes.size + std::int64_t(nodes.arcs.size()) + 1;
    search of_labels(nodes, by, std::min(budget, std::max<std::int64_t>(1, max_work / cost)));
    out.coarse = !of_labels.run(colours);
    out.nodes = of_labels.nodes();
    std::vector<std::int32_t> body;
    if (out.coarse) {
        write_cells(nodes, colours, body);
    } else {
        body = std::move(of_labels.best());
    }
    out.words = {std::int32_t(out.coarse), of.size(), nodes.size, std::int32_t(head.size())};
    out.words.insert(out.words.end(), head.begin(), head.end());
    out.words.insert(out.words.end(), body.begin(), body.end());
    return out;
}

}  // namespace optgap::canonical
