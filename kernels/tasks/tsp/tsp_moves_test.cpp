// Compares the searches over all pairs with a scan that uses only the distance function and the moves' definitions.

#include "kernels/tasks/tsp/tsp_moves.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/core/thread_team.hpp"
#include "kernels/launch/launch_plan.hpp"
#include "kernels/tasks/tsp/tsp.hpp"
#include "kernels/tasks/tsp/tsp_fixture.hpp"
#include "tests/support/sample.hpp"

namespace {

using namespace optgap;
using namespace optgap::tsp_fixture;
using tasks::tsp::distances;
using tasks::tsp::double_bridge;
using tasks::tsp::square_search;
using tasks::tsp::tour_move;

constexpr draw kicks{7, 0xA11CE};

words drawn_matrix(std::int32_t n, std::uint64_t seed, std::int32_t high) {
    words instance{0, n};
    draw_stream stream({seed, std::uint32_t(n)}, 0);
    for (std::int32_t k = 0; k < n * (n - 1) / 2; ++k) {
        instance.push_back(stream.uniform(0, high));
    }
    return instance;
}

words points(std::int32_t n, std::uint64_t seed, std::int32_t side) {
    words instance{1, n, 1};
    draw_stream stream({seed, std::uint32_t(n)}, 0);
    for (std::int32_t k = 0; k < 2 * n; ++k) {
        instance.push_back(stream.uniform(0, side));
    }
    return instance;
}

/// Every move by its edges, in the order of its rank.
tour_move plain_best(words const& instance, std::int32_t const* tour) {
    std::int32_t const n = instance[1];
    distances const distance(view(instance));
    auto const d = [&](std::int32_t i, std::int32_t j) { return distance(tour[i % n], tour[j % n]); };
    tour_move best;
    auto const offer = [&](std::int32_t kind, std::int32_t i, std::int32_t j, bool turned, std::int32_t delta) {
        if (delta < best.delta) {
            best = {delta, tour_move::rank_of(n, kind, i, j, turned)};
        }
    };
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = i + 2; j < n; ++j) {
            offer(0, i, j, false, d(i, j) + d(i + 1, j + 1) - d(i, i + 1) - d(j, j + 1));
        }
    }
    for (std::int32_t k = 1; k <= 3 && k + 2 <= n; ++k) {
        for (std::int32_t i = 0; i < n; ++i) {
            for (std::int32_t j = 0; j < n; ++j) {
                std::int32_t const ahead = (j - i + 1 + n) % n;  // 0 is the edge into the segment, k the edge out of it
                if (ahead <= k) {
                    continue;
                }
                std::int32_t const last = i + k - 1;
                std::int32_t const freed = d(i + n - 1, last + 1) - d(i + n - 1, i) - d(last, last + 1) - d(j, j + 1);
                offer(k, i, j, false, freed + d(i, j) + d(last, j + 1));
                offer(k, i, j, k > 1, freed + d(last, j) + d(i, j + 1));
            }
        }
    }
    return best;
}

/// Descends and kicks, and compares every scan with `expected`, the moves of another search, or fills it.
template <class Search, class Team>
void follow(Team& team, Search& search, words const& instance, std::int32_t scans, std::vector<tour_move>& expected,
            bool fill) {
    std::int32_t const n = search.n;
    search.load(team, view(instance));
    team.each(n, [&](std::int64_t i) { search.tour[i] = std::int32_t(i); });
    team.sync();
    search.permute(team, 0, n - 1);
    std::int64_t evaluations = 0;
    std::int64_t length = search.length(team);
    std::uint32_t kicked = 0;
    words before(std::size_t(n), 0);
    for (std::int32_t scan = 0; scan < scans; ++scan) {
        tour_move const move = search.scan(team, evaluations);
        if (team.rank() == 0) {
            if (fill) {
                expected.push_back(plain_best(instance, search.tour));
            }
            EXPECT_EQ(move.delta, expected[std::size_t(scan)].delta) << "n " << n << " scan " << scan;
            EXPECT_EQ(move.rank, expected[std::size_t(scan)].rank) << "n " << n << " scan " << scan;
        }
        if (move.delta < 0) {
            search.apply(team, move);
            length += move.delta;
        } else {
            before.assign(search.tour + 0, search.tour + n);
            team.sync();
            double_bridge const kick(kicks, kicked++, n);
            team.each(n,
                      [&](std::int64_t i) { search.tour[i] = before[std::size_t(kick.source_of(std::int32_t(i)))]; });
            team.sync();
            search.permute(team, 0, n - 1);
            length = search.length(team);
        }
        EXPECT_EQ(search.length(team), length) << "n " << n << " scan " << scan;
    }
    EXPECT_EQ(evaluations, scans * search.evaluations_per_scan());
}

template <class Search>
void follow_alone(words const& instance, std::int32_t scans, std::vector<tour_move>& expected, bool fill) {
    solo team;
    words scratch(std::size_t(Search::words(instance[1])), -1);
    Search search(view(instance), scratch.data());
    follow(team, search, instance, scans, expected, fill);
}

template <class Search, int Lanes>
void follow_in_team(words const& instance, std::int32_t scans, std::vector<tour_move>& expected) {
    words scratch(std::size_t(Search::words(instance[1])), -1);
    run_as_team<Lanes>([&](auto& team) {
        Search search(view(instance), scratch.data());
        follow(team, search, instance, scans, expected, false);
    });
}

TEST(tsp_moves, agree_with_the_plain_scan_move_by_move) {
    for (std::int32_t n = 4; n <= 130; ++n) {
        for (std::int32_t const longest : {2, 100, tasks::tsp::cell_limits<16>::longest, tasks::tsp::max_weight}) {
            words const instance = drawn_matrix(n, 3, longest);
            std::int32_t const scans = n < 40 ? 12 : 4;
            std::vector<tour_move> expected;
            follow_alone<square_search<32>>(instance, scans, expected, true);
            if (longest < tasks::tsp::max_weight) {
                follow_alone<square_search<16>>(instance, scans, expected, false);
            }
        }
    }
}

TEST(tsp_moves, agree_with_the_plain_scan_for_hundreds_of_cities) {
    for (std::int32_t const n : {256, 333, 512}) {
        words const instance = points(n, 5, 3300);
        solo team;
        ASSERT_TRUE(tasks::tsp::narrow_distances(team, view(instance)));
        std::vector<tour_move> expected;
        follow_alone<square_search<16>>(instance, 3, expected, true);
        follow_alone<square_search<32>>(instance, 3, expected, false);
    }
}

TEST(tsp_moves, are_the_same_for_teams_of_any_width) {
    for (std::int32_t const n : {4, 5, 6, 7, 8, 11, 16, 17, 31, 33, 50, 64, 65, 70, 129}) {
        words const instance = drawn_matrix(n, 9, n % 2 == 0 ? 3 : 100);
        std::vector<tour_move> expected;
        std::int32_t const scans = optgap::testing::repeats(5);
        follow_alone<square_search<16>>(instance, scans, expected, true);
        follow_in_team<square_search<16>, 2>(instance, scans, expected);
        follow_in_team<square_search<16>, 7>(instance, scans, expected);
        follow_in_team<square_search<16>, 32>(instance, scans, expected);
        follow_in_team<square_search<16>, 70>(instance, scans, expected);
        follow_in_team<square_search<32>, 5>(instance, scans, expected);
    }
}

TEST(tsp_moves, hold_sums_of_the_longest_distances_in_sixteen_bits) {
    constexpr std::int32_t longest = tasks::tsp::cell_limits<16>::longest;
    for (std::int32_t n = 4; n <= 20; ++n) {
        words instance = drawn_matrix(n, 1, 1);
        for (std::size_t k = 2; k < instance.size(); ++k) {
            instance[k] *= longest;
        }
        std::vector<tour_move> expected;
        follow_alone<square_search<16>>(instance, 10, expected, true);
        follow_in_team<square_search<16>, 3>(instance, 10, expected);
    }
    EXPECT_EQ(7 * longest, INT16_MAX);
}

TEST(tsp_moves, take_the_cells_that_the_distances_fit) {
    constexpr std::int32_t longest = tasks::tsp::cell_limits<16>::longest;
    solo team;
    words instance = drawn_matrix(9, 1, longest);
    EXPECT_TRUE(tasks::tsp::narrow_distances(team, view(instance)));
    instance.back() = longest + 1;
    EXPECT_FALSE(tasks::tsp::narrow_distances(team, view(instance)));
    EXPECT_TRUE(tasks::tsp::narrow_distances(team, view({1, 3, 1, -2000, 0, 2681, 0, 0, 0})));
    EXPECT_FALSE(tasks::tsp::narrow_distances(team, view({1, 3, 1, -2000, 0, 2682, 0, 0, 0})));
    EXPECT_TRUE(tasks::tsp::narrow_distances(team, view({1, 3, 10, -20000, 5, 26810, 5, 0, 0})));
}

TEST(tsp_moves, let_thirty_warps_share_a_multiprocessor_at_the_benchmarks_size) {
    device_limits const h100{132, 227 << 10, 228 << 10, 1 << 10};
    words const instance = drawn_matrix(50, 1, 100);
    launch_plan const plan = plan_launch(h100, tasks::tsp::task::improve_scratch_words(view(instance)));
    EXPECT_FALSE(plan.global_scratch);
    std::int64_t const blocks = h100.shared_per_multiprocessor / (plan.shared_bytes + h100.shared_reserved);
    EXPECT_GE(blocks * launch_policy::warps_per_block, 30);
}

TEST(tsp_moves, fit_the_largest_square_that_the_readme_names_into_a_block) {
    EXPECT_LE(4 * tasks::tsp::task::improve_scratch_words(view(drawn_matrix(330, 1, 100))), 227 << 10);
}

}  // namespace
