// The batch thread: joins what is ready into one engine::grade, and watches the deadlines.

#include <algorithm>

#include "host/process/trace.hpp"
#include "host/scheduler/state.hpp"

namespace optgap {

void batch_request::add(problem_entry const& entry, baseline const& truth, payload const& what) {
    std::int32_t const row =
        posed_.row(std::uint64_t(reinterpret_cast<std::uintptr_t>(&entry)), entry.spec.task, entry.words, truth);
    texts_.insert(texts_.end(), what.texts.begin(), what.texts.end());
    instance_of_.resize(texts_.size(), row);
    auto const column = [&](auto& all, auto const& own) {
        all.insert(all.end(), own.begin(), own.end());
        all.resize(texts_.size());
    };
    column(finished_, what.finished);
    column(length_, what.length);
    column(format_of_, what.format_of);
}

grade_request batch_request::view(scoring_rule const& rule) const {
    return {.instances = posed_.instances().view(),
            .baselines = posed_.baselines(),
            .texts = texts_,
            .instance_of = instance_of_,
            .length = length_,
            .finished = finished_,
            .format_of = format_of_,
            .formats = rule.formats,
            .reward = rule.reward};
}

void scheduler::state::wake_batch_thread(bool gathering_too) {
    if (batch_thread == asleep || (batch_thread == gathering && gathering_too)) {
        batch_thread = awake;
        work.notify_one();
    }
}

void scheduler::state::make_ready(ticket one, ticket_record& record, bool held) {
    if (record.at == step::waiting) {
        waiting_rows -= record.what->rows();
    }
    record.at = step::ready;
    ready.push(one, record.what->rows(), record.what->bytes);
    bool const full = ready.is_full(options);
    if (full || !held) {
        wake_batch_thread(full);
    }
}

/// The oldest ready tickets with one rule, up to a full batch; they are running from here on.
std::vector<ticket> scheduler::state::next_batch() {
    std::vector<ticket> batch;
    std::vector<ticket> passed;
    scoring_rule const* rule = nullptr;
    std::int64_t rows = 0, bytes = 0;
    auto const now = std::chrono::steady_clock::now();
    while (!ready.queue.empty() && rows < options.batch_rows && bytes < options.batch_bytes) {
        ticket const one = ready.queue.front();
        ready.queue.pop_front();
        ticket_record* const record = tickets.find(one);
        if (record == nullptr || record->at != step::ready) {
            continue;
        }
        if (rule != nullptr && record->what->rule.get() != rule) {
            passed.push_back(one);
            continue;
        }
        rule = record->what->rule.get();
        record->at = step::running;
        if (record->deadline != time_point::max()) {
            deadlines.erase({record->deadline, one});
            record->deadline = time_point::max();
        }
        times.queue.add(now - record->submitted);
        rows += record->what->rows();
        bytes += record->what->bytes;
        batch.push_back(one);
    }
    ready.queue.insert(ready.queue.begin(), passed.begin(), passed.end());
    ready.rows -= rows;
    ready.bytes -= bytes;
    ready.oldest = now;
    ready.crowded = batch.size() > 1;
    ++count.batches;
    count.batch_rows += rows;
    count.largest_batch = std::max(count.largest_batch, rows);
    return batch;
}

namespace {

/// Seconds as a duration for the histograms.
std::chrono::nanoseconds lasting(double seconds) { return std::chrono::nanoseconds(std::int64_t(seconds * 1e9)); }

}  // namespace

void scheduler::state::score(std::span<ticket const> batch, std::unique_lock<std::mutex>& locked, afterwards& after) {
    struct item {
        problem_entry* entry;
        payload const* what;
        baseline base;
        ticket_result result;
    };
    std::vector<item> items;
    items.reserve(batch.size());
    for (ticket const one : batch) {
        ticket_record const& record = tickets.record(one);
        items.push_back({record.entry, record.what.get(), record.base(), {}});
    }
    locked.unlock();
    auto const start = std::chrono::steady_clock::now();
    stage_seconds spent;
    // What throws as a batch is scored ticket by ticket, so that only the broken one fails.
    auto const score_items = [&](std::span<item> some) {
        batch_request request;
        for (item const& each : some) {
            request.add(*each.entry, each.base, *each.what);
        }
        auto scored = std::make_shared<grade_batch>(by.grade(request.view(*some[0].what->rule)));
        spent = scored->seconds;
        std::int64_t first = 0;
        for (item& each : some) {
            each.result = ticket_result(scored, first, each.what->rows());
            each.result.how = outcome::scored;
            each.result.baseline = each.base;
            first += each.what->rows();
        }
    };
    try {
        trace::range const here(trace::name::batch);
        score_items(items);
    } catch (std::exception const&) {
        for (item& each : items) {
            try {
                score_items(std::span(&each, 1));
            } catch (std::exception const& problem) {
                each.result = blank_result(outcome::failed, each.entry->spec.task, each.what->rows(), problem.what());
            }
        }
    }
    auto const whole = std::chrono::steady_clock::now() - start;
    locked.lock();
    times.score.add(whole);
    times.parse.add(lasting(spent.parse));
    times.verify.add(lasting(spent.verify));
    times.reward.add(lasting(spent.reward));
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i].result.task = items[i].entry->spec.task;
        end(batch[i], tickets.record(batch[i]), std::move(items[i].result), after);
    }
}

namespace {

/// What a caller scores itself. So much takes some microseconds (docs/scheduler.md), a wake-up of another thread ten to
/// thirty, and a second one follows when that thread tells the caller.
constexpr std::size_t own_tickets = 1;
constexpr std::int64_t own_rows = 1, own_bytes = std::int64_t(16) << 10;
constexpr std::size_t own_words = 4096;  ///< of an instance

/// Marks this thread as one of the scheduler's, as the batch thread is: its callbacks neither wait for room nor shut
/// down.
class as_scheduler_thread {
public:
    as_scheduler_thread() : before_(on_scheduler_thread()) { on_scheduler_thread() = true; }
    ~as_scheduler_thread() { on_scheduler_thread() = before_; }
    as_scheduler_thread(as_scheduler_thread const&) = delete;
    as_scheduler_thread& operator=(as_scheduler_thread const&) = delete;

private:
    bool const before_;
};

}  // namespace

bool scheduler::state::is_a_callers_own() {
    if (batch_thread != asleep || ready.queue.size() > own_tickets || ready.rows > own_rows ||
        ready.bytes > own_bytes) {
        return false;
    }
    for (ticket const one : ready.queue) {
        ticket_record const* const record = tickets.find(one);
        if (record == nullptr || record->at != step::ready) {
            continue;  // cancelled meanwhile
        }
        // Callbacks are promised the scheduler's threads, and deadlines are the batch thread's to watch.
        bool const plain = !record->what->on_done && record->deadline == time_point::max();
        if (!plain || record->entry->words.size() > own_words) {
            return false;
        }
    }
    return by.grades_at_once(ready.rows);
}

void scheduler::state::score_here(std::unique_lock<std::mutex>& locked) {
    as_scheduler_thread const here;
    afterwards after;
    std::vector<ticket> const batch = next_batch();
    if (batch.empty()) {
        locked.unlock();
        return;
    }
    ++guests;
    ++count.by_callers;
    score(batch, locked, after);
    locked.unlock();
    run(after);
    locked.lock();
    if (--guests == 0 && unended == 0) {
        all_ended.notify_all();
    }
    locked.unlock();
}

void scheduler::state::serve_batches() {
    on_scheduler_thread() = true;
    std::unique_lock locked(lock);
    auto const sleep_until = [&](time_point when) {
        if (!deadlines.empty()) {
            when = std::min(when, deadlines.begin()->first);
        }
        auto const woken = [&] { return batch_thread == awake; };
        if (when == time_point::max()) {
            work.wait(locked, woken);
        } else {
            work.wait_until(locked, when, woken);
        }
        batch_thread = awake;
    };
    for (;;) {
        afterwards after;
        auto const now = std::chrono::steady_clock::now();
        expire(now, after);
        if (after.empty() && ready.queue.empty()) {
            if (stopping) {
                return;
            }
            batch_thread = asleep;
            sleep_until(time_point::max());
            continue;
        }
        bool const wait_for_more =
            ready.crowded && !closed && !ready.is_full(options) && now < ready.oldest + options.window;
        if (after.empty() && wait_for_more) {
            batch_thread = gathering;
            sleep_until(ready.oldest + options.window);
            continue;
        }
        if (after.empty()) {
            std::vector<ticket> const batch = next_batch();
            if (!batch.empty()) {
                score(batch, locked, after);
            }
        }
        locked.unlock();
        run(after);
        locked.lock();
    }
}

}  // namespace optgap
