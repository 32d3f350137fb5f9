// How a batch is cut for a device arena, and launch shapes: arithmetic that needs no GPU.

#include "host/cuda/device_slices.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

#include "kernels/launch/launch_plan.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

TEST(slice_account, fills_the_whole_arena_when_no_row_needs_scratch) {
    slice_account account(100);
    EXPECT_TRUE(account.admit({60, 0}));
    EXPECT_TRUE(account.admit({40, 0}));
    EXPECT_FALSE(account.admit({1, 0}));
}

TEST(slice_account, leaves_half_of_the_arena_to_scratch) {
    slice_account account(100);
    EXPECT_TRUE(account.admit({30, 10}));
    EXPECT_TRUE(account.admit({20, 0}));
    EXPECT_FALSE(account.admit({1, 0}));
    account.clear();
    EXPECT_TRUE(account.admit({1, 0}));
}

TEST(slice_account, a_large_row_gets_a_slice_of_its_own) {
    slice_account account(100);
    EXPECT_TRUE(account.admit({10, 5}));
    EXPECT_FALSE(account.admit({80, 20}));
    account.clear();
    EXPECT_TRUE(account.admit({80, 20}));
    EXPECT_FALSE(account.admit({1, 0}));
}

TEST(slice_account, a_row_that_can_never_fit_is_out_of_memory) {
    slice_account account(100);
    try {
        account.admit({90, 11});
        FAIL();
    } catch (error const& failure) {
        EXPECT_EQ(failure.code(), status::out_of_memory);
        EXPECT_NE(std::string(failure.what()).find("101"), std::string::npos) << failure.what();
    }
}

TEST(row_slicer, covers_every_row_once_and_every_slice_fits) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 200; ++trial) {
        std::int64_t const instances = 1 + random() % 30;
        std::int64_t const rows = random() % 200;
        std::int64_t const capacity = 300;
        std::vector<std::int32_t> instance_of;
        std::vector<std::int64_t> row_bytes;
        std::vector<std::int64_t> row_scratch;
        std::vector<std::int64_t> instance_bytes;
        for (std::int64_t r = 0; r < rows; ++r) {
            instance_of.push_back(std::int32_t(random() % std::uint32_t(instances)));
            row_bytes.push_back(std::int64_t(random() % 50));
            row_scratch.push_back(random() % 3 == 0 ? std::int64_t(random() % 100) : 0);
        }
        for (std::int64_t i = 0; i < instances; ++i) {
            instance_bytes.push_back(std::int64_t(random() % 100));
        }
        row_slicer slicer(
            rows, instances, instance_of.data(), capacity,
            [&](std::int64_t r, std::int32_t i) {
                EXPECT_EQ(i, instance_of[std::size_t(r)]);
                return row_cost{row_bytes[std::size_t(r)], row_scratch[std::size_t(r)]};
            },
            [&](std::int32_t i) { return instance_bytes[std::size_t(i)]; });
        std::int64_t next = 0;
        for (row_slice slice; slicer.next(slice);) {
            EXPECT_EQ(slice.begin, next);
            ASSERT_EQ(std::int64_t(slice.instance_of.size()), slice.rows());
            std::int64_t bytes = 0;
            std::int64_t scratch = 0;
            for (std::int64_t r = slice.begin; r < slice.end; ++r) {
                std::int32_t const local = slice.instance_of[std::size_t(r - slice.begin)];
                EXPECT_EQ(slice.instances[std::size_t(local)], instance_of[std::size_t(r)]);
                bytes += row_bytes[std::size_t(r)];
                scratch = std::max(scratch, row_scratch[std::size_t(r)]);
            }
            std::map<std::int32_t, int> uses;
            for (std::int32_t const i : slice.instances) {
                bytes += instance_bytes[std::size_t(i)];
                EXPECT_EQ(++uses[i], 1);
            }
            EXPECT_LE(bytes + scratch, capacity);
            next = slice.end;
        }
        EXPECT_EQ(next, rows);
    }
}

TEST(row_slicer, without_a_map_row_r_is_instance_r) {
    row_slicer slicer(
        5, 5, nullptr, 20,
        [](std::int64_t, std::int32_t) {
            return row_cost{10, 0};
        },
        [](std::int32_t) { return 0; });
    std::vector<std::int32_t> seen;
    for (row_slice slice; slicer.next(slice);) {
        seen.insert(seen.end(), slice.instances.begin(), slice.instances.end());
        EXPECT_LE(slice.rows(), 2);
    }
    EXPECT_EQ(seen, (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
}

TEST(bucket_by_task, keeps_rows_ascending_within_their_task) {
    std::vector<std::int32_t> const task{2, 0, 2, 2, 0};
    rows_by_task const found = bucket_by_task(task, 4);
    EXPECT_EQ(found.rows, (std::vector<std::int32_t>{1, 4, 0, 2, 3}));
    EXPECT_EQ(found.begin, (std::vector<std::int64_t>{0, 2, 2, 5, 5}));
}

TEST(append_used, closes_the_gaps_between_rows) {
    std::vector<std::int64_t> const offsets = offsets_of(std::vector<std::int64_t>{3, 0, 2});
    EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 3, 3, 5}));
    std::vector<std::int32_t> const words{10, 11, 99, 12, 99};
    csr_words out;
    out.append(std::vector<std::int32_t>{1});
    append_used(out, words, offsets, std::vector<std::int64_t>{2, 0, 1});
    EXPECT_EQ(out.words, (std::vector<std::int32_t>{1, 10, 11, 12}));
    EXPECT_EQ(out.offsets, (std::vector<std::int64_t>{0, 1, 3, 3, 4}));
}

/// An H100's limits.
constexpr device_limits hopper{132, 227 << 10, 228 << 10, 1 << 10};

TEST(launch_plan, no_scratch_needs_no_memory) {
    launch_plan const plan = plan_launch(hopper, 0);
    EXPECT_EQ(plan.shared_bytes, 0);
    EXPECT_FALSE(plan.global_scratch);
}

TEST(launch_plan, small_scratch_lives_in_shared_memory_on_64_byte_boundaries) {
    launch_plan const plan = plan_launch(hopper, 17);
    EXPECT_EQ(plan.words_per_row, 32);
    EXPECT_EQ(plan.shared_bytes, 4 * 32 * launch_policy::warps_per_block);
    EXPECT_FALSE(plan.global_scratch);
}

TEST(launch_plan, scratch_that_would_leave_too_few_warps_lives_in_global_memory) {
    std::int64_t largest = 0;
    for (std::int64_t words = 16; words < (1 << 16); words += 16) {
        launch_plan const plan = plan_launch(hopper, words);
        if (plan.global_scratch) {
            EXPECT_EQ(plan.shared_bytes, 0);
            continue;
        }
        largest = words;
        std::int64_t const blocks = hopper.shared_per_multiprocessor / (plan.shared_bytes + hopper.shared_reserved);
        EXPECT_GE(blocks * launch_policy::warps_per_block, launch_policy::warps_wanted);
        EXPECT_LE(plan.shared_bytes, hopper.shared_per_block);
    }
    EXPECT_GT(largest * 4, 24 << 10);
    EXPECT_LT(largest * 4, 32 << 10);
    EXPECT_TRUE(plan_launch(hopper, std::int64_t(1) << 40).global_scratch);
}

TEST(launch_plan, a_search_with_little_scratch_is_planned_like_any_launch) {
    for (std::int64_t const words : {0, 17, 1000, 6000}) {
        launch_plan const plan = plan_search(hopper, words);
        EXPECT_FALSE(plan.block_per_row) << words;
        EXPECT_EQ(plan.shared_bytes, plan_launch(hopper, words).shared_bytes) << words;
        EXPECT_FALSE(plan.global_scratch) << words;
    }
}

TEST(launch_plan, a_block_takes_a_row_of_a_search_whose_scratch_leaves_too_few_warps) {
    std::int64_t largest = 0;
    for (std::int64_t words = 8000; words < (1 << 16); words += 16) {
        launch_plan const plan = plan_search(hopper, words);
        EXPECT_TRUE(plan.block_per_row) << words;
        EXPECT_EQ(plan.words_per_row, words);
        if (plan.global_scratch) {
            EXPECT_EQ(plan.shared_bytes, 128);
            continue;
        }
        largest = words;
        EXPECT_EQ(plan.shared_bytes, 128 + 4 * words);
        EXPECT_LE(plan.shared_bytes, hopper.shared_per_block);
    }
    EXPECT_EQ(largest * 4, (227 << 10) - 128);
}

TEST(launch_policy, lists_of_unknown_length_have_teams_for_their_share_and_no_fewer_than_have_work_at_once) {
    std::int64_t const rows = 1 << 20, tasks = 42, at_once = 8448;
    std::int64_t const share = (rows + tasks - 1) / tasks;
    std::int64_t const teams = launch_policy::teams_of_found(rows, at_once, share);
    EXPECT_LT(tasks * teams, rows + tasks * at_once);
    EXPECT_EQ((share + teams - 1) / teams, 1) << "lists as long as one another";
    EXPECT_LE((rows + teams - 1) / teams, tasks) << "one list has all";
    EXPECT_EQ(launch_policy::teams_of_found(10 * at_once, at_once, share / 10), at_once) << "one list has all of few";
    EXPECT_EQ(launch_policy::teams_of_found(100, at_once, 3), 100);
    EXPECT_EQ(launch_policy::teams_of_found(rows, at_once, rows), rows) << "a set of one task";
}

}  // namespace
}  // namespace optgap
