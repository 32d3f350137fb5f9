#include "kernels/canonical/twins.hpp"

#include <algorithm>

namespace optgap::canonical {
namespace {

/// What a node's twins share with it: its cell, its neighbours, and the one sort of joint within the set.
struct likeness {
    std::int32_t cell;
    bool joined;
    arc by;  ///< its tag and value
    std::uint64_t neighbours;
    std::int32_t node;

    [[nodiscard]] bool fits(likeness const& other) const {
        return cell == other.cell && joined == other.joined && by == other.by && neighbours == other.neighbours;
    }
    [[nodiscard]] bool operator<(likeness const& other) const {
        if (cell != other.cell) {
            return cell < other.cell;
        }
        if (joined != other.joined) {
            return joined < other.joined;
        }
        if (by != other.by) {
            return by < other.by;
        }
        return neighbours != other.neighbours ? neighbours < other.neighbours : node < other.node;
    }
};

std::uint64_t towards(std::int32_t node, std::uint64_t arc_hash) { return mixed(std::uint32_t(node), arc_hash); }

std::vector<arc> neighbours_but(graph const& of, std::int32_t node, std::int32_t other) {
    std::vector<arc> all;
    for (arc const& one : of.arcs_of(node)) {
        if (one.to != other) {
            all.push_back(one);
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// Compares the arcs themselves: hashes only propose candidates.
bool are_twins(graph const& of, std::int32_t one, std::int32_t other, likeness const& as) {
    std::int32_t joints = 0;
    for (arc const& a : of.arcs_of(one)) {
        if (a.to == other) {
            ++joints;
            if (!as.joined || a.tag % 2 != 0 || a.tag != as.by.tag || a.value != as.by.value) {
                return false;
            }
        }
    }
    for (arc const& a : of.arcs_of(other)) {
        if (a.to == one && (a.tag != as.by.tag || a.value != as.by.value)) {
            return false;
        }
    }
    return joints == (as.joined ? 1 : 0) && neighbours_but(of, one, other) == neighbours_but(of, other, one);
}

/// The number of sorts of undirected joints within a cell that are tried. A node with more sorts has no twins, or few.
constexpr std::size_t max_sorts = 4;

void list_likeness(graph const& of, colouring const& refined, std::int32_t node, std::vector<likeness>& out) {
    std::int32_t const cell = refined.cell[std::size_t(node)];
    if (refined.length[std::size_t(cell)] == 1) {
        return;
    }
    std::uint64_t all = 0;
    std::vector<arc> sorts;
    std::vector<std::uint64_t> hashes;
    for (std::int64_t a = of.arc_begin[std::size_t(node)]; a < of.arc_begin[std::size_t(node) + 1]; ++a) {
        arc const& one = of.arcs[std::size_t(a)];
        std::uint64_t const hash = of.arc_hash[std::size_t(a)];
        all += towards(one.to, hash);
        arc const sort{0, one.tag, one.value};
        if (one.tag % 2 == 0 && refined.cell[std::size_t(one.to)] == cell && sorts.size() <= max_sorts &&
            std::find(sorts.begin(), sorts.end(), sort) == sorts.end()) {
            sorts.push_back(sort);
            hashes.push_back(hash);
        }
    }
    out.push_back({cell, false, {}, all, node});
    for (std::size_t s = 0; s < sorts.size() && sorts.size() <= max_sorts; ++s) {
        out.push_back({cell, true, sorts[s], all + towards(node, hashes[s]), node});
    }
}

void keep(graph& of, std::vector<std::int32_t> const& stands_for, std::vector<likeness const*> const& as,
          std::int32_t round) {
    graph out;
    std::vector<std::int32_t> renamed(std::size_t(of.size), -1);
    for (std::int32_t v = 0; v < of.size; ++v) {
        if (stands_for[std::size_t(v)] > 0) {
            renamed[std::size_t(v)] = out.size++;
        }
    }
    out.word_begin.assign(1, 0);
    out.arc_begin.assign(1, 0);
    for (std::int32_t v = 0; v < of.size; ++v) {
        std::int32_t const count = stands_for[std::size_t(v)];
        if (count == 0) {
            continue;
        }
        std::span<std::int32_t const> const words = of.words_of(v);
        out.words.insert(out.words.end(), words.begin(), words.end());
        if (count > 1) {
            likeness const& by = *as[std::size_t(v)];
            out.words.insert(out.words.end(),
                             {-1 - round, count, std::int32_t(by.joined), std::int32_t(by.by.tag), by.by.value});
        }
        out.word_begin.push_back(std::int32_t(out.words.size()));
        for (arc const& one : of.arcs_of(v)) {
            if (renamed[std::size_t(one.to)] >= 0) {
                out.arcs.push_back({renamed[std::size_t(one.to)], one.tag, one.value});
                out.arc_hash.push_back(mixed(one));
            }
        }
        out.arc_begin.push_back(std::int64_t(out.arcs.size()));
    }
    of = std::move(out);
}

}  // namespace

bool merge_twins(graph& of, colouring const& refined, std::int32_t round) {
    std::vector<likeness> all;
    for (std::int32_t v = 0; v < of.size; ++v) {
        list_likeness(of, refined, v, all);
    }
    std::sort(all.begin(), all.end());
    // Two sets of twins that share a node are merged, so that no node is counted twice.
    std::vector<std::int32_t> stands_for(std::size_t(of.size), 1);
    std::vector<likeness const*> as(std::size_t(of.size), nullptr);
    bool found = false;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t next = i + 1;
        std::int32_t const first = all[i].node;
        while (next < all.size() && all[next].fits(all[i])) {
            std::int32_t const node = all[next].node;
            if (stands_for[std::size_t(node)] == 1 && stands_for[std::size_t(first)] > 0 &&
                as[std::size_t(node)] == nullptr &&
                (as[std::size_t(first)] == nullptr || as[std::size_t(first)] == &all[i]) &&
                are_twins(of, first, node, all[i])) {
                stands_for[std::size_t(node)] = 0;
                ++stands_for[std::size_t(first)];
                as[std::size_t(first)] = &all[i];
                found = true;
            }
            ++next;
        }
        i = next;
    }
    if (found) {
        keep(of, stands_for, as, round);
    }
    return found;
}

}  // namespace optgap::canonical
