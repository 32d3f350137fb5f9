#pragma once
// Submissions for the scheduler's tests: a step of all tasks. The engine's scores are the expected bytes.

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "optgap/scheduler.hpp"
#include "optgap/task_choice.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {

using namespace std::chrono_literals;

constexpr auto soon = std::chrono::seconds(60);  ///< a test that waits longer has failed

/// Small instances of all tasks in turn, and a few completions for each: the optimum, spoiled ones, and garbage.
struct rollout_step {
    std::vector<instance_spec> specs;
    instance_batch instances;
    solved_batch solved;
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    std::vector<std::int32_t> instance_of;
    std::vector<finish> finished;
    std::vector<std::int32_t> length;
    std::int64_t per_instance = 0;

    rollout_step(std::int64_t count, std::int64_t completions, std::uint64_t seed = 1) : per_instance(completions) {
        engine const& by = cpu_engine();
        std::vector<std::int32_t> const direct = choose_direct_tasks("all", by.tasks());
        auto const tasks = std::int64_t(direct.size());
        for (std::int64_t i = 0; i < count; ++i) {
            specs.push_back({direct[std::size_t(i % tasks)], difficulty::scale(1), split::train,
                             seed * 1000 + std::uint64_t(i / tasks)});
        }
        instances = by.generate(specs);
        solved = by.solve(instances.view());
        std::mt19937_64 random(seed);
        for (std::int64_t i = 0; i < count; ++i) {
            std::vector<words> const answers =
                answers_for(specs[std::size_t(i)].task, instances.blocks.row(i), completions, random);
            for (std::int64_t k = 0; k < completions; ++k) {
                bool const rubbish = k > 0 && random() % 7 == 0;
                auto const answer = k == 0 ? solved.answers.row(i) : std::span(answers[random() % answers.size()]);
                texts.push_back(rubbish ? "<think>I give up"
                                        : "<think>hm</think><answer>" + answer_text(answer) + "</answer>");
                instance_of.push_back(std::int32_t(i));
                finished.push_back(rubbish ? finish::length : finish::stop);
                length.push_back(std::int32_t(10 + random() % 90));
            }
        }
        views.assign(texts.begin(), texts.end());
    }

    /// Proofs of instances with keys begin with their planted answers, as in a scheduler.
    void prove_by_key(std::int64_t budget = -1) {
        solved = cpu_engine().solve(instances.view(), budget, cpu_engine().planted(specs).view());
    }

    [[nodiscard]] grade_request request() const {
        return {.instances = instances.view(),
                .baselines = solved.rows,
                .texts = views,
                .instance_of = instance_of,
                .length = length,
                .finished = finished};
    }
    /// The completions of one instance.
    [[nodiscard]] submission of_instance(std::int64_t i) const {
        auto const first = std::size_t(i * per_instance), count = std::size_t(per_instance);
        submission what;
        what.texts = std::span(views).subspan(first, count);
        what.finished = std::span(finished).subspan(first, count);
        what.length = std::span(length).subspan(first, count);
        return what;
    }
    /// One completion alone.
    [[nodiscard]] submission of_row(std::size_t row) const {
        submission what;
        what.texts = std::span(views).subspan(row, 1);
        what.finished = std::span(finished).subspan(row, 1);
        what.length = std::span(length).subspan(row, 1);
        return what;
    }
    [[nodiscard]] problem problem_of(std::int64_t i) const { return {.spec = specs[std::size_t(i)]}; }
    [[nodiscard]] std::int64_t rows() const { return std::int64_t(texts.size()); }
};

inline void expect_same_bytes(score_batch const& found, score_batch const& expected) {
    EXPECT_EQ(found.rows, expected.rows);
    EXPECT_EQ(found.verdicts, expected.verdicts);
    EXPECT_EQ(found.format_codes, expected.format_codes);
    EXPECT_EQ(found.answers, expected.answers);
    EXPECT_EQ(found.beaten, expected.beaten);
    EXPECT_EQ(found.advantage, expected.advantage);
    ASSERT_EQ(found.parsed.size(), expected.parsed.size());
    for (std::size_t r = 0; r < found.parsed.size(); ++r) {
        EXPECT_EQ(found.parsed[r].answer, expected.parsed[r].answer);
        EXPECT_EQ(found.parsed[r].where, expected.parsed[r].where);
    }
}

/// Compares row `row` of a batch with row `k` of a ticket.
inline void expect_same_row(ticket_result const& found, std::int64_t k, score_batch const& expected, std::size_t row) {
    ASSERT_EQ(found.how, outcome::scored) << found.reason;
    EXPECT_EQ(found.rows()[std::size_t(k)], expected.rows[row]);
    EXPECT_EQ(found.verdicts()[std::size_t(k)], expected.verdicts[row]);
    EXPECT_TRUE(std::ranges::equal(found.answer(k), expected.answers.row(std::int64_t(row))));
}

/// A gate that opens once.
class gate {
public:
    void open() {
        std::lock_guard const locked(lock_);
        open_ = true;
        moved_.notify_all();
    }
    bool wait() {
        std::unique_lock locked(lock_);
        return moved_.wait_for(locked, soon, [&] { return open_; });
    }

private:
    std::mutex lock_;
    std::condition_variable moved_;
    bool open_ = false;
};

/// Holds the batch thread in a callback, so that later submissions stay in the queue.
class held_batches {
public:
    held_batches(scheduler& of, rollout_step const& step) {
        submission what = step.of_row(0);
        what.on_done = [held = held_, go = go_](ticket, ticket_result&&) {
            held->open();
            static_cast<void>(go->wait());
        };
        EXPECT_NE(of.submit(step.problem_of(0), what), ticket::none);
        EXPECT_TRUE(held_->wait());
    }
    ~held_batches() { release(); }
    void release() { go_->open(); }

private:
    // The callback may outlive this object briefly.
    std::shared_ptr<gate> held_ = std::make_shared<gate>();
    std::shared_ptr<gate> go_ = std::make_shared<gate>();
};

}  // namespace optgap::testing
