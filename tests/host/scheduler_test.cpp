// The scheduler gives the engine's results, however rows were submitted.

#include <poll.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {
namespace {

instance_spec any_of(std::int32_t task) { return {task, difficulty::easy(), split::train, 0}; }

TEST(scheduler, gives_the_engines_bytes_for_a_step) {
    rollout_step const step(24, 6);
    for (std::int64_t batch_rows : {1, 7, 4096}) {
        scheduler_options options;
        options.batch_rows = batch_rows;
        scheduler by(cpu_engine(), options);
        issued_batch const issued = by.issue(step.specs);
        for (std::size_t i = 0; i < issued.tickets.size(); ++i) {
            ASSERT_TRUE(by.submit(issued.tickets[i], step.of_instance(std::int64_t(i))));
        }
        std::optional<collected_batch> const found = by.collect(issued.tickets, soon);
        ASSERT_TRUE(found);
        expect_same_bytes(found->scores, cpu_engine().score(step.request()));
        EXPECT_EQ(found->outcomes, std::vector<outcome>(step.specs.size(), outcome::scored));
        EXPECT_EQ(found->offsets.back(), step.rows());
    }
}

TEST(scheduler, gives_the_engines_advantages_for_every_kind_of_estimator) {
    rollout_step const step(10, 5);
    scheduler by(cpu_engine());
    for (char const* name : {"grpo", "opo", "river", "gdpo", "task_reinforce_pp"}) {
        issued_batch const issued = by.issue(step.specs);
        for (std::size_t i = 0; i < issued.tickets.size(); ++i) {
            ASSERT_TRUE(by.submit(issued.tickets[i], step.of_instance(std::int64_t(i))));
        }
        advantage_spec const advantage = parse_advantage_spec(name);
        auto const found = by.collect(issued.tickets, soon, {.advantage = advantage});
        ASSERT_TRUE(found);
        EXPECT_EQ(found->scores.advantage, cpu_engine().score(step.request(), {.advantage = advantage}).advantage)
            << name;
    }
}

TEST(scheduler, says_which_rows_of_the_whole_batch_beat_their_baselines) {
    rollout_step step(25, 3);
    step.prove_by_key(0);
    score_batch const expected = cpu_engine().score(step.request());
    ASSERT_GT(expected.beaten.size(), 1u) << "too few optima that a greedy baseline misses";
    scheduler_options options;
    options.budget = 0;
    scheduler by(cpu_engine(), options);
    issued_batch const issued = by.issue(step.specs);
    for (std::size_t i = 0; i < issued.tickets.size(); ++i) {
        ASSERT_TRUE(by.submit(issued.tickets[i], step.of_instance(std::int64_t(i))));
    }
    auto const found = by.collect(issued.tickets, soon);
    ASSERT_TRUE(found);
    expect_same_bytes(found->scores, expected);
}

TEST(scheduler, single_samples_in_any_order_give_the_rows_of_the_batch) {
    rollout_step step(10, 8);
    step.prove_by_key();
    score_batch const expected = cpu_engine().score(step.request());
    scheduler by(cpu_engine());
    std::vector<std::size_t> order(step.texts.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
    std::vector<std::pair<std::size_t, std::future<ticket_result>>> futures;
    for (std::size_t const row : order) {
        futures.emplace_back(row, by.submit_future(step.problem_of(step.instance_of[row]), step.of_row(row)));
    }
    for (auto& [row, future] : futures) {
        ticket_result const found = future.get();
        expect_same_row(found, 0, expected, row);
        EXPECT_EQ(found.baseline, step.solved.rows[std::size_t(step.instance_of[row])]);
        EXPECT_EQ(found.task, step.specs[std::size_t(step.instance_of[row])].task);
    }
}

TEST(scheduler, writes_the_prompts_and_keys_of_the_engine) {
    rollout_step const step(10, 1);
    scheduler by(cpu_engine());
    issued_batch const issued = by.issue(step.specs, {.style = 0, .format = format_named("boxed")});
    for (std::size_t i = 0; i < step.specs.size(); ++i) {
        auto const words = step.instances.blocks.row(std::int64_t(i));
        EXPECT_EQ(issued.prompts[i], cpu_engine().prompt(step.specs[i].task, words, 0, format_named("boxed")));
        instance_key const key = parse_key(issued.keys[i]);
        EXPECT_EQ(key.seed, step.specs[i].seed);
        EXPECT_EQ(key.hash, hex8(hash_words(words)));
    }
}

TEST(scheduler, takes_explicit_instances_and_given_baselines) {
    rollout_step const step(10, 2);
    scheduler by(cpu_engine());
    for (std::int64_t i = 0; i < 10; ++i) {
        problem of{.spec = step.specs[std::size_t(i)], .words = step.instances.blocks.row(i)};
        baseline given = step.solved.rows[std::size_t(i)];
        ticket const solved = by.submit(of, step.of_instance(i));
        of.given = given;
        of.given->steps = 77;
        ticket const told = by.submit(of, step.of_instance(i));
        auto const first = by.collect(solved, soon);
        auto const second = by.collect(told, soon);
        ASSERT_TRUE(first && second);
        EXPECT_EQ(first->baseline, given);
        EXPECT_EQ(second->baseline.steps, 77);
        EXPECT_TRUE(std::ranges::equal(first->rows(), second->rows()));
    }
    nlohmann::json const said = nlohmann::json::parse(by.statistics());
    EXPECT_EQ(said["baselines"]["solved"], 10) << "a given baseline is not solved";
}

TEST(scheduler, a_broken_explicit_instance_is_a_row_not_an_exception) {
    rollout_step const step(10, 2);
    scheduler by(cpu_engine());
    std::vector<std::int32_t> const rubbish{-5, 3};
    for (std::int32_t task = 0; task < std::int32_t(cpu_engine().tasks().size()); ++task) {
        auto const found = by.collect(by.submit({.spec = any_of(task), .words = rubbish}, step.of_instance(0)), soon);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->how, outcome::failed);
        EXPECT_FALSE(found->reason.empty());
        ASSERT_EQ(found->size(), 2);
        EXPECT_TRUE(std::isnan(found->rows()[1].reward));
        EXPECT_EQ(found->rows()[1].code, -1);
    }
}

TEST(scheduler, batches_each_rule_by_itself) {
    rollout_step const step(10, 4);
    auto const half = std::make_shared<scoring_rule>();
    half->reward = parse_reward_spec("binary");
    half->formats = {format_named("answer_only"), format_named("forge")};
    std::vector<std::int32_t> const second(4, 1);
    scheduler by(cpu_engine());
    score_batch const plain = cpu_engine().score(step.request());
    grade_request request = step.request();
    request.reward = half->reward;
    score_batch const other = cpu_engine().score(request);
    std::vector<ticket> tickets;
    for (std::int64_t i = 0; i < 10; ++i) {
        submission what = step.of_instance(i);
        tickets.push_back(by.submit(step.problem_of(i), what));
        what.rule = half;
        what.format_of = second;
        tickets.push_back(by.submit(step.problem_of(i), what));
    }
    for (std::size_t t = 0; t < tickets.size(); ++t) {
        auto const found = by.collect(tickets[t], soon);
        ASSERT_TRUE(found);
        for (std::size_t k = 0; k < 4; ++k) {
            expect_same_row(*found, std::int64_t(k), t % 2 == 0 ? plain : other, t / 2 * 4 + k);
        }
    }
}

TEST(scheduler, solves_each_instance_once_also_when_many_ask_at_the_same_time) {
    rollout_step step(20, 1);
    step.prove_by_key();
    scheduler_options options;
    options.solve_threads = 3;
    scheduler by(cpu_engine(), options);
    std::vector<std::thread> askers;
    for (int a = 0; a < 8; ++a) {
        askers.emplace_back([&, a] {
            if (a % 2 == 0) {
                issued_batch const issued = by.issue(step.specs);
                std::ranges::for_each(issued.tickets, [&](ticket one) { by.forget(one); });
            }
            for (std::int64_t i = 0; i < 20; ++i) {
                auto const found = by.collect(by.submit(step.problem_of(i), step.of_instance(i)), soon);
                ASSERT_TRUE(found);
                EXPECT_EQ(found->baseline, step.solved.rows[std::size_t(i)]);
            }
        });
    }
    std::ranges::for_each(askers, &std::thread::join);
    nlohmann::json const said = nlohmann::json::parse(by.statistics());
    EXPECT_EQ(said["baselines"]["solved"], 20);
    EXPECT_EQ(said["instances"]["generated"], 20);
    EXPECT_GE(said["baselines"]["misses"], 20);
}

TEST(scheduler, prefetched_baselines_are_there_when_samples_come) {
    rollout_step const step(10, 1);
    scheduler by(cpu_engine());
    by.prefetch(step.specs);
    auto const solved = [&] { return nlohmann::json::parse(by.statistics())["baselines"]["solved"].get<int>(); };
    auto const limit = std::chrono::steady_clock::now() + soon;
    while (solved() < 10 && std::chrono::steady_clock::now() < limit) {
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_EQ(solved(), 10);
    EXPECT_TRUE(by.collect(by.submit(step.problem_of(3), step.of_instance(3)), soon));
    EXPECT_EQ(solved(), 10);
}

TEST(scheduler, tells_an_event_loop_through_one_descriptor) {
    rollout_step const step(10, 3);
    score_batch const expected = cpu_engine().score(step.request());
    scheduler by(cpu_engine());
    auto const queue = std::make_shared<completion_queue>();
    std::map<ticket, std::int64_t> open;
    for (std::int64_t i = 0; i < 10; ++i) {
        submission what = step.of_instance(i);
        what.notify = queue;
        open[by.submit(step.problem_of(i), what)] = i;
    }
    while (!open.empty()) {
        pollfd watched{queue->fd(), POLLIN, 0};
        ASSERT_EQ(poll(&watched, 1, 60'000), 1);
        for (ticket const one : queue->drain()) {
            ASSERT_TRUE(open.contains(one)) << "told twice, or of a strange ticket";
            auto const found = by.collect(one, 0ns);
            ASSERT_TRUE(found) << "told before it had ended";
            expect_same_row(*found, 2, expected, std::size_t(open[one] * 3 + 2));
            open.erase(one);
        }
    }
    pollfd watched{queue->fd(), POLLIN, 0};
    EXPECT_EQ(poll(&watched, 1, 0), 0) << "nothing is left to drain, the descriptor says otherwise";
    EXPECT_TRUE(queue->drain().empty());
}

TEST(scheduler, keeps_texts_alive_by_their_owner_and_lets_go_of_it) {
    rollout_step const step(1, 2);
    scheduler by(cpu_engine());
    auto owned = std::make_shared<std::vector<std::string>>(step.texts);
    std::vector<std::string_view> const views(owned->begin(), owned->end());
    submission what;
    what.texts = views;
    what.owner = owned;
    ticket const one = by.submit(step.problem_of(0), what);
    std::weak_ptr<void const> const watch = owned;
    owned.reset();
    what.owner.reset();
    ASSERT_TRUE(by.collect(one, soon));
    by.shutdown(scheduler::ending::drain);
    EXPECT_TRUE(watch.expired());
}

TEST(scheduler, collect_gives_nothing_when_the_time_is_up_and_everything_later) {
    rollout_step const step(4, 2);
    scheduler by(cpu_engine());
    issued_batch const issued = by.issue(step.specs);
    for (std::size_t i = 0; i + 1 < issued.tickets.size(); ++i) {
        ASSERT_TRUE(by.submit(issued.tickets[i], step.of_instance(std::int64_t(i))));
    }
    EXPECT_FALSE(by.collect(issued.tickets, 20ms)) << "one ticket has no completions yet";
    std::thread late([&] {
        std::this_thread::sleep_for(20ms);
        EXPECT_TRUE(by.submit(issued.tickets.back(), step.of_instance(3)));
    });
    auto const found = by.collect(issued.tickets, soon);
    late.join();
    ASSERT_TRUE(found);
    expect_same_bytes(found->scores, cpu_engine().score(step.request()));
}

TEST(scheduler, tickets_taken_one_by_one_are_joined_as_if_together) {
    rollout_step const step(4, 2);
    scheduler by(cpu_engine());
    std::vector<ended_ticket> ended;
    for (std::int64_t i = 0; i < 4; ++i) {
        auto found = by.collect(by.submit(step.problem_of(i), step.of_instance(i)), soon);
        ASSERT_TRUE(found);
        ended.push_back({.result = std::move(*found), .of = id_of(step.problem_of(i)), .length = {}});
    }
    collected_batch const all = join(cpu_engine(), ended);
    expect_same_bytes(all.scores, cpu_engine().score(step.request()));
    EXPECT_EQ(all.offsets, (std::vector<std::int64_t>{0, 2, 4, 6, 8}));
    ended.resize(1);
    EXPECT_THROW(join(cpu_engine(), ended, {.advantage = parse_advantage_spec("opo")}), error);
}

TEST(scheduler, a_refused_estimator_leaves_the_tickets_to_collect_again) {
    rollout_step const step(2, 1);
    scheduler by(cpu_engine());
    std::vector<ticket> const tickets{by.submit(step.problem_of(0), step.of_instance(0)),
                                      by.submit(step.problem_of(1), step.of_instance(1))};
    advantage_spec const strict = parse_advantage_spec(R"({"estimator": "grpo", "of_one": "refuse"})");
    EXPECT_THROW(static_cast<void>(by.collect(tickets, soon, {.advantage = strict})), error);
    EXPECT_TRUE(by.collect(tickets, soon));
}

TEST(scheduler, counts_what_it_did_in_json) {
    rollout_step const step(10, 4);
    scheduler by(cpu_engine());
    issued_batch const issued = by.issue(step.specs);
    for (std::size_t i = 0; i < 10; ++i) {
        ASSERT_TRUE(by.submit(issued.tickets[i], step.of_instance(std::int64_t(i))));
    }
    ASSERT_TRUE(by.collect(issued.tickets, soon));
    nlohmann::json const said = nlohmann::json::parse(by.statistics());
    EXPECT_EQ(said["tickets"]["issued"], 10);
    EXPECT_EQ(said["tickets"]["scored"], 10);
    EXPECT_EQ(said["tickets"]["open"], 0);
    EXPECT_EQ(said["rows"]["scored"], 40);
    EXPECT_EQ(said["queue"]["rows"], 0);
    EXPECT_EQ(said["queue"]["bytes"], 0);
    EXPECT_EQ(said["batches"]["rows"], 40);
    EXPECT_EQ(said["stages"]["total"]["count"], 10);
    EXPECT_GE(said["stages"]["total"]["p99_s"], said["stages"]["total"]["p50_s"]);
    EXPECT_GT(said["instances"]["bytes"], 0);
    EXPECT_EQ(said["device"]["fallbacks"], 0);
}

TEST(scheduler, names_what_is_misused) {
    rollout_step const step(2, 2);
    scheduler by(cpu_engine());
    ticket const one = by.submit(step.problem_of(0), step.of_instance(0));
    EXPECT_THROW(static_cast<void>(by.submit(one, step.of_instance(0))), error) << "submitted twice";
    std::vector<ticket> const twice{one, one};
    EXPECT_THROW(static_cast<void>(by.collect(twice, soon)), error) << "collected twice in one call";
    ASSERT_TRUE(by.collect(one, soon));
    EXPECT_THROW(static_cast<void>(by.collect(one, 0ns)), error) << "handed out already";
    EXPECT_THROW(static_cast<void>(by.submit(one, step.of_instance(0))), error) << "gone";
    EXPECT_THROW(static_cast<void>(by.submit({.spec = any_of(99)}, step.of_instance(0))), error);
    submission wrong = step.of_instance(0);
    wrong.finished = wrong.finished.first(1);
    EXPECT_THROW(static_cast<void>(by.submit(step.problem_of(0), wrong)), error);
    wrong = step.of_instance(0);
    std::vector<std::int32_t> const wild(2, std::int32_t(max_known_formats));
    wrong.format_of = wild;
    EXPECT_THROW(static_cast<void>(by.submit(step.problem_of(0), wrong)), error);
    EXPECT_THROW(static_cast<void>(by.issue(step.specs, {.style = 99})), error);
    EXPECT_THROW(scheduler(cpu_engine(), {.window = 2000us}), error);
    EXPECT_THROW(scheduler(cpu_engine(), {.batch_rows = 0}), error);
}

TEST(scheduler, an_empty_submission_ends_with_no_rows) {
    rollout_step const step(1, 1);
    scheduler by(cpu_engine());
    auto const found = by.collect(by.submit(step.problem_of(0), {}), soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->how, outcome::scored);
    EXPECT_EQ(found->size(), 0);
    auto const none = by.collect(std::span<ticket const>(), soon);
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->scores.rows.empty());
}

}  // namespace
}  // namespace optgap::testing
