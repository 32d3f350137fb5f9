// A chain of verbs captured as a graph. A repeated launch gives the bytes of single calls on columns that have changed
// meanwhile, in order with other calls of the store.

#include <string>

#include "tests/resident/queued_verbs.hpp"

namespace optgap::testing {
namespace {

using resident_graphs = resident_columns;

TEST_F(resident_graphs, a_captured_chain_replays_with_the_bytes_of_calls_one_by_one) {
    answered const all = all_tasks_answered(1, 2);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine;
    chain one(store, all, mine.get());
    one.queue(mine.get());
    one.expect_host_bytes(mine.get(), "one by one");
    std::vector<reward_row> const expected = one.rewarded(mine.get());
    std::uint64_t const calls = std::uint64_t(store.statistics().calls);
    one.forget(mine.get());
    captured const graph(mine.get(), [&] {
        runtime::expect_nothing_waits(mine.get(), [&] {
            EXPECT_EQ(one.queue(mine.get()), (std::vector<std::uint64_t>{0, 0, 0})) << "recorded, not called";
        });
    });
    EXPECT_EQ(std::uint64_t(store.statistics().calls), calls);
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        runtime::set_order(seed);
        one.forget(mine.get());
        graph.launch(mine.get());
        one.expect_host_bytes(mine.get(), "schedule " + std::to_string(seed));
        ASSERT_TRUE(same_bytes(one.rewarded(mine.get()), expected));
        one.answer_backwards(mine.get());
        graph.launch(mine.get());
        one.expect_host_bytes(mine.get(), "backwards, schedule " + std::to_string(seed));
        one.answer_backwards(mine.get());
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    store.wait();
}

/// Only the store's own event orders a graph's use of its memory and a call's on another stream.
TEST_F(resident_graphs, a_graph_and_a_call_on_another_stream_follow_each_other) {
    answered const all = all_tasks_answered(1, 1);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine, other;
    chain recorded(store, all, mine.get()), called(store, all, other.get());
    captured const graph(mine.get(), [&] { recorded.queue(mine.get()); });
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        runtime::set_order(seed);
        graph.launch(mine.get());
        called.queue(other.get());
        graph.launch(mine.get());
        called.expect_host_bytes(other.get(), "schedule " + std::to_string(seed));
        recorded.expect_host_bytes(mine.get(), "schedule " + std::to_string(seed));
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
}

/// In one launch of all steps, and in three.
TEST_F(resident_graphs, a_captured_search_and_its_verdicts_replay_on_starts_that_changed) {
    answered const all = all_tasks_answered(1, 1);
    std::int64_t const rows = all.answers.rows();
    std::vector<std::int64_t> last_first;
    for (std::int64_t r = rows; r > 0; --r) {
        last_first.push_back(r - 1);
    }
    answered const others = rows_of(all, last_first);
    std::int64_t const steps = 7;
    engine const by = made();
    own_stream const mine;
    answers_there const there(all, mine.get());
    for (std::int64_t const cut : {steps, std::int64_t(3)}) {
        device_store store(by, {.memory = roomy, .steps_a_launch = cut});
        device_set const set = store.keep(all.specs);
        std::int64_t const room = room_for(set, all.answers);
        found_there const found(rows, room);
        device_column<verdict> const out(all.instance_of.size());
        captured const graph(mine.get(), [&] {
            runtime::expect_nothing_waits(mine.get(), [&] {
                store.improve(set, there.view, steps, 3, found.view(rows, room), mine.get());
                store.verify(set, found.answers(rows, room, there.view.instance_of), out.get(), mine.get());
            });
        });
        std::uint64_t seed = 0;
        for (answered const* const starts : {&all, &others, &all}) {
            std::string const when = std::to_string(cut) + " steps a launch, launched before: " + std::to_string(seed);
            runtime::set_order(seed++);
            there.write(*starts, mine.get());
            graph.launch(mine.get());
            improved_batch const expected =
                cpu_engine().improve(all.instances.view(), starts->answers.view(), steps, 3, starts->instance_of);
            expect_found(found, expected, mine.get(), when);
            ASSERT_EQ(out.read(mine.get()),
                      cpu_engine().verify(all.instances.view(), expected.answers.view(), starts->instance_of))
                << when;
            ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << when;
        }
        store.wait();
    }
}

TEST_F(resident_graphs, a_row_that_a_replay_finds_wrong_is_named_by_the_next_call) {
    answered all = all_tasks_answered(1, 1);
    all.instance_of[3] = -1;
    engine const by = made();
    device_store store(by, {.memory = roomy});
    own_stream const mine;
    chain one(store, all, mine.get());
    captured const graph(mine.get(), [&] { one.queue(mine.get()); });
    EXPECT_NO_THROW(store.wait());  // nothing was run
    graph.launch(mine.get());
    try {
        store.wait();
        FAIL() << "nothing was thrown";
    } catch (error const& told) {
        EXPECT_STREQ(told.what(), "instance_of: row 3 of an earlier call names no instance of its set");
    }
}

}  // namespace
}  // namespace optgap::testing
