// Tickets that a caller scores itself when it begins a batch: a lone small ticket, with the bytes of any other batch,
// unless that would delay or block the caller.

#include <poll.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {
namespace {

std::int64_t by_callers(scheduler const& by) {
    return nlohmann::json::parse(by.statistics())["batches"]["by_callers"].get<std::int64_t>();
}

/// A ticket cannot be ready before its baseline is known.
void await_baselines(scheduler& by, rollout_step const& step) {
    for (std::int64_t i = 0; i < std::int64_t(step.specs.size()); ++i) {
        ASSERT_TRUE(by.collect(by.submit(step.problem_of(i), {}), soon));
    }
}

/// Repeats `attempt` until the batch thread is asleep, some microseconds after its last batch.
template <class Attempt>
bool happens(Attempt const& attempt) {
    auto const end = std::chrono::steady_clock::now() + soon;
    while (std::chrono::steady_clock::now() < end) {
        if (attempt()) {
            return true;
        }
        std::this_thread::sleep_for(1ms);
    }
    return false;
}

TEST(scheduler_callers, score_a_lone_ticket_with_the_bytes_of_a_batch) {
    rollout_step step(24, 4);
    step.prove_by_key();
    score_batch const expected = cpu_engine().score(step.request());
    scheduler by(cpu_engine());
    await_baselines(by, step);
    auto const queue = std::make_shared<completion_queue>();
    std::int64_t own = 0;
    for (std::size_t row = 0; row < step.texts.size(); ++row) {
        EXPECT_TRUE(happens([&] {
            submission what = step.of_row(row);
            what.held = true;
            what.notify = queue;
            ticket const one = by.submit(step.problem_of(step.instance_of[row]), what);
            bool const mine = by.begin();
            pollfd watched{queue->fd(), POLLIN, 0};
            EXPECT_EQ(poll(&watched, 1, mine ? 0 : 60'000), 1);
            EXPECT_EQ(queue->drain(), std::vector{one});
            auto const found = by.collect(one, mine ? 0ns : soon);
            EXPECT_TRUE(found);
            if (found) {
                expect_same_row(*found, 0, expected, row);
                EXPECT_EQ(found->baseline, step.solved.rows[std::size_t(step.instance_of[row])]);
            }
            own += mine ? 1 : 0;
            return mine;
        })) << row;
    }
    EXPECT_FALSE(by.begin()) << "nothing is left";
    EXPECT_EQ(by_callers(by), own);
    nlohmann::json const said = nlohmann::json::parse(by.statistics());
    EXPECT_EQ(said["tickets"]["open"], 0);
    EXPECT_EQ(said["queue"]["rows"], 0);
    EXPECT_EQ(said["stages"]["total"]["count"], said["tickets"]["submitted"]);
}

TEST(scheduler_callers, leave_what_is_large_or_several_or_called_back_or_due_to_the_batch_thread) {
    rollout_step const step(2, 2);
    scheduler by(cpu_engine());
    await_baselines(by, step);
    std::string const large = "<think>" + std::string(20'000, 'a') + step.texts[0];
    std::string_view const large_view = large;
    std::vector<std::string_view> const two(step.views.begin(), step.views.begin() + 2);
    // Its proof is not needed here.
    problem big{.spec = {0, difficulty::scale(0), split::train, 1}, .given = baseline()};
    std::size_t words = 0;
    for (std::int32_t d = 20; words <= 4096 && d <= 400; d += 20) {
        for (std::int32_t task = 0; words <= 4096 && task < std::int32_t(cpu_engine().tasks().size()); ++task) {
            big.spec = {task, difficulty::scale(d), split::train, 1};
            words = cpu_engine().generate(std::span(&big.spec, 1)).blocks.row(0).size();
        }
    }
    ASSERT_GT(words, 4096u) << "no task has a large instance";
    ASSERT_TRUE(by.collect(by.submit(big, {}), soon)) << "it is generated now";

    struct way {
        char const* name;
        problem of;
        std::vector<submission> what;
    };
    submission plain = step.of_row(0);
    plain.held = true;
    std::vector<way> ways(5, {"", step.problem_of(0), {plain}});
    ways[0].name = "a large text";
    ways[0].what[0].texts = std::span(&large_view, 1);
    ways[1].name = "several tickets";
    ways[1].what.push_back(plain);
    ways[2].name = "several texts";
    ways[2].what[0] = step.of_instance(0);
    ways[2].what[0].held = true;
    ways[3].name = "a deadline";
    ways[3].what[0].deadline = std::chrono::steady_clock::now() + 1h;
    ways[4].name = "a large instance";
    ways[4].of = big;
    std::int64_t const before = by_callers(by);
    for (way const& each : ways) {
        for (int k = 0; k < 5; ++k) {
            std::this_thread::sleep_for(1ms);  // the batch thread falls asleep
            std::vector<ticket> open;
            for (submission const& what : each.what) {
                open.push_back(by.submit(each.of, what));
            }
            EXPECT_FALSE(by.begin()) << each.name;
            for (ticket const one : open) {
                auto const found = by.collect(one, soon);
                ASSERT_TRUE(found) << each.name;
                EXPECT_EQ(found->how, outcome::scored) << each.name << ": " << found->reason;
            }
        }
    }
    for (int k = 0; k < 5; ++k) {
        std::this_thread::sleep_for(1ms);
        std::thread::id called_on;
        gate called;
        submission what = plain;
        what.on_done = [&](ticket, ticket_result&&) {
            called_on = std::this_thread::get_id();
            called.open();
        };
        EXPECT_NE(by.submit(step.problem_of(0), what), ticket::none);
        EXPECT_FALSE(by.begin());
        ASSERT_TRUE(called.wait());
        EXPECT_NE(called_on, std::this_thread::get_id());
    }
    EXPECT_EQ(by_callers(by), before);
}

TEST(scheduler_callers, are_not_held_by_a_batch_thread_that_waits_for_them) {
    rollout_step const step(2, 2);
    scheduler by(cpu_engine());
    await_baselines(by, step);
    held_batches held(by, step);  // its callback waits for this thread's work below
    submission what = step.of_row(0);
    what.held = true;
    ticket const one = by.submit(step.problem_of(0), what);
    EXPECT_FALSE(by.begin()) << "the batch thread is awake, and finds it";
    EXPECT_FALSE(by.collect(one, 1ms));
    held.release();
    ASSERT_TRUE(by.collect(one, soon));
}

TEST(scheduler_callers, hold_no_lock_while_they_let_go_of_texts) {
    struct seen {
        std::atomic<int> begun = 0, refused = 0;
        std::atomic<ticket> inner = ticket::none;
    };
    rollout_step const step(2, 2);
    scheduler by(cpu_engine());
    await_baselines(by, step);
    EXPECT_TRUE(happens([&] {
        auto const what_was_seen = std::make_shared<seen>();
        submission what = step.of_row(0);
        what.held = true;
        what.owner = std::shared_ptr<void>(nullptr, [&by, &step, what_was_seen](void*) {
            submission next = step.of_row(1);
            next.held = true;
            ticket const inner = by.submit(step.problem_of(0), next);
            what_was_seen->begun += by.begin() ? 1 : 0;
            try {
                by.shutdown(scheduler::ending::drain);
            } catch (error const&) {
                ++what_was_seen->refused;  // shutdown waits for this thread
            }
            what_was_seen->inner = inner;
        });
        ticket const one = by.submit(step.problem_of(0), what);
        what.owner.reset();
        bool const mine = by.begin();
        EXPECT_TRUE(by.collect(one, soon));
        // Where the batch thread scored it, that thread releases it later.
        EXPECT_TRUE(happens([&] { return what_was_seen->inner.load() != ticket::none; }));
        EXPECT_TRUE(by.collect(what_was_seen->inner, soon));
        EXPECT_EQ(what_was_seen->refused, 1);
        return mine && what_was_seen->begun == 1;
    }));
}

TEST(scheduler_callers, end_every_ticket_before_a_shutdown_returns) {
    rollout_step const step(6, 2);
    std::mt19937_64 random(5);
    std::int64_t own = 0;
    for (int round = 0; round < 60; ++round) {
        scheduler by(cpu_engine(), {.solve_threads = 1});
        await_baselines(by, step);
        std::atomic<std::int64_t> submitted = 0, taken = 0;
        std::vector<std::shared_ptr<completion_queue>> queues;
        std::vector<std::thread> threads;
        for (std::size_t s = 0; s < 3; ++s) {
            queues.push_back(std::make_shared<completion_queue>());
            threads.emplace_back([&, s, queue = queues.back(), seed = random()] {
                std::mt19937_64 own_random(seed);
                submission what = step.of_row(s);
                what.held = true;
                what.notify = queue;
                for (;;) {
                    try {
                        ticket const one = by.submit(step.problem_of(step.instance_of[s]), what);
                        ++submitted;
                        if (own_random() % 8 == 0) {
                            by.cancel(one);
                        }
                        by.begin();
                    } catch (error const&) {
                        return;  // shut down
                    }
                    for (ticket const one : queue->drain()) {
                        EXPECT_TRUE(by.collect(one, 0ns));
                        ++taken;
                    }
                }
            });
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
        by.shutdown(random() % 2 == 0 ? scheduler::ending::drain : scheduler::ending::cancel);
        std::ranges::for_each(threads, &std::thread::join);
        for (auto const& queue : queues) {
            for (ticket const one : queue->drain()) {
                EXPECT_TRUE(by.collect(one, 0ns));
                ++taken;
            }
        }
        EXPECT_EQ(taken, submitted) << "each is told of once";
        own += by_callers(by);
    }
    EXPECT_GT(own, 0) << "no caller ever found the batch thread asleep";
}

TEST(scheduler, what_is_held_makes_one_batch_when_it_is_begun_or_full_or_somebody_else_submits) {
    rollout_step const step(4, 3);
    score_batch const expected = cpu_engine().score(step.request());
    scheduler by(cpu_engine(), {.batch_rows = 8});
    for (std::int64_t i = 0; i < 4; ++i) {
        ASSERT_TRUE(by.collect(by.submit(step.problem_of(i), step.of_instance(i)), soon))
            << "its baseline is known now";
    }
    auto const batches = [&] { return nlohmann::json::parse(by.statistics())["batches"]["count"].get<int>(); };
    std::vector<std::pair<ticket, std::size_t>> open;
    auto const submit = [&](std::size_t row, bool held) {
        submission what = step.of_row(row);
        what.held = held;
        open.emplace_back(by.submit(step.problem_of(step.instance_of[row]), what), row);
    };
    auto const expect_all = [&] {
        for (auto const& [one, row] : std::exchange(open, {})) {
            auto const found = by.collect(one, soon);
            ASSERT_TRUE(found);
            expect_same_row(*found, 0, expected, row);
        }
    };
    bool waited = false;
    for (int attempt = 0; attempt < 50 && !waited; ++attempt) {
        int const before = batches();
        for (std::size_t row = 0; row < 7; ++row) {
            submit(row, true);
        }
        std::this_thread::sleep_for(10ms);
        waited = batches() == before;  // else the last batch's thread was still awake, and took some at once
        by.begin();
        by.begin();
        expect_all();
        EXPECT_TRUE(!waited || batches() == before + 1);
    }
    EXPECT_TRUE(waited) << "what is held never waits";
    bool whole = false;
    for (int attempt = 0; attempt < 50 && !whole; ++attempt) {
        int const before = batches();
        for (std::size_t row = 0; row < 8; ++row) {
            submit(row, true);
        }
        auto const end = std::chrono::steady_clock::now() + soon;
        while (batches() == before && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(1ms);
        }
        EXPECT_GT(batches(), before) << "a full batch is begun by nobody";
        by.begin();  // a thread that was still awake took some before the last: the rest is no full batch
        expect_all();
        whole = batches() == before + 1;
    }
    EXPECT_TRUE(whole) << "what is full is never one batch";
    for (std::size_t row = 9; row < 12; ++row) {
        submit(row, row != 11);
    }
    expect_all();
}

}  // namespace
}  // namespace optgap::testing
