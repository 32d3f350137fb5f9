#pragma once
// Files of graphs that several tasks read; kernels/core/graph.hpp has their words.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/core/graph.hpp"
#include "kernels/core/team.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap {

/// Builds a graph of the edges that a file lists. Published files list an edge once or twice, and a vertex beside
/// itself: an edge counts once, a loop not at all.
class edge_list {
public:
    explicit edge_list(std::int32_t n);
    [[nodiscard]] std::int32_t n() const { return words_[0]; }
    /// Vertices from 0.
    void add(std::int32_t u, std::int32_t v);
    /// What of the list is odd, as part of a sentence; "" where each edge is there once or each is there twice.
    [[nodiscard]] std::string oddity() const;
    /// "" where `m` is explained: the lines; or all of them are different edges, or each edge is there twice, and m is
    /// the number of edges or twice that; twice for edges that are there once only where each vertex has one.
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
/// "e u v" lines with vertices from 1; m is held against them as edge_list says. Throws field_error whose field is
/// "line 12".
std::vector<std::int32_t> read_dimacs_graph(std::string_view text);

/// DIMACS binary files (.clq.b, .col.b): the length of the preamble, the preamble as above, then for each vertex u a
/// row of bits for the vertices 0 … u, the first one highest, filled up to whole bytes.
std::vector<std::int32_t> read_dimacs_bits(std::string_view text);

}  // namespace optgap
