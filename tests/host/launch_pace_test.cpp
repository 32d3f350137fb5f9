// Launch sizes learnt from earlier launches.

#include "host/cuda/launch_pace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace optgap::testing {
namespace {

constexpr double target = 1e-3;
constexpr launch_work verify{verb::verify, 1, 1000};
constexpr launch_work improve{verb::improve, 1, 1000, 512};

TEST(launch_pace, knows_nothing_before_it_has_seen_a_launch) { EXPECT_EQ(launch_pace(target).rows(verify), 0); }

TEST(launch_pace, fills_the_target_with_rows_of_the_measured_cost) {
    launch_pace pace(target);
    pace.learn(verify, 10'000, 0.020);  // 2 us per row
    EXPECT_EQ(pace.rows(verify), 500);
}

TEST(launch_pace, keeps_verbs_tasks_sizes_and_rows_at_once_apart) {
    launch_pace pace(target);
    pace.learn(improve, 10'000, 0.020);
    EXPECT_EQ(pace.rows({verb::verify, 1, 1000, 512}), 0);
    EXPECT_EQ(pace.rows({verb::improve, 2, 1000, 512}), 0);
    EXPECT_EQ(pace.rows({verb::improve, 1, 5000, 512}), 0);
    EXPECT_EQ(pace.rows({verb::improve, 1, 1000, 256}), 0);
    EXPECT_EQ(pace.rows({verb::improve, 1, 1023, 1023}), 500);
}

TEST(launch_pace, believes_a_slower_launch_at_once_and_a_faster_one_by_half) {
    launch_pace pace(target);
    pace.learn(verify, 1000, 0.002);
    pace.learn(verify, 1000, 0.008);
    EXPECT_EQ(pace.rows(verify), 125);
    pace.learn(verify, 1000, 0.002);
    EXPECT_EQ(pace.rows(verify), 200);
    for (int launch = 0; launch < 30; ++launch) {
        pace.learn(verify, 1000, 0.002);
    }
    EXPECT_NEAR(double(pace.rows(verify)), 500, 1);
}

TEST(launch_pace, survives_clocks_that_stand_still_and_sizes_without_end) {
    launch_pace pace(target);
    launch_work const endless{verb::generate, 0, INT64_MAX, INT64_MAX};
    pace.learn(endless, 5, 0.0);
    pace.learn(endless, 0, 1.0);
    EXPECT_EQ(pace.rows(endless), 0);
    pace.learn(endless, 1, 1e-30);
    EXPECT_GE(pace.rows(endless), 1);
    EXPECT_LE(pace.rows(endless), 1 << 30);
}

TEST(search_pace, tries_one_step_of_the_rows_at_once_while_nothing_is_known) {
    search_pace const pace(launch_pace(target), improve);
    EXPECT_EQ(pace.cut(1000).rows, 512);
    EXPECT_EQ(pace.cut(1000).steps, 1);
    EXPECT_EQ(pace.cut(0).steps, 0);
}

TEST(search_pace, takes_all_steps_and_many_rows_where_they_fit_the_target) {
    launch_pace known(target);
    known.learn(improve, 1'000'000, 0.01);  // 0.01 us per row and step: 100,000 of them
    search_pace const pace(known, improve);
    EXPECT_NEAR(double(pace.cut(5).rows), 20'000, 1);
    EXPECT_EQ(pace.cut(5).steps, 5);
}

TEST(search_pace, takes_steps_that_a_block_makes_in_a_tenth_of_a_millisecond_and_rows_that_fill_the_target) {
    launch_pace known(target);
    known.learn(improve, 1'000'000, 0.01);
    EXPECT_EQ(search_pace(known, improve).cut(1000).steps, 19) << "5.12 us each, of 512 rows at once";
    EXPECT_NEAR(double(search_pace(known, improve).cut(1000).rows), 5263, 1);
    known.learn(improve, 1'000, 1e-4);
    EXPECT_EQ(search_pace(known, improve).cut(1000).steps, 1) << "51.2 us";
    EXPECT_NEAR(double(search_pace(known, improve).cut(1000).rows), 10'000, 1);
    known.learn(improve, 1, 1.0);
    EXPECT_EQ(search_pace(known, improve).cut(1000).rows, 512);
    EXPECT_EQ(search_pace(known, improve).cut(1000).steps, 1);
}

/// A device that takes `fixed` seconds per launch and `step` seconds for each step of the rows at once.
TEST(search_pace, grows_from_nothing_to_launches_that_fill_the_target_of_blocks_that_fill_theirs) {
    search_pace pace(launch_pace(target), improve);
    constexpr double fixed = 20e-6;
    constexpr double step = 5e-6;
    double longest = 0;
    double longest_block = 0;
    std::int64_t launches = 0;
    for (std::int64_t done = 0; done < 2'000; ++launches) {
        launch_cut const cut = pace.cut(2'000 - done);
        double const block = step * double(cut.steps);
        double const seconds = fixed + block * double(cut.rows) / double(improve.at_once);
        longest = std::max(longest, seconds);
        longest_block = std::max(longest_block, block);
        pace.learn(cut.rows, cut.steps, seconds);
        done += cut.steps;
    }
    EXPECT_LE(longest, 1.03 * target);
    EXPECT_GT(longest, 0.9 * target);
    EXPECT_LE(longest_block, launch_policy::block_seconds);
    EXPECT_GT(longest_block, 0.9 * launch_policy::block_seconds);
    EXPECT_LT(launches, 120) << "of 19 steps, and what it takes to grow";
}

/// A row's time is its team's: that of all rows computed at the same time.
TEST(launch_policy, gives_a_team_rows_that_end_within_a_block_s_time_and_no_more_than_leave_all_busy) {
    EXPECT_EQ(launch_policy::rows_a_team(1 << 20, 1000, 0), 1) << "nothing is known";
    EXPECT_EQ(launch_policy::rows_a_team(1 << 20, 1000, 1e-9), 32) << "a microsecond each";
    EXPECT_EQ(launch_policy::rows_a_team(1 << 20, 1000, 1.1e-8), 9) << "eleven microseconds each";
    EXPECT_EQ(launch_policy::rows_a_team(1 << 20, 1000, 1e-6), 1) << "a millisecond each";
    EXPECT_EQ(launch_policy::rows_a_team(24'000, 1000, 1e-9), 3) << "eight times as many teams have rows";
    EXPECT_EQ(launch_policy::rows_a_team(5, 0, 1e-9), 1);
}

TEST(search_pace, tells_what_a_step_took_and_not_what_ended_searches_did) {
    launch_pace known(target);
    search_pace pace(known, improve);
    pace.learn(512, 1, 1e-3);
    pace.learn(512, 1, 1e-3);
    for (int ended = 0; ended < 40; ++ended) {
        pace.learn(512, 1000, 1e-9);
    }
    EXPECT_GT(pace.cut(1'000'000).steps, 1000);
    pace.tell(known, 2 * 512);
    EXPECT_NEAR(known.seconds(improve), 1e-3 / 512, 1e-8);
    EXPECT_EQ(search_pace(known, improve).cut(1'000'000).steps, 1);
}

TEST(search_pace, tells_nothing_of_searches_that_made_no_step) {
    launch_pace known(target);
    search_pace pace(known, improve);
    pace.learn(512, 40, 1e-6);
    pace.tell(known, 0);
    EXPECT_EQ(known.seconds(improve), 0);
}

}  // namespace
}  // namespace optgap::testing
