// Comparisons of rates on cases with known answers.

#include "host/report/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace optgap::testing {
namespace {

using rates::change_of;
using rates::geometric_mean;
using rates::thinned;

TEST(comparison, few_samples_are_all_kept_and_many_are_kept_by_their_mid_quantiles) {
    EXPECT_EQ(thinned({3, 1, 2}, 3), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(thinned({9, 8, 7, 6, 5, 4, 3, 2, 1}, 3), (std::vector<double>{2, 5, 8}));
    std::vector<double> many(1001);
    for (std::size_t k = 0; k < many.size(); ++k) {
        many[k] = double((k * 9) % 1001);
    }
    std::vector<double> const kept = thinned(many);
    EXPECT_EQ(kept.size(), rates::kept_samples);
    EXPECT_EQ(kept[7], 500) << "the median stays";
}

// Four against four: 70 orders, of which one has no inverted pair. 2 of 70 are outside at 5 %, one on either side, and
// the interval extends from the smallest of the sixteen ratios to the largest. Five against five: P(U <= 2) is 4 of
// 252, P(U <= 3) 7 of 252, so three ratios are outside on either side.
TEST(comparison, the_bounds_are_those_of_the_exact_test) {
    std::vector<double> const four{1, 2, 4, 8}, fourfold{4, 8, 16, 32};
    rates::change const found = change_of(four, fourfold);
    EXPECT_DOUBLE_EQ(found.ratio, 4);
    ASSERT_TRUE(found.within);
    EXPECT_DOUBLE_EQ(found.within->least, 0.5);
    EXPECT_DOUBLE_EQ(found.within->most, 32);

    std::vector<double> const five{1, 2, 4, 8, 16};  // ratios 1/16, 2 x 1/8, 3 x 1/4, ...: the third smallest is 1/8
    rates::change const same = change_of(five, five);
    EXPECT_DOUBLE_EQ(same.ratio, 1);
    ASSERT_TRUE(same.within);
    EXPECT_DOUBLE_EQ(same.within->least, 1.0 / 8);
    EXPECT_DOUBLE_EQ(same.within->most, 8);
}

TEST(comparison, three_samples_say_how_much_but_not_whether) {
    std::vector<double> const three{2, 2, 2}, many{4, 4, 4, 4, 4, 4};
    EXPECT_DOUBLE_EQ(change_of(three, three).ratio, 1);
    EXPECT_FALSE(change_of(three, three).within);
    EXPECT_FALSE(change_of(std::vector<double>{5}, many).within);
    EXPECT_DOUBLE_EQ(change_of(std::vector<double>{5}, many).ratio, 0.8);
}

TEST(comparison, a_row_against_itself_has_a_ratio_of_one_within_its_bounds) {
    std::mt19937_64 random(1);
    for (int rows = 4; rows < 40; ++rows) {
        std::vector<double> rates;
        for (int k = 0; k < rows; ++k) {
            rates.push_back(1 + double(random() % 1000) / 1e4);
        }
        rates::change const found = change_of(rates, rates);
        EXPECT_DOUBLE_EQ(found.ratio, 1);
        EXPECT_LE(found.within->least, 1);
        EXPECT_GE(found.within->most, 1);
        EXPECT_NEAR(found.within->least * found.within->most, 1, 1e-12) << "either order tells the same";
    }
}

// 400 pairs of rows that differ by noise alone: the test at 5 % is wrong about 5 % of them, and about none that lost a
// fifth.
TEST(comparison, noise_is_taken_for_a_change_as_seldom_as_is_said_and_a_lost_fifth_is_always_seen) {
    std::mt19937_64 random(2);
    std::normal_distribution<double> noise(1, 0.05);
    auto const rates = [&](double rate) {
        std::vector<double> made;
        for (int k = 0; k < 15; ++k) {
            made.push_back(rate * noise(random));
        }
        return made;
    };
    int alarms = 0;
    for (int pair = 0; pair < 400; ++pair) {
        rates::bounds const of_noise = *change_of(rates(1000), rates(1000)).within;
        alarms += of_noise.most < 1 || of_noise.least > 1 ? 1 : 0;
        EXPECT_LT(change_of(rates(1000), rates(800)).within->most, 1);
    }
    EXPECT_LT(alarms, 400 * 0.08);
    EXPECT_GT(alarms, 400 * 0.02) << "bounds that are never left are no bounds";
}

TEST(comparison, student_s_quantiles_are_those_of_the_tables) {
    EXPECT_NEAR(rates::student_quantile(0.05, 1), 12.7062, 1e-4);
    EXPECT_NEAR(rates::student_quantile(0.05, 2), 4.30265, 1e-5);
    EXPECT_NEAR(rates::student_quantile(0.05, 10), 2.22814, 1e-5);
    EXPECT_NEAR(rates::student_quantile(0.01, 29), 2.75639, 1e-5);
    EXPECT_NEAR(rates::student_quantile(0.05, 1000), 1.96234, 1e-5);
}

// Logarithms -a, 0 and a: mean 0, standard error a / sqrt(3), two degrees of freedom.
TEST(comparison, the_geometric_mean_has_student_s_bounds) {
    std::vector<double> const ratios{0.5, 1, 2};
    rates::change const found = geometric_mean(ratios);
    EXPECT_NEAR(found.ratio, 1, 1e-12);
    ASSERT_TRUE(found.within);
    double const reach = rates::student_quantile(0.05, 2) * std::log(2.0) / std::sqrt(3.0);
    EXPECT_NEAR(found.within->most, std::exp(reach), 1e-9);
    EXPECT_NEAR(found.within->least, std::exp(-reach), 1e-9);
    rates::change const one = geometric_mean(std::vector<double>{0.9});
    EXPECT_NEAR(one.ratio, 0.9, 1e-12);
    EXPECT_FALSE(one.within);
}

}  // namespace
}  // namespace optgap::testing
