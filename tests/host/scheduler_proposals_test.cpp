// Proposals: tickets whose gates and proofs run on the scheduler's threads, in the order of their checker.

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include <nlohmann/json.hpp>

#include "tests/support/child.hpp"
#include "tests/support/watched_checker.hpp"

namespace optgap::testing {
namespace {

/// Completions that reach every gate: each task's generated instances, repetitions, unreadable texts.
std::vector<std::string> completions() {
    std::vector<std::string> out{"nothing", asked("{"), asked(R"({"task": "no_such", "level": "d1", "seed": 1})")};
    engine const& by = cpu_engine();
    for (std::int32_t t = 0; t < std::int32_t(by.tasks().size()); ++t) {
        std::string const name(by.tasks()[std::size_t(t)].name);
        out.push_back(asked(R"({"task": ")" + name + R"(", "level": "d1", "seed": 3})"));
    }
    out.push_back(asked(R"({"parent": "clique@1:train:d1:0", "require": [0], "forbid": [1]})"));
    for (std::size_t i = 0; i < 12; ++i) {
        out.push_back(out[i]);
    }
    return out;
}

proposal_options small_budget() {
    proposal_options options;
    options.budget = 2'000;
    options.steps = 30'000;  // for all together: later rows are not run
    options.quota = 3;
    return options;
}

/// The completions [first, last).
struct piece {
    std::vector<std::string_view> texts;
    std::vector<finish> finished;
    piece(std::vector<std::string> const& all, std::vector<finish> const& ends, std::size_t first, std::size_t last)
        : texts(all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(last)),
          finished(ends.begin() + std::ptrdiff_t(first), ends.begin() + std::ptrdiff_t(last)) {}
    [[nodiscard]] submission what() const {
        submission out;
        out.texts = texts;
        out.finished = finished;
        return out;
    }
};

/// The text must live as long as the submission, so this takes a view.
submission one_of(std::string_view const& text) {
    submission out;
    out.texts = std::span(&text, 1);
    return out;
}

TEST(scheduler_proposals, are_what_one_direct_call_gives_in_any_pieces_beside_other_checkers_and_answers) {
    std::vector<std::string> const texts = completions();
    std::vector<finish> ends;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        ends.push_back(finish(std::int32_t(i % 4)));
    }
    proposal_checker direct(cpu_engine(), small_budget());
    piece const whole(texts, ends, 0, texts.size());
    proposal_batch const expected = check_completions(direct, whole.texts, whole.finished, 5);
    rollout_step const step(10, 3);
    score_batch const scores = cpu_engine().score(step.request());
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        scheduler by(cpu_engine(), {.solve_threads = 3});
        std::vector<std::thread> callers;
        for (std::uint64_t own = 0; own < 2; ++own) {  // each with its own checker
            callers.emplace_back([&, own] {
                auto const checker = std::make_shared<proposal_checker>(cpu_engine(), small_budget());
                std::mt19937_64 random(seed * 10 + own);
                std::vector<ticket> tickets;
                for (std::size_t first = 0; first < texts.size();) {
                    std::size_t const last = std::min(texts.size(), first + random() % 6);  // possibly none of them
                    tickets.push_back(by.propose(checker, piece(texts, ends, first, last).what(), 5));
                    first = last;
                }
                std::vector<ticket> shuffled = tickets;
                std::shuffle(shuffled.begin(), shuffled.end(), random);
                EXPECT_TRUE(by.collect_proposals(std::span(shuffled).first(1), soon)) << "the others stay";
                std::erase(shuffled, ticket::none);
                auto const rest = by.collect_proposals(std::span(shuffled).subspan(1), soon);
                EXPECT_TRUE(rest);
            });
        }
        auto const checker = std::make_shared<proposal_checker>(cpu_engine(), small_budget());
        std::mt19937_64 random(seed);
        std::vector<ticket> tickets, answers;
        for (std::size_t first = 0; first < texts.size();) {
            std::size_t const last = std::min(texts.size(), first + 1 + random() % 6);
            tickets.push_back(by.propose(checker, piece(texts, ends, first, last).what(), 5));
            first = last;
        }
        for (std::int64_t i = 0; i < 10; ++i) {
            answers.push_back(by.submit(step.problem_of(i), step.of_instance(i)));
        }
        auto const found = by.collect_proposals(tickets, soon);
        ASSERT_TRUE(found);
        std::size_t row = 0;
        std::set<std::int32_t> codes;
        for (ended_proposals const& each : *found) {
            EXPECT_EQ(each.how, outcome::scored) << each.reason;
            ASSERT_EQ(each.found.span.size(), each.found.rows.size());
            for (std::size_t k = 0; k < each.found.rows.size(); ++k, ++row) {
                EXPECT_TRUE(each.found.rows[k] == expected.rows[row]) << texts[row] << each.found.rows[k].rule;
                EXPECT_EQ(each.found.span[k], expected.span[row]);
                codes.insert(each.found.rows[k].code);
            }
        }
        EXPECT_EQ(row, texts.size());
        EXPECT_TRUE(codes.contains(code_ok) && codes.contains(code_duplicate) && codes.contains(code_not_json));
        auto const rows = by.collect(answers, soon);
        ASSERT_TRUE(rows);
        EXPECT_EQ(rows->scores.rows, scores.rows);
        std::ranges::for_each(callers, &std::thread::join);
        auto const said = nlohmann::json::parse(by.statistics());
        EXPECT_EQ(said["proposals"]["in_line"], 0);
        EXPECT_EQ(said["proposals"]["running"], 0);
        EXPECT_EQ(said["proposals"]["checked"], 3 * std::int64_t(texts.size()));
        EXPECT_EQ(said["stages"]["check"]["count"], said["stages"]["proposal_queue"]["count"]);
    }
}

TEST(scheduler_proposals, are_checked_after_what_is_urgent_before_what_is_overlapped_and_never_by_the_caller) {
    rollout_step const step(2, 1);
    watched seen;
    gate held, go;
    seen.meet = [&](std::string const& name) {
        if (name == "first") {
            held.open();
            EXPECT_TRUE(go.wait());
        }
    };
    scheduler by(cpu_engine(), {.known =
                                    [&](std::int32_t, instance_spec const& spec, std::span<std::int32_t const>) {
                                        seen.say(spec.seed == step.specs[0].seed && spec.task == step.specs[0].task
                                                     ? "urgent"
                                                     : "overlapped");
                                        return std::optional<baseline>();
                                    },
                                .solve_threads = 1});
    auto const checker = seen.checker();
    std::vector<std::string> const texts{edit_of("first", 31), edit_of("second", 32), edit_of("third", 33)};
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    submission what;
    what.texts = views;
    ticket const proposed = by.propose(checker, what);
    ASSERT_TRUE(held.wait());
    EXPECT_FALSE(by.has_ended(proposed)) << "the caller went on while it is checked";
    EXPECT_FALSE(by.cancel(proposed)) << "its turn has come";
    EXPECT_EQ(nlohmann::json::parse(by.statistics())["proposals"]["running"], 1);
    static_cast<void>(by.issue(std::span(&step.specs[1], 1)));
    ticket const answer = by.submit(step.problem_of(0), step.of_row(0));
    go.open();
    ASSERT_TRUE(by.collect(std::span(&answer, 1), soon));
    ASSERT_TRUE(by.collect_proposals(std::span(&proposed, 1), soon));
    for (int tries = 0; tries < 6000 && seen.said().size() < 5; ++tries) {
        std::this_thread::sleep_for(10ms);
    }
    EXPECT_EQ(seen.said(), (std::vector<std::string>{"first", "urgent", "second", "third", "overlapped"}));
    EXPECT_EQ(seen.threads.size(), 1u);
    EXPECT_FALSE(seen.threads.contains(std::this_thread::get_id()));
}

TEST(scheduler_proposals, that_end_before_their_turn_are_nothing_to_the_checker) {
    watched seen;
    gate held, go;
    seen.meet = [&](std::string const& name) {
        if (name == "first") {
            held.open();
            EXPECT_TRUE(go.wait());
        }
    };
    scheduler by(cpu_engine(), {.solve_threads = 2});
    auto const checker = seen.checker();
    std::string const first = edit_of("first", 31), other = edit_of("other", 32);
    std::string_view const text = other;
    ticket const running = by.propose(checker, one_of(first));
    ASSERT_TRUE(held.wait());
    submission late = one_of(text);
    late.deadline = std::chrono::steady_clock::now() + 1ms;
    ticket const cancelled = by.propose(checker, one_of(text)), forgotten = by.propose(checker, one_of(text)),
                 expired = by.propose(checker, late);
    EXPECT_TRUE(by.cancel(cancelled));
    EXPECT_FALSE(by.cancel(cancelled)) << "it has ended";
    by.forget(forgotten);
    std::vector<ticket> const ended{cancelled, expired};
    auto const lost = by.collect_proposals(ended, soon);
    ASSERT_TRUE(lost);
    EXPECT_EQ((*lost)[0].how, outcome::cancelled);
    EXPECT_EQ((*lost)[1].how, outcome::expired);
    EXPECT_TRUE((*lost)[0].found.rows.empty());
    ticket const last = by.propose(checker, one_of(text)), again = by.propose(checker, one_of(text));
    EXPECT_FALSE(by.collect_proposals(std::span(&last, 1), 0ms)) << "the first is being checked";
    go.open();
    std::vector<ticket> const rest{running, last, again};
    auto const found = by.collect_proposals(rest, soon);
    ASSERT_TRUE(found);
    EXPECT_NE((*found)[1].found.rows[0].code, code_duplicate) << "nobody had checked it before";
    EXPECT_EQ((*found)[2].found.rows[0].code, code_duplicate);
    EXPECT_EQ(seen.said(), (std::vector<std::string>{"first", "other", "other"}));
    EXPECT_THROW(static_cast<void>(by.collect_proposals(std::span(&forgotten, 1), soon)), error);
    // One that is forgotten while it runs is checked, and its rows are dropped.
    gate held_again, go_again;
    seen.meet = [&](std::string const&) {
        held_again.open();
        EXPECT_TRUE(go_again.wait());
    };
    std::string const third = edit_of("third", 40), fourth = edit_of("third", 41);
    ticket const unwanted = by.propose(checker, one_of(third));
    ASSERT_TRUE(held_again.wait());
    by.forget(unwanted);
    go_again.open();
    std::vector<ticket> const after{by.propose(checker, one_of(third)), by.propose(checker, one_of(fourth))};
    auto const known = by.collect_proposals(after, soon);
    ASSERT_TRUE(known);
    EXPECT_EQ((*known)[0].found.rows[0].code, code_duplicate);
    EXPECT_NE((*known)[1].found.rows[0].code, code_duplicate);
}

TEST(scheduler_proposals, whose_checker_throws_fail_with_the_reason_and_the_next_go_on) {
    watched seen;
    seen.meet = [](std::string const& name) {
        if (name == "broken") {
            throw std::runtime_error("no such file");
        }
        if (name == "odd") {
            throw 7;
        }
    };
    scheduler by(cpu_engine());
    auto const checker = seen.checker();
    std::vector<std::string> const texts{edit_of("a", 31), edit_of("broken", 32), edit_of("c", 33)};
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    submission what;
    what.texts = views;
    std::string const odd = edit_of("odd", 35), sound = edit_of("d", 34);
    std::vector<ticket> const tickets{by.propose(checker, what), by.propose(checker, one_of(odd)),
                                      by.propose(checker, one_of(sound))};
    auto const found = by.collect_proposals(tickets, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)[0].how, outcome::failed);
    EXPECT_EQ((*found)[0].reason, "no such file");
    EXPECT_TRUE((*found)[0].found.rows.empty());
    EXPECT_EQ((*found)[1].how, outcome::failed);
    EXPECT_NE((*found)[1].reason, "");
    EXPECT_EQ((*found)[2].how, outcome::scored);
    EXPECT_EQ((*found)[2].found.rows.size(), 1u);
    EXPECT_EQ(seen.said(), (std::vector<std::string>{"a", "broken", "odd", "d"}));
}

TEST(scheduler_proposals, that_are_open_at_the_end_drain_or_are_cancelled_between_two_completions) {
    for (auto const how : {scheduler::ending::drain, scheduler::ending::cancel}) {
        watched seen;
        gate held, go;
        seen.meet = [&](std::string const& name) {
            if (name == "first") {
                held.open();
                EXPECT_TRUE(go.wait());
            }
        };
        scheduler by(cpu_engine(), {.solve_threads = 1});
        auto const checker = seen.checker();
        std::vector<std::string> const texts{edit_of("first", 31), edit_of("second", 32)};
        std::vector<std::string_view> const views(texts.begin(), texts.end());
        submission what;
        what.texts = views;
        std::string const last = edit_of("last", 33);
        std::vector<ticket> const tickets{by.propose(checker, what), by.propose(checker, one_of(last))};
        ASSERT_TRUE(held.wait());
        bool const drains = how == scheduler::ending::drain;
        std::thread end([&] { by.shutdown(how); });
        if (!drains) {  // queued ones end at once, a running one after its completion
            EXPECT_TRUE(by.collect_proposals(std::span(tickets).subspan(1), soon));
        }
        go.open();
        end.join();
        auto const found = by.collect_proposals(std::span(tickets).first(drains ? 2 : 1), soon);
        ASSERT_TRUE(found);
        for (ended_proposals const& each : *found) {
            EXPECT_EQ(each.how, drains ? outcome::scored : outcome::cancelled);
        }
        EXPECT_EQ(seen.said().size(), drains ? 3u : 1u);
        EXPECT_THROW(static_cast<void>(by.propose(checker, one_of(last))), error);
    }
}

TEST(scheduler_proposals, keep_their_order_behind_a_full_queue_and_are_refused_where_nobody_waits) {
    watched seen;
    gate held, go;
    seen.meet = [&](std::string const& name) {
        if (name == "0") {
            held.open();
            EXPECT_TRUE(go.wait());
        }
    };
    scheduler by(cpu_engine(), {.solve_threads = 2, .queue_rows = 2, .open_tickets = 8});
    auto const checker = seen.checker();
    std::vector<std::string> texts;
    for (std::int64_t i = 0; i < 7; ++i) {
        texts.push_back(edit_of(std::to_string(i), 30 + i));
    }
    std::vector<ticket> tickets{by.propose(checker, one_of(texts[0]))};
    ASSERT_TRUE(held.wait());
    tickets.push_back(by.propose(checker, one_of(texts[1])));
    std::string_view const third = texts[2];
    submission hasty = one_of(third);
    hasty.may_wait = false;
    EXPECT_EQ(by.propose(checker, hasty), ticket::none);
    std::thread blocked([&] {
        for (std::size_t i = 2; i < 7; ++i) {
            tickets.push_back(by.propose(checker, one_of(texts[i])));
        }
    });
    std::this_thread::sleep_for(20ms);
    go.open();
    blocked.join();
    auto const found = by.collect_proposals(tickets, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ(seen.said(), (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6"}));
    std::vector<ticket> many;
    for (std::int64_t i = 0; i < 8; ++i) {
        many.push_back(by.propose(checker, {}));
        EXPECT_NE(many.back(), ticket::none);
    }
    EXPECT_EQ(by.propose(checker, {}), ticket::none) << "as many tickets as may be open";
    EXPECT_TRUE(by.collect_proposals(many, soon));
}

TEST(scheduler_proposals, are_called_back_and_told_like_other_tickets) {
    watched seen;
    scheduler by(cpu_engine());
    auto const checker = seen.checker();
    std::string const json = edit_of("a", 31);
    std::string_view const text = json;
    std::promise<proposal_batch> promise;
    submission what = one_of(text);
    what.on_done = [&](ticket, ticket_result&& result) { promise.set_value(*result.proposals); };
    static_cast<void>(by.propose(checker, what));
    EXPECT_EQ(promise.get_future().get().rows.size(), 1u);
    auto const queue = std::make_shared<completion_queue>();
    submission told = one_of(text);
    told.notify = queue;
    ticket const one = by.propose(checker, told);
    std::vector<ticket> ended;
    for (int tries = 0; tries < 6000 && ended.empty(); ++tries) {
        std::this_thread::sleep_for(10ms);
        ended = queue->drain();
    }
    EXPECT_EQ(ended, std::vector{one});
    auto const found = by.collect(one, soon);
    ASSERT_TRUE(found && found->proposals);
    EXPECT_EQ(found->proposals->rows[0].code, code_duplicate);
}

TEST(scheduler_proposals, are_collected_as_such_and_misuse_is_refused) {
    rollout_step const step(1, 1);
    watched seen;
    scheduler by(cpu_engine());
    auto const checker = seen.checker();
    EXPECT_THROW(static_cast<void>(by.propose(nullptr, {})), error);
    std::int32_t const number = 1;
    submission wrong;
    wrong.length = std::span(&number, 1);
    EXPECT_THROW(static_cast<void>(by.propose(checker, wrong)), error);
    std::string const text = edit_of("a", 31);
    ticket const proposed = by.propose(checker, one_of(text)), answer = by.submit(step.problem_of(0), step.of_row(0));
    EXPECT_THROW(static_cast<void>(by.submit(proposed, step.of_row(0))), error);
    EXPECT_THROW(static_cast<void>(by.collect(std::span(&proposed, 1), soon)), error);
    EXPECT_THROW(static_cast<void>(by.collect_programs(std::span(&proposed, 1), soon)), error);
    EXPECT_THROW(static_cast<void>(by.collect_questions(std::span(&proposed, 1), soon)), error);
    EXPECT_THROW(static_cast<void>(by.collect_proposals(std::span(&answer, 1), soon)), error);
    EXPECT_TRUE(by.collect_proposals(std::span(&proposed, 1), soon));
    EXPECT_EQ(exit_code_of_child([&] {
                  bool named = false;
                  try {
                      static_cast<void>(by.propose(checker, one_of(text)));
                  } catch (error const& problem) {
                      named = std::string_view(problem.what()).find("forked child") != std::string_view::npos;
                  }
                  child_expects(named);
              }),
              0);
}

}  // namespace
}  // namespace optgap::testing
