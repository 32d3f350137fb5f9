// The threads that wait for programs: each runs one ticket's, and rewards it once its baselines are proven. What is
// done on the slots is the runner's; a driver sleeps meanwhile.

#include <algorithm>
#include <system_error>

#include "host/process/trace.hpp"
#include "host/program_runs/runner_state.hpp"
#include "host/scheduler/state.hpp"

namespace optgap {
namespace {

constexpr std::int32_t max_calls = 255;

/// Tickets that run at once: as many as there are slots, and one that compiles or waits for the next. One opens the
/// sandbox, whose slots are not known before.
std::int32_t calls_at_once(program_runner const& by) {
    std::int32_t const slots = by.slots();
    return slots <= 0 ? 1 : std::min(slots + 1, max_calls);
}

}  // namespace

void scheduler::state::call_drivers() {
    if (programs.idle_drivers > 0) {
        programs.work.notify_one();
        return;
    }
    // One more than run: it rewards what has ended.
    if (stopping || programs.drivers > calls_at_once(*runner)) {
        return;
    }
    try {
        threads.emplace_back([this] { serve_programs(); });
        ++programs.drivers;
    } catch (std::system_error const&) {
        if (programs.drivers == 0) {
            throw error(status::out_of_memory, "no thread can be started that waits for programs");
        }
    }
}

void scheduler::state::serve_programs() {
    on_scheduler_thread() = true;
    std::unique_lock locked(lock);
    auto const may_execute = [&] { return !programs.to_execute.empty() && programs.calls < calls_at_once(*runner); };
    for (;;) {
        ++programs.idle_drivers;
        programs.work.wait(locked, [&] { return stopping || !programs.to_reward.empty() || may_execute(); });
        --programs.idle_drivers;
        if (stopping) {
            return;
        }
        bool const rewards = !programs.to_reward.empty();
        std::deque<ticket>& from = rewards ? programs.to_reward : programs.to_execute;
        ticket const one = from.front();
        from.pop_front();
        if (!programs.to_reward.empty() || may_execute()) {
            call_drivers();
        }
        ticket_record const* const record = tickets.find(one);
        if (record == nullptr || record->job == nullptr || record->at != (rewards ? step::executing : step::queued)) {
            continue;  // ended meanwhile
        }
        afterwards after;
        if (rewards) {
            reward(one, locked, after);
        } else {
            execute(one, locked, after);
        }
        locked.unlock();
        run(after);
        locked.lock();
    }
}

std::shared_ptr<programs::sandbox> scheduler::state::shared_by_tickets(std::shared_ptr<programs::sandbox> in,
                                                                       bool steps) {
    std::shared_ptr<programs::sharing_sandbox>& known = programs.sharing[std::size_t(steps)];
    if (known == nullptr || known->within() != in) {
        known = std::make_shared<programs::sharing_sandbox>(std::move(in), options.dedupe_always
                                                                               ? programs::dedupe_rule::always
                                                                               : programs::dedupe_rule::deterministic);
    }
    return known;
}

void scheduler::state::execute(ticket one, std::unique_lock<std::mutex>& locked, afterwards& after) {
    ticket_record& record = tickets.record(one);
    std::shared_ptr<program_job> const job = record.job;
    record.at = step::executing;
    --programs.waiting;
    programs.waiting_runs -= job->runs(record.what->rows());
    ++programs.executing;
    ++programs.calls;
    auto const start = std::chrono::steady_clock::now();
    times.program_queue.add(start - record.submitted);
    job->ask(*record.what, options);
    locked.unlock();
    std::string failure;
    try {
        trace::range const here(trace::name::batch);
        job->call = std::make_unique<program_runs::program_call>(by, job->asked);
        for (bool const steps : {false, true}) {
            if (std::vector<programs::program_language> const wanted = job->call->languages(steps); !wanted.empty()) {
                std::shared_ptr<programs::sandbox> in = runner->internals().sandboxes->holding(wanted, steps);
                locked.lock();
                in = shared_by_tickets(std::move(in), steps);
                if (!programs.to_execute.empty()) {
                    call_drivers();  // the slots are known now
                }
                locked.unlock();
                job->call->run(*in, steps);
            }
        }
    } catch (std::exception const& problem) {
        failure = problem.what();
    }
    auto const spent = std::chrono::steady_clock::now() - start;
    locked.lock();
    --programs.calls;
    times.execute.add(spent);
    ticket_record* const known = tickets.find(one);
    if (known == nullptr || known->job != job) {
        after.stopped.push_back(job);  // killed: it alone holds what it borrowed, which is released without the lock
    } else if (!failure.empty()) {
        end_blank(one, *known, outcome::failed, failure, after);
    } else if (job->is_proven()) {
        reward(one, locked, after);
    } else {
        known->at = step::executed;
    }
}

void scheduler::state::reward(ticket one, std::unique_lock<std::mutex>& locked, afterwards& after) {
    std::shared_ptr<program_job> const job = tickets.record(one).job;
    std::vector<std::vector<baseline>> known(job->call->problems().size(), job->baselines());
    locked.unlock();
    std::string failure;
    program_batch scores;
    try {
        scores = job->call->rewarded(known);
        scores.advantage.resize(scores.rows.size());
        runner->internals().add(scores.counts);
    } catch (std::exception const& problem) {
        failure = problem.what();
    }
    locked.lock();
    ticket_record* const record = tickets.find(one);
    if (record == nullptr || record->job != job) {
        after.stopped.push_back(job);
    } else if (!failure.empty()) {
        end_blank(one, *record, outcome::failed, failure, after);
    } else {
        end(one, *record, rewarded_programs(std::move(scores), job->of->task), after);
    }
}

}  // namespace optgap
