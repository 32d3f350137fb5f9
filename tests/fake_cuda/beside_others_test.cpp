// An engine among other users of CUDA in one process: their GPUs, their graph captures, their share of the GPU, their
// driver. tests/cuda/graph_capture_test.cu tests the captures on a real GPU.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/executor/device_policy.hpp"
#include "host/executor/executor.hpp"
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
        fake::set_multiprocessors(3);
        fake::set_schedule(1);
        EXPECT_EQ(fake::alive(), 0);
    }
    /// Runs the work on a thread that has called no CUDA before.
    template <class Work>
    static void on_a_fresh_thread(Work const& work) {
        std::jthread const fresh(work);
    }
    static engine made(device where, std::int32_t ordinal = -1) {
        return engine({.where = where, .threads = 1, .device_memory = 1 << 20, .ordinal = ordinal});
    }
    /// The number of steps from which a search of that batch is sent to the GPU.
    static std::int64_t steps_that_gain(instance_batch const& batch, csr_words const& starts) {
        improve_call call{batch.view(), starts.view(), {}, 1, 0};
        while (!device_policy(work_of(call))) {
            ++call.steps;
        }
        return call.steps;
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
        on_a_fresh_thread([&] { by = made(device::cpu); });  // the GPU's part ends on a thread without a device
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
    // The stand-in detects it: an allocation by another library ends the capture.
    fake::begin_capture();
    void* memory = nullptr;
    EXPECT_NE(cudaMalloc(&memory, 16), cudaSuccess);
    EXPECT_FALSE(fake::end_capture());
}

TEST_F(cuda_beside_others, a_task_s_kernels_are_loaded_once_and_before_their_first_launch) {
    fake::forget_kernels();
    fake::forget_calls();
    engine const by = made(device::cuda);
    engine const other = made(device::cuda);
    EXPECT_LE(fake::calls()["cudaFuncSetAttribute"], 2 * 6) << "those of rewards, advantages and ranks alone";
    fake::forget_calls();
    static_cast<void>(by.generate(specs(2)));
    EXPECT_LE(fake::calls()["cudaFuncSetAttribute"], 7) << "those of one task";
    for (engine const* const engine : {&by, &other, &by}) {
        fake::forget_calls();
        for (engine_verb const& verb : engine_verbs()) {
            EXPECT_EQ(verb.run(*engine), verb.run(cpu_engine())) << verb.name;
        }
    }
    EXPECT_EQ(fake::calls().count("cudaFuncSetAttribute"), 0u) << "a second call of the first engine";
    EXPECT_EQ(fake::launches_that_load(), 0) << "a launch that loads its kernel waits for the device";
    EXPECT_EQ(by.device_status().fallbacks, 0) << by.device_status().last_reason;
}

/// The case that the second engine needs less than the first.
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
    std::int64_t const enough = min_gpu_rows(verb::generate);
    instance_batch const few = by.generate(specs(enough - 1));
    EXPECT_EQ(by.device_status().device_calls, 0);
    EXPECT_EQ(by.device_status().host_calls, 1);
    instance_batch const many = by.generate(specs(enough));
    EXPECT_EQ(by.device_status().device_calls, 1);
    EXPECT_EQ(many.blocks.words, cpu_engine().generate(specs(enough)).blocks.words);
    csr_words const answers = by.greedy(many.view());
    static_cast<void>(by.verify(many.view(), answers.view()));
    EXPECT_EQ(by.device_status().device_calls, 1) << "greedy answers and verdicts gain nothing by a GPU";
    static_cast<void>(by.improve(many.view(), answers.view(), 1));
    EXPECT_EQ(by.device_status().device_calls, 1) << "nor does a single step";
    instance_batch const some = cpu_engine().generate(specs(min_gpu_rows(verb::improve)));
    csr_words const starts = cpu_engine().greedy(some.view());
    std::int64_t const kept = by.device_status().host_calls;
    static_cast<void>(by.improve(some.view(), starts.view(), steps_that_gain(some, starts)));
    EXPECT_EQ(by.device_status().device_calls, 2);
    EXPECT_EQ(by.device_status().host_calls, kept);
    EXPECT_NE(by.device_status().policy.find("improve from " + std::to_string(min_gpu_rows(verb::improve))),
              std::string::npos);
    EXPECT_EQ(made(device::cuda).device_status().policy.find("every batch goes to the GPU"), 0u);
    EXPECT_EQ(cpu_engine().device_status().policy, "");
}

TEST_F(cuda_beside_others, what_the_cores_do_as_well_waits_for_nobody_on_the_gpu) {
    std::int64_t const enough = min_gpu_rows(verb::generate);
    instance_batch const expected = cpu_engine().generate(specs(enough));
    instance_batch const batch = cpu_engine().generate(specs(min_gpu_rows(verb::improve)));
    csr_words const starts = cpu_engine().greedy(batch.view());
    for (device const where : {device::automatic, device::cuda}) {
        engine const by = made(where);
        instance_batch beside;
        // While a search uses the GPU: from inside one of its launches.
        fake::at_next_launch([&] { on_a_fresh_thread([&] { beside = by.generate(specs(enough)); }); });
        static_cast<void>(by.improve(batch.view(), starts.view(), steps_that_gain(batch, starts)));
        EXPECT_EQ(beside.blocks.words, expected.blocks.words);
        EXPECT_EQ(by.device_status().busy_calls, 1);
        EXPECT_EQ(by.device_status().device_calls, 1);
    }
}

/// Each call costs the host at least a microsecond, and each wait may put the thread to sleep.
TEST_F(cuda_beside_others, a_call_of_one_row_is_few_calls_of_the_runtime) {
    engine const by = made(device::cuda);
    instance_batch const one = by.generate(specs(1));
    csr_words const answer = by.greedy(one.view());
    fake::set_schedule(0);  // a GPU that is done when it is asked
    fake::forget_calls();
    EXPECT_EQ(by.generate(specs(1)).blocks, one.blocks);
    EXPECT_LE(fake::all_calls(), 8);
    EXPECT_EQ(fake::calls().at("cudaMemcpyAsync"), 2) << "its size the host knows without the card";
    fake::forget_calls();
    static_cast<void>(by.verify(one.view(), answer.view()));
    std::map<std::string, std::int64_t> const calls = fake::calls();
    EXPECT_LE(fake::all_calls(), 10);
    EXPECT_EQ(calls.at("cudaMemcpyAsync"), 2) << "one each way";
    EXPECT_EQ(calls.count("cudaEventSynchronize"), 0u) << "its thread went to sleep";
    EXPECT_EQ(calls.count("cudaStreamWaitEvent"), 0u);
    fake::forget_calls();
    static_cast<void>(by.improve(one.view(), answer.view(), 1));
    EXPECT_LE(fake::all_calls(), 20);
}

/// The host's cores compute the sizes of instances in parallel, before the GPU is switched to.
TEST_F(cuda_beside_others, sizes_of_instances_are_asked_on_the_host_s_cores) {
    std::int64_t rows = 0;
    cuda_options options{.memory_limit = 1 << 20, .ordinal = 0};
    options.cores = [&](std::int64_t count, std::int64_t grain, row_work const& work) {
        EXPECT_EQ(fake::all_calls(), 0);
        for (std::int64_t begin = count - 1; begin >= 0; --begin) {  // in any order
            work(begin, begin + 1);
        }
        EXPECT_LT(grain, count);
        rows += count;
    };
    std::string why;
    std::unique_ptr<executor> const gpu = make_cuda_executor(options, why);
    ASSERT_TRUE(gpu) << why;
    std::vector<instance_spec> const wanted = specs(300);
    fake::forget_calls();
    EXPECT_EQ(gpu->run(generate_call{wanted}).blocks, cpu_engine().generate(wanted).blocks);
    EXPECT_EQ(rows, 300);
}

/// A launch of ours may wait long for its turn. The wait must not count as the cost of its rows.
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

/// A running block occupies its multiprocessor's registers, and the trainer's next kernel waits for them.
TEST_F(cuda_beside_others, a_block_ends_within_a_tenth_of_a_millisecond) {
    instance_batch const batch = cpu_engine().generate(specs(150));
    csr_words const starts = cpu_engine().greedy(batch.view());
    improved_batch const expected = cpu_engine().improve(batch.view(), starts.view(), 40);
    for (std::int32_t const multiprocessors : {0, 1}) {
        engine const by({.where = device::cuda,
                         .threads = 1,
                         .device_memory = 1 << 20,
                         .launch_microseconds = 1000,
                         .multiprocessors = multiprocessors});
        static_cast<void>(fake::longest_block());
        for (int round = 0; round < 2; ++round) {
            EXPECT_EQ(by.improve(batch.view(), starts.view(), 40).answers, expected.answers);
            static_cast<void>(by.verify(batch.view(), starts.view()));
            std::int64_t const longest = fake::longest_block();
            EXPECT_LE(longest, 100'000) << "nanoseconds";
            EXPECT_GT(longest, 40'000) << "nanoseconds: launches of next to nothing are expensive";
        }
    }
}

/// The trainer's work is queued and does not run. Nothing here may wait for it.
TEST_F(cuda_beside_others, memory_comes_and_goes_without_a_wait_for_the_work_of_others) {
    engine by = made(device::cuda);
    instance_batch const batch = cpu_engine().generate(specs(3));
    std::int64_t const whole = fake::bytes();
    cudaStream_t trainer = nullptr;
    ASSERT_EQ(cudaStreamCreateWithPriority(&trainer, cudaStreamNonBlocking, 0), cudaSuccess);
    fake::set_schedule(1);  // only what a wait needs
    bool ran = false;
    fake::queue("the trainer's kernel", trainer, [&](fake::touches&) { ran = true; });
    by.release();
    EXPECT_FALSE(ran) << "release waited for the trainer";
    EXPECT_LT(fake::bytes(), whole / 10) << "the arena is the GPU's memory";
    by.resume();
    EXPECT_EQ(by.generate(specs(3)).blocks.words, batch.blocks.words);
    EXPECT_EQ(fake::bytes(), whole);
    EXPECT_FALSE(ran) << "resume, or the call after it, waited for the trainer";
    EXPECT_EQ(cudaStreamSynchronize(trainer), cudaSuccess);
    EXPECT_TRUE(ran);
    EXPECT_EQ(cudaStreamDestroy(trainer), cudaSuccess);
}

class cuda_multiprocessors : public cuda_beside_others {
protected:
    void SetUp() override {
        cuda_beside_others::SetUp();
        fake::set_multiprocessors(132);
    }
    static engine limited_to(std::int32_t multiprocessors, void* stream = nullptr) {
        return engine({.where = device::cuda,
                       .threads = 1,
                       .device_memory = 1 << 20,
                       .stream = stream,
                       .multiprocessors = multiprocessors});
    }
    /// The streams that the verbs use.
    static std::set<int> used_by(engine const& by) {
        fake::forget_calls();
        for (engine_verb const& verb : engine_verbs()) {
            EXPECT_EQ(verb.run(by), verb.run(cpu_engine())) << verb.name;
        }
        std::set<int> found;
        for (cudaStream_t const stream : fake::streams()) {
            found.insert(fake::multiprocessors_of(stream));
        }
        EXPECT_EQ(by.device_status().fallbacks, 0) << by.device_status().last_reason;
        return found;
    }
};

TEST_F(cuda_multiprocessors, are_set_apart_where_the_driver_can) {
    engine const by = limited_to(20);
    EXPECT_EQ(used_by(by), std::set<int>{16}) << "Hopper gives eights";
    EXPECT_NE(by.device_status().device.find("16 of 132 multiprocessors set apart"), std::string::npos)
        << by.device_status().device;
    EXPECT_EQ(used_by(limited_to(0)), std::set<int>{132});
}

TEST_F(cuda_multiprocessors, are_counted_in_blocks_where_they_cannot_be_set_apart) {
    engine const few = limited_to(4);
    EXPECT_EQ(used_by(few), std::set<int>{132});
    EXPECT_NE(few.device_status().device.find("blocks for 4 of 132 multiprocessors"), std::string::npos)
        << few.device_status().device;
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0), cudaSuccess);
    EXPECT_EQ(used_by(limited_to(16, stream)), std::set<int>{132});
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(cuda_multiprocessors, a_driver_that_refuses_leaves_the_count_of_blocks_and_no_rest) {
    std::int64_t counted = 0;
    for (std::int64_t site = 0; site < 40; ++site) {
        fake::fail_after(site, cudaErrorNotSupported);
        engine const by({.where = device::automatic, .threads = 1, .device_memory = 1 << 20, .multiprocessors = 16});
        fake::heal();
        counted += by.device_status().device.find("blocks for 16 of 132") != std::string::npos ? 1 : 0;
    }
    EXPECT_GE(counted, 5) << "split, create, and the trial of an event";
    EXPECT_EQ(used_by(limited_to(16)), std::set<int>{16});
}

}  // namespace
}  // namespace optgap::testing
