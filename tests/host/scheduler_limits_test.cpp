// Deadlines, cancellation, full queues, byte limits and the end.

#include <thread>

#include <nlohmann/json.hpp>

#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {
namespace {

nlohmann::json said(scheduler const& by) { return nlohmann::json::parse(by.statistics()); }

TEST(scheduler_limits, an_expired_item_gives_rows_that_say_so_and_shifts_no_other) {
    rollout_step const step(10, 3);
    score_batch const expected = cpu_engine().score(step.request());
    scheduler by(cpu_engine());
    std::vector<ticket> tickets;
    for (std::int64_t i = 0; i < 10; ++i) {
        submission what = step.of_instance(i);
        if (i % 3 == 1) {
            what.deadline = std::chrono::steady_clock::now();
        }
        tickets.push_back(by.submit(step.problem_of(i), what));
    }
    auto const found = by.collect(tickets, soon);
    ASSERT_TRUE(found);
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(found->outcomes[i], i % 3 == 1 ? outcome::expired : outcome::scored);
        for (std::size_t r = i * 3; r < i * 3 + 3; ++r) {
            if (i % 3 == 1) {
                EXPECT_TRUE(std::isnan(found->scores.rows[r].reward));
                EXPECT_EQ(found->scores.rows[r].code, -1);
                EXPECT_EQ(found->scores.advantage[r], 0.0f);
                EXPECT_TRUE(found->scores.answers.row(std::int64_t(r)).empty());
            } else {
                EXPECT_EQ(found->scores.rows[r], expected.rows[r]);
                EXPECT_EQ(found->scores.advantage[r], expected.advantage[r]);
            }
        }
    }
}

TEST(scheduler_limits, an_item_expires_on_time_while_its_baseline_is_being_proven) {
    rollout_step const step(1, 1);
    scheduler by(cpu_engine(), {.solve_threads = 1});
    std::vector<instance_spec> many;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        many.push_back({std::int32_t(seed % cpu_engine().tasks().size()), difficulty::benchmark(), split::val, seed});
    }
    std::vector<ticket> tickets;
    auto const deadline = std::chrono::steady_clock::now() + 2ms;
    for (instance_spec const& spec : many) {
        submission what = step.of_row(0);
        what.deadline = deadline;
        tickets.push_back(by.submit({.spec = spec}, what));
    }
    auto const found = by.collect(tickets, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->outcomes.back(), outcome::expired) << "200 proofs in 2 ms?";
    EXPECT_LT(std::chrono::steady_clock::now() - deadline, 5s);
    EXPECT_LT(said(by)["baselines"]["solved"], 200) << "proofs that nobody waits for are not begun";
}

TEST(scheduler_limits, a_cancelled_ticket_ends_cancelled_wherever_it_stands) {
    rollout_step const step(3, 2);
    scheduler by(cpu_engine());
    issued_batch const issued = by.issue(step.specs);
    held_batches held(by, step);
    ASSERT_TRUE(by.submit(issued.tickets[1], step.of_instance(1)));
    ticket const kept = by.submit(step.problem_of(2), step.of_instance(2));
    EXPECT_TRUE(by.cancel(issued.tickets[0])) << "issued";
    EXPECT_TRUE(by.cancel(issued.tickets[1])) << "ready";
    EXPECT_FALSE(by.cancel(issued.tickets[1])) << "it has ended";
    EXPECT_EQ(said(by)["queue"]["rows"], 2) << "a cancelled ticket leaves the queue at once";
    held.release();
    for (int t : {0, 1}) {
        auto const found = by.collect(issued.tickets[std::size_t(t)], soon);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->how, outcome::cancelled);
        EXPECT_EQ(found->size(), t * 2);
    }
    auto const other = by.collect(kept, soon);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->how, outcome::scored);
    EXPECT_FALSE(by.cancel(kept));
    EXPECT_FALSE(by.cancel(ticket::none));
}

TEST(scheduler_limits, a_forgotten_ticket_leaves_nothing_behind) {
    rollout_step const step(3, 2);
    scheduler by(cpu_engine());
    issued_batch const issued = by.issue(step.specs);
    int called = 0;
    {
        held_batches held(by, step);
        ASSERT_TRUE(by.submit(issued.tickets[1], step.of_instance(1)));
        submission what = step.of_instance(2);
        what.on_done = [&](ticket, ticket_result&&) { ++called; };
        ASSERT_TRUE(by.submit(issued.tickets[2], what));
        std::ranges::for_each(issued.tickets, [&](ticket one) { by.forget(one); });
    }
    ticket const ended = by.submit(step.problem_of(0), step.of_instance(0));
    by.shutdown(scheduler::ending::drain);
    by.forget(ended);
    EXPECT_EQ(said(by)["tickets"]["open"], 0);
    EXPECT_EQ(called, 0);
    EXPECT_THROW(static_cast<void>(by.collect(issued.tickets[1], 0ns)), error);
}

TEST(scheduler_limits, a_full_queue_refuses_and_the_ticket_stays_issued) {
    rollout_step const step(4, 2);
    scheduler by(cpu_engine(), {.queue_rows = 3, .when_full = full_queue::refuse});
    issued_batch const issued = by.issue(step.specs);
    held_batches held(by, step);
    ASSERT_TRUE(by.submit(issued.tickets[1], step.of_instance(1)));
    EXPECT_FALSE(by.submit(issued.tickets[2], step.of_instance(2)));
    EXPECT_EQ(by.submit(step.problem_of(3), step.of_instance(3)), ticket::none);
    ticket_result const refused = by.submit_future(step.problem_of(3), step.of_instance(3)).get();
    EXPECT_EQ(refused.how, outcome::refused);
    EXPECT_EQ(refused.size(), 2);
    held.release();
    ASSERT_TRUE(by.collect(issued.tickets[1], soon));
    EXPECT_TRUE(by.submit(issued.tickets[2], step.of_instance(2)));
    EXPECT_TRUE(by.collect(issued.tickets[2], soon));
    EXPECT_EQ(said(by)["tickets"]["refused"], 3);
}

TEST(scheduler_limits, what_may_not_wait_is_refused_where_others_block) {
    rollout_step const step(3, 2);
    scheduler by(cpu_engine(), {.queue_rows = 2});
    issued_batch const issued = by.issue(step.specs);
    held_batches held(by, step);
    ASSERT_TRUE(by.submit(issued.tickets[0], step.of_instance(0)));
    auto const at_once = [&](std::int64_t i) {
        submission what = step.of_instance(i);
        what.may_wait = false;
        return what;
    };
    // One that blocks nevertheless returns, and its acceptance is visible.
    std::jthread const rescue([&](std::stop_token const& over) {
        for (; !over.stop_requested(); std::this_thread::sleep_for(1ms)) {
            if (said(by)["queue"]["blocked_submitters"] > 0) {
                held.release();
            }
        }
    });
    EXPECT_FALSE(by.submit(issued.tickets[1], at_once(1)));
    EXPECT_EQ(by.submit(step.problem_of(2), at_once(2)), ticket::none);
    held.release();
    ASSERT_TRUE(by.collect(issued.tickets[0], soon));
    EXPECT_TRUE(by.submit(issued.tickets[1], at_once(1)));
    EXPECT_TRUE(by.collect(issued.tickets[1], soon));
    EXPECT_EQ(said(by)["tickets"]["refused"], 2);
}

TEST(scheduler_limits, a_full_queue_blocks_submitters_and_lets_them_in_as_they_came) {
    rollout_step const step(6, 2);
    score_batch const expected = cpu_engine().score(step.request());
    scheduler by(cpu_engine(), {.queue_rows = 2});
    held_batches held(by, step);
    ticket const first = by.submit(step.problem_of(0), step.of_instance(0));
    std::vector<std::thread> submitters;
    std::vector<std::optional<ticket_result>> found(6);
    for (std::int64_t i = 1; i < 6; ++i) {
        submitters.emplace_back(
            [&, i] { found[std::size_t(i)] = by.collect(by.submit(step.problem_of(i), step.of_instance(i)), soon); });
        while (said(by)["queue"]["blocked_submitters"] < i) {
            std::this_thread::sleep_for(1ms);
        }
    }
    EXPECT_EQ(said(by)["queue"]["rows"], 2);
    held.release();
    std::ranges::for_each(submitters, &std::thread::join);
    ASSERT_TRUE(by.collect(first, soon));
    for (std::size_t i = 1; i < 6; ++i) {
        ASSERT_TRUE(found[i]);
        expect_same_row(*found[i], 1, expected, i * 2 + 1);
    }
}

TEST(scheduler_limits, a_blocked_submitter_wakes_when_its_time_is_up_or_the_end_comes) {
    rollout_step const step(3, 2);
    scheduler by(cpu_engine(), {.queue_rows = 2});
    issued_batch const issued = by.issue(step.specs);
    std::optional<held_batches> held(std::in_place, by, step);
    ASSERT_TRUE(by.submit(issued.tickets[0], step.of_instance(0)));
    std::thread blocked([&] { EXPECT_TRUE(by.submit(issued.tickets[1], step.of_instance(1))); });
    while (said(by)["queue"]["blocked_submitters"] < 1) {
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_TRUE(by.cancel(issued.tickets[1]));
    blocked.join();
    std::thread late([&] { EXPECT_TRUE(by.submit(issued.tickets[2], step.of_instance(2))); });
    while (said(by)["queue"]["blocked_submitters"] < 1) {
        std::this_thread::sleep_for(1ms);
    }
    std::thread end([&] { by.shutdown(scheduler::ending::cancel); });
    late.join();
    held.reset();
    end.join();
    auto const found = by.collect(issued.tickets, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->outcomes[1], outcome::cancelled);
    EXPECT_EQ(found->outcomes[2], outcome::cancelled);
}

TEST(scheduler_limits, what_is_larger_than_the_queue_goes_in_alone) {
    rollout_step const step(1, 16);
    scheduler by(cpu_engine(), {.queue_rows = 4, .when_full = full_queue::refuse});
    auto const found = by.collect(by.submit(step.problem_of(0), step.of_instance(0)), soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size(), 16);
}

TEST(scheduler_limits, a_window_gathers_single_samples_and_never_holds_one_longer) {
    rollout_step const step(10, 10);
    score_batch const expected = cpu_engine().score(step.request());
    scheduler by(cpu_engine(), {.window = 1000us});
    // On a busy machine every sample of a round may be scored before the next thread runs.
    for (std::int64_t round = 1; round <= 100; ++round) {
        std::vector<std::thread> submitters;
        for (std::size_t s = 0; s < 4; ++s) {
            submitters.emplace_back([&, s] {
                for (std::size_t row = s; row < step.texts.size(); row += 4) {
                    auto const begin = std::chrono::steady_clock::now();
                    auto const found =
                        by.collect(by.submit(step.problem_of(step.instance_of[row]), step.of_row(row)), soon);
                    ASSERT_TRUE(found);
                    expect_same_row(*found, 0, expected, row);
                    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
                }
            });
        }
        std::ranges::for_each(submitters, &std::thread::join);
        ASSERT_EQ(said(by)["batches"]["rows"], round * step.rows());
        if (said(by)["batches"]["count"] < round * step.rows()) {
            return;
        }
    }
    FAIL() << "nothing was gathered";
}

TEST(scheduler_limits, no_more_tickets_are_open_than_may_be) {
    rollout_step const step(4, 1);
    scheduler by(cpu_engine(), {.open_tickets = 4});
    issued_batch const issued = by.issue(step.specs);
    EXPECT_THROW(static_cast<void>(by.issue(std::span(step.specs).first(1))), error);
    EXPECT_EQ(by.submit(step.problem_of(0), step.of_instance(0)), ticket::none);
    by.forget(issued.tickets[0]);
    EXPECT_NE(by.submit(step.problem_of(0), step.of_instance(0)), ticket::none);
}

TEST(scheduler_limits, shutdown_drains_or_cancels_and_rows_can_still_be_collected) {
    rollout_step const step(10, 3);
    for (auto const how : {scheduler::ending::drain, scheduler::ending::cancel}) {
        scheduler by(cpu_engine());
        issued_batch const issued = by.issue(step.specs);
        std::optional<held_batches> held(std::in_place, by, step);
        for (std::size_t i = 0; i < 9; ++i) {
            ASSERT_TRUE(by.submit(issued.tickets[i], step.of_instance(std::int64_t(i))));
        }
        std::thread end([&] { by.shutdown(how); });
        if (how == scheduler::ending::cancel) {
            EXPECT_TRUE(by.collect(std::span(issued.tickets).first(9), soon)) << "cancelled at once";
        }
        held.reset();
        end.join();
        auto const last = by.collect(issued.tickets[9], soon);
        ASSERT_TRUE(last);
        EXPECT_EQ(last->how, outcome::cancelled) << "it has no completions";
        if (how == scheduler::ending::drain) {
            auto const found = by.collect(std::span(issued.tickets).first(9), soon);
            ASSERT_TRUE(found);
            EXPECT_EQ(found->outcomes, std::vector<outcome>(9, outcome::scored));
        }
        EXPECT_THROW(static_cast<void>(by.submit(step.problem_of(0), step.of_instance(0))), error);
        EXPECT_THROW(static_cast<void>(by.issue(step.specs)), error);
    }
}

TEST(scheduler_limits, a_scheduler_that_goes_away_ends_every_ticket_first) {
    rollout_step const step(10, 3);
    std::atomic<int> called = 0;
    {
        scheduler by(cpu_engine());
        for (std::int64_t i = 0; i < 10; ++i) {
            submission what = step.of_instance(i);
            what.on_done = [&](ticket, ticket_result&& result) {
                EXPECT_TRUE(result.how == outcome::scored || result.how == outcome::cancelled);
                EXPECT_EQ(result.size(), 3);
                ++called;
            };
            ASSERT_NE(by.submit(step.problem_of(i), what), ticket::none);
        }
    }
    EXPECT_EQ(called, 10);
}

TEST(scheduler_limits, a_callback_may_submit_again_and_may_throw) {
    rollout_step const step(1, 1);
    scheduler by(cpu_engine(), {.queue_rows = 1});
    gate over;
    std::atomic<int> rounds = 0;
    std::function<void(ticket, ticket_result &&)> again = [&](ticket, ticket_result&&) {
        if (++rounds == 20) {
            over.open();
        } else {
            submission next = step.of_row(0);
            next.on_done = again;
            EXPECT_NE(by.submit(step.problem_of(0), next), ticket::none);
        }
        throw std::runtime_error("a careless callback");
    };
    submission first = step.of_row(0);
    first.on_done = again;
    ASSERT_NE(by.submit(step.problem_of(0), first), ticket::none);
    ASSERT_TRUE(over.wait());
    by.shutdown(scheduler::ending::drain);
    EXPECT_EQ(said(by)["callback_failures"], 20);
}

TEST(scheduler_limits, caches_stay_within_their_bytes_and_forget_what_was_used_longest_ago) {
    rollout_step step(60, 1);
    step.prove_by_key();
    std::int64_t const bytes = std::int64_t(step.instances.blocks.words.size()) * 4;
    scheduler by(cpu_engine(), {.instance_cache_bytes = bytes / 4});
    auto const ask = [&](std::int64_t i) {
        auto const found = by.collect(by.submit(step.problem_of(i), step.of_instance(i)), soon);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->baseline, step.solved.rows[std::size_t(i)]);
        EXPECT_LE(said(by)["instances"]["bytes"], bytes / 4);
    };
    for (std::int64_t i = 0; i < 60; ++i) {
        ask(i);
    }
    EXPECT_EQ(said(by)["instances"]["generated"], 60);
    EXPECT_GT(said(by)["instances"]["evictions"], 20);
    ask(59);
    EXPECT_EQ(said(by)["instances"]["generated"], 60) << "used last: still there";
    ask(0);
    EXPECT_EQ(said(by)["instances"]["generated"], 61) << "used longest ago: made again";
    EXPECT_EQ(said(by)["baselines"]["solved"], 60) << "a baseline outlives its instance";

    scheduler small(cpu_engine(), {.baseline_cache_bytes = 10'000});
    for (int round = 0; round < 2; ++round) {
        for (std::int64_t i = 0; i < 60; ++i) {
            ASSERT_TRUE(small.collect(small.submit(step.problem_of(i), step.of_instance(i)), soon));
            EXPECT_LE(said(small)["baselines"]["bytes"], 10'000);
        }
    }
    EXPECT_EQ(said(small)["baselines"]["solved"], 120) << "with room for a few, each round solves again";
}

}  // namespace
}  // namespace optgap::testing
