#pragma once
// Graphs whose edges have lengths, for the references of the tasks on them. Plain C++, independent of kernels/.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace optgap::reference {

/// The JSON form {"n", "edges": [[u, v, weight]]}, from [n, row 0, …], rows of weights, 0 for no edge.
struct lengths_graph {
    static constexpr std::int64_t infinite = INT64_MAX / 4;
    struct edge {
        std::int32_t u, v;
        std::int64_t weight;
    };
    std::int32_t n = 0;
    std::vector<edge> edges;
    std::span<std::int32_t const> rest;  ///< words after the graph

    explicit lengths_graph(std::span<std::int32_t const> words) : n(words[0]) {
        for (std::int32_t u = 0; u < n; ++u) {
            for (std::int32_t v = u + 1; v < n; ++v) {
                if (std::int32_t const weight = words[1 + std::size_t(u) * std::size_t(n) + std::size_t(v)]) {
                    edges.push_back({u, v, weight});
                }
            }
        }
        rest = words.subspan(1 + std::size_t(n) * std::size_t(n));
    }

    /// By Floyd and Warshall.
    [[nodiscard]] std::vector<std::vector<std::int64_t>> distances() const {
        auto const size = std::size_t(n);
        std::vector<std::vector<std::int64_t>> far(size, std::vector<std::int64_t>(size, infinite));
        for (std::size_t v = 0; v < size; ++v) {
            far[v][v] = 0;
        }
        for (edge const& e : edges) {
            far[std::size_t(e.u)][std::size_t(e.v)] = far[std::size_t(e.v)][std::size_t(e.u)] = e.weight;
        }
        for (std::size_t k = 0; k < size; ++k) {
            for (std::size_t i = 0; i < size; ++i) {
                for (std::size_t j = 0; j < size; ++j) {
                    far[i][j] = std::min(far[i][j], far[i][k] + far[k][j]);
                }
            }
        }
        return far;
    }
};

}  // namespace optgap::reference
