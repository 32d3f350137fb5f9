// How tickets end: by rows, by a deadline, cancelled or failed; and who is notified.

#include <algorithm>
#include <limits>

#include "host/scheduler/completion_queue.hpp"
#include "host/scheduler/state.hpp"

namespace optgap {

char const* outcome_name(outcome how) {
    constexpr char const* names[] = {"scored", "expired", "cancelled", "failed", "refused"};
    return names[std::size_t(how)];
}

bool ticket_result::beaten(std::int64_t row) const {
    return batch_ && std::binary_search(batch_->beaten.begin(), batch_->beaten.end(), first_ + row);
}

ticket_result blank_result(outcome how, std::int32_t task, std::int64_t count, std::string reason) {
    auto rows = std::make_shared<grade_batch>();
    reward_row none;
    none.reward = std::numeric_limits<float>::quiet_NaN();
    none.code = -1;
    verdict unread;
    unread.code = -1;
    rows->rows.assign(std::size_t(count), none);
    rows->verdicts.assign(std::size_t(count), unread);
    rows->parsed.resize(std::size_t(count));
    rows->format_codes.resize(std::size_t(count));
    rows->answers.offsets.resize(std::size_t(count) + 1);
    ticket_result result(std::move(rows), 0, count);
    result.how = how;
    result.task = task;
    result.reason = std::move(reason);
    return result;
}

void afterwards::tell(std::shared_ptr<completion_queue> queue, ticket of) {
    auto const found =
        std::find_if(notified.begin(), notified.end(), [&](auto const& known) { return known.first == queue; });
    if (found != notified.end()) {
        found->second.push_back(of);
    } else {
        notified.emplace_back(std::move(queue), std::vector<ticket>{of});
    }
}

void scheduler::state::end(ticket one, ticket_record& record, ticket_result result, afterwards& after) {
    std::size_t const how = std::size_t(result.how);
    std::shared_ptr<answer_group> const group = std::move(record.group);
    std::int32_t const place = record.place;
    if (group != nullptr && place < 0) {
        group->over = true;
        drop_answers(*group, result.how, result.reason, after);
    } else if (group != nullptr) {
        group->add(place, result);
    }
    std::unique_ptr<payload> what = std::move(record.what);
    std::int64_t const rows = what ? what->rows() : 0;
    ++count.ended_tickets[how];
    count.ended_rows[how] += rows;
    if (record.deadline != time_point::max()) {
        deadlines.erase({record.deadline, one});
    }
    bool const had_room = what && record.at >= step::waiting;
    if (record.at == step::blocked) {
        room.waiting.remove(record.room);
        record.room->over = true;
        record.room->wake.notify_one();
        record.room = nullptr;
    } else if (record.at == step::waiting) {
        waiting_rows -= rows;
        std::erase(record.entry->waiting, one);
    } else if (record.at == step::ready) {
        ready.leave(rows, what->bytes);
    } else if (record.at == step::queued) {
        --programs.waiting;
        programs.waiting_runs -= record.job->runs(rows);
    } else if (record.at == step::executing || record.at == step::executed) {
        --programs.executing;
    } else if (record.at == step::in_line) {
        proposals.leave(one, record.proposals->by.get());
    }
    if (record.proposals != nullptr) {
        after.checked.push_back(std::move(record.proposals));
    }
    if (record.of_rows != nullptr) {
        result.of_rows = record.of_rows;
        after.rows.push_back(std::move(record.of_rows));
    }
    std::shared_ptr<program_job> const job = std::move(record.job);
    if (job != nullptr) {
        for (problem_entry* const entry : job->entries) {
            if (entry != nullptr) {
                std::erase(entry->waiting, one);
            }
        }
        unpin(*job);
    } else if (record.entry != nullptr) {
        problems.unpin(*record.entry);
    }
    record.entry = nullptr;
    record.at = step::ended;
    --unended;
    if (what) {
        times.total.add(std::chrono::steady_clock::now() - record.submitted);
    }
    if (record.forgotten) {
        tickets.close(one);
    } else if (what && what->on_done) {
        after.calls.push_back({one, std::move(result), std::move(what->on_done)});
        tickets.close(one);
    } else {
        record.result = std::move(result);
        if (what) {
            // A program that is killed still borrows it.
            record.length = job != nullptr ? what->length : std::move(what->length);
        }
        if (record.collected_by != nullptr && --record.collected_by->missing == 0) {
            record.collected_by->wake.notify_one();
        }
        if (what && what->notify) {
            after.tell(std::move(what->notify), one);
        }
    }
    if (what) {
        std::int64_t const bytes = what->bytes;
        if (job != nullptr) {
            job->kept = std::move(what);
        } else {
            after.released.push_back(std::move(what));
        }
        if (had_room) {
            release_room(rows, bytes, after);
        }
    }
    if (job != nullptr) {
        after.stopped.push_back(job);
    }
    if (group != nullptr && place >= 0) {
        answer_ended(*group, after);
    }
    if (unended == 0) {
        all_ended.notify_all();
    }
}

void scheduler::state::end_blank(ticket one, ticket_record& record, outcome how, std::string reason,
                                 afterwards& after) {
    std::int64_t const rows = record.what ? record.what->rows() : 0;
    end(one, record,
        record.job != nullptr ? blank_programs(how, *record.job->of, rows, std::move(reason))
                              : blank_result(how, record.of.task, rows, std::move(reason)),
        after);
}

void scheduler::state::expire(time_point now, afterwards& after) {
    while (!deadlines.empty() && deadlines.begin()->first <= now) {
        ticket const one = deadlines.begin()->second;
        end_blank(one, *tickets.find(one), outcome::expired, {}, after);
    }
}

void scheduler::state::run(afterwards& after) {
    for (std::shared_ptr<program_job> const& one : after.stopped) {
        one->stop.request_stop();
    }
    for (std::shared_ptr<row_job> const& one : after.rows) {
        one->over = true;
        one->stop.request_stop();
    }
    std::int64_t failures = 0;
    for (auto& [queue, ended] : after.notified) {
        completion_queue::state& to = *queue->state_;
        to.push(ended);
    }
    for (afterwards::call& call : after.calls) {
        try {
            call.on_done(call.of, std::move(call.result));
        } catch (...) {
            ++failures;
        }
    }
    after.calls.clear();
    after.notified.clear();
    after.released.clear();
    after.stopped.clear();
    after.checked.clear();
    after.rows.clear();
    if (failures > 0) {
        std::lock_guard const locked(lock);
        count.callback_failures += failures;
    }
}

}  // namespace optgap
