// Teams of several threads run the same task code to the same bytes as a team of one. Under ThreadSanitizer this finds
// the races that a GPU would have.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "host/reward/ranking.hpp"
#include "kernels/core/bitset.hpp"
#include "kernels/core/thread_team.hpp"
#include "kernels/reward/device_estimators.hpp"

namespace optgap {
namespace {

using words = std::vector<std::int32_t>;

TEST(team_properties, collectives_agree_with_their_definition) {
    run_as_team<5>([](auto& team) {
        std::int32_t const rank = team.rank();
        EXPECT_EQ(team.sum(rank), 10);
        EXPECT_TRUE(team.all(rank < 5));
        EXPECT_FALSE(team.all(rank < 4));
        EXPECT_TRUE(team.any(rank == 4));
        EXPECT_FALSE(team.any(rank == 5));
        EXPECT_EQ(team.min_by(rank / 2, 9 - rank).index, 8) << "equal keys: the smallest index wins";
        EXPECT_EQ(team.max_by(rank == 2 || rank == 3 ? 7 : 0, rank).index, 2);
        EXPECT_EQ(team.broadcast(rank * 10, 3), 30);
    });
}

TEST(team_properties, first_repeat_is_the_same_for_every_team) {
    words const values{4, 9, 1, 0, 7, 9, 4, 4};
    std::vector<std::uint32_t> seen(1);
    solo alone;
    EXPECT_EQ(first_repeat(alone, values.data(), 8, seen.data(), 10), 5);
    run_as_team<3>([&](auto& team) { EXPECT_EQ(first_repeat(team, values.data(), 8, seen.data(), 10), 5); });
    run_as_team<8>([&](auto& team) { EXPECT_EQ(first_repeat(team, values.data(), 8, seen.data(), 10), 5); });
    EXPECT_EQ(first_repeat(alone, values.data(), 5, seen.data(), 10), -1);
}

TEST(team_properties, advantages_of_a_group_have_the_same_bits_for_every_team) {
    for (std::int64_t count : {1, 2, 7, 16, 31, 33, 100}) {
        std::vector<float> rewards;
        for (std::int64_t k = 0; k < count; ++k) {
            rewards.push_back(k % 7 == 3 ? std::numeric_limits<float>::quiet_NaN() : 0.1f * float((k * 37) % 19));
        }
        auto const row = [](std::int64_t k) { return k; };
        std::vector<float> alone(rewards.size());
        std::vector<float> together(rewards.size());
        double partial[sum_lanes];
        solo one;
        for (estimator_entry const& each : listed_estimators()) {
            if (!each.reads_rewards_alone()) {
                continue;
            }
            group_rule const rule{{.form = each.form}, 0.7};
            group_advantage_by_form(one, rewards.data(), count, row, rule, partial, alone.data());
            run_as_team<4>([&](auto& team) {
                group_advantage_by_form(team, rewards.data(), count, row, rule, partial, together.data());
            });
            EXPECT_EQ(alone, together) << count << " rows, " << each.info->name;
        }
    }
}

TEST(team_properties, ranks_of_a_group_have_the_bits_of_the_plain_loops_for_every_team) {
    for (std::int64_t const count : {1, 2, 4, 7, 16, 33, 70}) {
        for (std::int32_t const columns : {1, 3}) {
            std::vector<double> scores;
            for (std::int64_t k = 0; k < count * columns; ++k) {
                scores.push_back(k % 9 == 4 ? std::nan("") : 0.1 * double((k * 37) % 19) - 0.9);
            }
            std::vector<double> plain(static_cast<std::size_t>(count));
            std::vector<double> alone(plain.size(), 7.0);
            std::vector<double> together(plain.size(), 7.0);
            std::vector<double> column(plain.size());
            std::vector<double> value(plain.size());
            double partial[sum_lanes];
            ranking_scratch scratch;
            for (char const* const text :
                 {"river", "rank_uniform", "instance_norm", "raw", "raw_binary",
                  R"({"estimator": "river", "tie": "shared", "denominator": "valid", "post": "standardise"})",
                  R"({"estimator": "river", "tie": "lowest_index", "post": "center"})"}) {
                advantage_spec const spec = parse_advantage_spec(text);
                for (sense const direction : {sense::maximise, sense::minimise}) {
                    rank_room const room{column.data(), value.data(), partial};
                    score_range range{scores.data(), count, columns, direction, plain.data()};
                    rank_candidates(range, spec, scratch);
                    solo one;
                    range.out = alone.data();
                    rank_scores_by_form(one, range, spec, room);
                    range.out = together.data();
                    run_as_team<4>([&](auto& team) { rank_scores_by_form(team, range, spec, room); });
                    std::size_t const bytes = plain.size() * sizeof(double);
                    EXPECT_EQ(std::memcmp(plain.data(), alone.data(), bytes), 0) << text << ", " << count << " rows";
                    EXPECT_EQ(std::memcmp(plain.data(), together.data(), bytes), 0) << text << ", " << count << " rows";
                }
            }
        }
    }
}

}  // namespace
}  // namespace optgap
