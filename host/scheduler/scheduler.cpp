// A scheduler's life: options, threads, issuing, and the end.

#include "optgap/scheduler.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "host/process/trace.hpp"
#include "host/rows/program/sandboxes.hpp"
#include "host/rows/score_options.hpp"
#include "host/scheduler/state.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

constexpr std::int32_t max_slots = 4096;

void at_least(char const* name, std::int64_t value, std::int64_t least) {
    if (value < least) {
        misuse(std::string(name) + ": expected " + std::to_string(least) + " or more, got " + std::to_string(value));
    }
}

scheduler_options checked(scheduler_options options, engine const& by) {
    at_least("solve_threads", options.solve_threads, 0);
    at_least("batch_rows", options.batch_rows, 1);
    at_least("batch_bytes", options.batch_bytes, 1);
    at_least("queue_rows", options.queue_rows, 1);
    at_least("queue_bytes", options.queue_bytes, 1);
    at_least("open_tickets", options.open_tickets, 1);
    at_least("instance_cache_bytes", options.instance_cache_bytes, 0);
    at_least("baseline_cache_bytes", options.baseline_cache_bytes, 0);
    if (options.window.count() < 0 || options.window.count() > 1000) {
        misuse("window: expected 0 to 1000 microseconds, got " + std::to_string(options.window.count()));
    }
    if (options.slots < 0 || options.slots > max_slots) {
        misuse("slots: expected 0 to " + std::to_string(max_slots) + ", got " + std::to_string(options.slots));
    }
    if (options.runner != nullptr && (options.slots != 0 || options.isolation != "auto")) {
        misuse("slots, isolation: a runner that is given has its own");
    }
    if (options.solve_threads == 0) {
        options.solve_threads = by.threads();
    }
    if (options.baselines != nullptr && options.known) {
        misuse("known, baselines: a source that is given has its own");
    }
    if (options.row_scorers != nullptr && (options.row_options != "{}" || !options.snapshot_hash.empty())) {
        misuse("row_options, snapshot_hash: scorers that are given have their own");
    }
    return options;
}

std::shared_ptr<baseline_source> source_of(engine const& by, scheduler_options const& options) {
    return options.baselines != nullptr ? options.baselines
                                        : own_baselines(by, options.known, options.baseline_cache_bytes);
}

std::shared_ptr<rows::scorer_pool> row_scorers_of(engine const& by, scheduler_options const& options,
                                                  std::shared_ptr<baseline_source> const& source,
                                                  program_runner& runner) {
    if (options.row_scorers != nullptr) {
        return options.row_scorers;
    }
    rows::score_options const read = rows::parse_score_options(options.row_options);
    return std::make_shared<rows::scorer_pool>(by, read, options.snapshot_hash, source, rows::kind_entries(),
                                               rows::services_for(read, runner));
}

}  // namespace

scheduler::state::state(engine const& engine_, scheduler_options options_)
    : by(engine_),
      options(checked(std::move(options_), engine_)),
      default_rule(std::make_shared<scoring_rule const>(options.rule)),
      source(source_of(by, options)),
      problems(options.instance_cache_bytes, *source, options.budget),
      room(options.queue_rows, options.queue_bytes),
      runner(options.runner != nullptr
                 ? options.runner
                 : std::make_shared<program_runner>(by, program_runner_options{.isolation = options.isolation,
                                                                               .slots = options.slots,
                                                                               .languages = {},
                                                                               .baselines = source})),
      row_work(row_scorers_of(by, options, source, *runner),
               {.batch_rows = options.batch_rows, .proof_threads = options.solve_threads},
               [this](std::span<row_lines::ended_job const> ended) { end_rows(ended); }) {}

void scheduler::state::require_own_process() const {
    if (process != fork_generation()) {
        misuse(
            "this scheduler belongs to the parent process: a forked child makes its own, and its own engine when "
            "that one uses a GPU");
    }
}

void scheduler::state::start() {
    try {
        threads.emplace_back([this] { serve_batches(); });
        for (std::int32_t t = 0; t < options.solve_threads; ++t) {
            threads.emplace_back([this] { serve_baselines(); });
        }
    } catch (std::system_error const&) {
        stop(ending::cancel);  // those that began
        throw error(status::out_of_memory, "no thread can be started that serves tickets");
    }
}

void scheduler::state::stop(ending how) {
    afterwards after;
    std::unique_lock locked(lock);
    closed = true;
    cancelling = cancelling || how == ending::cancel;
    for (ticket const one : tickets.all()) {
        ticket_record* const record = tickets.find(one);
        bool const kept = record != nullptr && how == ending::drain && record->at != step::issued;
        if (record != nullptr && !kept && record->at < step::running) {
            end_blank(one, *record, outcome::cancelled, {}, after);
        }
    }
    wake_batch_thread(true);
    locked.unlock();
    run(after);
    locked.lock();
    all_ended.wait(locked, [&] { return unended == 0 && guests == 0; });
    stopping = true;
    wake_batch_thread(true);
    jobs.notify_all();
    programs.work.notify_all();
    std::vector<std::thread> leaving = std::exchange(threads, {});
    locked.unlock();
    row_work.stop();
    for (std::thread& thread : leaving) {
        thread.join();
    }
}

scheduler::scheduler(engine const& by, scheduler_options options)
    : state_(std::make_unique<state>(by, std::move(options))) {
    state_->start();
}

scheduler::~scheduler() {
    if (state_->process == fork_generation()) {
        state_->stop(ending::cancel);
    } else {
        // The threads never existed in this process, and the lock may be held by one of them for ever.
        static_cast<void>(state_.release());
    }
}

void scheduler::shutdown(ending how) {
    state_->require_own_process();
    if (on_scheduler_thread()) {
        misuse("shutdown: not from a callback, which runs on a thread that it would wait for");
    }
    state_->stop(how);
}

issued_batch scheduler::issue(std::span<instance_spec const> specs, issue_options const& options) {
    trace::range const here(trace::name::issue);
    state& own = *state_;
    own.require_own_process();
    for (instance_spec const& spec : specs) {
        own.require(spec);
        std::int32_t const styles = own.by.tasks()[std::size_t(spec.task)].styles;
        if (options.style < 0 || options.style >= styles) {
            misuse("style: " + std::to_string(options.style) + " does not exist, expected 0 to " +
                   std::to_string(styles - 1));
        }
    }
    afterwards after;
    std::unique_lock locked(own.lock);
    if (own.closed) {
        misuse("issue: the scheduler is shut down");
    }
    if (own.tickets.open_count() + std::int64_t(specs.size()) > own.options.open_tickets) {
        ++own.count.refused;
        throw error(status::out_of_memory, "issue: " + std::to_string(specs.size()) + " more tickets than the " +
                                               std::to_string(own.options.open_tickets) +
                                               " that may be open; collect or forget some");
    }
    std::vector<problem_entry*> entries, claimed;
    for (instance_spec const& spec : specs) {
        problem_entry& entry = own.problems.pin(id_of({.spec = spec}), spec, true);
        entry.baseline_wanted = true;
        entries.push_back(&entry);
        if (entry.words_phase == phase::absent) {
            entry.words_phase = phase::making;
            claimed.push_back(&entry);
        }
    }
    if (!claimed.empty()) {
        own.generate(claimed, locked, after);
    }
    std::string failure;
    for (problem_entry* const entry : entries) {
        own.words_made.wait(locked, [&] { return entry->words_phase != phase::making; });
        own.want(*entry, true, false);
        failure = failure.empty() ? entry->failure : failure;
    }
    locked.unlock();
    own.run(after);

    issued_batch out;
    try {
        if (!failure.empty()) {
            throw error(status::internal, "issue: " + failure);
        }
        for (std::size_t i = 0; i < specs.size(); ++i) {
            std::vector<std::int32_t> const& words = entries[i]->words;
            bool const direct = own.by.tasks()[std::size_t(specs[i].task)].direct;
            out.prompts.push_back(direct ? own.by.prompt(specs[i].task, words, options.style, options.format)
                                         : std::string());
            out.keys.push_back(to_string(
                key_of(own.by.tasks()[std::size_t(specs[i].task)], specs[i], entries[i]->hash, options.style)));
        }
    } catch (...) {
        locked.lock();
        for (problem_entry* const entry : entries) {
            own.problems.unpin(*entry);
        }
        throw;
    }
    locked.lock();
    for (problem_entry* const entry : entries) {
        out.tickets.push_back(own.open(*entry));
        ++own.count.issued;
        if (own.closed) {
            own.end_blank(out.tickets.back(), own.tickets.record(out.tickets.back()), outcome::cancelled, {}, after);
        }
    }
    locked.unlock();
    own.run(after);
    return out;
}

void scheduler::prefetch(std::span<instance_spec const> specs) {
    state& own = *state_;
    own.require_own_process();
    std::for_each(specs.begin(), specs.end(), [&](instance_spec const& spec) { own.require(spec); });
    std::lock_guard const locked(own.lock);
    if (own.closed) {
        misuse("prefetch: the scheduler is shut down");
    }
    for (instance_spec const& spec : specs) {
        problem_entry& entry = own.problems.pin(id_of({.spec = spec}), spec, true);
        entry.baseline_kept = true;
        own.want(entry, true, false);
        own.problems.unpin(entry);
    }
}

bool scheduler::cancel(ticket one) {
    state& own = *state_;
    own.require_own_process();
    afterwards after;
    std::unique_lock locked(own.lock);
    ticket_record* const record = own.tickets.find(one);
    if (record == nullptr || record->at >= step::running) {
        return false;
    }
    own.end_blank(one, *record, outcome::cancelled, {}, after);
    locked.unlock();
    own.run(after);
    return true;
}

void scheduler::forget(ticket one) {
    state& own = *state_;
    own.require_own_process();
    afterwards after;
    std::unique_lock locked(own.lock);
    ticket_record* const record = own.tickets.find(one);
    if (record == nullptr) {
        return;
    }
    if (record->collected_by != nullptr) {
        misuse("forget: another caller waits in collect for this ticket");
    }
    record->forgotten = true;
    if (record->at == step::ended) {
        own.tickets.close(one);
    } else if (record->at < step::running) {
        own.end_blank(one, *record, outcome::cancelled, {}, after);
    }
    locked.unlock();
    own.run(after);
}

}  // namespace optgap
