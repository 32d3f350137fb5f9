// Launch sizes learnt from launches.

#include "host/launch_pace.hpp"

#include <gtest/gtest.h>

namespace optgap::testing {
namespace {

constexpr double target = 1e-3;
constexpr launch_work improve{launch_verb::improve, 1, 1000, 50};

TEST(launch_pace, knows_nothing_before_it_has_seen_a_launch) { EXPECT_EQ(launch_pace(3, target).rows(improve), 0); }

TEST(launch_pace, fills_the_target_with_rows_of_the_measured_cost) {
    launch_pace pace(3, target);
    pace.learn(improve, 10'000, 0.020);  // 2 us a row
    EXPECT_EQ(pace.rows(improve), 500);
}

TEST(launch_pace, counts_a_row_s_cost_by_its_steps) {
    launch_pace pace(3, target);
    pace.learn(improve, 10'000, 0.020);
    launch_work longer = improve;
    longer.steps = 500;
    EXPECT_EQ(pace.rows(longer), 50);
    longer.steps = 5'000'000;
    EXPECT_EQ(pace.rows(longer), 1);
}

TEST(launch_pace, keeps_verbs_tasks_and_sizes_apart) {
    launch_pace pace(3, target);
    pace.learn(improve, 10'000, 0.020);
    EXPECT_EQ(pace.rows({launch_verb::verify, 1, 1000, 50}), 0);
    EXPECT_EQ(pace.rows({launch_verb::improve, 2, 1000, 50}), 0);
    EXPECT_EQ(pace.rows({launch_verb::improve, 1, 5000, 50}), 0);
    EXPECT_EQ(pace.rows({launch_verb::improve, 1, 1023, 50}), 500);
}

TEST(launch_pace, believes_a_slower_launch_at_once_and_a_faster_one_by_half) {
    launch_pace pace(3, target);
    pace.learn(improve, 1000, 0.002);
    pace.learn(improve, 1000, 0.008);
    EXPECT_EQ(pace.rows(improve), 125);
    pace.learn(improve, 1000, 0.002);
    EXPECT_EQ(pace.rows(improve), 200);
    for (int launch = 0; launch < 30; ++launch) {
        pace.learn(improve, 1000, 0.002);
    }
    EXPECT_NEAR(double(pace.rows(improve)), 500, 1);
}

TEST(launch_pace, survives_clocks_that_stand_still_and_sizes_without_end) {
    launch_pace pace(1, target);
    launch_work const endless{launch_verb::generate, 0, INT64_MAX, INT64_MAX};
    pace.learn(endless, 5, 0.0);
    pace.learn(endless, 0, 1.0);
    EXPECT_EQ(pace.rows(endless), 0);
    pace.learn(endless, 1, 1e-30);
    EXPECT_GE(pace.rows(endless), 1);
    EXPECT_LE(pace.rows(endless), 1 << 30);
}

}  // namespace
}  // namespace optgap::testing
