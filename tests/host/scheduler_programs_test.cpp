// Tickets of programs: the rows of one program_runner::run in any order, deadlines and cancelling that kill, proofs
// beside the runs, and the end.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <thread>

#include "optgap/programs/codes.hpp"
#include "tests/support/program_cases.hpp"

namespace optgap::testing {
namespace {

using nlohmann::json;

void expect_same(program_batch const& found, program_batch const& expected) {
    EXPECT_EQ(found.begin, expected.begin);
    EXPECT_EQ(found.codes, expected.codes);
    EXPECT_EQ(found.objectives, expected.objectives);
    EXPECT_EQ(found.baselines, expected.baselines);
    EXPECT_EQ(found.valid, expected.valid);
    EXPECT_EQ(found.violation, expected.violation);
    EXPECT_EQ(found.masked, expected.masked);
    EXPECT_EQ(found.task, expected.task);
    EXPECT_EQ(found.span, expected.span);
    EXPECT_EQ(found.hash, expected.hash);
    EXPECT_EQ(found.isolation, expected.isolation);
    EXPECT_EQ(found.trouble, expected.trouble);
    EXPECT_EQ(found.advantage, expected.advantage);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t r = 0; r < found.rows.size(); ++r) {
        reward_row mine = found.rows[r], other = expected.rows[r];
        EXPECT_EQ(std::isnan(mine.reward), std::isnan(other.reward)) << r;
        if (std::isnan(mine.reward)) {
            EXPECT_EQ(found.advantage[r], 0) << r;
            mine.reward = other.reward = 0;
        }
        EXPECT_EQ(mine, other) << r;
    }
}

TEST(scheduler_programs, give_the_rows_of_one_call_in_any_order_with_answers_in_between) {
    bench_of_words here;
    program_step const step;
    rollout_step const answers(4, 1);
    for (char const* const name : {"grpo", "river", "dr_grpo", "reinforce_pp", "gdpo"}) {
        advantage_spec const advantage = parse_advantage_spec(name);
        program_batch const expected = step.at_once(*here.runner, advantage);
        ASSERT_GT(std::ranges::count(expected.masked, 1), 0);
        ASSERT_GT(std::ranges::count(expected.advantage, 0.0f), 0);
        scheduler by(cpu_engine(), here.options());
        std::vector<std::size_t> order(step.texts.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937_64(std::string_view(name).size()));
        std::vector<ticket> tickets(order.size()), own;
        for (std::size_t k = 0; k < order.size(); ++k) {
            tickets[order[k]] = by.submit(step.problems[order[k]], step.of_row(order[k]));
            if (k % 5 == 0) {
                own.push_back(by.submit(answers.problem_of(std::int64_t(k / 5)), answers.of_row(k / 5)));
            }
        }
        auto const found = by.collect_programs(tickets, soon, {.advantage = advantage});
        ASSERT_TRUE(found);
        expect_same(found->scores, expected);
        EXPECT_EQ(std::ranges::count(found->outcomes, outcome::scored), std::ssize(tickets));
        ASSERT_TRUE(by.collect(own, soon));
    }
}

TEST(scheduler_programs, that_are_equal_run_once_for_all_tickets_and_give_up_early_where_that_is_said) {
    bench_of_words here;
    problem_ptr const five = problem_from(R"({"key": "tsp@1:train:easy:4*5", "language": "cpp"})");
    std::vector<std::string> texts;
    for (char const* const source : {"identity", "exits", "swapped", "identity", "exits", "identity"}) {
        texts.push_back(fenced(source));
    }
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    std::vector<std::int32_t> const only(texts.size(), 0);
    advantage_spec const river = parse_advantage_spec("river");
    for (bool const once : {false, true}) {
        program_batch const expected = here.runner->run({.problems = {&five, 1},
                                                         .texts = views,
                                                         .problem_of = only,
                                                         .advantage = river,
                                                         .fail_fast = true,
                                                         .dedupe_always = once});
        EXPECT_EQ(std::ranges::count(expected.codes, code_not_run), 4);
        here.in->ran = 0;
        std::int64_t const before = here.runner->counts().runs;
        scheduler_options options = here.options();
        options.fail_fast = true;
        options.dedupe_always = once;
        scheduler by(cpu_engine(), options);
        std::vector<ticket> tickets;
        for (std::string_view const& text : views) {
            submission what;
            what.texts = {&text, 1};
            tickets.push_back(by.submit(five, what));
        }
        auto const found = by.collect_programs(tickets, soon, {.advantage = river});
        ASSERT_TRUE(found);
        expect_same(found->scores, expected);
        EXPECT_EQ(here.in->ran, once ? 5 + 3 + 5 : 4 * 5 + 2 * 3);
        EXPECT_EQ(here.runner->counts().runs - before, here.in->ran);
    }
}

TEST(scheduler_programs, of_issued_problems_run_when_their_own_completion_comes) {
    bench_of_words here;
    scheduler by(cpu_engine(), here.options());
    program_step const step;
    std::vector<problem_ptr> const group(4, step.problems[0]);
    issued_batch const issued = by.issue(group);
    ASSERT_EQ(issued.tickets.size(), 4u);
    EXPECT_EQ(issued.prompts[0], issued.prompts[3]);
    EXPECT_NE(issued.prompts[0].find("```cpp"), std::string::npos);
    EXPECT_EQ(issued.keys[0], step.problems[0]->key);
    EXPECT_NE(by.issue({{step.problems[0]}}, 1).keys[0].find(":s1#"), std::string::npos);
    EXPECT_THROW(static_cast<void>(by.issue(group, 3)), error);
    ASSERT_TRUE(by.submit(issued.tickets[2], step.of_row(0)));
    for (int k = 0; here.in->ran < 3 && k < 600; ++k) {
        std::this_thread::sleep_for(100ms);
    }
    EXPECT_EQ(here.in->ran, 3);
    EXPECT_THROW(static_cast<void>(by.submit(issued.tickets[2], step.of_row(0))), error);
    // Several completions may be submitted as one ticket.
    submission rest;
    rest.texts = std::span(step.views).subspan(1, 2);
    ASSERT_TRUE(by.submit(issued.tickets[0], rest));
    auto const found = by.collect_programs({{issued.tickets[2], issued.tickets[0]}}, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->offsets, (std::vector<std::int64_t>{0, 1, 3}));
    EXPECT_EQ(found->scores.codes[6], code_compile_error);
    EXPECT_NE(found->scores.advantage[0], 0);
}

TEST(scheduler_programs, are_killed_by_their_deadline_and_not_begun_behind_it) {
    bench_of_words here;
    scheduler by(cpu_engine(), here.options());
    problem_ptr const one = problem_from(R"({"key": "tsp@1:train:easy:4*1", "language": "cpp"})");
    submission what = endless();
    std::vector<ticket> tickets;
    what.deadline = std::chrono::steady_clock::now() + 200ms;
    for (int k = 0; k < 7; ++k) {  // three slots: four tickets at once
        tickets.push_back(by.submit(one, what));
    }
    auto const found = by.collect_programs(tickets, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(std::ranges::count(found->outcomes, outcome::expired), 7);
    EXPECT_EQ(found->scores.codes, std::vector<std::int32_t>(7, -1));
    EXPECT_TRUE(std::isnan(found->scores.rows[0].reward));
    EXPECT_EQ(found->scores.masked, std::vector<std::uint8_t>(7, 1));
    by.shutdown(scheduler::ending::drain);
    EXPECT_EQ(here.in->waiting(), 0);
    EXPECT_LE(here.in->ran, 4);
}

TEST(scheduler_programs, are_killed_by_cancel_forget_and_shutdown) {
    bench_of_words here;
    program_step const step;
    problem_ptr const one = problem_from(R"({"key": "tsp@1:train:easy:4*1", "language": "cpp"})");
    std::vector<ticket> tickets;
    {
        scheduler by(cpu_engine(), here.options());
        for (int k = 0; k < 3; ++k) {
            tickets.push_back(by.submit(one, endless()));
        }
        here.in->until_waiting(3);
        json const busy = json::parse(by.statistics())["programs"];
        EXPECT_EQ(busy["slots"], 3);
        EXPECT_EQ(busy["slots_busy"], 3);
        EXPECT_EQ(busy["executing"], 3);
        EXPECT_TRUE(by.cancel(tickets[0]));
        EXPECT_FALSE(by.cancel(tickets[0]));
        by.forget(tickets[1]);
        ticket const after = by.submit(step.problems[0], step.of_row(0));
        auto const gone = by.collect(tickets[0], soon);
        ASSERT_TRUE(gone);
        EXPECT_EQ(gone->how, outcome::cancelled);
        ASSERT_EQ(gone->programs->size(), 1);
        auto const ended = by.collect(after, soon);
        ASSERT_TRUE(ended);
        EXPECT_EQ(ended->how, outcome::scored);
        EXPECT_EQ(ended->programs->codes, (std::vector<std::int32_t>{0, 0, 0}));
        EXPECT_EQ(ended->rows()[0].reward, ended->programs->rows[0].reward);
        by.shutdown(scheduler::ending::cancel);
        EXPECT_EQ(here.in->waiting(), 0);
        EXPECT_THROW(static_cast<void>(by.submit(one, endless())), error);
        auto const last = by.collect(tickets[2], soon);
        ASSERT_TRUE(last);
        EXPECT_EQ(last->how, outcome::cancelled);
    }
    // The runner belongs to the caller and continues.
    here.in->go_on();
    EXPECT_EQ(step.at_once(*here.runner, {}).size(), std::ssize(step.texts));
}

TEST(scheduler_programs, that_run_are_drained_and_their_callbacks_called) {
    bench_of_words here;
    problem_ptr const one = problem_from(R"({"key": "tsp@1:train:easy:4*2", "language": "cpp"})");
    std::atomic<int> ended = 0;
    scheduler by(cpu_engine(), here.options());
    auto const queue = std::make_shared<completion_queue>();
    submission what = endless();
    what.on_done = [&](ticket, ticket_result&& of) { ended += of.how == outcome::scored ? 1 : 100; };
    for (int k = 0; k < 9; ++k) {
        EXPECT_NE(by.submit(one, what), ticket::none);
    }
    submission told = endless();
    told.notify = queue;
    ticket const last = by.submit(one, told);
    here.in->until_waiting(3);
    std::thread opens([&] { here.in->go_on(); });
    by.shutdown(scheduler::ending::drain);
    opens.join();
    EXPECT_EQ(ended, 9);
    EXPECT_EQ(queue->drain(), std::vector<ticket>{last});
    EXPECT_EQ(json::parse(by.statistics())["programs"]["runs"], 20);
}

TEST(scheduler_programs, run_while_their_baselines_are_proven_and_fail_with_them) {
    bench_of_words here;
    gate proven;
    scheduler_options options = here.options();
    options.solve_threads = 1;
    std::atomic<bool> fails = false;
    options.known = [&](std::int32_t, instance_spec const&, std::span<std::int32_t const>) -> std::optional<baseline> {
        EXPECT_TRUE(proven.wait());
        if (fails) {
            throw std::runtime_error("no proof");
        }
        return std::nullopt;
    };
    scheduler by(cpu_engine(), options);
    program_step const step;
    ticket const first = by.submit(step.problems[0], step.of_row(0));
    for (int k = 0; here.in->ran < 3 && k < 600; ++k) {
        std::this_thread::sleep_for(100ms);
    }
    EXPECT_EQ(here.in->ran, 3) << "its program waits for its baselines";
    EXPECT_FALSE(by.collect(first, 20ms));
    proven.open();
    auto const found = by.collect(first, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->how, outcome::scored);
    // Instances that are also asked for as answers are proven once.
    std::int64_t const solved = json::parse(by.statistics())["baselines"]["solved"];
    EXPECT_EQ(solved, 3);
    rollout_step const answers(1, 1);
    ASSERT_TRUE(by.collect(by.submit(problem{.spec = step.problems[0]->specs[1]}, answers.of_row(0)), soon));
    EXPECT_EQ(json::parse(by.statistics())["baselines"]["solved"], solved);
    fails = true;
    problem_ptr const other = problem_from(R"({"key": "tsp@1:train:easy:90*2", "language": "cpp"})");
    auto const lost = by.collect_programs({{by.submit(other, step.of_row(0))}}, soon);
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->outcomes[0], outcome::failed);
    EXPECT_EQ(lost->reasons[0], "no proof");
}

TEST(scheduler_programs, refuse_what_has_no_meaning) {
    bench_of_words here;
    program_step const step;
    scheduler by(cpu_engine(), here.options());
    submission what = step.of_row(0);
    std::vector<std::int32_t> const format{0};
    what.format_of = format;
    EXPECT_THROW(static_cast<void>(by.submit(step.problems[0], what)), error);
    EXPECT_THROW(static_cast<void>(by.submit(problem_ptr(), step.of_row(0))), error);
    ticket const programs = by.submit(step.problems[0], step.of_row(0));
    rollout_step const answers(1, 1);
    ticket const answer = by.submit(answers.problem_of(0), answers.of_row(0));
    EXPECT_THROW(static_cast<void>(by.collect(std::span(&programs, 1), soon)), error);
    EXPECT_THROW(static_cast<void>(by.collect_programs({{answer}}, soon)), error);
    // A ranked group has rows of equal width; the tickets stay for another attempt.
    ticket const wide = by.submit(step.problems[0], step.of_row(0));
    ticket const narrow = by.submit(step.problems[15], step.of_row(0));
    std::vector<std::int32_t> const one_group{0, 0};
    EXPECT_THROW(static_cast<void>(by.collect_programs({{wide, narrow}}, soon,
                                                       {.advantage = parse_advantage_spec("raw"), .group = one_group})),
                 error);
    EXPECT_TRUE(by.collect_programs({{wide, narrow}}, soon));
    scheduler_options options = here.options();
    options.slots = 2;
    EXPECT_THROW(scheduler(cpu_engine(), options), error);
    options = {};
    options.slots = -1;
    EXPECT_THROW(scheduler(cpu_engine(), options), error);
    // Where no isolation level supports programs, tickets fail and give the reason.
    options.slots = 1;
    options.isolation = "none";
    scheduler without(cpu_engine(), options);
    auto const found = without.collect(without.submit(step.problems[0], step.of_row(0)), soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->how, outcome::failed);
    EXPECT_NE(found->reason.find("none"), std::string::npos) << found->reason;
}

TEST(scheduler_programs, that_wait_for_room_go_in_as_others_end) {
    bench_of_words here;
    scheduler_options options = here.options();
    options.queue_rows = 2;
    scheduler by(cpu_engine(), options);
    problem_ptr const one = problem_from(R"({"key": "tsp@1:train:easy:4*1", "language": "cpp"})");
    std::vector<ticket> tickets{by.submit(one, endless()), by.submit(one, endless())};
    submission now = endless();
    now.may_wait = false;
    EXPECT_EQ(by.submit(one, now), ticket::none);
    std::thread later([&] { tickets.push_back(by.submit(one, endless())); });
    here.in->until_waiting(2);
    here.in->go_on();
    later.join();
    auto const found = by.collect_programs(tickets, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(std::ranges::count(found->outcomes, outcome::scored), 3);
}

TEST(scheduler_programs, rows_of_the_runners_isolation_run_in_its_sandbox) {
    for (bool const same : {true, false}) {
        bench_of_words const bench;
        scheduler_options options = bench.options();
        options.row_options = same ? R"({"isolation": "auto"})" : R"({"isolation": "auto", "slots": 7})";
        scheduler by(cpu_engine(), options);
        ticket const one = by.submit_row(
            R"({"key": "tsp@1:train:easy:4*3", "language": "cpp", "completion": "```cpp\nidentity\n```"})");
        std::optional<collected_rows> const found = by.collect_rows({&one, 1}, std::chrono::seconds(60));
        ASSERT_TRUE(found);
        EXPECT_EQ(bench.in->ran == 3, same) << found->rows[0];
        EXPECT_EQ(found->rows[0].find(R"("isolation":"pretended")") != std::string::npos, same) << found->rows[0];
    }
}

}  // namespace
}  // namespace optgap::testing
