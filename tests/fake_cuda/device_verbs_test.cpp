// The benchmarks of kernels on device memory, over the fake runtime: their data, launches and checks.

#include <gtest/gtest.h>

#include "bench/bench.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"

namespace optgap::testing {
namespace {

class cuda_device_verbs : public ::testing::Test {
protected:
    void TearDown() override {
        fake::heal();
        EXPECT_EQ(fake::alive(), 0);
    }
};

using benchmark = bench::measurement (*)(bench::setting const&);
constexpr benchmark benchmarks[] = {bench::bench_device_generate, bench::bench_device_verify,
                                    bench::bench_device_improve};

TEST_F(cuda_device_verbs, agree_with_the_engine_on_every_task) {
    engine const by({.where = device::cuda, .threads = 1, .device_memory = 1 << 20});
    for (std::size_t task = 0; task < by.tasks().size(); ++task) {
        bench::setting const at{
            .by = by, .task = std::int32_t(task), .level = difficulty::easy(), .batch = 32, .steps = 5, .seconds = 0};
        for (benchmark const run : benchmarks) {
            if (run == bench::bench_device_improve && !by.tasks()[task].improves) {
                continue;
            }
            bench::measurement const made = run(at);
            EXPECT_EQ(made.seconds.size(), 5u) << made.workload;
            EXPECT_TRUE(made.items > 0.0 || run == bench::bench_device_improve) << made.workload;
            EXPECT_FALSE(made.needs.empty()) << made.workload;
            EXPECT_EQ(made.task, by.tasks()[task].name);
        }
    }
}

TEST_F(cuda_device_verbs, mixed_calls_of_a_store_agree_with_the_engine_and_have_each_ratio) {
    engine const by({.where = device::cuda, .threads = 1, .device_memory = 1 << 20});
    for (benchmark const run :
         {bench::bench_device_mixed_verify, bench::bench_device_mixed_step, bench::bench_device_mixed_improve}) {
        for (bool const every : {true, false}) {
            bench::setting const at{.by = by,
                                    .tasks = every ? std::vector<std::int32_t>() : std::vector<std::int32_t>{0, 1, 2},
                                    .level = difficulty::easy(),
                                    .batch = every ? 50 : 20,
                                    .steps = 5,
                                    .seconds = 0};
            bench::measurement const made = run(at);
            EXPECT_EQ(made.seconds.size(), 5u) << made.workload;
            EXPECT_EQ(made.batch, at.batch);
            EXPECT_EQ(made.task, every ? "mixed" : bench::name_of_tasks(at, ""));
            ASSERT_EQ(made.ratios.size(), run == bench::bench_device_mixed_improve ? 2u : 4u) << made.workload;
            for (auto const& [name, ratio] : made.ratios) {
                EXPECT_GT(ratio, 0) << made.workload << ": " << name;
            }
        }
    }
}

TEST_F(cuda_device_verbs, a_cuda_error_at_any_call_is_an_error) {
    engine const by({.where = device::cpu, .threads = 1});
    bench::setting const at{.by = by,
                            .task = by.task_index("bisection"),
                            .level = difficulty::easy(),
                            .batch = 16,
                            .steps = 2,
                            .seconds = 0};
    for (benchmark const run : benchmarks) {
        std::int64_t met = 0;
        for (std::int64_t site = 0;; ++site) {
            fake::fail_after(site, cudaErrorIllegalAddress);
            try {
                static_cast<void>(run(at));
                break;
            } catch (error const& failure) {
                ++met;
                ASSERT_EQ(failure.code(), status::device_failed) << failure.what();
            }
            fake::heal();
            ASSERT_EQ(fake::alive(), 0) << "call " << site;
        }
        fake::heal();
        EXPECT_GT(met, 30);
    }
}

}  // namespace
}  // namespace optgap::testing
