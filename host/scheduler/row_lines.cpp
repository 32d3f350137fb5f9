#include "host/scheduler/row_lines.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "host/rows/written_rows.hpp"
#include "host/scheduler/state.hpp"

namespace optgap {
namespace {

constexpr std::int32_t max_slot_threads = 64;  ///< that sleep while the sandbox or a worker does their work

std::int32_t slot_threads() {
    return std::clamp(std::int32_t(std::thread::hardware_concurrency()), 2, max_slot_threads);
}

}  // namespace

row_lines::row_lines(std::shared_ptr<rows::scorer_pool> scorers, row_line_limits limits, report to)
    : scorers_(std::move(scorers)), limits_(limits), report_(std::move(to)) {}

std::shared_ptr<row_job> row_lines::job_of(std::vector<std::string> lines) {
    auto job = std::make_shared<row_job>();
    for (std::string& text : lines) {
        job->rows.emplace_back(std::move(text));
    }
    rows::scorer_pool::lease const by = scorers_->lend();
    if (!job->rows.empty() && job->rows[0].item.sound()) {
        job->kind = by->kind_claiming(job->rows[0].item.row);
    }
    std::lock_guard const locked(lock_);
    if (lines_.empty()) {
        for (auto const& kind : by->kinds()) {
            rows::kind_info const& about = kind->info();
            bool const at_once = about.place == rows::graded_in::call;
            line& made = lines_.emplace_back();
            made.in_batches = at_once && about.beside == rows::rows_beside::none;
            made.proves = !made.in_batches;
            made.max_threads = made.in_batches ? 1 : at_once ? limits_.proof_threads : slot_threads();
        }
        lines_.emplace_back().max_threads = limits_.proof_threads;
    }
    return job;
}

void row_lines::push(ticket of, std::shared_ptr<row_job> job) {
    std::lock_guard const locked(lock_);
    line& to = lines_[std::size_t(std::max(job->kind, 0))];
    enqueue(to, {of, std::move(job)});
}

void row_lines::enqueue(line& to, waiting_job one) {
    to.queue.push_back(std::move(one));
    if (std::int64_t(to.queue.size()) > to.idle && to.threads < to.max_threads && !stopping_) {
        try {
            threads_.emplace_back([this, &to] { serve(to); });
            ++to.threads;
        } catch (std::system_error const&) {
            if (to.threads == 0) {
                to.queue.pop_back();
                throw;
            }
        }
    }
    to.work.notify_one();
}

/// One ticket, or as many as make a batch.
std::vector<row_lines::waiting_job> row_lines::take(line& from) const {
    std::vector<waiting_job> some;
    std::int64_t count = 0;
    while (!from.queue.empty() && (some.empty() || (from.in_batches && count < limits_.batch_rows))) {
        waiting_job one = std::move(from.queue.front());
        from.queue.pop_front();
        if (!one.job->over) {
            count += std::int64_t(one.job->rows.size());
            some.push_back(std::move(one));
        }
    }
    return some;
}

void row_lines::serve(line& from) {
    on_scheduler_thread() = true;
    std::unique_lock locked(lock_);
    for (;;) {
        ++from.idle;
        from.work.wait(locked, [&] { return stopping_ || !from.queue.empty(); });
        --from.idle;
        if (stopping_) {
            return;
        }
        std::vector<waiting_job> const some = take(from);
        grading_ += std::int64_t(some.size());
        locked.unlock();
        std::vector<ended_job> ended;
        std::vector<waiting_job> unproven;
        grade(some, from.proves, ended, unproven);
        if (!ended.empty()) {
            report_(ended);
        }
        ended.clear();
        locked.lock();
        grading_ -= std::int64_t(some.size());
        while (!unproven.empty()) {
            waiting_job one = std::move(unproven.back());
            unproven.pop_back();
            try {
                enqueue(lines_.back(), one);
            } catch (std::system_error const& problem) {
                ended.push_back({one.of, one.job, problem.what()});
            }
        }
        if (!ended.empty()) {
            locked.unlock();
            report_(ended);
            locked.lock();
        }
    }
}

void row_lines::grade(std::span<waiting_job const> some, bool proves, std::vector<ended_job>& ended,
                      std::vector<waiting_job>& unproven) {
    if (some.empty()) {
        return;
    }
    std::vector<rows::ahead_row*> all;
    for (waiting_job const& one : some) {
        for (rows::ahead_row& row : one.job->rows) {
            all.push_back(&row);
        }
    }
    bool whole = false;
    std::string failure;
    try {
        rows::scorer_pool::lease const by = scorers_->lend();
        whole = by->grade_ahead(all, proves, some.size() == 1 ? some[0].job->stop.get_token() : std::stop_token());
    } catch (std::exception const& problem) {
        failure = problem.what();
    } catch (...) {
        failure = "its kind threw what is no std::exception";
    }
    if (whole) {
        for (waiting_job const& one : some) {
            ended.push_back({one.of, one.job, {}});
        }
    } else if (some.size() > 1) {  // so that only those that lack a baseline wait, and only the broken one fails
        for (waiting_job const& one : some) {
            grade({&one, 1}, proves, ended, unproven);
        }
    } else if (!failure.empty()) {
        ended.push_back({some[0].of, some[0].job, failure});
    } else {
        unproven.push_back(some[0]);
    }
}

void row_lines::stop() {
    std::vector<std::thread> leaving;
    {
        std::lock_guard const locked(lock_);
        stopping_ = true;
        for (line& one : lines_) {
            one.work.notify_all();
        }
        leaving = std::exchange(threads_, {});
    }
    for (std::thread& thread : leaving) {
        thread.join();
    }
    std::lock_guard const locked(lock_);
    for (line& one : lines_) {
        one.queue.clear();
    }
}

collected_rows row_lines::join(std::span<collected_job const> jobs) {
    std::vector<rows::row_item> items;
    std::vector<rows::ahead_row const*> ahead;
    collected_rows out;
    out.offsets.push_back(0);
    for (collected_job const& one : jobs) {
        for (rows::ahead_row const& row : one.job->rows) {
            bool const known = one.lost.empty() && row.carried;
            std::int64_t const number = std::int64_t(items.size()) + 1;
            if (known) {
                items.push_back(row.item);
                items.back().number = number;
            } else {
                items.emplace_back().take(*row.line, number);
            }
            if (!one.lost.empty()) {
                items.back().reject("ticket", one.lost);
            }
            ahead.push_back(known ? &row : nullptr);
        }
        out.offsets.push_back(std::int64_t(items.size()));
    }
    rows::scorer_pool::lease const by = scorers_->lend();
    rows::graded_run const run = by->run(items, ahead);
    out.rows = rows::written_rows(*by, items, run);
    for (rows::run_report::sentence const& one : run.report.sentences) {
        out.remarks.push_back(one.text);
    }
    by->forget();
    return out;
}

row_lines::depths row_lines::now() const {
    std::lock_guard const locked(lock_);
    depths out{.waiting = 0, .grading = grading_};
    for (line const& one : lines_) {
        out.waiting += std::int64_t(one.queue.size());
    }
    return out;
}

}  // namespace optgap
