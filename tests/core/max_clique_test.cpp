// The search for cliques and independent sets where a set takes several words, against a simple reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <random>
#include <vector>

#include "kernels/search/max_clique.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/vertex_set_fixture.hpp"

namespace optgap {
namespace {

using namespace vertex_set_fixture;

constexpr std::size_t max_vertices = 128;
using vertices = std::bitset<max_vertices>;

/// A graph with each vertex's excluded vertices: its neighbours, or for a clique all others.
struct sample {
    block words;
    std::vector<vertices> apart;

    sample(block graph, vertex_set kind) : words(std::move(graph)), apart(std::size_t(words[0])) {
        graph_view const given = view_graph(view(words));
        for (std::int32_t u = 0; u < given.n; ++u) {
            for (std::int32_t v = 0; v < given.n; ++v) {
                bool const excludes = given.adjacent(u, v) == (kind == vertex_set::independent);
                apart[std::size_t(u)][std::size_t(v)] = u != v && excludes;
            }
        }
    }

    /// The size of the largest subset of `left` in which no two exclude each other. A vertex that excludes at most one
    /// other belongs to some largest set; else the vertex that excludes the most is taken or left.
    [[nodiscard]] std::int64_t largest(vertices left) const {
        std::size_t widest = 0;
        std::size_t most = 0;
        for (std::size_t v = 0; v < apart.size(); ++v) {
            std::size_t const beside = left[v] ? (apart[v] & left).count() : 0;
            if (left[v] && beside <= 1) {
                return 1 + largest(without(left, v) & ~apart[v]);
            }
            if (beside > most) {
                most = beside;
                widest = v;
            }
        }
        if (most == 0) {
            return 0;
        }
        vertices const rest = without(left, widest);
        return std::max(largest(rest), 1 + largest(rest & ~apart[widest]));
    }
    [[nodiscard]] std::int64_t largest() const {
        vertices all;
        for (std::size_t v = 0; v < apart.size(); ++v) {
            all.set(v);
        }
        return largest(all);
    }
    static vertices without(vertices set, std::size_t v) { return set.reset(v); }

    [[nodiscard]] bool holds(std::int32_t const* set, std::int64_t size) const {
        for (std::int64_t i = 0; i < size; ++i) {
            for (std::int64_t j = 0; j < i; ++j) {
                if (set[i] == set[j] || apart[std::size_t(set[i])][std::size_t(set[j])]) {
                    return false;
                }
            }
        }
        return true;
    }
};

struct found_set {
    search::clique_result result;
    block set;
};

found_set solve(sample const& graph, vertex_set kind, std::int64_t budget) {
    std::int64_t const n = graph.words[0];
    scratch_memory scratch(search::max_clique_scratch_words(n));
    found_set found{{}, block(std::size_t(n))};
    found.result = search::max_clique(view_graph(view(graph.words)), kind, budget, found.set.data(), 0, scratch.data());
    return found;
}

/// Graphs whose vertices exclude two others each, on average: few enough for the simple search, and the range where a
/// search that is cut off knows little.
class max_clique : public ::testing::TestWithParam<vertex_set> {
protected:
    static sample draw_graph(std::mt19937& random) {
        std::int32_t const apart = 20 + std::int32_t(random() % 20);
        std::int32_t const n = 60 + std::int32_t(random() % 17);
        return {random_graph(random, n, GetParam() == vertex_set::clique ? 1000 - apart : apart), GetParam()};
    }
};
INSTANTIATE_TEST_SUITE_P(kinds, max_clique, ::testing::Values(vertex_set::clique, vertex_set::independent),
                         [](auto const& given) {
                             return given.param == vertex_set::clique ? "clique" : "independent";
                         });

TEST_P(max_clique, a_full_search_finds_what_the_plain_one_finds) {
    std::mt19937 random(3);
    for (int round = 0; round < testing::repeats(100); ++round) {
        sample const graph = draw_graph(random);
        found_set const found = solve(graph, GetParam(), INT64_MAX);
        ASSERT_TRUE(found.result.proven) << "round " << round;
        ASSERT_EQ(found.result.size, graph.largest()) << "round " << round;
        ASSERT_EQ(found.result.bound, found.result.size) << "round " << round;
        ASSERT_TRUE(graph.holds(found.set.data(), found.result.size)) << "round " << round;
    }
}

/// Tests of answers do not detect a search that prunes less.
TEST_P(max_clique, a_full_search_takes_the_steps_it_always_took) {
    std::mt19937 random(5);
    std::int64_t steps = 0;
    for (int round = 0; round < 20; ++round) {
        bool const clique = GetParam() == vertex_set::clique;
        sample const graph(random_graph(random, 65 + round, clique ? 700 : 300), GetParam());
        steps += solve(graph, GetParam(), INT64_MAX).result.steps;
    }
    EXPECT_EQ(steps, GetParam() == vertex_set::clique ? 5793 : 5289);
}

TEST_P(max_clique, a_search_that_is_cut_off_bounds_the_optimum_and_proves_no_less) {
    std::mt19937 random(4);
    std::int64_t cut = 0;
    for (int round = 0; round < testing::repeats(100); ++round) {
        sample const graph = draw_graph(random);
        std::int64_t const optimum = graph.largest();
        search::clique_result last = solve(graph, GetParam(), 0).result;
        for (std::int64_t budget = 1; budget < 60; budget += 2) {
            found_set const found = solve(graph, GetParam(), budget);
            ASSERT_TRUE(graph.holds(found.set.data(), found.result.size)) << "round " << round << ", budget " << budget;
            ASSERT_GE(found.result.bound, optimum) << "round " << round << ", budget " << budget;
            ASSERT_EQ(found.result.proven, found.result.bound == found.result.size);
            ASSERT_GE(found.result.size, last.size) << "round " << round << ", budget " << budget;
            ASSERT_LE(found.result.bound, last.bound) << "round " << round << ", budget " << budget;
            ASSERT_LE(found.result.steps, budget);
            cut += found.result.steps == budget ? 1 : 0;
            last = found.result;
        }
    }
    EXPECT_GT(cut, testing::repeats(1000)) << "too few searches were cut off";
}

}  // namespace
}  // namespace optgap
