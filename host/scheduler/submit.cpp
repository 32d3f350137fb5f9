// Tickets and completions on their way in: checks, room in the queue, and who has to be waited for.

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "host/process/trace.hpp"
#include "host/reward/token_counts.hpp"
#include "host/scheduler/state.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

template <class T>
std::vector<T> rows_of(char const* name, std::span<T const> given, std::size_t rows) {
    if (!given.empty() && given.size() != rows) {
        misuse(std::string(name) + ": expected one entry per text (" + std::to_string(rows) + "), got " +
               std::to_string(given.size()));
    }
    return {given.begin(), given.end()};
}

}  // namespace

bool& on_scheduler_thread() {
    thread_local bool own = false;
    return own;
}

void scheduler::state::require(instance_spec const& spec) const {
    if (spec.task < 0 || std::size_t(spec.task) >= by.tasks().size()) {
        misuse("task index " + std::to_string(spec.task) + " does not exist, there are " +
               std::to_string(by.tasks().size()) + " tasks");
    }
    if (spec.level.code < -4 || spec.level.code > max_scale_step) {
        misuse("level code " + std::to_string(spec.level.code) + " does not exist");
    }
}

std::unique_ptr<payload> scheduler::state::take(submission const& what, bool is_scored) const {
    std::size_t const rows = what.texts.size();
    auto taken = std::make_unique<payload>();
    taken->texts.assign(what.texts.begin(), what.texts.end());
    taken->finished = rows_of("finished", what.finished, rows);
    taken->length = rows_of("length", what.length, rows);
    taken->format_of = rows_of("format_of", what.format_of, rows);
    taken->rule = what.rule ? what.rule : default_rule;
    if (is_scored) {
        require_token_counts(taken->rule->reward, taken->length, rows);
    }
    std::vector<format_spec> const& own = taken->rule->formats;
    std::size_t const formats = own.empty() ? known_formats().size() : own.size();
    for (std::int32_t const f : taken->format_of) {
        if (f < 0 || std::size_t(f) >= formats) {
            misuse("format_of: " + std::to_string(f) + " is no entry of the rule's formats");
        }
    }
    taken->owner = what.owner;
    taken->on_done = what.on_done;
    taken->notify = what.notify;
    for (std::string_view const text : what.texts) {
        taken->bytes += std::int64_t(text.size());
    }
    if (!what.owner && taken->bytes > 0) {
        taken->copied = std::make_unique_for_overwrite<char[]>(std::size_t(taken->bytes));
        char* next = taken->copied.get();
        for (std::string_view& text : taken->texts) {
            std::copy(text.begin(), text.end(), next);
            text = {next, text.size()};
            next += text.size();
        }
    }
    return taken;
}

ticket scheduler::state::open(problem_entry& entry) {
    ticket const one = tickets.open();
    ticket_record& record = tickets.record(one);
    record.at = step::issued;
    record.entry = &entry;
    record.of = entry.id;
    ++unended;
    return one;
}

void scheduler::state::release_room(std::int64_t rows, std::int64_t bytes, afterwards& after) {
    room.give_back(rows, bytes);
    while (!room.waiting.empty()) {
        room_waiter& next = *room.waiting.front();
        ticket_record& record = tickets.record(next.of);
        if (!room.has(record.what->rows(), record.what->bytes)) {
            return;
        }
        room.waiting.pop_front();
        record.room = nullptr;
        next.over = true;
        next.wake.notify_one();
        enter(next.of, record, after);
    }
}

void scheduler::state::enter(ticket one, ticket_record& record, afterwards& after, bool held) {
    room.take(record.what->rows(), record.what->bytes);
    if (record.job != nullptr) {
        enter_program(one, record, after);
        return;
    }
    if (record.of_rows != nullptr) {
        enter_rows(one, record, after);
        return;
    }
    if (record.proposals != nullptr) {
        enter_line(one, record);
        return;
    }
    problem_entry& entry = *record.entry;
    record.at = step::waiting;
    waiting_rows += record.what->rows();
    bool const has_baseline = record.has_given || entry.baseline_phase == phase::ready;
    if (!entry.failure.empty()) {
        end_blank(one, record, outcome::failed, entry.failure, after);
    } else if (entry.words_phase == phase::ready && has_baseline) {
        make_ready(one, record, held);
    } else {
        entry.waiting.push_back(one);
        want(entry, !record.has_given, true);
    }
}

bool scheduler::state::hand_over(ticket one, std::unique_ptr<payload>& what, submission const& from,
                                 std::unique_lock<std::mutex>& locked, afterwards& after) {
    ticket_record& record = tickets.record(one);
    bool const goes_in = room.waiting.empty() && room.has(what->rows(), what->bytes);
    if (!goes_in && (options.when_full == full_queue::refuse || !from.may_wait || on_scheduler_thread())) {
        ++count.refused;
        return false;
    }
    ++count.submitted_tickets;
    count.submitted_rows += what->rows();
    record.what = std::move(what);
    record.submitted = std::chrono::steady_clock::now();
    record.deadline = from.deadline;
    if (from.deadline != time_point::max()) {
        deadlines.emplace(from.deadline, one);
        if (deadlines.begin()->second == one) {
            wake_batch_thread(true);
        }
    }
    if (goes_in) {
        enter(one, record, after, from.held);
        return true;
    }
    room_waiter place{.of = one, .wake = {}};
    record.at = step::blocked;
    record.room = &place;
    room.waiting.push_back(&place);
    place.wake.wait(locked, [&] { return place.over; });
    return true;
}

void scheduler::state::bring(problem_entry& entry, problem const& of, std::unique_lock<std::mutex>& locked) {
    if (of.words.empty() || entry.words_phase != phase::absent) {
        return;
    }
    // Two may check it at once, with the same result.
    std::string broken;
    locked.unlock();
    try {
        by.check(of.spec.task, of.words);
    } catch (error const& problem) {
        broken = problem.what();
    }
    locked.lock();
    if (!broken.empty()) {
        entry.failure = broken;
    } else if (entry.words_phase == phase::absent) {
        problems.set_words(entry, of.words);
    }
}

bool scheduler::submit(ticket issued, submission const& what) {
    trace::range const here(trace::name::submit);
    state_->require_own_process();
    std::unique_ptr<payload> taken = state_->take(what);
    afterwards after;
    std::unique_lock locked(state_->lock);
    ticket_record* const record = state_->tickets.find(issued);
    if (state_->closed) {
        misuse("submit: the scheduler is shut down");
    }
    if (record == nullptr || record->at != step::issued) {
        misuse("submit: this ticket " + std::string(record == nullptr ? "does not exist any more"
                                                    : record->of.part == question_part
                                                        ? "is a question's, whose answers have their own"
                                                        : "has its completions already"));
    }
    if (record->job != nullptr && !what.format_of.empty()) {
        misuse("format_of: completions that hold programs have the format of their problem");
    }
    bool const entered = state_->hand_over(issued, taken, what, locked, after);
    locked.unlock();
    state_->run(after);
    return entered;
}

ticket scheduler::state::submit_unasked(char const* verb, std::int32_t part, submission const& what,
                                        std::function<void(ticket_record&)> const& fill) {
    std::unique_ptr<payload> taken = take(what, false);
    afterwards after;
    std::unique_lock locked(lock);
    if (closed) {
        misuse(std::string(verb) + ": the scheduler is shut down");
    }
    if (tickets.open_count() >= options.open_tickets) {
        ++count.refused;
        return ticket::none;
    }
    ticket const one = tickets.open();
    ++unended;
    ticket_record& record = tickets.record(one);
    record.at = step::issued;
    record.of = {.task = -1, .part = part, .low = std::uint64_t(one)};
    fill(record);
    bool const entered = hand_over(one, taken, what, locked, after);
    if (!entered) {
        record.forgotten = true;
        end_blank(one, record, outcome::refused, {}, after);
    }
    locked.unlock();
    run(after);
    return entered ? one : ticket::none;
}

ticket scheduler::submit(problem const& of, submission const& what) {
    trace::range const here(trace::name::submit);
    state_->require_own_process();
    state_->require(of.spec);
    std::unique_ptr<payload> taken = state_->take(what);
    problem_id const id = id_of(of);
    afterwards after;
    std::unique_lock locked(state_->lock);
    if (state_->closed) {
        misuse("submit: the scheduler is shut down");
    }
    if (state_->tickets.open_count() >= state_->options.open_tickets) {
        ++state_->count.refused;
        return ticket::none;
    }
    problem_entry& entry = state_->problems.pin(id, of.spec, !of.given);
    state_->bring(entry, of, locked);
    ticket const one = state_->open(entry);
    ticket_record& record = state_->tickets.record(one);
    if (of.given) {
        record.given = *of.given;
        record.has_given = true;
    }
    if (state_->closed) {
        record.what = std::move(taken);
        state_->end_blank(one, record, outcome::cancelled, {}, after);
    } else if (!state_->hand_over(one, taken, what, locked, after)) {
        record.forgotten = true;
        state_->end_blank(one, record, outcome::refused, {}, after);
        locked.unlock();
        return ticket::none;
    }
    locked.unlock();
    state_->run(after);
    return one;
}

bool scheduler::begin() {
    state_->require_own_process();
    std::unique_lock locked(state_->lock);
    if (state_->ready.queue.empty()) {
        return false;
    }
    if (!state_->is_a_callers_own()) {
        state_->wake_batch_thread(false);
        return false;
    }
    state_->score_here(locked);
    return true;
}

std::future<ticket_result> scheduler::submit_future(problem const& of, submission what) {
    auto promise = std::make_shared<std::promise<ticket_result>>();
    std::future<ticket_result> future = promise->get_future();
    std::size_t const rows = what.texts.size();
    what.on_done = [promise](ticket, ticket_result&& result) { promise->set_value(std::move(result)); };
    if (submit(of, what) == ticket::none) {
        promise->set_value(blank_result(outcome::refused, of.spec.task, std::int64_t(rows), {}));
    }
    return future;
}

}  // namespace optgap
