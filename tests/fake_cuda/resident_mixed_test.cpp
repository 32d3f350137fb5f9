// The launches of a call over rows of many tasks: as many blocks as its rows need, in parallel, and ordered with
// earlier and later work. tests/resident checks the bytes.

#include <functional>
#include <string>
#include <vector>

#include "kernels/launch/launch_plan.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_streams.hpp"
#include "tests/resident/queued_verbs.hpp"

namespace optgap::testing {
namespace {

constexpr std::int64_t search_steps = 4;

/// A batch that is verified and searched on a stream.
class mixed_verbs {
public:
    mixed_verbs(device_store& store, answered const& all, cudaStream_t stream)
        : store_(store),
          stream_(stream),
          set_(store.keep(all.instances.view())),
          there_(all, stream),
          rows_(all.answers.rows()),
          room_(room_for(set_, all.answers)),
          judged_(std::size_t(rows_)),
          found_(rows_, room_) {
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    }
    void verify() { store_.verify(set_, there_.view, judged_.get(), stream_); }
    void improve() { store_.improve(set_, there_.view, search_steps, 3, found_.view(rows_, room_), stream_); }
    /// Reads all results.
    void read() const {
        static_cast<void>(judged_.read(stream_));
        static_cast<void>(found_.words.read(stream_));
        static_cast<void>(found_.results.read(stream_));
    }

private:
    device_store& store_;
    cudaStream_t stream_;
    device_set set_;
    answers_there there_;
    std::int64_t rows_, room_;
    device_column<verdict> judged_;
    found_there found_;
};

class resident_mixed : public resident_columns {
protected:
    static constexpr std::size_t side_streams = 4;

    void TearDown() override {
        fake::set_multiprocessors(3);
        resident_columns::TearDown();
    }
    static std::vector<std::function<void(mixed_verbs&)>> verbs() {
        return {[](mixed_verbs& on) { on.verify(); }, [](mixed_verbs& on) { on.improve(); }};
    }
    /// The rows of one task, each `times` times.
    static answered rows_of_task(answered const& all, std::int32_t task, std::int64_t times) {
        std::vector<std::int64_t> rows;
        for (std::int64_t r = 0; r < all.answers.rows(); ++r) {
            if (all.instances.task[std::size_t(all.instance_of[std::size_t(r)])] == task) {
                rows.insert(rows.end(), std::size_t(times), r);
            }
        }
        return rows_of(all, rows);
    }
    static std::int64_t blocks_of(mixed_verbs& on, std::function<void(mixed_verbs&)> const& verb) {
        fake::forget_calls();
        verb(on);
        return fake::blocks();
    }
};

/// Equally many rows of each task. A call launches at least a card full of blocks for each task that it has.
answered of_each_task(answered const& all, std::int64_t rows) {
    std::vector<std::vector<std::int64_t>> of(cpu_engine().tasks().size());
    for (std::int64_t r = 0; r < all.answers.rows(); ++r) {
        of[std::size_t(all.instances.task[std::size_t(all.instance_of[std::size_t(r)])])].push_back(r);
    }
    std::vector<std::int64_t> drawn;
    for (std::int64_t k = 0; k < rows; ++k) {
        for (std::vector<std::int64_t> const& own : of) {
            drawn.push_back(own[std::size_t(k) % own.size()]);
        }
    }
    return rows_of(all, drawn);
}

TEST_F(resident_mixed, a_call_has_the_blocks_of_its_parts_and_no_more_than_the_card_holds_beside) {
    answered const some = all_tasks_answered(1, 2);
    std::int64_t const tasks = std::int64_t(cpu_engine().tasks().size());
    std::int64_t const of_a_task = 48;
    answered const all = of_each_task(some, of_a_task);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine;
    mixed_verbs whole(store, all, mine.get());
    std::vector<std::int64_t> parts(verbs().size(), 0);
    for (std::int32_t task = 0; task < tasks; ++task) {
        std::vector<std::int64_t> own;
        for (std::int64_t k = 0; k < of_a_task; ++k) {
            own.push_back(k * tasks + task);
        }
        answered alone = rows_of(all, own);
        alone.instances = {};
        for (std::int32_t& i : alone.instance_of) {
            alone.instances.append(task, all.instances.blocks.row(i));
            i = std::int32_t(alone.instances.size()) - 1;
        }
        mixed_verbs part(store, alone, mine.get());
        for (std::size_t v = 0; v < parts.size(); ++v) {
            parts[v] += blocks_of(part, verbs()[v]);
        }
        part.read();
    }
    std::int64_t const verifying = blocks_of(whole, verbs()[0]);
    EXPECT_EQ(parts[0], tasks * of_a_task / launch_policy::warps_per_block) << "a row a team";
    EXPECT_LE(double(verifying), 1.3 * double(parts[0]));
    // A long search begins with a team of its own for each row, where lists are up to eight times as long as their
    // mean.
    EXPECT_LE(blocks_of(whole, verbs()[1]), 8 * parts[1]);
    EXPECT_GE(parts[1], parts[0]);
    whole.read();

    // With few rows of each, a card full: three multiprocessors, with eight warps wanted on each.
    answered const few = of_each_task(some, 2);
    mixed_verbs small(store, few, mine.get());
    EXPECT_LE(blocks_of(small, verbs()[0]), tasks * 3 * launch_policy::warps_wanted / launch_policy::warps_per_block);
    small.read();
    EXPECT_EQ(fake::complaints(), std::vector<std::string>());
}

TEST_F(resident_mixed, tasks_run_side_by_side_unless_there_is_one_or_blocks_are_counted) {
    answered const all = all_tasks_answered(1, 1);
    own_stream const mine;
    auto const streams_of = [&](engine const& by, answered const& rows) {
        device_store store(by, {.memory = roomy});
        mixed_verbs on(store, rows, mine.get());
        std::vector<std::size_t> counts;
        for (auto const& verb : verbs()) {
            fake::forget_calls();
            verb(on);
            EXPECT_TRUE(fake::streams().contains(mine.get()));
            counts.push_back(fake::streams().size());
        }
        on.read();
        return counts;
    };
    EXPECT_EQ(streams_of(made(), all), std::vector<std::size_t>(2, 1 + side_streams));
    answered one = rows_of_task(all, 0, 3);
    std::int32_t const instance = one.instance_of[0];
    one.instances = {};
    one.instances.append(0, all.instances.blocks.row(instance));
    std::fill(one.instance_of.begin(), one.instance_of.end(), 0);
    EXPECT_EQ(streams_of(made(), one), std::vector<std::size_t>(2, 1));
    engine const counted({.where = device::cuda, .threads = 1, .device_memory = 1 << 20, .multiprocessors = 2});
    ASSERT_NE(counted.device_status().device.find("blocks for 2 of 3"), std::string::npos);
    EXPECT_EQ(streams_of(counted, all), std::vector<std::size_t>(2, 1));
}

/// An omitted wait that forks or joins is found: each in turn, except the first, which waits for the previous call.
TEST_F(resident_mixed, every_wait_of_a_call_is_missed_when_it_is_forgotten) {
    answered const all = all_tasks_answered(1, 1);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine;
    mixed_verbs on(store, all, mine.get());
    for (auto const& verb : verbs()) {
        fake::set_schedule(2);
        fake::forget_stream_wait(-1);
        verb(on);
        std::int64_t const waits = fake::stream_waits();
        on.read();
        EXPECT_EQ(fake::complaints(), std::vector<std::string>());
        EXPECT_EQ(waits, std::int64_t(1 + 2 * side_streams));
        for (std::int64_t n = 1; n < waits; ++n) {
            fake::forget_stream_wait(n);
            verb(on);
            on.read();
            EXPECT_FALSE(fake::complaints().empty()) << "wait " << n;
            EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            static_cast<void>(fake::complaints());
        }
    }
}

/// A caller that catches the error and waits for the stream may free its columns.
TEST_F(resident_mixed, a_call_that_fails_on_its_way_leaves_nothing_that_its_stream_does_not_wait_for) {
    answered const all = all_tasks_answered(1, 1);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine;
    mixed_verbs on(store, all, mine.get());
    for (auto const& verb : verbs()) {
        std::int64_t beside = 0;
        for (std::int64_t site = 0; site < 1000; site += 7) {
            fake::forget_calls();
            fake::fail_after(site, cudaErrorLaunchOutOfResources);
            try {
                verb(on);
                break;
            } catch (error const&) {
            }
            for (cudaStream_t const used : fake::streams()) {
                EXPECT_TRUE(fake::is_behind(mine.get(), used)) << "call " << site;
            }
            beside += fake::streams().size() > 1 ? 1 : 0;
            EXPECT_EQ(cudaStreamSynchronize(mine.get()), cudaSuccess);
            store.wait();
        }
        fake::heal();
        EXPECT_GT(beside, 5);
    }
    EXPECT_EQ(fake::complaints(), std::vector<std::string>());
}

/// The side streams belong to the open graph until its capture ends. Other calls use only their own stream.
TEST_F(resident_mixed, a_call_beside_an_open_capture_leaves_it_whole) {
    answered const all = all_tasks_answered(1, 1);
    std::vector<verdict> const expected =
        cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    device_set const set = store.keep(all.instances.view());
    own_stream const mine, other;
    answers_there const there(all, mine.get());
    device_column<verdict> const recorded(expected.size()), called(expected.size());
    EXPECT_EQ(cudaStreamSynchronize(mine.get()), cudaSuccess);
    captured const graph(mine.get(), [&] {
        store.verify(set, there.view, recorded.get(), mine.get());
        fake::forget_calls();
        store.verify(set, there.view, called.get(), other.get());
        EXPECT_EQ(fake::streams(), std::set<cudaStream_t>{other.get()});
        fake::forget_calls();
        store.verify(set, there.view, recorded.get(), mine.get());
        EXPECT_EQ(fake::streams().size(), 1 + side_streams);
    });
    EXPECT_EQ(called.read(other.get()), expected);
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        fake::set_schedule(seed);
        EXPECT_EQ(cudaMemsetAsync(recorded.get(), 1, expected.size() * sizeof(verdict), mine.get()), cudaSuccess);
        graph.launch(mine.get());
        ASSERT_EQ(recorded.read(mine.get()), expected) << "schedule " << seed;
        store.verify(set, there.view, called.get(), other.get());
        ASSERT_EQ(called.read(other.get()), expected) << "schedule " << seed;
        ASSERT_EQ(fake::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    store.wait();
}

/// The property tests of captures rely on this.
TEST_F(resident_mixed, the_stand_in_s_captures_fork_and_must_join) {
    own_stream const a, b, outside;
    device_column<std::int32_t> const column(64);
    cudaEvent_t forked = nullptr, joined = nullptr;
    ASSERT_EQ(cudaEventCreateWithFlags(&forked, 0), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&joined, 0), cudaSuccess);
    for (bool const joins : {true, false}) {
        cudaGraph_t graph = nullptr;
        ASSERT_EQ(cudaStreamBeginCapture(a.get(), cudaStreamCaptureModeGlobal), cudaSuccess);
        EXPECT_EQ(cudaEventRecord(forked, a.get()), cudaSuccess);
        EXPECT_EQ(cudaStreamWaitEvent(b.get(), forked, 0), cudaSuccess);
        EXPECT_EQ(cudaMemsetAsync(column.get(), 7, 8, b.get()), cudaSuccess);
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        EXPECT_EQ(cudaStreamIsCapturing(b.get(), &status), cudaSuccess);
        EXPECT_EQ(status, cudaStreamCaptureStatusActive);
        if (joins) {
            EXPECT_EQ(cudaEventRecord(joined, b.get()), cudaSuccess);
            EXPECT_EQ(cudaStreamWaitEvent(a.get(), joined, 0), cudaSuccess);
        }
        EXPECT_EQ(cudaStreamEndCapture(a.get(), &graph), joins ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
        EXPECT_EQ(cudaStreamIsCapturing(b.get(), &status), cudaSuccess);
        EXPECT_EQ(status, cudaStreamCaptureStatusNone);
        EXPECT_EQ(cudaStreamWaitEvent(outside.get(), forked, 0), cudaErrorCapturedEvent);
        ASSERT_EQ(graph != nullptr, joins);
        if (joins) {
            cudaGraphExec_t made = nullptr;
            ASSERT_EQ(cudaGraphInstantiate(&made, graph, 0), cudaSuccess);
            EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
            EXPECT_EQ(cudaGraphLaunch(made, outside.get()), cudaSuccess);
            EXPECT_EQ(column.read(outside.get())[1], 0x07070707);
            EXPECT_EQ(fake::complaints(), std::vector<std::string>());
            EXPECT_EQ(cudaGraphExecDestroy(made), cudaSuccess);
        }
    }
    EXPECT_EQ(cudaEventDestroy(forked), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(joined), cudaSuccess);
}

}  // namespace
}  // namespace optgap::testing
