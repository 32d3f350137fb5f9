// Given distances, which no generator draws: compares proofs with trying all orders.

#include <random>

#include "kernels/tasks/vehicle_routing/vehicle_routing.hpp"
#include "kernels/tasks/vehicle_routing/vehicle_routing_reference.hpp"
#include "tests/support/wide_proofs.hpp"

namespace optgap {
namespace {

using routing_task = tasks::vehicle_routing::task;
using testing::wide_block;

/// Arbitrary numbers: they need not be distances in a plane, nor satisfy the triangle inequality.
wide_block random_distances(std::mt19937& random) {
    auto const n = std::int32_t(2 + random() % 5);
    std::int32_t const top = random() % 4 == 0 ? tasks::vehicle_routing::max_distance : 1 + std::int32_t(random() % 30);
    wide_block words(std::size_t(families::routes_words(n) + n * n), 0);
    words[0] = n;
    std::int32_t most = 0;
    for (std::int32_t v = 1; v < n; ++v) {
        std::int32_t& demand = words[std::size_t(2 + 2 * n + v)] = std::int32_t(1 + random() % 9);
        most = std::max(most, demand);
    }
    words[1] = most + std::int32_t(random() % 20);
    for (std::int32_t u = 0; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            auto const away = std::int32_t(random() % std::uint32_t(top + 1));
            words[std::size_t(families::routes_words(n) + u * n + v)] = away;
            words[std::size_t(families::routes_words(n) + v * n + u)] = away;
        }
    }
    return words;
}

TEST(vehicle_routing, proofs_of_given_distances_are_right) {
    std::mt19937 random(9);
    for (std::int32_t round = 0; round < 600; ++round) {
        SCOPED_TRACE(round);
        testing::expect_the_optimum<routing_task>(random_distances(random), reference::vehicle_routing::verify,
                                                  reference::vehicle_routing::optimum);
    }
}

TEST(vehicle_routing, teams_of_several_lanes_agree_on_given_distances) {
    std::mt19937 random(13);
    for (std::int32_t round = 0; round < 6; ++round) {
        testing::expect_teams_agree<routing_task>(random_distances(random));
    }
}

TEST(vehicle_routing, a_search_takes_routes_that_are_empty_or_name_the_depot) {
    // The depot and the other corners of a rectangle of 3 by 4: 2 and 3 together take 12, 1 alone takes 6.
    wide_block const corners{4, 2, 0, 0, 0, 3, 4, 3, 4, 0, 0, 1, 1, 1};
    EXPECT_EQ(testing::searched<routing_task>(corners, {3, 1, 1, 1, 1, 2, 3}, 60), 18);
    EXPECT_EQ(testing::searched<routing_task>(corners, {4, 3, 4, 0, 2, 0, 1, 0, 0, 3, 2, 0, 0, 0}, 60), 18);
    EXPECT_EQ(testing::searched<routing_task>(corners, {9, 0, 0, 2, 0, 0, 1, 0, 0, 0, 1, 3, 2}, 60), 18);
}

TEST(vehicle_routing, given_distances_are_checked) {
    auto const broken = [](wide_block const& words) { return routing_task::check(testing::wide_view(words)); };
    EXPECT_EQ(broken({2, 3, 0, 0, 0, 0, 0, 1, 0, 7, 7, 0}), nullptr);
    EXPECT_EQ(broken({2, 3, 0, 0, 0, 4, 0, 1}), nullptr);
    EXPECT_NE(broken({2, 3, 0, 0, 0, 4, 0, 1, 0, 7, 7, 0}), nullptr);  // points, too
    EXPECT_NE(broken({2, 3, 0, 0, 0, 0, 0, 1, 0, 7, 8, 0}), nullptr);
    EXPECT_NE(broken({2, 3, 0, 0, 0, 0, 0, 1, 1, 7, 7, 0}), nullptr);
    EXPECT_NE(broken({2, 3, 0, 0, 0, 0, 0, 1, 0, -7, -7, 0}), nullptr);
    EXPECT_NE(broken({2, 3, 0, 0, 0, 0, 0, 1, 0, 7, 7}), nullptr);
    EXPECT_NE(broken({2, 3, 0, 0, 0, 0, 0, 1, 0, 7, 7, 0, 0}), nullptr);
}

TEST(vehicle_routing, points_and_their_distances_are_the_same_problem) {
    std::mt19937 random(10);
    for (std::int32_t round = 0; round < 30; ++round) {
        wide_block points{7, 12, 0, 0};
        for (std::int32_t i = 2; i < 14; ++i) {
            points.push_back(std::int32_t(random() % 60));
        }
        points.push_back(0);
        for (std::int32_t v = 1; v < 7; ++v) {
            points.push_back(std::int32_t(1 + random() % 9));
        }
        wide_block given = points;
        std::fill(given.begin() + 2, given.begin() + 16, 0);
        reference::routes_plan const plan(points);
        for (std::int32_t u = 0; u < 7; ++u) {
            for (std::int32_t v = 0; v < 7; ++v) {
                given.push_back(std::int32_t(plan.distance(u, v)));
            }
        }
        auto const a = testing::prove<routing_task>(points, routing_task::default_budget);
        auto const b = testing::prove<routing_task>(given, routing_task::default_budget);
        EXPECT_EQ(a.answer, b.answer);
        EXPECT_EQ(a.result.objective, b.result.objective);
    }
}

}  // namespace
}  // namespace optgap
