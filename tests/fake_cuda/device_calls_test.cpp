// Benchmarks of whole calls on a device, over the stand-in: batches grow, both devices agree, and the parts of a first
// call are separated.

#include <gtest/gtest.h>

#include "bench/bench.hpp"

namespace optgap::bench {
namespace {

setting of(engine const& by, char const* task) {
    return {.by = by,
            .task = by.task_index(task),
            .level = difficulty::scale(3),
            .batch = 300,
            .steps = 20,
            .seconds = 0.01};
}

TEST(cuda_device_calls, batches_grow_to_the_largest_on_both_devices) {
    engine const by({.where = device::cuda, .threads = 1});
    ASSERT_EQ(by.where(), device::cuda);
    for (char const* task : {"tsp", "subset_sum"}) {
        for (measurement (*run)(setting const&) :
             {bench_crossover_generate, bench_crossover_verify, bench_crossover_improve}) {
            measurement const found = run(of(by, task));
            ASSERT_EQ(found.ratios.size(), 3U) << found.workload;
            EXPECT_EQ(found.ratios[0].first, "64");
            EXPECT_EQ(found.ratios[1].first, "256");
            EXPECT_EQ(found.ratios[2].first, "300");
            for (auto const& [rows, ratio] : found.ratios) {
                EXPECT_GT(ratio, 0) << found.workload << ' ' << rows;
            }
            EXPECT_EQ(found.batch, 300);
            EXPECT_GE(found.seconds.size(), 5U);
        }
    }
}

TEST(cuda_device_calls, a_first_call_has_its_parts) {
    engine const by({.where = device::cuda, .threads = 1});
    measurement const found = bench_first_call(of(by, "knapsack"));
    ASSERT_EQ(found.stages.size(), 3U);
    EXPECT_EQ(found.stages[0].first, "made");
    EXPECT_EQ(found.stages[1].first, "first");
    EXPECT_EQ(found.stages[2].first, "next");
    for (auto const& [stage, seconds] : found.stages) {
        EXPECT_GT(seconds, 0) << stage;
    }
}

}  // namespace
}  // namespace optgap::bench
