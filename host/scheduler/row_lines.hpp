#pragma once
// Rows of JSON on their way through their kinds: a line a kind, each with threads of its own, so that a program of ten
// seconds holds up no answer of a microsecond. Where a baseline is missing, rows of kinds that are graded in batches
// change to the line of those that wait for proofs.
//
//   push ──▶ line of its kind ──batch, slot, worker──▶ report
//                  └──a baseline is missing──▶ line of proofs ──▲
//
// It has a lock of its own, which is held for no row's work and for no report: its users may hold theirs when they
// push.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "host/rows/scorer_pool.hpp"
#include "host/scheduler/row_job.hpp"
#include "optgap/scheduler.hpp"

namespace optgap {

struct row_line_limits {
    std::int64_t batch_rows = 1024;  ///< of one call of a kind that is graded in batches
    std::int32_t proof_threads = 1;
};

class row_lines {
public:
    struct ended_job {
        ticket of;
        std::shared_ptr<row_job> job;
        std::string failure;  ///< empty: the rows are graded
    };
    /// On one of the threads here, without a lock held. A job that is `over` may be among them.
    using report = std::function<void(std::span<ended_job const>)>;

    row_lines(std::shared_ptr<rows::scorer_pool> scorers, row_line_limits limits, report to);
    ~row_lines() { stop(); }
    row_lines(row_lines const&) = delete;
    row_lines& operator=(row_lines const&) = delete;

    /// Rows of one kind: that of the first.
    [[nodiscard]] std::shared_ptr<row_job> job_of(std::vector<std::string> lines);
    /// Throws std::system_error where no thread serves the line and none can be started.
    void push(ticket of, std::shared_ptr<row_job> job);
    /// What has not been begun never is; what runs is waited for.
    void stop();

    /// One run of all rows, in their order. `scored`: of each job, whether it was reported as graded; of the others
    /// each row is rejected for the reason that is given.
    struct collected_job {
        std::shared_ptr<row_job const> job;
        std::string lost;  ///< why its rows were not graded; empty: they were
    };
    [[nodiscard]] collected_rows join(std::span<collected_job const> jobs);

    struct depths {
        std::int64_t waiting = 0, grading = 0;  ///< tickets
    };
    [[nodiscard]] depths now() const;

private:
    struct waiting_job {
        ticket of;
        std::shared_ptr<row_job> job;
    };
    struct line {
        std::deque<waiting_job> queue;
        std::condition_variable work;
        std::int32_t max_threads = 1, threads = 0, idle = 0;
        bool in_batches = false;
        bool proves = true;
    };

    void enqueue(line& to, waiting_job one);
    void serve(line& from);
    std::vector<waiting_job> take(line& from) const;
    /// What is neither ended nor given to `unproven` is over.
    void grade(std::span<waiting_job const> some, bool proves, std::vector<ended_job>& ended,
               std::vector<waiting_job>& unproven);

    std::shared_ptr<rows::scorer_pool> const scorers_;
    row_line_limits const limits_;
    report const report_;
    mutable std::mutex lock_;
    std::deque<line> lines_;  ///< by kind, and the last for proofs; none before the first row
    std::vector<std::thread> threads_;
    std::int64_t grading_ = 0;
    bool stopping_ = false;
};

}  // namespace optgap
