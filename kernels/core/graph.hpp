#pragma once
// The unweighted graph, shared by every graph task. Instance words:
//
//   [n, row 0, row 1, …, row n-1]      a row is bitset_words(n) 32-bit words; bit v of row u: u and v are adjacent
//
// Rows are full and symmetric; the diagonal and the bits past n are zero. This takes twice the memory of a triangle,
// but one row answers "which of these are my neighbours" for 32 vertices an instruction, and solvers ask nothing else.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/layout.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN

/// The limit for users' graphs: 50 MB of rows.
inline constexpr std::int32_t max_graph_vertices = 20'000;

/// The layout of an instance that is a graph and nothing else.
inline constexpr field graph_layout[] = {
    {"edges", field_kind::graph, "n is 1 to 20000, and an edge joins two different vertices"},
};

[[nodiscard]] OPTGAP_HD constexpr std::int64_t graph_words(std::int64_t n) { return 1 + n * bitset_words(n); }

struct graph_view {
    std::uint32_t const* rows = nullptr;
    std::int32_t n = 0;
    std::int32_t row_words = 0;

    [[nodiscard]] OPTGAP_HD std::uint32_t const* row(std::int32_t v) const {
        return rows + std::int64_t(v) * row_words;
    }
    [[nodiscard]] OPTGAP_HD bool adjacent(std::int32_t u, std::int32_t v) const { return contains(row(u), v); }
    [[nodiscard]] OPTGAP_HD std::int32_t degree(std::int32_t v) const {
        std::int32_t count = 0;
        for (std::int32_t w = 0; w < row_words; ++w) {
            count += popcount(row(v)[w]);
        }
        return count;
    }
    /// The row as one word; n <= 64.
    [[nodiscard]] OPTGAP_HD std::uint64_t row64(std::int32_t v) const {
        std::uint32_t const* const words = row(v);
        return row_words > 1 ? words[0] | std::uint64_t(words[1]) << 32 : words[0];
    }
};

/// A view of `words`, which passed check_graph.
OPTGAP_HD inline graph_view view_graph(words_view words) {
    std::int32_t const n = words[0];
    return {reinterpret_cast<std::uint32_t const*>(words.data + 1), n, std::int32_t(bitset_words(n))};
}

/// Returns the rows of a graph under construction: zeroed, with n written before them.
template <class Team>
OPTGAP_HD std::uint32_t* begin_graph(Team& team, std::int32_t* words, std::int32_t n) {
    if (team.rank() == 0) {
        words[0] = n;
    }
    team.each(graph_words(n) - 1, [&](std::int64_t i) { words[1 + i] = 0; });
    team.sync();
    return reinterpret_cast<std::uint32_t*>(words + 1);
}

/// Any lane may add any edge, including one that is already there; the caller syncs.
template <class Team>
OPTGAP_HD void add_edge(Team& team, std::uint32_t* rows, std::int32_t n, std::int32_t u, std::int32_t v) {
    std::int64_t const row_words = bitset_words(n);
    team.fetch_or(&rows[u * row_words + (v >> 5)], 1u << (v & 31));
    team.fetch_or(&rows[v * row_words + (u >> 5)], 1u << (u & 31));
}

/// Transposes a square bit matrix by swapping ever smaller off-diagonal blocks. A row is one Word, and there are as
/// many rows as a Word has bits.
template <class Word>
OPTGAP_HD void transpose_bits(Word* matrix) {
    constexpr int size = int(8 * sizeof(Word));
    Word low = Word(~Word(0));
    for (int width = size / 2; width > 0; width /= 2) {
        low = Word(low ^ (low << width));
        for (int block = 0; block < size; block += 2 * width) {
            for (int i = block; i < block + width; ++i) {
                Word const swapped = Word((matrix[i] >> width) ^ matrix[i + width]) & low;
                matrix[i] ^= Word(swapped << width);
                matrix[i + width] ^= swapped;
            }
        }
    }
}

/// Returns nullptr, or the rule that a user's graph words break. The symmetry check costs n^2 / 2048 block transposes.
OPTGAP_HD inline char const* check_graph(words_view words) {
    if (words.count < 1) {
        return "the words must begin with n";
    }
    if (words.data[0] < 1) {
        return "n must be at least 1";
    }
    if (words.data[0] > max_graph_vertices) {
        return "n must be at most 20000";
    }
    if (words.count != graph_words(words.data[0])) {
        return "a graph has 1 + n * ceil(n / 32) words";
    }
    graph_view const graph = view_graph(words);
    std::int32_t const last_bits = graph.n % 32;
    for (std::int32_t v = 0; v < graph.n; ++v) {
        if (last_bits != 0 && graph.row(v)[graph.row_words - 1] >> last_bits != 0) {
            return "bits past n must be 0";
        }
        if (graph.adjacent(v, v)) {
            return "a vertex must not be adjacent to itself";
        }
    }
    for (std::int32_t block = 0; block < graph.row_words; ++block) {
        for (std::int32_t other = block; other < graph.row_words; ++other) {
            std::uint32_t above[32];
            for (std::int32_t i = 0; i < 32; ++i) {
                std::int32_t const v = 32 * block + i;
                above[i] = v < graph.n ? graph.row(v)[other] : 0;
            }
            transpose_bits(above);
            for (std::int32_t i = 0; i < 32; ++i) {
                std::int32_t const v = 32 * other + i;
                if (v < graph.n && graph.row(v)[block] != above[i]) {
                    return "the rows must be symmetric";
                }
            }
        }
    }
    return nullptr;
}

OPTGAP_KERNELS_END
