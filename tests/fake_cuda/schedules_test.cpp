// The executor under random schedules: queued work runs late, early or mixed, as streams and events allow. The long
// form is OPTGAP_SCHEDULES=1000 build/release/optgap_fake_cuda_tests --gtest_filter='cuda_schedules.*'.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_streams.hpp"
#include "tests/support/engine_verbs.hpp"
#include "tests/support/schedules.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class cuda_schedules : public ::testing::Test {
protected:
    void SetUp() override {
        fake::heal();
        static_cast<void>(fake::complaints());
    }
    void TearDown() override {
        fake::forget_stream_wait(-1);
        fake::set_schedule(1);
        EXPECT_EQ(fake::alive(), 0);
    }
    static engine made(std::int64_t memory = 1 << 20) {
        return engine({.where = device::cuda, .threads = 1, .device_memory = memory});
    }
};

TEST_F(cuda_schedules, every_verb_gives_the_cpu_s_bytes_and_touches_nothing_without_an_order) {
    engine const by = made();
    for (engine_verb const& verb : engine_verbs()) {
        verb_outcome const expected = verb.run(cpu_engine());
        for (std::uint64_t seed = 0; seed < schedules(); ++seed) {
            fake::set_schedule(seed);
            ASSERT_EQ(verb.run(by), expected) << verb.name << ", schedule " << seed;
            ASSERT_EQ(fake::complaints(), std::vector<std::string>()) << verb.name << ", schedule " << seed;
        }
    }
    EXPECT_EQ(by.device_status().fallbacks, 0) << by.device_status().last_reason;
}

/// Many slices, each through all parts of the ring, and searches whose scratch is in global memory.
TEST_F(cuda_schedules, a_small_arena_and_large_rows_do) {
    engine const by = made(400'000);
    instance_batch const batch = instances_of(cpu_engine().task_index("tsp"), difficulty::benchmark(), 60);
    csr_words const starts = cpu_engine().greedy(batch.view());
    std::vector<verdict> const expected = cpu_engine().verify(batch.view(), starts.view());
    improved_batch const improved = cpu_engine().improve(batch.view(), starts.view(), 4);
    for (std::uint64_t seed = 0; seed < schedules(); ++seed) {
        fake::set_schedule(seed);
        ASSERT_EQ(by.verify(batch.view(), starts.view()), expected) << "schedule " << seed;
        ASSERT_EQ(by.improve(batch.view(), starts.view(), 4).answers, improved.answers) << "schedule " << seed;
        ASSERT_EQ(fake::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    EXPECT_EQ(by.device_status().fallbacks, 0) << by.device_status().last_reason;
}

/// An omitted wait between streams would be found: each wait of the executor is omitted in turn.
TEST_F(cuda_schedules, every_wait_between_streams_is_missed_when_it_is_forgotten) {
    engine const by = made();
    for (engine_verb const& verb : engine_verbs()) {
        fake::set_schedule(2);
        fake::forget_stream_wait(-1);
        verb_outcome const expected = verb.run(by);
        std::int64_t const waits = fake::stream_waits();
        std::int64_t found = 0;
        for (std::int64_t n = 0; n < waits; ++n) {
            fake::forget_stream_wait(n);
            EXPECT_EQ(verb.run(by), expected) << verb.name;
            found += fake::complaints().empty() ? 0 : 1;
        }
        EXPECT_EQ(found, waits) << verb.name << ": a wait that orders nothing, or one whose want is not seen";
    }
}

TEST_F(cuda_schedules, the_stand_in_finds_what_is_planted) {
    cudaStream_t a = nullptr;
    cudaStream_t b = nullptr;
    cudaEvent_t reached = nullptr;
    void* memory = nullptr;
    void* pinned = nullptr;
    ASSERT_EQ(cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, 0), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, 0), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&reached, 0), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&memory, 256), cudaSuccess);
    ASSERT_EQ(cudaHostAlloc(&pinned, 256, 0), cudaSuccess);
    auto* const bytes = static_cast<unsigned char*>(pinned);
    for (std::uint64_t seed = 1; seed < 1 + schedules(); ++seed) {
        fake::set_schedule(seed);
        // Unordered, in whatever order they ran.
        EXPECT_EQ(cudaMemsetAsync(memory, 1, 128, a), cudaSuccess);
        EXPECT_EQ(cudaMemsetAsync(static_cast<char*>(memory) + 127, 2, 1, b), cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(fake::complaints().size(), 1u) << seed;
        // Adjacent, and ordered.
        EXPECT_EQ(cudaMemsetAsync(memory, 1, 127, a), cudaSuccess);
        EXPECT_EQ(cudaMemsetAsync(static_cast<char*>(memory) + 127, 2, 1, b), cudaSuccess);
        EXPECT_EQ(cudaEventRecord(reached, a), cudaSuccess);
        EXPECT_EQ(cudaStreamWaitEvent(b, reached, 0), cudaSuccess);
        EXPECT_EQ(cudaMemcpyAsync(pinned, memory, 128, cudaMemcpyDeviceToHost, b), cudaSuccess);
        EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
        EXPECT_EQ(fake::complaints().size(), 0u) << seed;
        EXPECT_EQ(bytes[0], 1) << seed;
        EXPECT_EQ(bytes[127], 2) << seed;
    }
    // A host that does not wait until its copy was read, and until one has arrived.
    fake::set_schedule(1);
    EXPECT_EQ(cudaMemcpyAsync(memory, pinned, 128, cudaMemcpyHostToDevice, a), cudaSuccess);
    bytes[5] = 77;
    EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_EQ(fake::complaints().size(), 1u);
    EXPECT_EQ(cudaMemcpyAsync(pinned, memory, 128, cudaMemcpyDeviceToHost, a), cudaSuccess);
    EXPECT_NE(bytes[0], 1);
    EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
    EXPECT_EQ(bytes[0], 1);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(reached), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(a), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(b), cudaSuccess);
}

}  // namespace
}  // namespace optgap::testing
