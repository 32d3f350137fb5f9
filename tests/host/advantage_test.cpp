#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "host/reward/advantage_groups.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

/// The closed form, in the order of the rows and in long double.
std::vector<double> closed_form(std::vector<float> const& rewards, std::vector<std::int32_t> const& group,
                                double epsilon, bool divide) {
    std::map<std::int32_t, std::vector<std::size_t>> members;
    for (std::size_t r = 0; r < rewards.size(); ++r) {
        if (!std::isnan(rewards[r])) {
            members[group[r]].push_back(r);
        }
    }
    std::vector<double> out(rewards.size(), 0.0);
    for (auto const& [id, rows] : members) {
        long double mean = 0;
        for (std::size_t r : rows)
            mean += rewards[r];
        mean /= rows.size();
        long double squares = 0;
        for (std::size_t r : rows)
            squares += (rewards[r] - mean) * (rewards[r] - mean);
        if (rows.size() < 2)
            continue;
        long double const scale = divide ? std::sqrt(squares / (rows.size() - 1)) + epsilon : 1.0L;
        for (std::size_t r : rows)
            out[r] = double((rewards[r] - mean) / scale);
    }
    return out;
}

TEST(advantages, follow_the_closed_form_for_groups_of_any_size_and_order) {
    std::mt19937_64 random(3);
    for (std::size_t rows : {1u, 2u, 16u, 17u, 64u, 1000u}) {
        for (int ids : {1, 3, 50}) {
            std::vector<float> rewards(rows);
            std::vector<std::int32_t> group(rows);
            for (std::size_t r = 0; r < rows; ++r) {
                rewards[r] = random() % 9 == 0 ? NAN : float(random() % 4096) / 4096.0f * 4.5f - 2.5f;
                group[r] = std::int32_t(random() % std::uint64_t(ids)) * 1'000'003 - 7;
            }
            for (estimator form : {estimator::grpo, estimator::dr_grpo}) {
                std::vector<float> const found =
                    cpu_engine().advantages(rewards, group, {.form = form, .epsilon = 1e-6});
                std::vector<double> const expected = closed_form(rewards, group, 1e-6, form == estimator::grpo);
                for (std::size_t r = 0; r < rows; ++r) {
                    EXPECT_NEAR(found[r], expected[r], 1e-6 * (1 + std::abs(expected[r])));
                }
            }
        }
    }
}

TEST(advantages, of_a_constant_group_are_exactly_zero) {
    for (float value : {0.1f, -2.5f, 0.7f, 1.0f / 3, 1e30f}) {
        for (std::size_t size : {2u, 3u, 7u, 12u, 16u, 100u}) {
            std::vector<float> const rewards(size, value);
            std::vector<std::int32_t> const group(size, 4);
            for (float advantage : cpu_engine().advantages(rewards, group)) {
                EXPECT_EQ(advantage, 0.0f);
                EXPECT_FALSE(std::signbit(advantage));
            }
        }
    }
}

TEST(advantages, of_groups_of_one_and_of_rows_without_a_reward_are_zero) {
    std::vector<float> const rewards{1.5f, NAN, 0.5f, NAN};
    std::vector<std::int32_t> const group{1, 1, 2, 3};
    EXPECT_EQ(cpu_engine().advantages(rewards, group), std::vector<float>(4, 0.0f));
}

TEST(advantages, do_not_depend_on_where_a_group_stands) {
    std::vector<float> rewards;
    std::vector<std::int32_t> group;
    for (int g = 0; g < 40; ++g) {
        for (int k = 0; k < 16; ++k) {
            rewards.push_back(0.1f * float((g * 31 + k * 17) % 23));
            group.push_back(g);
        }
    }
    std::vector<float> const together = cpu_engine().advantages(rewards, group);
    // Interleaved: row k of every group before row k + 1 of any.
    std::vector<std::size_t> order(rewards.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [](std::size_t a, std::size_t b) { return a % 16 < b % 16; });
    std::vector<float> mixed_rewards;
    std::vector<std::int32_t> mixed_group;
    for (std::size_t at : order) {
        mixed_rewards.push_back(rewards[at]);
        mixed_group.push_back(group[at] * -5);
    }
    engine const threaded({.where = device::cpu, .threads = 4});
    std::vector<float> const mixed = threaded.advantages(mixed_rewards, mixed_group);
    for (std::size_t i = 0; i < order.size(); ++i) {
        EXPECT_EQ(mixed[i], together[order[i]]);
    }
}

TEST(advantages, refuse_infinite_rewards) {
    std::vector<float> const rewards{1.0f, INFINITY};
    EXPECT_THROW(static_cast<void>(cpu_engine().advantages(rewards, std::vector<std::int32_t>{1, 1})), error);
}

TEST(advantages, refuse_a_group_list_of_another_length) {
    std::vector<float> const rewards{1.0f};
    EXPECT_THROW(static_cast<void>(cpu_engine().advantages(rewards, {})), error);
}

TEST(group_index, finds_groups_in_order_of_first_appearance) {
    std::vector<std::int32_t> const ids{7, 7, -1, 7, INT32_MIN, -1};
    group_index const index = index_groups(ids);
    EXPECT_EQ(index.begin, (std::vector<std::int64_t>{0, 3, 5, 6}));
    EXPECT_EQ(index.order, (std::vector<std::int64_t>{0, 1, 3, 2, 5, 4}));
}

TEST(group_index, needs_no_order_when_groups_stand_side_by_side) {
    std::vector<std::int32_t> const ids{3, 3, 1, 2, 2};
    group_index const index = index_groups(ids);
    EXPECT_TRUE(index.order.empty());
    EXPECT_EQ(index.begin, (std::vector<std::int64_t>{0, 2, 3, 5}));
    EXPECT_EQ(index_groups({}).groups(), 0);
}

}  // namespace
}  // namespace optgap::testing
