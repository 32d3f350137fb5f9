// An engine among other users of CUDA in one process: their GPUs, their graph captures, their share of the card, their
// driver. What a real card says to the captures is tests/cuda/graph_capture_test.cu.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "host/executor/device_policy.hpp"
#include "kernels/launch/cuda_calls.cuh"
#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_streams.hpp"
#include "tests/support/engine_verbs.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class cuda_beside_others : public ::testing::Test {
protected:
    void SetUp() override {
        fake::heal();
        fake::set_driver(0);
        fake::set_devices(1);
        fake::forget_contexts();
    }
    void TearDown() override {
        fake::set_driver(0);
        fake::set_devices(1);
        EXPECT_EQ(fake::alive(), 0);
    }
    /// On a thread that has called no CUDA before.
    template <class Work>
    static void on_a_fresh_thread(Work const& work) {
        std::jthread const fresh(work);
    }
    static engine made(device where, std::int32_t ordinal = -1) {
        return engine({.where = where, .threads = 1, .device_memory = 1 << 20, .ordinal = ordinal});
    }
    static std::vector<instance_spec> specs(std::int64_t count) {
        std::vector<instance_spec> all;
        for (std::int64_t i = 0; i < count; ++i) {
            all.push_back({0, difficulty::easy(), split::train, std::uint64_t(i)});
        }
        return all;
    }
};

TEST_F(cuda_beside_others, an_engine_makes_a_context_on_its_own_gpu_only) {
    fake::set_devices(2);
    on_a_fresh_thread([] {
        engine by = made(device::cuda, 1);
        EXPECT_EQ(fake::contexts(), std::set<int>{1});
        for (engine_verb const& verb : engine_verbs()) {
            on_a_fresh_thread([&] { EXPECT_EQ(verb.run(by), verb.run(cpu_engine())) << verb.name; });
        }
        on_a_fresh_thread([&] { by.release(); });
        on_a_fresh_thread([&] { by.resume(); });
        on_a_fresh_thread([&] { by = made(device::cpu); });  // the GPU's part ends on a thread that chose none
        EXPECT_EQ(fake::contexts(), std::set<int>{1});
    });
}

TEST_F(cuda_beside_others, a_caller_that_has_a_gpu_keeps_it) {
    fake::set_devices(2);
    on_a_fresh_thread([] {
        ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
        engine const by = made(device::cuda, 1);
        static_cast<void>(by.generate(specs(3)));
        int now = -1;
        ASSERT_EQ(cudaGetDevice(&now), cudaSuccess);
        EXPECT_EQ(now, 0);
        EXPECT_EQ(fake::contexts(), (std::set<int>{0, 1}));
    });
}

TEST_F(cuda_beside_others, no_call_ends_a_graph_capture_of_another_thread) {
    fake::begin_capture();
    {
        engine by = made(device::cuda);
        for (engine_verb const& verb : engine_verbs()) {
            EXPECT_EQ(verb.run(by), verb.run(cpu_engine())) << verb.name;
        }
        by.release();
        by.resume();
        EXPECT_EQ(by.device_status().fallbacks, 0) << by.device_status().last_reason;
    }
    EXPECT_TRUE(fake::end_capture());
    // The stand-in tells: an allocation by anybody else ends it.
    fake::begin_capture();
    void* memory = nullptr;
    EXPECT_NE(cudaMalloc(&memory, 16), cudaSuccess);
    EXPECT_FALSE(fake::end_capture());
}

TEST_F(cuda_beside_others, kernels_are_loaded_and_allowed_their_shared_memory_before_the_first_call_only) {
    fake::forget_kernels();
    engine const by = made(device::cuda);
    engine const other = made(device::cuda);
    fake::forget_calls();
    for (engine_verb const& verb : engine_verbs()) {
        EXPECT_EQ(verb.run(by), verb.run(cpu_engine())) << verb.name;
    }
    EXPECT_EQ(fake::launches_that_load(), 0) << "a launch that loads its kernel waits for the device";
    EXPECT_EQ(fake::calls().count("cudaFuncSetAttribute"), 0u) << "engines would take it from each other";
    EXPECT_EQ(by.device_status().fallbacks, 0) << by.device_status().last_reason;
}

/// Where the second engine to be made needs less than the first.
TEST_F(cuda_beside_others, each_kernel_may_take_all_the_shared_memory_of_a_block) {
    fake::forget_kernels();
    char const kernel = 0;
    ASSERT_EQ(load_kernels({&kernel}), cudaSuccess);
    std::int64_t ran = 0;
    EXPECT_EQ(fake::launch(&kernel, 227 << 10, nullptr, [&](fake::touches&) { ++ran; }), cudaSuccess);
    EXPECT_NE(fake::launch(&kernel, (227 << 10) + 1, nullptr, [&](fake::touches&) { ++ran; }), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(fake::launches_that_load(), 0);
    fake::forget_kernels();
    EXPECT_NE(fake::launch(&kernel, 227 << 10, nullptr, [&](fake::touches&) { ++ran; }), cudaSuccess);
    EXPECT_EQ(fake::launches_that_load(), 1);
    fake::forget_kernels();
}

TEST_F(cuda_beside_others, an_error_that_another_library_left_is_neither_taken_nor_forgotten) {
    engine const by = made(device::cuda);
    for (engine_verb const& verb : engine_verbs()) {
        fake::leave_error(cudaErrorInvalidValue);
        EXPECT_EQ(verb.run(by), verb.run(cpu_engine())) << verb.name;
        EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue) << verb.name;
        EXPECT_EQ(cudaGetLastError(), cudaSuccess) << verb.name;
    }
    EXPECT_EQ(by.device_status().fallbacks, 0) << by.device_status().last_reason;
}

TEST_F(cuda_beside_others, an_old_driver_is_named_with_what_is_needed) {
    fake::set_driver(11080);
    std::string const why = made(device::automatic).device_status().last_reason;
    EXPECT_NE(why.find("CUDA 11.8 at most"), std::string::npos) << why;
    EXPECT_NE(why.find("needs driver 5"), std::string::npos) << why;
}

TEST_F(cuda_beside_others, an_engine_that_may_choose_sends_what_gains) {
    engine const by = made(device::automatic);
    ASSERT_EQ(by.where(), device::cuda);
    std::int64_t const enough = least_gpu_rows(verb::generate);
    instance_batch const few = by.generate(specs(enough - 1));
    EXPECT_EQ(by.device_status().device_calls, 0);
    EXPECT_EQ(by.device_status().host_calls, 1);
    instance_batch const many = by.generate(specs(enough));
    EXPECT_EQ(by.device_status().device_calls, 1);
    EXPECT_EQ(many.blocks.words, cpu_engine().generate(specs(enough)).blocks.words);
    csr_words const answers = by.greedy(many.view());
    static_cast<void>(by.verify(many.view(), answers.view()));
    EXPECT_EQ(by.device_status().device_calls, 1) << "greedy answers and verdicts gain nothing by a GPU";
    static_cast<void>(by.improve(many.view(), answers.view(), 2));
    EXPECT_EQ(by.device_status().device_calls, 2);
    EXPECT_NE(by.device_status().policy.find("improve from " + std::to_string(least_gpu_rows(verb::improve))),
              std::string::npos);
    EXPECT_EQ(made(device::cuda).device_status().policy, "every batch goes to the GPU");
    EXPECT_EQ(cpu_engine().device_status().policy, "");
}

TEST_F(cuda_beside_others, what_the_cores_do_as_well_waits_for_nobody_on_the_gpu) {
    engine const by = made(device::automatic);
    std::int64_t const enough = least_gpu_rows(verb::generate);
    instance_batch const batch = by.generate(specs(enough));
    csr_words const starts = cpu_engine().greedy(batch.view());
    instance_batch beside;
    // While a search has the GPU: from inside one of its launches.
    fake::at_next_launch([&] { on_a_fresh_thread([&] { beside = by.generate(specs(enough)); }); });
    std::int64_t const before = by.device_status().device_calls;
    static_cast<void>(by.improve(batch.view(), starts.view(), 2));
    EXPECT_EQ(beside.blocks.words, batch.blocks.words);
    EXPECT_EQ(by.device_status().busy_calls, 1);
    EXPECT_EQ(by.device_status().device_calls, before + 1);
}

/// Each call costs the host a microsecond or several, and each wait may put the thread to sleep.
TEST_F(cuda_beside_others, a_call_of_one_row_is_few_calls_of_the_runtime) {
    engine const by = made(device::cuda);
    instance_batch const one = by.generate(specs(1));
    csr_words const answer = by.greedy(one.view());
    fake::forget_calls();
    static_cast<void>(by.verify(one.view(), answer.view()));
    std::map<std::string, std::int64_t> const calls = fake::calls();
    EXPECT_LE(fake::all_calls(), 12);
    EXPECT_EQ(calls.at("cudaMemcpyAsync"), 2) << "one each way";
    EXPECT_EQ(calls.at("cudaEventSynchronize"), 1);
    EXPECT_EQ(calls.count("cudaStreamWaitEvent"), 0u);
    fake::forget_calls();
    static_cast<void>(by.improve(one.view(), answer.view(), 1));
    EXPECT_LE(fake::all_calls(), 20);
}

/// A launch of ours may wait long for its turn: that says nothing of what its rows cost.
TEST_F(cuda_beside_others, a_launch_that_waits_for_the_trainer_is_not_taken_for_a_long_one) {
    instance_batch const batch = cpu_engine().generate(specs(300));
    csr_words const starts = cpu_engine().greedy(batch.view());
    auto const launches = [&](std::int64_t waiting) {
        engine const by = made(device::cuda);
        fake::set_waiting(waiting);
        fake::forget_calls();
        static_cast<void>(by.improve(batch.view(), starts.view(), 40));
        static_cast<void>(by.verify(batch.view(), starts.view()));
        static_cast<void>(by.improve(batch.view(), starts.view(), 40));
        fake::set_waiting(0);
        return fake::calls()["launch"];
    };
    std::int64_t const alone = launches(0);
    EXPECT_GT(alone, 12) << "300 rows at a microsecond a step are cut into several launches of 1 ms";
    EXPECT_EQ(launches(30'000'000), alone);
}

}  // namespace
}  // namespace optgap::testing
