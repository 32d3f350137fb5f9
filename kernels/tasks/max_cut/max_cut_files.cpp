// Weighted graphs in the format of rudy, used by Gset (Helmberg & Rendl 2000) and Biq Mac (Wiegele 2007): n and m, then
// a line for each edge with its ends, from 1, and its weight.

#include <string_view>
#include <vector>

#include "kernels/core/weighted_graph.hpp"
#include "kernels/text/file_words.hpp"

namespace optgap::text::max_cut {

std::vector<std::int32_t> read_rudy(std::string_view text) {
    file_lines lines(text);
    if (!lines.next()) {
        lines.fail("the file is empty; expected a line with the numbers of vertices and edges");
    }
    std::vector<std::int64_t> const head = lines.integers("a number of the head", 0, INT32_MAX, 2);
    std::int64_t const n = head[0];
    std::int64_t const m = head[1];
    if (n < 1 || n > max_weighted_vertices) {
        lines.fail("the number of vertices must be in 1 ... " + std::to_string(max_weighted_vertices));
    }
    std::vector<std::int32_t> words;
    std::vector<bool> seen;
    std::int64_t found = 0;
    std::int64_t columns = 0;
    while (lines.next()) {
        if (words.empty()) {  // not before there is an edge: a file may contain only n
            words.resize(std::size_t(weighted_graph_words(n)));
            seen.resize(std::size_t(n * n));
            columns = lines.count() == 2 ? 2 : 3;
        }
        if (++found > m) {
            lines.fail("there are more edges than the " + std::to_string(m) + " that the head says");
        }
        if (lines.count() != columns) {
            lines.fail(columns == 2 ? "expected u v, as in the first edge's line" : "expected u v weight");
        }
        file_words row = lines.words();
        std::int64_t const u = row.next_integer("a vertex", 1, n) - 1;
        std::int64_t const v = row.next_integer("a vertex", 1, n) - 1;
        std::int64_t const weight = columns == 2 ? 1 : row.next_integer("a weight", -INT32_MAX, INT32_MAX);
        if (u == v) {
            lines.fail("an edge must join two different vertices");
        }
        if (seen[std::size_t(u * n + v)]) {
            lines.fail("there is a second edge between " + std::to_string(u + 1) + " and " + std::to_string(v + 1));
        }
        seen[std::size_t(u * n + v)] = seen[std::size_t(v * n + u)] = true;
        words[std::size_t(1 + u * n + v)] = words[std::size_t(1 + v * n + u)] = std::int32_t(weight);
    }
    if (found != m) {
        lines.fail("the head says " + std::to_string(m) + " edges, but there are " + std::to_string(found));
    }
    words.resize(std::size_t(weighted_graph_words(n)));
    words[0] = std::int32_t(n);
    return words;
}

}  // namespace optgap::text::max_cut
