#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "kernels/tasks/hamiltonian/hamiltonian_fixture.hpp"
#include "kernels/tasks/hamiltonian/hamiltonian_reference.hpp"

namespace {

using namespace optgap;
using namespace optgap::hamiltonian_fixture;

TEST(hamiltonian, proves_the_longest_cycle_of_small_graphs_or_that_there_is_none) {
    std::mt19937 random(5);
    int none = 0;
    for (int round = 0; round < 3000; ++round) {
        words const instance = random_graph(random, 1 + round % 12, std::int32_t(random() % (round % 2 ? 1001 : 400)));
        auto const optimum = reference::hamiltonian::optimum(instance);
        solved const found = solve(instance);
        if (!optimum) {
            ++none;
            ASSERT_EQ(found.result.status, baseline_status::infeasible) << round;
            ASSERT_EQ(found.result.objective, no_objective);
            ASSERT_EQ(found.result.bound, no_objective);
            ASSERT_TRUE(found.answer.empty());
            continue;
        }
        ASSERT_EQ(found.result.status, baseline_status::optimal) << round;
        ASSERT_EQ(found.result.objective, *optimum) << round;
        ASSERT_EQ(found.result.bound, *optimum) << round;
        ASSERT_EQ(verify(instance, found.answer).objective, *optimum) << round;
    }
    EXPECT_GT(none, 300);
    EXPECT_LT(none, 2000);
}

TEST(hamiltonian, proves_the_longest_cycle_of_sparse_graphs_with_cuts) {
    std::mt19937 random(15);
    for (int round = 0; round < 60; ++round) {
        std::int32_t const n = 13 + round % 4;
        words const instance = random_graph(random, n, 2500 / n);
        solved const found = solve(instance);
        auto const optimum = reference::hamiltonian::optimum(instance);
        ASSERT_EQ(found.result.objective, optimum.value_or(no_objective)) << round;
        ASSERT_EQ(found.result.bound, optimum.value_or(no_objective)) << round;
    }
}

struct known {
    char const* name;
    words instance;
    std::int64_t longest;  ///< 0: none
};
std::vector<known> known_graphs() {
    words const two_squares = graph(7, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}, {4, 5}, {5, 6}, {6, 3}});
    words const apart = graph(70, {{0, 1}, {1, 2}, {2, 0}, {60, 61}, {61, 62}, {62, 63}, {63, 60}, {5, 6}});
    words nearly_bipartite = complete_bipartite(3, 8);
    solo team;
    add_edge(team, reinterpret_cast<std::uint32_t*>(nearly_bipartite.data() + 1), 11, 3, 4);
    return {
        {"one vertex", graph(1, {}), 0},
        {"an edge", graph(2, {{0, 1}}), 0},
        {"no edges", graph(100, {}), 0},
        {"a star", complete_bipartite(1, 80), 0},
        {"a triangle", graph(3, {{0, 1}, {1, 2}, {2, 0}}), 3},
        {"Petersen", generalised_petersen(5, 2), 9},
        {"generalised Petersen (11, 2)", generalised_petersen(11, 2), 21},
        {"K3,5", complete_bipartite(3, 5), 6},
        {"K20,60", complete_bipartite(20, 60), 40},
        {"K3,8 with an edge between two of the eight", nearly_bipartite, 7},
        {"two squares that share a vertex", two_squares, 4},
        {"two cycles apart", apart, 4},
    };
}

TEST(hamiltonian, proves_graphs_whose_longest_cycle_is_known) {
    for (known const& row : known_graphs()) {
        solved const found = solve(row.instance);
        if (row.longest == 0) {
            EXPECT_EQ(found.result.status, baseline_status::infeasible) << row.name;
            EXPECT_TRUE(found.answer.empty()) << row.name;
            continue;
        }
        EXPECT_EQ(found.result.status, baseline_status::optimal) << row.name;
        EXPECT_EQ(found.result.objective, row.longest) << row.name;
        EXPECT_EQ(verify(row.instance, found.answer).objective, row.longest) << row.name;
    }
}

TEST(hamiltonian, finds_hamiltonian_cycles_at_both_sides_of_a_word) {
    std::mt19937 random(1);
    for (std::int32_t const n : {3, 31, 32, 33, 63, 64, 65, 128, 129}) {
        EXPECT_EQ(solve(random_graph(random, n, 1000)).result.objective, n);
        edge_list ring;
        for (std::int32_t v = 0; v < n; ++v) {
            ring.emplace_back(v, (v + 1) % n);
        }
        solved const found = solve(graph(n, ring));
        EXPECT_EQ(found.result.objective, n);
        EXPECT_EQ(found.result.status, baseline_status::optimal);
    }
}

TEST(hamiltonian, more_budget_is_never_worse_and_none_is_the_greedy_answer) {
    std::mt19937 random(21);
    words const sparse = random_graph(random, 60, 50);
    words const tree = graph(4, {{0, 1}, {1, 2}, {1, 3}});
    for (words const& instance : {generate(1, difficulty::scale(40)), generalised_petersen(17, 2), sparse, tree,
                                  complete_bipartite(3, 5), generate(2, difficulty::benchmark())}) {
        solved const none = solve(instance, 0);
        EXPECT_EQ(none.answer, greedy(instance));
        EXPECT_EQ(none.result.bound, instance[0]);
        EXPECT_EQ(none.result.steps, 0);
        EXPECT_EQ(none.result.status == baseline_status::unknown, none.answer.empty());
        solved const best = solve(instance);
        solve_result last = none.result;
        for (std::int64_t budget = 1; budget < 2000; budget += 1 + budget / 2) {
            solved const found = solve(instance, budget);
            ASSERT_LE(found.result.steps, budget);
            if (found.result.status == baseline_status::infeasible) {
                ASSERT_EQ(best.result.status, baseline_status::infeasible);
                break;
            }
            ASSERT_GE(found.result.objective, last.objective);
            ASSERT_LE(found.result.bound, last.bound);
            ASSERT_GE(found.result.bound, best.result.objective);
            ASSERT_EQ(verify(instance, found.answer).objective, found.result.objective);
            ASSERT_EQ(found.result.status == baseline_status::optimal, found.result.objective == found.result.bound);
            last = found.result;
        }
    }
}

TEST(hamiltonian, names_the_kind_of_bound_where_the_proof_does_not_end) {
    auto const kind = [](words const& instance, std::int64_t budget) {
        solve_result const found = solve(instance, budget).result;
        EXPECT_NE(found.status, baseline_status::optimal);
        return std::string(task::bound_kinds[found.bound_kind]);
    };
    EXPECT_EQ(kind(generalised_petersen(11, 2), 0), "vertices");
    EXPECT_EQ(kind(generalised_petersen(11, 2), 1), "block");
    // Three paths of nine vertices between two ends: a cycle takes two of them.
    edge_list legs;
    for (std::int32_t leg = 0; leg < 3; ++leg) {
        for (std::int32_t v = 0; v < 8; ++v) {
            legs.emplace_back(2 + 9 * leg + v, 3 + 9 * leg + v);
        }
        legs.insert(legs.end(), {{0, 2 + 9 * leg}, {10 + 9 * leg, 1}});
    }
    words const theta = graph(29, legs);
    EXPECT_EQ(solve(theta).result.objective, 20);
    EXPECT_EQ(solve(theta).result.status, baseline_status::optimal);
    EXPECT_EQ(kind(theta, solve(theta).result.steps / 2), "search");
    std::mt19937 random(3);
    edge_list edges;
    for (std::int32_t u = 0; u < 90; ++u) {
        for (std::int32_t k = 0; k < 3; ++k) {
            edges.emplace_back(u, 90 + std::int32_t(random() % 70));
        }
    }
    EXPECT_EQ(kind(graph(160, edges), 1), "matching");
}

}  // namespace
