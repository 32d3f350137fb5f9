// The first long calls of a process wait for nothing, either. The driver loads a kernel at its first use, and may wait
// for everything queued to do so. Each test has a process of its own, in which nothing was loaded.

#include <cstdlib>
#include <functional>
#include <numeric>

#include "tests/resident/queued_verbs.hpp"

namespace optgap::testing {
namespace {

/// Small rows, more than CUB sorts in one block, and all functions on them.
class first_calls {
public:
    /// Exits the process: with 0 if all expectations were met.
    [[noreturn]] static void run(std::function<void(first_calls&)> const& ask) {
        {
            engine const by({.where = device::cuda, .threads = 1, .device_memory = 1 << 20});
            device_store store(by, {.memory = std::int64_t(64) << 20});
            first_calls calls(store);
            ask(calls);
            calls.expect_host_bytes();
            store.wait();
        }
        std::exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    void queue() {
        std::int32_t const* const which = there_.instance_of.get();
        store_.verify(set_, there_.view, verdicts_.get(), stream());
        store_.reward(set_, kept_, {.verdicts = verdicts_.get(), .rows = rows, .instance_of = which}, {},
                      rewarded_.get(), rewards_.get(), stream());
        store_.advantages({rewards_.get(), which, rows}, {}, out_.get(), stream());
        device_answers starts = there_.view;
        starts.rows = searched;
        store_.improve(set_, starts, 2, 1, found_.view(searched, room_), stream());
        store_.verify(set_, found_.answers(searched, room_, which), better_.get(), stream());
    }
    [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }

private:
    static constexpr std::int64_t rows = 10'007;
    static constexpr std::int64_t searched = 211;

    static answered answers() {
        answered const some = all_tasks_answered(1, 1);
        std::vector<std::int64_t> drawn;
        for (std::int64_t r = 0; r < rows; ++r) {
            drawn.push_back(r * 7919 % some.answers.rows());
        }
        return rows_of(some, drawn);
    }
    explicit first_calls(device_store& store)
        : store_(store),
          set_(store.keep(all_.specs)),
          kept_(store.keep(cpu_engine().solve(all_.instances.view(), 100).rows)),
          room_(room_for(set_, all_.answers)),
          there_(all_, stream_.get()),
          verdicts_(rows),
          better_(searched),
          rewarded_(rows),
          rewards_(rows),
          out_(rows),
          found_(searched, room_) {
        EXPECT_EQ(cudaStreamSynchronize(stream()), cudaSuccess);
    }
    void expect_host_bytes() const {
        EXPECT_EQ(verdicts_.read(stream()),
                  cpu_engine().verify(all_.instances.view(), all_.answers.view(), all_.instance_of));
        EXPECT_TRUE(
            same_bytes(out_.read(stream()), cpu_engine().advantages(rewards_.read(stream()), all_.instance_of)));
        std::vector<std::int64_t> first(searched);
        std::iota(first.begin(), first.end(), 0);
        answered const starts = rows_of(all_, first);
        improved_batch const expected =
            cpu_engine().improve(all_.instances.view(), starts.answers.view(), 2, 1, starts.instance_of);
        expect_found(found_, expected, stream(), "first calls");
        EXPECT_EQ(better_.read(stream()),
                  cpu_engine().verify(all_.instances.view(), expected.answers.view(), starts.instance_of));
    }

    answered const all_ = answers();
    own_stream const stream_;
    device_store& store_;
    device_set set_;
    device_baselines kept_;
    std::int64_t room_;
    answers_there there_;
    device_column<verdict> verdicts_, better_;
    device_column<reward_row> rewarded_;
    device_column<float> rewards_, out_;
    found_there found_;
};

class resident_first_calls : public resident_columns {
protected:
    void SetUp() override {
        resident_columns::SetUp();
        GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process: CUDA does not outlive a fork
    }
};

TEST_F(resident_first_calls, wait_for_nothing) {
    auto const called = [](first_calls& calls) {
        runtime::expect_nothing_waits(calls.stream(), [&] { calls.queue(); });
    };
    EXPECT_EXIT(first_calls::run(called), ::testing::ExitedWithCode(0), "");
}

TEST_F(resident_first_calls, may_be_captured) {
    auto const recorded = [](first_calls& calls) {
        captured const graph(calls.stream(), [&] { calls.queue(); });
        graph.launch(calls.stream());
        EXPECT_EQ(cudaStreamSynchronize(calls.stream()), cudaSuccess);
    };
    EXPECT_EXIT(first_calls::run(recorded), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace optgap::testing
