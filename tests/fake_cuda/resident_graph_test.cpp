// A chain of verbs captured as a graph: launched again it gives the bytes of calls that are queued one by one, on
// columns that have changed meanwhile, and in order with other calls of the store.

#include <algorithm>
#include <cstring>
#include <string>

#include "tests/fake_cuda/device_columns.hpp"
#include "tests/fake_cuda/schedules.hpp"

namespace optgap::testing {
namespace {

using resident_graphs = resident_columns;

/// A chain of verbs over one batch, and where it puts what it finds.
class chain {
public:
    chain(device_store& store, answered const& all, cudaStream_t stream)
        : store_(store),
          all_(all),
          set_(store.keep(all.instances.view())),
          baselines_(cpu_engine().solve(all.instances.view(), 100).rows),
          kept_(store.keep(baselines_)),
          there_(all, stream),
          found_(all.instance_of.size()),
          paid_(all.instance_of.size()),
          rewards_(all.instance_of.size()),
          out_(all.instance_of.size()) {
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    }
    /// The numbers of its calls.
    std::vector<std::uint64_t> queue(cudaStream_t stream) {
        return {store_.verify(set_, there_.view, found_.get(), stream),
                store_.reward(set_, kept_,
                              {.verdicts = found_.get(), .rows = rows(), .instance_of = there_.view.instance_of}, {},
                              paid_.get(), rewards_.get(), stream),
                store_.advantages({rewards_.get(), there_.view.instance_of, rows()}, {}, out_.get(), stream)};
    }
    /// Other answers for the same rows, where the graph reads them.
    void answer_backwards(cudaStream_t stream) {
        std::reverse(all_.instance_of.begin(), all_.instance_of.end());
        EXPECT_EQ(cudaMemcpyAsync(there_.instance_of.get(), all_.instance_of.data(),
                                  all_.instance_of.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice, stream),
                  cudaSuccess);
    }
    void expect_host_bytes(cudaStream_t stream, std::string const& when) const {
        ASSERT_EQ(found_.read(stream),
                  cpu_engine().verify(all_.instances.view(), all_.answers.view(), all_.instance_of))
            << when;
        std::vector<float> const column = rewards_.read(stream);
        ASSERT_TRUE(same_bytes(out_.read(stream), cpu_engine().advantages(column, all_.instance_of))) << when;
        std::vector<reward_row> const rows = paid_.read(stream);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            ASSERT_EQ(std::memcmp(&rows[r].reward, &column[r], sizeof(float)), 0) << when;
        }
    }
    /// What else is paid, once it was seen to be right.
    [[nodiscard]] std::vector<reward_row> paid(cudaStream_t stream) const { return paid_.read(stream); }
    void forget(cudaStream_t stream) const {
        EXPECT_EQ(cudaMemsetAsync(out_.get(), 1, all_.instance_of.size() * sizeof(float), stream), cudaSuccess);
        EXPECT_EQ(cudaMemsetAsync(found_.get(), 1, all_.instance_of.size() * sizeof(verdict), stream), cudaSuccess);
    }

private:
    [[nodiscard]] std::int64_t rows() const { return std::int64_t(all_.instance_of.size()); }

    device_store& store_;
    answered all_;
    device_set set_;
    std::vector<baseline> baselines_;
    device_baselines kept_;
    answers_there there_;
    device_column<verdict> found_;
    device_column<reward_row> paid_;
    device_column<float> rewards_, out_;
};

TEST_F(resident_graphs, a_captured_chain_replays_with_the_bytes_of_calls_one_by_one) {
    answered const all = all_tasks_answered(1, 2);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine;
    chain one(store, all, mine.get());
    one.queue(mine.get());
    one.expect_host_bytes(mine.get(), "one by one");
    std::vector<reward_row> const expected = one.paid(mine.get());
    std::uint64_t const calls = std::uint64_t(store.statistics().calls);
    fake::forget_calls();
    one.forget(mine.get());
    captured const graph(mine.get(), [&] {
        EXPECT_EQ(one.queue(mine.get()), (std::vector<std::uint64_t>{0, 0, 0})) << "recorded, not called";
    });
    expect_nothing_waited();
    EXPECT_EQ(std::uint64_t(store.statistics().calls), calls);
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        fake::set_schedule(seed);
        one.forget(mine.get());
        graph.launch(mine.get());
        one.expect_host_bytes(mine.get(), "schedule " + std::to_string(seed));
        ASSERT_TRUE(same_bytes(one.paid(mine.get()), expected));
        one.answer_backwards(mine.get());
        graph.launch(mine.get());
        one.expect_host_bytes(mine.get(), "backwards, schedule " + std::to_string(seed));
        one.answer_backwards(mine.get());
        ASSERT_EQ(fake::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    store.wait();
}

/// Nothing but the store's own event orders a graph's use of its memory and a call's on another stream.
TEST_F(resident_graphs, a_graph_and_a_call_on_another_stream_follow_each_other) {
    answered const all = all_tasks_answered(1, 1);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine, other;
    chain recorded(store, all, mine.get()), called(store, all, other.get());
    captured const graph(mine.get(), [&] { recorded.queue(mine.get()); });
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        fake::set_schedule(seed);
        graph.launch(mine.get());
        called.queue(other.get());
        graph.launch(mine.get());
        called.expect_host_bytes(other.get(), "schedule " + std::to_string(seed));
        recorded.expect_host_bytes(mine.get(), "schedule " + std::to_string(seed));
        ASSERT_EQ(fake::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    fake::set_schedule(2);
    graph.launch(mine.get());
    fake::forget_stream_wait(0);  // as if the call did not wait for the graph
    called.queue(other.get());
    called.expect_host_bytes(other.get(), "unordered");
    EXPECT_NE(fake::complaints(), std::vector<std::string>());
    fake::forget_stream_wait(-1);
}

TEST_F(resident_graphs, a_row_that_a_replay_finds_wrong_is_named_by_the_next_call) {
    answered all = all_tasks_answered(1, 1);
    all.instance_of[3] = -1;
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine;
    chain one(store, all, mine.get());
    captured const graph(mine.get(), [&] { one.queue(mine.get()); });
    EXPECT_NO_THROW(store.wait());  // nothing has run
    graph.launch(mine.get());
    try {
        store.wait();
        FAIL() << "nothing was thrown";
    } catch (error const& told) {
        EXPECT_STREQ(told.what(), "instance_of: row 3 of an earlier call names no instance of its set");
    }
}

/// A failed call is waited for by the next one, which a capture cannot do; it says so and leaves the capture whole.
TEST_F(resident_graphs, what_a_capture_cannot_do_is_refused_and_the_capture_goes_on) {
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

}  // namespace
}  // namespace optgap::testing
