#pragma once
// Files of graphs, read by several tasks; kernels/core/graph.hpp defines their words.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/core/graph.hpp"
#include "kernels/core/team.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap {

/// Builds a graph from the edges that a file lists. Published files list an edge once or twice, and may join a vertex
/// to itself: an edge counts once, a loop is ignored.
class edge_list {
public:
    explicit edge_list(std::int32_t n);
    [[nodiscard]] std::int32_t n() const { return words_[0]; }
    /// Adds an edge; vertices count from 0.
    void add(std::int32_t u, std::int32_t v);
    /// Describes what is unusual about the list, as part of a sentence; "" if each edge is listed once, or each twice.
    [[nodiscard]] std::string oddity() const;
    /// Returns "" if `m` is consistent with the list: it is the number of lines; or all edges are listed once, or all
    /// twice, and m is the number of edges or twice that. Twice the number of edges that are listed once is accepted
    /// only if each vertex has an edge.
    [[nodiscard]] std::string broken_count(std::int64_t m) const;
    std::vector<std::int32_t> take() { return std::move(words_); }

private:
    [[nodiscard]] bool even() const;
    [[nodiscard]] bool all_joined() const;

    solo team_;
    std::vector<std::int32_t> words_;
    std::uint32_t* rows_ = nullptr;
    std::int64_t lines_ = 0, edges_ = 0, loops_ = 0;
};

/// DIMACS clique and colouring files (.clq, .col): "c" comments, one "p edge n m" line (also "p col n m" and "p n m"),
/// "e u v" lines with vertices from 1. m is checked by edge_list. Throws field_error whose field is "line 12".
std::vector<std::int32_t> read_dimacs_graph(std::string_view text);

/// DIMACS binary files (.clq.b, .col.b): the length of the preamble, the preamble as above, then for each vertex u a
/// row of bits for the vertices 0 … u, the first one highest, padded to whole bytes.
std::vector<std::int32_t> read_dimacs_bits(std::string_view text);

}  // namespace optgap
