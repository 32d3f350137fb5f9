// Compares the exact solver with Held & Karp's dynamic program and TSPLIB's optima, and tests its promises about
// budgets.

#include "kernels/tasks/tsp/tsp_exact.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/text/task_text.hpp"
#include "tests/support/source_folder.hpp"

extern optgap::task_text const optgap_text_tsp;

namespace {

using words = std::vector<std::int32_t>;
using matrix = std::vector<std::vector<std::int64_t>>;

struct solved {
    optgap::solve_result result;
    words tour;
};

solved solve(words const& instance, std::int64_t budget = optgap::tasks::tsp::exact_default_budget) {
    optgap::words_view const view{instance.data(), std::int64_t(instance.size())};
    auto const bytes = (std::size_t(optgap::tasks::tsp::exact_scratch_words(view)) * 4 + 63) / 64 * 64;
    std::unique_ptr<std::int32_t, decltype(&std::free)> const scratch(
        static_cast<std::int32_t*>(std::aligned_alloc(64, bytes)), &std::free);
    std::fill_n(scratch.get(), bytes / 4, -1431655766);
    words block(std::size_t(instance[1]) + 1, -7);
    auto const result = optgap::tasks::tsp::solve_exact(view, budget, block.data(), scratch.get());
    EXPECT_EQ(block[0], optgap::answer_flat);
    return {result, words(block.begin() + 1, block.end())};
}

template <class Weight>
words triangle_of(std::int32_t n, Weight const& weight) {
    words instance{0, n};
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = 0; j < i; ++j) {
            instance.push_back(std::int32_t(weight(i, j)));
        }
    }
    return instance;
}

words random_matrix(std::mt19937& random, std::int32_t n, std::int32_t low, std::int32_t high) {
    return triangle_of(n, [&](int, int) {
        return std::int64_t(low) + std::int64_t(random() % (std::uint64_t(high) - std::uint64_t(low) + 1));
    });
}

matrix full_matrix(words const& instance) {
    auto const n = std::size_t(instance[1]);
    matrix full(n, std::vector<std::int64_t>(n, 0));
    std::size_t next = 2;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            full[i][j] = full[j][i] = instance[next++];
        }
    }
    return full;
}

std::int64_t length_of(matrix const& full, words const& tour) {
    std::int64_t length = 0;
    for (std::size_t k = 0; k < tour.size(); ++k) {
        length += full[std::size_t(tour[k])][std::size_t(tour[(k + 1) % tour.size()])];
    }
    return length;
}

bool is_permutation_of_cities(words tour) {
    std::sort(tour.begin(), tour.end());
    for (std::size_t k = 0; k < tour.size(); ++k) {
        if (tour[k] != std::int32_t(k)) {
            return false;
        }
    }
    return true;
}

/// Held & Karp (1962): paths from the last city through each subset.
std::int64_t shortest_tour(matrix const& full) {
    std::size_t const m = full.size() - 1;
    std::int64_t const none = INT64_MAX / 4;
    std::vector<std::vector<std::int64_t>> best(std::size_t(1) << m, std::vector<std::int64_t>(m, none));
    for (std::size_t j = 0; j < m; ++j) {
        best[std::size_t(1) << j][j] = full[m][j];
    }
    for (std::size_t set = 1; set < best.size(); ++set) {
        for (std::size_t j = 0; j < m; ++j) {
            for (std::size_t k = 0; k < m && best[set][j] < none; ++k) {
                if (((set >> k) & 1u) == 0) {
                    std::int64_t& to = best[set | (std::size_t(1) << k)][k];
                    to = std::min(to, best[set][j] + full[j][k]);
                }
            }
        }
    }
    std::int64_t shortest = none;
    for (std::size_t j = 0; j < m; ++j) {
        shortest = std::min(shortest, best.back()[j] + full[m][j]);
    }
    return shortest;
}

void expect_optimal(words const& instance, std::int64_t optimum) {
    solved const found = solve(instance);
    EXPECT_EQ(found.result.status, optgap::baseline_status::optimal);
    EXPECT_EQ(found.result.objective, optimum);
    EXPECT_EQ(found.result.bound, optimum);
    EXPECT_EQ(found.result.bound_kind, 0);
    EXPECT_EQ(found.result.answer_words, instance[1] + 1);
    ASSERT_TRUE(is_permutation_of_cities(found.tour));
}

TEST(tsp_exact, solves_the_papers_example) { expect_optimal({0, 4, 10, 15, 35, 20, 25, 30}, 80); }

TEST(tsp_exact, agrees_with_dynamic_programming_on_random_matrices) {
    std::mt19937 random(1);
    std::pair<std::int32_t, std::int32_t> const ranges[] = {{0, 1},      {0, 3},       {10, 100},
                                                            {1, 10'000}, {0, 1 << 24}, {(1 << 24) - 2, 1 << 24}};
    for (int repeat = 0; repeat < 300; ++repeat) {
        auto const [low, high] = ranges[repeat % 6];
        words const instance = random_matrix(random, 3 + std::int32_t(random() % 8), low, high);
        SCOPED_TRACE("repeat " + std::to_string(repeat));
        matrix const full = full_matrix(instance);
        expect_optimal(instance, shortest_tour(full));
        EXPECT_EQ(length_of(full, solve(instance).tour), shortest_tour(full));
    }
}

TEST(tsp_exact, agrees_with_dynamic_programming_on_thirteen_cities) {
    std::mt19937 random(2);
    for (int repeat = 0; repeat < 4; ++repeat) {
        words const instance = random_matrix(random, 13, 1, repeat % 2 == 0 ? 6 : 1000);
        expect_optimal(instance, shortest_tour(full_matrix(instance)));
    }
}

TEST(tsp_exact, handles_equal_weights_of_any_size) {
    for (std::int32_t const weight : {0, 1, 1 << 24}) {
        for (std::int32_t const n : {3, 4, 5, 17, 70}) {
            expect_optimal(triangle_of(n, [&](int, int) { return weight; }), std::int64_t(n) * weight);
        }
    }
}

/// The proof needs prices of half the distance between the clusters: here a bound below the optimum is allowed.
TEST(tsp_exact, claims_nothing_false_on_two_far_clusters) {
    std::int64_t const far = 1 << 24;
    solved const found = solve(triangle_of(24, [&](int i, int j) { return i % 2 == j % 2 ? 1 : far; }), 20'000);
    EXPECT_EQ(found.result.objective, 2 * far + 22);
    EXPECT_GE(found.result.bound, far + 23);
    EXPECT_LE(found.result.bound, 2 * far + 22);
    EXPECT_EQ(found.result.status == optgap::baseline_status::optimal, found.result.bound == found.result.objective);
}

TEST(tsp_exact, walks_round_a_grid_of_points) {
    words instance{1, 36, 1};
    for (std::int32_t i = 0; i < 36; ++i) {
        instance.insert(instance.end(), {10 * (i % 6), 10 * (i / 6)});
    }
    expect_optimal(instance, 360);
}

TEST(tsp_exact, survives_points_at_the_ends_of_the_coordinate_range) {
    std::int32_t const c = 1 << 29;
    expect_optimal({1, 4, 1, -c, -c, c, c, -c, c, c, -c}, 4 * (std::int64_t(1) << 30));
}

TEST(tsp_exact, gives_the_nearest_neighbour_tour_without_a_budget) {
    words const instance{0, 4, 3, 1, 9, 2, 4, 5};  // 0 → 2 (1) → 1 or 3
    solved const found = solve(instance, 0);
    EXPECT_EQ(found.tour, (words{0, 2, 3, 1}));
    EXPECT_EQ(found.result.objective, 1 + 5 + 4 + 3);
    EXPECT_EQ(found.result.steps, 0);
    EXPECT_LE(found.result.bound, shortest_tour(full_matrix(instance)));
}

TEST(tsp_exact, breaks_ties_of_the_nearest_neighbour_by_the_smallest_index) {
    solved const found = solve(triangle_of(6, [](int i, int j) { return i + j == 5 ? 1 : 7; }), 0);
    EXPECT_EQ(found.tour, (words{0, 5, 1, 4, 2, 3}));
}

TEST(tsp_exact, never_gets_worse_with_more_budget) {
    std::mt19937 random(3);
    for (std::int32_t const n : {9, 30, 70}) {
        words const instance = random_matrix(random, n, 1, 300);
        std::int64_t const optimum = solve(instance).result.objective;
        solved before = solve(instance, 0);
        for (std::int64_t budget = 1; budget < 3000; budget += 1 + budget / 8) {
            solved const now = solve(instance, budget);
            EXPECT_LE(now.result.objective, before.result.objective);
            EXPECT_GE(now.result.bound, before.result.bound);
            EXPECT_LE(now.result.bound, optimum);
            EXPECT_GE(now.result.objective, optimum);
            EXPECT_LE(now.result.steps, budget);
            EXPECT_EQ(now.result.objective, length_of(full_matrix(instance), now.tour));
            before = now;
        }
    }
}

TEST(tsp_exact, stops_at_its_budget_on_hopeless_instances) {
    std::mt19937 random(4);
    words instance{1, 300, 1};
    for (int i = 0; i < 600; ++i) {
        instance.push_back(std::int32_t(random() % 10'000));
    }
    solved const found = solve(instance, 12'000);
    EXPECT_EQ(found.result.status, optgap::baseline_status::bounded);
    EXPECT_LE(found.result.steps, 12'000);
    EXPECT_LT(found.result.bound, found.result.objective);
    EXPECT_LT(found.result.objective, found.result.bound * 108 / 100);
    EXPECT_TRUE(is_permutation_of_cities(found.tour));
}

TEST(tsp_exact, keeps_to_the_greedy_tour_beyond_its_largest_size) {
    words instance{1, optgap::tasks::tsp::max_proof_cities + 1, 1};
    for (std::int32_t i = 0; i < instance[1]; ++i) {
        instance.insert(instance.end(), {i, i % 2});
    }
    solved const found = solve(instance);
    EXPECT_EQ(found.result.steps, 0);
    EXPECT_TRUE(is_permutation_of_cities(found.tour));
}

TEST(tsp_exact, proves_every_benchmark_like_instance) {
    std::mt19937 random(5);
    for (int repeat = 0; repeat < 100; ++repeat) {
        solved const found = solve(random_matrix(random, 10 + std::int32_t(random() % 46), 10, 100));
        EXPECT_EQ(found.result.status, optgap::baseline_status::optimal);
        EXPECT_LT(found.result.steps, 20'000);
    }
}

TEST(tsp_exact, proves_the_optima_of_tsplib) {
    std::filesystem::path const folder = optgap::testing::source_folder() / "tools" / "demo" / "instances";
    std::ifstream optima(folder / "optima.txt");
    std::string name;
    std::int64_t optimum = 0;
    int proven = 0;
    while (optima >> name >> optimum) {
        if (!name.starts_with("tsp/")) {
            continue;
        }
        SCOPED_TRACE(name);
        std::ifstream file(folder / name);
        std::string const text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        words const instance = optgap_text_tsp.files[0].read(text);
        // The larger instances take thousands of steps; tests/cli/instances_test.py proves them.
        if (instance[1] <= 60) {
            expect_optimal(instance, optimum);
            ++proven;
        }
    }
    EXPECT_EQ(proven, 5);
}

}  // namespace
