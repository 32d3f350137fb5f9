#include "kernels/tasks/tsp/tsp_distance.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/tasks/tsp/tsp.hpp"
#include "kernels/tasks/tsp/tsp_fixture.hpp"
#include "kernels/tasks/tsp/tsp_reference.hpp"

namespace {

using namespace optgap;
using namespace optgap::tsp_fixture;
using tasks::tsp::task;

TEST(tsp_distance, checks_explicit_words) {
    EXPECT_EQ(task::check(view(words{0, 4, 10, 15, 35, 20, 25, 30})), nullptr);
    for (words const& bad :
         {words{}, words{0}, words{0, 2, 5}, words{2, 3, 1, 1, 1}, words{0, 3, 1, 1}, words{0, 3, 1, -1, 1},
          words{0, 3, 1, 1, (1 << 24) + 1}, words{0, INT32_MAX}, words{0, INT32_MIN}, words{1, 3, 1, 0, 0, 1, 1, 2},
          words{1, 3, 0, 0, 0, 1, 1, 2, 2}, words{1, 3, 7, 0, 0, 1, 1, 2, 2}, words{1, 3, 10, 0, 0, 10, 10, 20, 20},
          words{1, 3, 1, 0, 0, 1 << 25, 0, 2, 2}, words{1, 3, 1, 0, 0, INT32_MIN, 0, 2, 2}}) {
        EXPECT_NE(task::check(view(bad)), nullptr);
    }
    EXPECT_EQ(task::check(view(words{1, 3, 100'000, 1 << 29, 0, -(1 << 29), 1, 5, 5})), nullptr);
}

TEST(tsp_distance, rounds_point_distances_exactly) {
    // 3-4-5; sqrt(2) = 1.41; at scale 10 the points (0, 0) and (0.3, 0.4) are exactly one half apart, which rounds up.
    words const far{1, 3, 1, 0, 0, 3, 4, 1, 1};
    tasks::tsp::distances const d(view(far));
    EXPECT_EQ(d(0, 1), 5);
    EXPECT_EQ(d(2, 0), 1);
    words const half{1, 3, 10, 0, 0, 3, 4, 3, 3};
    EXPECT_EQ(tasks::tsp::distances(view(half))(0, 1), 1);
    EXPECT_EQ(tasks::tsp::distances(view(half))(0, 2), 0);
    EXPECT_EQ(tasks::tsp::rounded_distance(1 << 30, 1 << 30, 1), 1518500250);
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        draw_stream stream({seed, 4}, 0);
        words points{1, 4, seed % 2 == 0 ? 1 : 1000};
        for (int k = 0; k < 8; ++k) {
            points.push_back(stream.uniform(-(1 << 23), 1 << 23));
        }
        auto const expected = reference::tsp::matrix(points);
        for (std::int32_t i = 0; i < 4; ++i) {
            for (std::int32_t j = 0; j < 4; ++j) {
                EXPECT_EQ(tasks::tsp::distances(view(points))(i, j), expected[std::size_t(i)][std::size_t(j)]);
            }
        }
    }
}

}  // namespace
