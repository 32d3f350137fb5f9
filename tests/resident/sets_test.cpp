// How long sets stay on a GPU, and a store beside other events: faults, captures, forks, an engine that is destroyed
// first.

#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <thread>

#include "tests/resident/queued_verbs.hpp"

namespace optgap::testing {
namespace {

using resident_sets = resident_columns;

TEST_F(resident_sets, the_same_specs_are_the_same_set) {
    engine const by = made();
    device_store store(by, {.memory = 1 << 20});
    {
        device_set const one = store.keep(specs_from(by, 1));
        std::int64_t const used = store.statistics().used;
        device_set const again = store.keep(specs_from(by, 1));
        EXPECT_EQ(store.statistics().used, used);
        device_set const other = store.keep(specs_from(by, 2));
        EXPECT_GT(store.statistics().used, used);
    }
    device_store_statistics const now = store.statistics();
    EXPECT_EQ(now.made, 2);
    EXPECT_EQ(now.found, 1);
    EXPECT_EQ(now.sets, 2);
    EXPECT_EQ(to_json(now), "{\"memory\":" + std::to_string(now.memory) + ",\"used\":" + std::to_string(now.used) +
                                ",\"sets\":2,\"found\":1,\"made\":2,\"dropped\":0,\"calls\":0}");
    instance_batch const copied = by.generate(specs_from(by, 3));
    std::optional<device_set> loose = store.keep(copied.view());
    EXPECT_GT(store.statistics().used, now.used);
    loose.reset();  // a set without specs is freed with its handle
    EXPECT_EQ(store.statistics().used, now.used);
}

/// A freed set's memory goes to the next one while calls that read it are queued.
TEST_F(resident_sets, those_go_that_nobody_holds_and_were_longest_not_asked_for) {
    engine const by = made();
    for (std::uint64_t seed = 0; seed < schedules() / 4; ++seed) {
        runtime::set_order(seed);
        own_stream const mine;
        device_store store(by, {.memory = 1 << 20});
        device_set const held = store.keep(specs_from(by, 0));
        std::vector<std::unique_ptr<verified_set>> queued;
        for (std::uint64_t k = 1; k < 12; ++k) {
            std::vector<instance_spec> const specs = specs_from(by, k);
            queued.push_back(std::make_unique<verified_set>(specs, mine.get()));
            queued.back()->queue(store, store.keep(specs));
        }
        device_store_statistics const now = store.statistics();
        EXPECT_GT(now.dropped, 0);
        EXPECT_LE(now.used, now.memory);
        EXPECT_EQ(now.sets + now.dropped, 12);
        for (auto const& one : queued) {
            ASSERT_TRUE(one->came()) << "schedule " << seed;
        }
        static_cast<void>(store.keep(specs_from(by, 0)));
        EXPECT_EQ(store.statistics().found, 1);
        static_cast<void>(store.keep(specs_from(by, 1)));  // the first freed one
        EXPECT_EQ(store.statistics().found, 1);
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
}

TEST_F(resident_sets, a_store_full_of_sets_in_use_says_so) {
    engine const by = made();
    device_store store(by, {.memory = 1 << 20});
    std::vector<device_set> held;
    error const full = error_of([&] {
        for (std::uint64_t k = 0; k < 100; ++k) {
            held.push_back(store.keep(specs_from(by, k)));
        }
    });
    EXPECT_EQ(full.code(), status::out_of_memory);
    EXPECT_NE(std::string(full.what()).find("of which"), std::string::npos) << full.what();
    std::size_t const many = held.size();
    EXPECT_GT(many, 3u);
    held.pop_back();
    EXPECT_NO_THROW(held.push_back(store.keep(specs_from(by, 1000, 10))));
    EXPECT_EQ(error_of([&] { static_cast<void>(store.keep(specs_from(by, 0, 5000))); }).code(), status::out_of_memory);
}

TEST_F(resident_sets, misuse_is_named) {
    engine const by = made();
    device_store store(by, {.memory = 1 << 20}), other(by, {.memory = 1 << 20});
    device_set const set = store.keep(specs_from(by, 0)), foreign = other.keep(specs_from(by, 0));
    own_stream const mine;
    std::int64_t const offsets[2] = {0, 0};
    verdict out;
    auto const said = [&](device_set const& of, device_answers const& answers, verdict* to, void* stream) {
        error const told = error_of([&] { store.verify(of, answers, to, stream); });
        EXPECT_EQ(told.code(), status::invalid_argument);
        return std::string(told.what()).substr(0, std::string(told.what()).find(' '));
    };
    device_answers const one{nullptr, 0, offsets, 1, nullptr};
    EXPECT_EQ(said(set, one, &out, nullptr), "stream:");
    EXPECT_EQ(said(foreign, one, &out, mine.get()), "instances:");
    EXPECT_EQ(said({}, one, &out, mine.get()), "instances:");
    EXPECT_EQ(said(set, {nullptr, 0, offsets, -1, nullptr}, &out, mine.get()), "rows:");
    EXPECT_EQ(said(set, {nullptr, 0, offsets, 21, nullptr}, &out, mine.get()), "instance_of:");
    EXPECT_EQ(said(set, {nullptr, 0, nullptr, 1, nullptr}, &out, mine.get()), "answers:");
    EXPECT_EQ(said(set, {nullptr, 3, offsets, 1, nullptr}, &out, mine.get()), "answers:");
    EXPECT_EQ(said(set, one, nullptr, mine.get()), "answers:");
    EXPECT_EQ(said(store.keep(instance_view{}), one, &out, mine.get()), "instances:");
    std::vector<baseline> const few(19);
    device_baselines const lacking = store.keep(few);
    EXPECT_EQ(lacking.size(), 19);
    EXPECT_EQ(error_of([&] {
                  store.reward(set, lacking, {.verdicts = &out, .rows = 0}, {}, nullptr, nullptr, mine.get());
              }).code(),
              status::invalid_argument);
    EXPECT_EQ(error_of([&] { device_store(by, {.memory = 1000}); }).code(), status::invalid_argument);
    EXPECT_EQ(error_of([&] { device_store store_of_none(cpu_engine()); }).code(), status::device_unavailable);
    EXPECT_EQ(store.statistics().calls, 0);
    // No rows are no work, but still a call.
    EXPECT_EQ(store.verify(set, {}, nullptr, mine.get()), 1u);
    EXPECT_EQ(store.advantages({}, {}, nullptr, mine.get()), 2u);
    store.wait();
    EXPECT_EQ(store.ended(), 2u);
}

TEST_F(resident_sets, a_store_outlives_its_engine_and_what_it_released) {
    own_stream const mine;
    std::optional<engine> by = made();
    std::optional<device_store> store(std::in_place, *by, device_store_options{.memory = 1 << 20});
    device_set set = store->keep(specs_from(*by, 0));
    verified_set check(specs_from(*by, 0), mine.get());
    by->release();
    check.queue(*store, set);
    EXPECT_TRUE(check.came());
    EXPECT_EQ(error_of([&] { device_store another(*by); }).code(), status::device_unavailable);
    by->resume();
    std::vector<instance_spec> const specs = specs_from(*by, 0);
    EXPECT_EQ(by->generate(specs).blocks, cpu_engine().generate(specs).blocks);
    EXPECT_EQ(by->device_status().fallbacks, 0) << by->device_status().last_reason;
    check.queue(*store, set);
    EXPECT_TRUE(check.came());
    by.reset();
    check.queue(*store, set);
    EXPECT_TRUE(check.came());
    store.reset();  // the set's memory stays as long as its handle
    EXPECT_EQ(set.size(), 20);
}

TEST_F(resident_sets, no_call_ends_a_graph_capture_of_another_thread) {
    engine const by = made();
    own_stream const mine;
    verified_set check(specs_from(by, 0), mine.get());
    runtime::begin_foreign_capture();
    {
        device_store store(by, {.memory = 1 << 20});
        check.queue(store, store.keep(specs_from(by, 0)));
        store.wait();
    }
    EXPECT_TRUE(runtime::end_foreign_capture());
    EXPECT_TRUE(check.came());
}

TEST_F(resident_sets, an_error_that_another_library_left_is_neither_taken_nor_forgotten) {
    engine const by = made();
    own_stream const mine;
    verified_set check(specs_from(by, 0), mine.get());
    device_store store(by, {.memory = 1 << 20});
    device_set const set = store.keep(specs_from(by, 0));
    runtime::set_order(2);
    check.queue(store, set);
    cudaError_t const left = runtime::leave_error();
    EXPECT_NE(left, cudaSuccess);
    static_cast<void>(store.ended());
    check.queue(store, set);
    EXPECT_EQ(cudaGetLastError(), left);
    EXPECT_TRUE(check.came());
    EXPECT_EQ(runtime::complaints(), std::vector<std::string>());
}

/// CUB ends a call by checking the thread's last error, so its calls are made on a thread without one. This also
/// applies where the stream is the calling thread's own, whose handle would mean another stream on that thread.
TEST_F(resident_sets, nor_on_the_thread_s_own_stream_or_by_advantages) {
    engine const by = made();
    device_store store(by, {.memory = 1 << 20});
    device_set const set = store.keep(specs_from(by, 0));
    std::vector<float> const rewards{1, 0, 0.5f, 0.25f};
    std::vector<std::int32_t> const group{0, 0, 1, 1};
    for (std::uint64_t seed = 0; seed < schedules() / 2; ++seed) {
        runtime::set_order(seed);
        verified_set check(specs_from(by, 0), cudaStreamPerThread);
        device_column<float> const there(rewards, cudaStreamPerThread), out(rewards.size());
        device_column<std::int32_t> const groups(group, cudaStreamPerThread);
        cudaError_t const left = runtime::leave_error();
        check.queue(store, set);
        store.advantages({there.get(), groups.get(), 4}, {}, out.get(), cudaStreamPerThread);
        EXPECT_EQ(cudaGetLastError(), left);
        ASSERT_TRUE(check.came()) << "schedule " << seed;
        ASSERT_TRUE(same_bytes(out.read(cudaStreamPerThread), by.advantages(rewards, group))) << "schedule " << seed;
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
}

TEST_F(resident_sets, callers_on_threads_of_their_own_follow_each_other) {
    answered const all = all_tasks_answered(1, 1);
    std::vector<verdict> const expected =
        cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    auto const calls = [&] {
        own_stream const mine;
        answers_there const there(all, mine.get());
        for (int k = 0; k < 3; ++k) {
            device_set const set = store.keep(all.specs);
            device_column<verdict> const out(expected.size());
            store.verify(set, there.view, out.get(), mine.get());
            EXPECT_EQ(out.read(mine.get()), expected);
            EXPECT_LE(store.ended(), std::uint64_t(store.statistics().calls));
        }
    };
    {
        std::jthread const a(calls), b(calls);
        calls();
    }
    store.wait();
    EXPECT_EQ(store.statistics().calls, 9);
    EXPECT_EQ(store.ended(), 9u);
}

TEST_F(resident_sets, a_forked_child_gets_an_error_and_makes_no_call) {
    engine const by = made();
    auto store = std::make_unique<device_store>(by, device_store_options{.memory = 1 << 20});
    auto set = std::make_unique<device_set>(store->keep(specs_from(by, 0)));
    pid_t const child = fork();
    if (child == 0) {
        runtime::forget_calls();
        bool refused = false;
        try {
            static_cast<void>(store->keep(specs_from(by, 0)));
        } catch (error const& told) {
            refused = told.code() == status::device_unavailable;
        }
        set.reset();
        store.reset();
        _exit(refused && runtime::all_calls() == 0 ? 0 : 1);
    }
    int ended = 0;
    ASSERT_EQ(waitpid(child, &ended, 0), child);
    EXPECT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}

}  // namespace
}  // namespace optgap::testing
