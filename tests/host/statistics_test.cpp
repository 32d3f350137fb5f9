#include "optgap/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <nlohmann/json.hpp>

#include "kernels/reward/reward.hpp"
#include "optgap/reward_rules.hpp"
#include "optgap/run_record.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

constexpr float excluded = std::numeric_limits<float>::quiet_NaN();

struct generator {
    std::uint64_t state = 1;
    std::uint64_t next() {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return state;
    }
};

reward_row row_of(float quality, bool feasible = true) {
    reward_row row;
    row.format = 1;
    row.feasible = feasible ? 1.0f : 0.0f;
    row.quality = feasible ? quality : 0.0f;
    return row;
}

TEST(group_filter, keeps_the_rows_of_groups_whose_rewards_are_not_all_equal) {
    float const rewards[] = {1, 0.5f, 2, excluded, 1, 2, 0.5f, 3, excluded};
    std::int32_t const group[] = {9, -4, 9, 9, 9, 5, -4, 1, 1};
    group_filter const found = filter_groups(rewards, group);
    EXPECT_EQ(found.keep, (std::vector<std::uint8_t>{1, 0, 1, 0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(found.total.groups, 4);
    EXPECT_EQ(found.total.kept, 1);
    EXPECT_EQ(found.total.collapsed, 1) << "a group of one reward has no variance to be zero";
    EXPECT_DOUBLE_EQ(found.total.effective_prompt_ratio(), 0.25);
    EXPECT_TRUE(std::isnan(filter_groups({}, {}).total.effective_prompt_ratio()));
}

TEST(group_filter, a_group_whose_rewards_differ_by_length_alone_is_collapsed) {
    float const rewards[] = {1, 0.75f, 0.5f, 1, 0.25f, 0.75f, 2, 1.75f, 1, 1};
    float const lost[] = {0, -0.25f, -0.5f, 0, -0.5f, -0.25f, 0, -0.5f, 0, 0};
    std::int32_t const group[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 3};
    group_filter const found = filter_groups(rewards, group, {}, 0, lost);
    EXPECT_EQ(found.keep, (std::vector<std::uint8_t>{0, 0, 0, 1, 1, 1, 1, 1, 0, 0}));
    EXPECT_EQ(found.total.collapsed, 2);
    EXPECT_EQ(found.total.kept, 2);
    EXPECT_EQ(filter_groups(rewards, group).total.kept, 3) << "without the column rewards are what they are";
    EXPECT_THROW(filter_groups(rewards, group, {}, 0, std::span(lost).first(2)), error);
}

TEST(group_filter, rounded_rewards_that_differ_by_length_alone_are_equal_under_every_spec) {
    generator random;
    for (char const* const text :
         {R"({"length": {"limit": 100, "buffer": 40}})", R"({"length": {"limit": 100, "buffer": 40}, "range": [0, 1]})",
          R"({"shape": "power", "exponent": 2, "length": {"limit": 100, "buffer": 40, "factor": 0.7}})"}) {
        reward_spec const spec = parse_reward_spec(text);
        for (int trial = 0; trial < 300; ++trial) {
            baseline base;
            base.objective = base.bound = 1000;
            std::int64_t const objective = std::int64_t(1 + random.next() % 1000);
            std::vector<float> rewards, lost;
            for (int k = 0; k < 4; ++k) {
                reward_row const row = reward_of({code_ok, -1, objective, 0, 1}, code_ok, finish::stop,
                                                 std::int32_t(random.next() % 130), base, sense::maximise, spec);
                rewards.push_back(row.reward);
                lost.push_back(row.length_penalty);
            }
            EXPECT_EQ(filter_groups(rewards, std::vector<std::int32_t>(4, 0), {}, 0, lost).total.kept, 0) << text;
        }
    }
}

TEST(group_filter, a_group_counts_in_the_cell_of_its_first_row) {
    float const rewards[] = {1, 1, 2, 2};
    std::int32_t const group[] = {7, 8, 7, 8}, cell[] = {2, 0, 1, 0};
    group_filter const found = filter_groups(rewards, group, cell, 3);
    EXPECT_EQ(found.cells[2].kept, 1);
    EXPECT_EQ(found.cells[0].groups, 1);
    EXPECT_EQ(found.cells[1], group_counts{});
    EXPECT_THROW(filter_groups(rewards, group, cell, 2), error);
    EXPECT_THROW(filter_groups(rewards, std::span(group).first(3)), error);
}

TEST(group_filter, collision_and_resolution_are_what_the_definitions_say) {
    generator random;
    for (int size : {2, 3, 16, 63, 64, 65, 100}) {
        for (std::uint64_t distinct : {2U, 3U, 50U}) {
            std::vector<float> rewards;
            for (int i = 0; i < size; ++i) {
                rewards.push_back(float(random.next() % distinct));
            }
            rewards[0] = -1;
            rewards[1] = 0;
            std::map<float, double> counts;
            for (float const reward : rewards) {
                counts[reward] += 1;
            }
            double collision = 0, all_equal = 0;
            for (auto const& [value, n] : counts) {
                collision += n * (n - 1) / (size * (size - 1.0));
                all_equal += std::pow(n / size, size);
            }
            group_counts const found = filter_groups(rewards, std::vector<std::int32_t>(rewards.size(), 3)).total;
            EXPECT_NEAR(found.pair_collision(), collision, 1e-12);
            EXPECT_NEAR(found.feedback_resolution(), -std::log(all_equal) / (size - 1), 1e-9) << size;
        }
    }
}

/// Adds groups of `rows` rows with every pattern of equal values, the most frequent value first.
void add_shapes(std::int32_t rows, std::int32_t most, std::vector<float>& shape, std::vector<std::vector<float>>& all) {
    if (rows == 0) {
        all.push_back(shape);
    }
    for (std::int32_t count = 1; count <= std::min(rows, most); ++count) {
        shape.insert(shape.end(), std::size_t(count), float(shape.size()));
        add_shapes(rows - count, count, shape, all);
        shape.resize(shape.size() - std::size_t(count));
    }
}

/// Results of a group are cached for others with the same pattern of equal values, and only for those.
TEST(group_filter, a_group_among_all_others_counts_as_it_does_alone) {
    std::vector<std::vector<float>> groups;
    std::vector<float> shape;
    for (std::int32_t const rows : {1, 2, 3, 5, 8, 15, 16, 17, 20}) {
        add_shapes(rows, rows, shape, groups);
    }
    ASSERT_EQ(std::size_t(1 + 2 + 3 + 7 + 22 + 176 + 231 + 297 + 627), groups.size());
    std::vector<float> rewards;
    std::vector<std::int32_t> group, cell;
    for (std::int32_t round = 0; round < 2; ++round) {
        for (std::size_t g = 0; g < groups.size(); ++g) {
            rewards.insert(rewards.end(), groups[g].begin(), groups[g].end());
            group.insert(group.end(), groups[g].size(), std::int32_t(g) * 2 + round);
            cell.insert(cell.end(), groups[g].size(), std::int32_t(g));
        }
    }
    group_filter const found = filter_groups(rewards, group, cell, std::int32_t(groups.size()));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        group_counts twice;
        group_counts const alone = filter_groups(groups[g], std::vector<std::int32_t>(groups[g].size())).total;
        twice += alone;
        twice += alone;
        ASSERT_EQ(found.cells[g], twice) << ::testing::PrintToString(groups[g]);
    }
}

TEST(group_filter, all_different_rewards_resolve_ln_g_even_in_groups_whose_chances_underflow) {
    std::vector<float> rewards(5000);
    for (std::size_t i = 0; i < rewards.size(); ++i) {
        rewards[i] = float(i);
    }
    std::vector<std::int32_t> const group(rewards.size(), 0);
    EXPECT_NEAR(filter_groups(rewards, group).total.feedback_resolution(), std::log(5000.0), 1e-9);
    EXPECT_EQ(filter_groups(std::vector<float>(5000, 0.1f), group).total.feedback_resolution(), 0.0);
}

TEST(statistics, merging_shards_in_any_order_gives_the_same_bytes) {
    generator random;
    std::vector<statistics> shards(8);
    statistics whole;
    for (int i = 0; i < 4000; ++i) {
        reward_row row = row_of(float(random.next() >> 40) / float(1 << 24), random.next() % 3 != 0);
        row.truncated = std::int32_t(random.next() % 2);
        statistics::place const where{random.next() % 2 == 0 ? "tsp" : "clique",
                                      random.next() % 2 == 0 ? "easy" : "d3"};
        shards[random.next() % 8].cells[where].add(row, 1.0);
        whole.cells[where].add(row, 1.0);
    }
    std::vector<std::size_t> order{0, 1, 2, 3, 4, 5, 6, 7};
    for (int trial = 0; trial < 5; ++trial) {
        statistics merged;
        for (std::size_t const shard : order) {
            merged.merge(statistics_from_json(to_json(shards[shard])));
        }
        EXPECT_EQ(to_json(merged), to_json(whole));
        std::rotate(order.begin(), order.begin() + 3, order.end());
        std::swap(order[0], order[5]);
    }
}

TEST(statistics, quantiles_lie_less_than_a_bin_below_the_samples_own) {
    generator random;
    cell_statistics cell;
    std::vector<float> sample;
    for (int i = 0; i < 1001; ++i) {
        sample.push_back(std::sqrt(float(random.next() >> 40) / float(1 << 24)));
        cell.add(row_of(sample.back()), 1.0);
        cell.add(row_of(0, false), 1.0);
    }
    std::sort(sample.begin(), sample.end());
    for (double const at : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        double const exact = double(sample[std::size_t(std::floor(at * 1000 + 0.5))]);
        EXPECT_LE(cell.quality_quantile(at), exact);
        EXPECT_GT(cell.quality_quantile(at), exact - 1.0 / 63);
    }
}

TEST(statistics, a_quality_of_one_has_its_own_bin_and_counts_as_correct) {
    cell_statistics cell;
    cell.add(row_of(1.0f), 1.0);
    cell.add(row_of(std::nextafter(1.0f, 0.0f)), 1.0);
    cell.add(row_of(1.0f, false), 0.0);
    EXPECT_EQ(cell.correct, 1);
    EXPECT_EQ(cell.histogram[63], 1);
    EXPECT_EQ(cell.histogram[62], 1);
    EXPECT_EQ(cell.quality_quantile(1.0), 1.0);
    EXPECT_NEAR(cell.quality_ratio(), 2.0 / 3, 1e-7);
}

TEST(statistics, other_thresholds_and_broken_tables_are_refused) {
    statistics strict, loose;
    loose.correct_from = 0.9;
    EXPECT_THROW(strict.merge(loose), error);
    strict.cells[{"tsp", "easy"}].add(row_of(1), 1.0);
    auto const sound = nlohmann::ordered_json::parse(to_json(strict));
    EXPECT_EQ(to_json(statistics_from_json(sound.dump())), sound.dump());
    for (char const* field : {"rows", "quality_histogram", "kept_groups", "task"}) {
        nlohmann::ordered_json broken = sound;
        broken["cells"][0][field] = -1;
        EXPECT_THROW(statistics_from_json(broken.dump()), field_error) << field;
        broken["cells"][0].erase(field);
        EXPECT_THROW(statistics_from_json(broken.dump()), field_error) << field;
    }
    EXPECT_THROW(statistics_from_json("[]"), field_error);
    EXPECT_THROW(statistics_from_json("{"), field_error);
    strict.run = "{";
    EXPECT_THROW(to_json(strict), error);
}

TEST(run_fingerprint, names_the_parts_that_differ) {
    run_settings settings;
    settings.engine_version = "1.2.3";
    auto const digits = [](run_settings const& of) { return run_fingerprint(run_record(of)); };
    std::string const first = digits(settings);
    EXPECT_EQ(first.size(), 16u);
    EXPECT_EQ(nlohmann::json::parse(run_record(settings))["fingerprint"], first);
    EXPECT_EQ(differing_parts(first, first), "");
    run_settings other = settings;
    other.reward.specs[0].infeasible = -1.25;
    EXPECT_EQ(differing_parts(first, digits(other)), "reward");
    other.advantage.epsilon = 1e-4;
    other.budget = 7;
    EXPECT_EQ(differing_parts(first, digits(other)), "reward, advantage and baseline");
    other = settings;
    other.engine_version = "1.2.4";
    EXPECT_EQ(differing_parts(first, digits(other)), "engine");
    other = settings;
    other.format = "boxed";
    EXPECT_EQ(differing_parts(first, digits(other)), "format");
    EXPECT_EQ(differing_parts(first, "no fingerprint"), "all of it");
    EXPECT_EQ(run_fingerprint("null"), "");
    EXPECT_EQ(run_fingerprint("{"), "");
}

}  // namespace
}  // namespace optgap
