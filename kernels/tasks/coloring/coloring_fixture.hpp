#pragma once
// Shared by the tests of coloring: instances, and one solo call of each of the task's functions.

#include "kernels/tasks/coloring/coloring.hpp"
#include "tests/support/vertex_set_fixture.hpp"

namespace optgap::coloring_fixture {

using namespace vertex_set_fixture;
using optgap::tasks::coloring::task;
using calls = calls_of<task>;

inline verdict verify(block const& instance, block const& answer) { return calls::verify(instance, answer); }
inline block generate(std::uint64_t seed, difficulty level) { return calls::generate(seed, level); }
inline block greedy(block const& instance) { return calls::greedy(instance); }
inline solved solve(block const& instance, std::int64_t budget = task::default_budget) {
    return calls::solve(instance, budget);
}
inline improved improve(block const& instance, block const& start, std::int64_t steps) {
    return calls::improve(instance, start, steps);
}

/// The constant policy's answer: all different.
inline block all_different(block const& instance) {
    std::vector<std::int32_t> colours;
    for (std::int32_t v = 0; v < instance[0]; ++v) {
        colours.push_back(v);
    }
    return flat(colours);
}

template <class Joined>
block graph_of(std::int32_t n, Joined const& joined) {
    block words(std::size_t(graph_words(n)));
    solo team;
    std::uint32_t* const rows = begin_graph(team, words.data(), n);
    for (std::int32_t u = 0; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            if (joined(v, u)) {
                add_edge(team, rows, n, u, v);
            }
        }
    }
    return words;
}

inline block cycle(std::int32_t n) {
    return graph_of(n, [=](std::int32_t u, std::int32_t v) { return v == u + 1 || (u == 0 && v == n - 1); });
}

/// Squares of a board, adjacent where a queen moves from one to the other.
inline block queens(std::int32_t side) {
    return graph_of(side * side, [=](std::int32_t u, std::int32_t v) {
        std::int32_t const down = v / side - u / side;
        std::int32_t const right = v % side - u % side;
        return down == 0 || right == 0 || down == right || down == -right;
    });
}

/// Mycielski's construction: one colour more, no larger clique. Vertex v of `given` has the shadow n + v.
inline block mycielski(block const& given) {
    std::int32_t const n = given[0];
    graph_view const graph = view_graph(view(given));
    return graph_of(2 * n + 1, [=](std::int32_t u, std::int32_t v) {
        return v == 2 * n ? u >= n : v >= n ? u < n && graph.adjacent(u, v - n) : graph.adjacent(u, v);
    });
}

inline block const paper = graph(R"({"n":4,"edges":[[0,1],[0,2],[1,3],[2,3]]})");

}  // namespace optgap::coloring_fixture
