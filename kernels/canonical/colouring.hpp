#pragma once
// A structure as lists of neighbours, and ordered partitions of its nodes into cells ("colours"). Cells are refined
// until all nodes of a cell have equally many neighbours of each sort in every other cell. Splits are ordered by hashes
// of the property that distinguishes their nodes, so that a cell's place does not depend on labels. A collision of
// hashes only makes a colouring coarser.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernels/canonical/structure.hpp"

namespace optgap::canonical {

[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 29)) * 0xff51afd7ed558ccdu;
    return x ^ (x >> 32);
}
[[nodiscard]] constexpr std::uint64_t mixed(arc const& one) {
    return mixed(std::uint64_t(one.tag) << 32 | std::uint32_t(one.value), 0x51u);
}

/// Nodes, each with its words (kind, then its facts in their order) and its arcs.
struct graph {
    std::int32_t size = 0;
    std::vector<std::int32_t> word_begin;  ///< size + 1
    std::vector<std::int32_t> words;
    std::vector<std::int64_t> arc_begin;  ///< size + 1
    std::vector<arc> arcs;
    std::vector<std::uint64_t> arc_hash;  ///< of an arc's tag and value

    [[nodiscard]] std::span<std::int32_t const> words_of(std::int32_t node) const {
        return std::span(words).subspan(std::size_t(word_begin[std::size_t(node)]),
                                        std::size_t(word_begin[std::size_t(node) + 1] - word_begin[std::size_t(node)]));
    }
    [[nodiscard]] std::span<arc const> arcs_of(std::int32_t node) const {
        return std::span(arcs).subspan(std::size_t(arc_begin[std::size_t(node)]),
                                       std::size_t(arc_begin[std::size_t(node) + 1] - arc_begin[std::size_t(node)]));
    }
};

/// Writes the facts that belong to no node to `head`, in their order and each preceded by its length.
void read_structure(structure const& from, graph& out, std::vector<std::int32_t>& head);

struct colouring {
    std::vector<std::int32_t> order;   ///< nodes, cell after cell
    std::vector<std::int32_t> place;   ///< a node's place in `order`
    std::vector<std::int32_t> cell;    ///< for each node: the place where its cell begins
    std::vector<std::int32_t> length;  ///< at the place where a cell begins: its length
    std::int32_t cells = 0;

    [[nodiscard]] bool discrete() const { return cells == std::int32_t(order.size()); }
    /// The first of the smallest cells with more than one node; -1 if there is none.
    [[nodiscard]] std::int32_t smallest_cell() const;
    /// Starts with the partition of the nodes by their words.
    void begin(graph const& of);
    /// Moves a node to the front of its cell as a cell of its own; the rest of the cell begins one place later.
    void single_out(std::int32_t node);
};

/// Refines colourings. Keeps its memory from call to call.
class refiner {
public:
    /// Refines from the cells that begin at `from`. Returns a hash of the splits and their causes, which is equal for
    /// colourings that a relabelling maps to each other.
    std::uint64_t refine(graph const& of, colouring& in, std::span<std::int32_t const> from);

private:
    void count_neighbours(graph const& of, colouring const& in, std::int32_t splitter);
    using keyed_node = std::pair<std::uint64_t, std::int32_t>;
    /// `keyed`: the touched nodes of the cell.
    void split_cell(colouring& in, std::int32_t begin, std::span<keyed_node> keyed);
    void ask(std::int32_t cell);

    std::vector<std::int32_t> queue_;
    std::vector<char> queued_;
    std::vector<std::uint64_t> key_;  ///< for each node: the sum over its arcs from the splitter
    std::vector<char> seen_;
    std::vector<std::int32_t> touched_;
    std::vector<std::int32_t> touched_in_;  ///< at the place where a cell begins: how many of its nodes were touched
    std::vector<std::int32_t> cells_;
    std::vector<std::int32_t> begins_;
    std::vector<std::int32_t> next_of_;  ///< likewise: where its next node goes in keyed_
    std::vector<keyed_node> keyed_;
    std::uint64_t trace_ = 0;
};

}  // namespace optgap::canonical
