// Tests of a store that only the stand-in allows: CUDA calls that fail, omitted waits between streams, device memory
// that the host touches. tests/resident has the property tests that a real GPU runs, too.

#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_streams.hpp"
#include "tests/resident/queued_verbs.hpp"

namespace optgap::testing {
namespace {

using resident_faults = resident_columns;

TEST_F(resident_faults, a_cuda_error_at_any_call_is_an_error_and_the_next_call_is_right) {
    engine const by = made();
    own_stream const mine;
    verified_set check(specs_from(by, 0, 5), mine.get());
    for (cudaError_t const code : {cudaErrorMemoryAllocation, cudaErrorLaunchOutOfResources}) {
        device_store store(by, {.memory = 1 << 20});
        std::int64_t met = 0;
        for (std::int64_t site = 0; site < 500; ++site, ++met) {
            fake::fail_after(site, code);
            try {
                device_set const set = store.keep(cpu_engine().generate(specs_from(by, 0, 5)).view());
                check.queue(store, set);
                break;
            } catch (error const& failure) {
                ASSERT_EQ(failure.code(),
                          code == cudaErrorMemoryAllocation ? status::out_of_memory : status::device_unavailable)
                    << failure.what();
            }
            fake::heal();
            device_set const set = store.keep(specs_from(by, 0, 5));
            check.queue(store, set);
            ASSERT_TRUE(check.came()) << "after call " << site;
        }
        fake::heal();
        EXPECT_GT(met, 10);
        EXPECT_LT(met, 500);
        std::int64_t const used = store.statistics().used;
        static_cast<void>(store.keep(specs_from(by, 0, 5)));
        EXPECT_EQ(store.statistics().used, used) << "a failed call kept memory";
    }
    std::int64_t making = 0;
    for (std::int64_t site = 0; site < 500; ++site, ++making) {
        std::int64_t const before = fake::alive();
        fake::fail_after(site, cudaErrorMemoryAllocation);
        try {
            device_store store(by, {.memory = 1 << 20});
            break;
        } catch (error const&) {
        }
        fake::heal();
        ASSERT_EQ(fake::alive(), before) << "call " << site;
    }
    fake::heal();
    EXPECT_GT(making, 10);
}

/// The next call waits for a failed one, which a capture cannot do. It reports that and leaves the capture intact.
TEST_F(resident_faults, what_a_capture_cannot_do_is_refused_and_the_capture_goes_on) {
    answered const all = all_tasks_answered(1, 1);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine, other;
    chain one(store, all, mine.get());
    fake::fail_after(6, cudaErrorLaunchOutOfResources);
    EXPECT_THROW(one.queue(other.get()), error);
    fake::heal();
    captured const graph(mine.get(), [&] {
        try {
            one.queue(mine.get());
            ADD_FAILURE() << "nothing was thrown";
        } catch (error const& told) {
            EXPECT_EQ(std::string(told.what()).substr(0, 32), "stream: it captures a graph, and");
        }
    });
    store.wait();
    captured const next(mine.get(), [&] { one.queue(mine.get()); });
    next.launch(mine.get());
    one.expect_host_bytes(mine.get(), "after wait");
    store.wait();
}

/// The store alone orders its working memory, among calls on two streams and beside a graph.
TEST_F(resident_faults, a_wait_between_streams_that_is_left_out_is_found) {
    answered const all = all_tasks_answered(1, 1);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine, other;
    chain one(store, all, mine.get()), two(store, all, other.get());
    captured const graph(mine.get(), [&] { one.queue(mine.get()); });
    for (bool const launched : {false, true}) {
        fake::set_schedule(2);
        if (launched) {
            graph.launch(mine.get());
        } else {
            one.queue(mine.get());
        }
        fake::forget_stream_wait(0);  // as if the next call did not wait
        two.queue(other.get());
        two.expect_host_bytes(other.get(), "unordered");
        one.expect_host_bytes(mine.get(), "unordered");
        EXPECT_NE(fake::complaints(), std::vector<std::string>()) << launched;
        fake::forget_stream_wait(-1);
    }
}

TEST_F(resident_faults, the_stand_in_s_device_memory_is_closed_to_the_host) {
    device_column<std::int32_t> const column(4);
    pid_t const child = fork();
    if (child == 0) {
        *static_cast<std::int32_t volatile*>(column.get()) = 1;
        _exit(0);
    }
    int ended = 0;
    ASSERT_EQ(waitpid(child, &ended, 0), child);
    EXPECT_FALSE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}

}  // namespace
}  // namespace optgap::testing
