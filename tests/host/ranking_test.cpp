// RiVER's scores and the baselines of the same paper, against values computed by hand.

#include "host/reward/ranking.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace optgap {
namespace {

std::vector<double> ranked(std::vector<double> const& scores, char const* spec, std::int64_t instances = 1,
                           sense direction = sense::maximise) {
    ranking_scratch scratch;
    std::vector<double> out(scores.size() / std::size_t(instances));
    rank_candidates({scores.data(), std::int64_t(out.size()), std::int32_t(instances), direction, out.data()},
                    parse_advantage_spec(spec), scratch);
    return out;
}

void expect_near(std::vector<double> const& found, std::vector<double> const& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_NEAR(found[k], expected[k], 1e-12) << "candidate " << k;
    }
}

TEST(river, eight_distinct_scores_get_the_paper_s_values) {
    expect_near(ranked({8, 7, 6, 5, 4, 3, 2, 1}, "river"), {1, .5, .3, .1, -.1, -.3, -.5, -.5});
    expect_near(ranked({1, 2, 3, 4, 5, 6, 7, 8}, "river", 1, sense::minimise), {1, .5, .3, .1, -.1, -.3, -.5, -.5});
}

TEST(river, a_group_that_ties_as_a_whole_gets_zero) {
    expect_near(ranked(std::vector<double>(16, 3.0), "river"), std::vector<double>(16, 0.0));
}

TEST(river, one_winner_over_a_tie_of_fifteen) {
    std::vector<double> scores(16, 1.0);
    scores[5] = 2.0;
    std::vector<double> expected(16, -1.0 / 26);
    expected[5] = 1.0;
    expect_near(ranked(scores, "river"), expected);
}

TEST(river, two_tied_leaders_get_a_half_each) {
    std::vector<double> const found = ranked({5, 5, 4, 3, 2, 1, 0, -1}, "river");
    EXPECT_EQ(found[0], 0.5);
    EXPECT_EQ(found[1], 0.5);
}

TEST(river, invalid_candidates_get_minus_one_and_the_denominator_stays_the_group) {
    expect_near(ranked({NAN, NAN, NAN, NAN}, "river"), {-1, -1, -1, -1});
    expect_near(ranked({8, 7, 6, 5, NAN, NAN, NAN, NAN}, "river"), {1, .5, .3, .1, -1, -1, -1, -1});
}

TEST(river, options_choose_denominator_winner_and_what_comes_after) {
    expect_near(ranked({8, 7, 6, 5, NAN, NAN, NAN, NAN}, R"({"estimator":"river","denominator":"valid"})"),
                {1, .5, -.5, -.5, -1, -1, -1, -1});
    expect_near(ranked({8, 7, 6, NAN, NAN, NAN, NAN, NAN}, R"({"estimator":"river","denominator":"valid"})"),
                {1, .5, .3, -1, -1, -1, -1, -1});
    std::vector<double> const shared = ranked({5, 5, 4, 3, 2, 1, 0, -1}, R"({"estimator":"river","tie":"shared"})");
    EXPECT_EQ(shared[0], 1.0);
    EXPECT_EQ(shared[1], 1.0);
    std::vector<double> const first =
        ranked({5, 5, 4, 3, 2, 1, 0, -1}, R"({"estimator":"river","tie":"lowest_index"})");
    EXPECT_EQ(first[0], 1.0);
    EXPECT_EQ(first[1], 0.5);
    std::vector<double> const centred = ranked({8, 7, 6, 5, 4, 3, 2, 1}, R"({"estimator":"river","post":"center"})");
    double sum = 0;
    for (double x : centred) {
        sum += x;
    }
    EXPECT_NEAR(sum, 0.0, 1e-12);
    EXPECT_NEAR(centred[0] - centred[1], 0.5, 1e-12);
}

TEST(river, averages_over_instances) {
    // Two instances; the second one reverses the order.
    std::vector<double> matrix;
    for (int k = 0; k < 8; ++k) {
        matrix.push_back(8 - k);
        matrix.push_back(k);
    }
    std::vector<double> const found = ranked(matrix, "river", 2);
    EXPECT_NEAR(found[0], (1 - .5) / 2, 1e-12);
    EXPECT_NEAR(found[3], (.1 - .1) / 2, 1e-12);
}

TEST(river, sorting_and_counting_ranks_agree) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<double> large(200);
        for (double& x : large) {
            x = random() % 10 == 0 ? NAN : double(random() % 50);
        }
        std::vector<double> const found = ranked(large, "river");
        for (std::size_t i = 0; i < large.size(); ++i) {
            if (std::isnan(large[i])) {
                EXPECT_EQ(found[i], -1.0);
                continue;
            }
            int better = 0, equal = 0;
            for (double x : large) {
                better += x > large[i];
                equal += x == large[i];
            }
            double const rank = better + (equal + 1) / 2.0;
            double const expected = rank == 1.0 ? 1.0 : std::clamp((200 - 1 - rank) / (200 - 3.0), 0.0, 1.0) - 0.5;
            EXPECT_NEAR(found[i], expected, 1e-12);
        }
    }
}

TEST(rank_uniform, spreads_midranks_over_one_to_minus_one) {
    expect_near(ranked({3, 2, 1}, "rank_uniform"), {1, 0, -1});
    expect_near(ranked({3, 3, 1, NAN}, "rank_uniform"), {1 - 1.0 / 3, 1 - 1.0 / 3, 1 - 4.0 / 3, -1});
}

TEST(instance_norm, standardises_each_instance_and_ignores_constant_ones) {
    double const s = 1.0 + 1e-6;
    expect_near(ranked({3, 7, 2, 7, 1, 7}, "instance_norm", 2), {0.5 / s, 0, -0.5 / s});
}

TEST(instance_norm, gives_invalid_candidates_a_stand_in) {
    std::vector<double> const most = ranked({10, 20, NAN}, "instance_norm");
    EXPECT_LT(most[2], most[0]) << "maximise: 0";
    std::vector<double> const least = ranked({10, 20, NAN}, "instance_norm", 1, sense::minimise);
    EXPECT_NEAR(least[1] - least[2], least[0] - least[1], 1e-9) << "minimise: one range worse than the worst";
}

TEST(raw_binary, pays_every_best_candidate) {
    double const s = std::sqrt(1.0 / 3) + 1e-6;
    expect_near(ranked({4, 4, 1, 0}, R"({"estimator":"raw_binary"})"), {.5 / (s), .5 / (s), -.5 / (s), -.5 / (s)});
}

TEST(rs_grpo, is_the_exponential_form_and_survives_large_scores) {
    double const mean = (std::exp(2.0) + 1) / 2;
    expect_near(ranked({1, 0}, "rs_grpo"), {(std::exp(2.0) / mean - 1) / 2, (1 / mean - 1) / 2});
    for (double x : ranked({1e6, 0, 5}, "rs_grpo")) {
        EXPECT_TRUE(std::isfinite(x));
    }
}

TEST(rs_grpo_adaptive, meets_its_divergence_and_stays_finite_where_no_beta_exists) {
    std::vector<double> const scores{1.0, 0.8, 0.3, 0.1, 0.0, 0.55, 0.2, 0.9};
    std::vector<double> const found = ranked(scores, "rs_grpo_adaptive");
    // a = w / mean of the others' - 1 gives each row's share of the whole: w / sum = (a + 1) / (a + n).
    double kl = std::log(8.0);
    for (double a : found) {
        double const p = (a + 1) / (a + 8);
        kl += p * std::log(p);
    }
    EXPECT_NEAR(kl, std::log(2.0), 1e-9);
    for (std::vector<double> const& hard : {std::vector<double>{1, 1, 1, 0}, std::vector<double>{1, 0}}) {
        for (double x : ranked(hard, "rs_grpo_adaptive")) {
            EXPECT_TRUE(std::isfinite(x));
        }
    }
}

TEST(ranking, of_equal_scores_is_exactly_zero_in_every_standardised_form) {
    for (char const* form : {"rank_uniform", "instance_norm", "raw", "raw_binary", "rs_grpo", "rs_grpo_adaptive"}) {
        for (double x : ranked(std::vector<double>(12, 0.1), form)) {
            if (std::string_view(form) != "rank_uniform") {
                EXPECT_EQ(x, 0.0) << form;
            }
        }
    }
    expect_near(ranked(std::vector<double>(12, 0.1), "rank_uniform"), std::vector<double>(12, 0.0));
}

}  // namespace
}  // namespace optgap
