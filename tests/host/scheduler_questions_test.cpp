// Questions: tickets that end when the tickets of all their answers have ended, in any order.

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {
namespace {

constexpr std::int64_t questions = 20, group_size = 4;

/// The slow reference: the rows of one direct call, added up.
group_sums sums_of(score_batch const& rows, std::int64_t question, std::int64_t count = group_size) {
    group_sums out;
    for (std::int64_t r = question * count; r < (question + 1) * count; ++r) {
        reward_row const& row = rows.rows[std::size_t(r)];
        out.add(row.feasible > 0, row.optimal > 0, double(row.normalized));
    }
    return out;
}

void expect_same(group_sums const& found, group_sums const& expected) {
    EXPECT_EQ(found.rows, expected.rows);
    EXPECT_EQ(found.feasible, expected.feasible);
    EXPECT_EQ(found.solved, expected.solved);
    EXPECT_EQ(found.sum, expected.sum);
    EXPECT_EQ(found.sum_sq, expected.sum_sq);
}

TEST(scheduler_questions, end_with_the_sums_of_one_direct_call_in_any_order_from_any_thread) {
    rollout_step const step(questions, group_size);
    score_batch const expected = cpu_engine().score(step.request());
    std::int64_t feasible = 0, solved = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        scheduler by(cpu_engine());
        std::vector<ticket> own, all(std::size_t(questions * group_size));
        for (std::int64_t i = 0; i < questions; ++i) {
            // One with its baseline, one to be proven, one that is a user's own.
            problem of = i % 3 == 2 ? problem{.spec = {step.specs[std::size_t(i)].task, {}, split::train, 0},
                                              .words = step.instances.blocks.row(i)}
                                    : step.problem_of(i);
            if (i % 3 == 0) {
                of.given = step.solved.rows[std::size_t(i)];
            }
            posed_question const posed = by.pose(of, std::int32_t(group_size));
            ASSERT_EQ(std::ssize(posed.answers), group_size);
            EXPECT_FALSE(by.has_ended(posed.question));
            own.push_back(posed.question);
            std::ranges::copy(posed.answers, all.begin() + i * group_size);
        }
        std::vector<std::size_t> order(all.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 3; ++t) {
            threads.emplace_back([&by, &step, &all, &order, t] {
                for (std::size_t k = t; k < order.size(); k += 3) {
                    EXPECT_TRUE(by.submit(all[order[k]], step.of_row(order[k])));
                }
            });
        }
        auto const found = by.collect_questions(own, soon);
        std::ranges::for_each(threads, &std::thread::join);
        ASSERT_TRUE(found);
        for (std::int64_t i = 0; i < questions; ++i) {
            ended_question const& one = (*found)[std::size_t(i)];
            EXPECT_EQ(one.how, outcome::scored) << one.reason;
            expect_same(one.group, sums_of(expected, i));
            feasible += one.group.feasible;
            solved += one.group.solved;
        }
        auto const rows = by.collect(all, soon);
        ASSERT_TRUE(rows);
        expect_same_bytes(rows->scores, expected);
        EXPECT_FALSE(by.has_ended(own[0])) << "it is gone";
    }
    EXPECT_GT(solved, 0);
    EXPECT_GT(feasible, solved);
}

TEST(scheduler_questions, a_late_group_counts_in_the_next_step) {
    rollout_step const step(2, 3);
    score_batch const expected = cpu_engine().score(step.request());
    scheduler by(cpu_engine());
    posed_question const early = by.pose(step.problem_of(0), 3), late = by.pose(step.problem_of(1), 3);
    for (std::size_t a = 0; a < 3; ++a) {
        ASSERT_TRUE(by.submit(early.answers[a], step.of_row(a)));
        ASSERT_TRUE(a == 2 || by.submit(late.answers[a], step.of_row(3 + a)));
    }
    auto const first = by.collect_questions(std::span(&early.question, 1), soon);
    ASSERT_TRUE(first);
    expect_same((*first)[0].group, sums_of(expected, 0, 3));
    EXPECT_FALSE(by.collect_questions(std::span(&late.question, 1), 0ms)) << "two of three have answered";
    ASSERT_TRUE(by.submit(late.answers[2], step.of_row(5)));
    auto const second = by.collect_questions(std::span(&late.question, 1), soon);
    ASSERT_TRUE(second);
    EXPECT_EQ((*second)[0].how, outcome::scored);
    expect_same((*second)[0].group, sums_of(expected, 1, 3));
}

TEST(scheduler_questions, end_as_their_first_answer_that_was_not_scored_and_then_without_sums) {
    rollout_step const step(1, 4);
    scheduler by(cpu_engine());
    posed_question const posed = by.pose(step.problem_of(0), 4);
    submission late = step.of_row(1);
    late.deadline = std::chrono::steady_clock::now();
    EXPECT_TRUE(by.cancel(posed.answers[2]));
    ASSERT_TRUE(by.submit(posed.answers[1], late));
    ASSERT_TRUE(by.submit(posed.answers[0], step.of_row(0)));
    ASSERT_TRUE(by.submit(posed.answers[3], step.of_row(3)));
    auto const found = by.collect_questions(std::span(&posed.question, 1), soon);
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)[0].how, outcome::expired) << "the second of four";
    expect_same((*found)[0].group, {});
    auto const answers = by.collect(posed.answers, soon);
    ASSERT_TRUE(answers);
    EXPECT_EQ(answers->outcomes, (std::vector{outcome::scored, outcome::expired, outcome::cancelled, outcome::scored}));
    // One with a broken instance fails, and gives the reason.
    std::vector<std::int32_t> const broken{1, 2, 3};
    posed_question const bad = by.pose({.spec = {step.specs[0].task, {}, split::train, 0}, .words = broken}, 1);
    ASSERT_TRUE(by.submit(bad.answers[0], step.of_row(0)));
    auto const failed = by.collect_questions(std::span(&bad.question, 1), soon);
    ASSERT_TRUE(failed);
    EXPECT_EQ((*failed)[0].how, outcome::failed);
    EXPECT_NE((*failed)[0].reason, "");
}

TEST(scheduler_questions, that_are_cancelled_or_expire_take_along_the_answers_that_nobody_gave) {
    rollout_step const step(3, 2);
    scheduler by(cpu_engine());
    posed_question const cancelled = by.pose(step.problem_of(0), 2), forgotten = by.pose(step.problem_of(1), 2);
    posed_question const expired = by.pose(step.problem_of(2), 2, std::chrono::steady_clock::now() + 1ms);
    ASSERT_TRUE(by.submit(cancelled.answers[0], step.of_row(0)));
    ASSERT_TRUE(by.collect(std::span(&cancelled.answers[0], 1), soon));
    EXPECT_TRUE(by.cancel(cancelled.question));
    EXPECT_FALSE(by.cancel(cancelled.question)) << "it has ended";
    by.forget(forgotten.question);
    std::vector<ticket> const own{cancelled.question, expired.question};
    auto const found = by.collect_questions(own, soon);
    ASSERT_TRUE(found);
    EXPECT_EQ((*found)[0].how, outcome::cancelled);
    EXPECT_EQ((*found)[1].how, outcome::expired);
    std::vector<ticket> const answers{cancelled.answers[1], forgotten.answers[0], forgotten.answers[1],
                                      expired.answers[0], expired.answers[1]};
    auto const rows = by.collect(answers, soon);
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->outcomes, (std::vector{outcome::cancelled, outcome::cancelled, outcome::cancelled, outcome::expired,
                                           outcome::expired}));
    EXPECT_THROW(static_cast<void>(by.collect_questions(std::span(&forgotten.question, 1), soon)), error);
}

TEST(scheduler_questions, that_are_open_at_the_end_drain_where_their_answers_are_there) {
    rollout_step const step(2, 2);
    score_batch const expected = cpu_engine().score(step.request());
    for (auto const how : {scheduler::ending::drain, scheduler::ending::cancel}) {
        scheduler by(cpu_engine());
        held_batches held(by, step);
        posed_question const whole = by.pose(step.problem_of(0), 2), part = by.pose(step.problem_of(1), 2);
        ASSERT_TRUE(by.submit(whole.answers[0], step.of_row(0)));
        ASSERT_TRUE(by.submit(whole.answers[1], step.of_row(1)));
        ASSERT_TRUE(by.submit(part.answers[0], step.of_row(2)));
        std::thread later([&held] { held.release(); });
        by.shutdown(how);
        later.join();
        std::vector<ticket> const own{whole.question, part.question};
        auto const found = by.collect_questions(own, soon);
        ASSERT_TRUE(found);
        EXPECT_EQ((*found)[1].how, outcome::cancelled);
        if (how == scheduler::ending::drain) {
            EXPECT_EQ((*found)[0].how, outcome::scored);
            expect_same((*found)[0].group, sums_of(expected, 0, 2));
        }
        EXPECT_THROW(static_cast<void>(by.pose(step.problem_of(0), 2)), error);
    }
}

TEST(scheduler_questions, are_collected_as_such_and_misuse_is_refused) {
    rollout_step const step(1, 1);
    scheduler by(cpu_engine(), {.open_tickets = 4});
    EXPECT_THROW(static_cast<void>(by.pose(step.problem_of(0), 0)), error);
    EXPECT_THROW(static_cast<void>(by.pose({.spec = {10'000, {}, split::train, 0}}, 1)), error);
    posed_question const posed = by.pose(step.problem_of(0), 1);
    EXPECT_THROW(static_cast<void>(by.submit(posed.question, step.of_row(0))), error);
    EXPECT_THROW(static_cast<void>(by.collect(std::span(&posed.question, 1), soon)), error);
    EXPECT_THROW(static_cast<void>(by.collect_programs(std::span(&posed.question, 1), soon)), error);
    EXPECT_THROW(static_cast<void>(by.collect_questions(posed.answers, soon)), error);
    EXPECT_THROW(static_cast<void>(by.pose(step.problem_of(0), 2)), error) << "5 tickets of 4";
    ASSERT_TRUE(by.submit(posed.answers[0], step.of_row(0)));
    EXPECT_TRUE(by.collect_questions(std::span(&posed.question, 1), soon));
}

}  // namespace
}  // namespace optgap::testing
