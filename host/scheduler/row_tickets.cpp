// Tickets of rows of JSON: in, their end, and out as one run.

#include <utility>

#include "host/process/trace.hpp"
#include "host/scheduler/state.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

/// The row with each text as its `completion`.
std::vector<std::string> lines_of(std::string_view row, std::span<std::string_view const> texts) {
    json_row object;
    std::string rule;
    if (texts.empty()) {
        return {std::string(row)};
    }
    if (!object.split(row, rule)) {
        return std::vector<std::string>(texts.size(), std::string(row));  // rejected, whatever its completion
    }
    constexpr std::string_view dropped[] = {"completion"};
    std::vector<std::string> lines(texts.size());
    for (std::size_t k = 0; k < texts.size(); ++k) {
        row_writer writer(lines[k], &object, dropped);
        writer.text("completion", texts[k]);
        writer.finish();
        lines[k].pop_back();  // the line's end
    }
    return lines;
}

std::string lost_by(ticket_result const& ended) {
    switch (ended.how) {
        case outcome::scored: return {};
        case outcome::expired: return "its deadline passed before it was graded";
        case outcome::failed: return ended.reason.empty() ? "failed" : ended.reason;
        default: return "was cancelled";
    }
}

}  // namespace

void scheduler::state::enter_rows(ticket one, ticket_record& record, afterwards& after) {
    record.at = step::grading;
    try {
        row_work.push(one, record.of_rows);
    } catch (std::system_error const&) {
        end_blank(one, record, outcome::failed, "no thread can be started that grades rows", after);
    }
}

void scheduler::state::end_rows(std::span<row_lines::ended_job const> ended) {
    afterwards after;
    std::unique_lock locked(lock);
    for (row_lines::ended_job const& one : ended) {
        ticket_record* const record = tickets.find(one.of);
        if (record == nullptr || record->of_rows != one.job) {
            continue;  // ended meanwhile
        }
        if (one.failure.empty()) {
            end(one.of, *record, blank_result(outcome::scored, -1, record->what->rows(), {}), after);
        } else {
            end_blank(one.of, *record, outcome::failed, one.failure, after);
        }
    }
    locked.unlock();
    run(after);
}

ticket scheduler::submit_row(std::string_view row, submission const& what) {
    trace::range const here(trace::name::submit);
    state& own = *state_;
    own.require_own_process();
    if (!what.finished.empty() || !what.length.empty() || !what.format_of.empty() || what.rule != nullptr) {
        misuse("submit_row: finished, length, format_of and rule are columns and options of rows, expected none");
    }
    if (what.on_done) {
        misuse("submit_row: on_done is of tickets that are scored alone; expected notify, and collect_rows");
    }
    std::shared_ptr<row_job> const job = own.row_work.job_of(lines_of(row, what.texts));
    std::vector<std::string_view> lines;
    for (rows::ahead_row const& one : job->rows) {
        lines.push_back(*one.line);
    }
    submission mine = what;
    mine.texts = lines;
    mine.owner = job;
    return own.submit_unasked("submit_row", rows_part, mine, [&](ticket_record& record) { record.of_rows = job; });
}

std::optional<collected_rows> scheduler::collect_rows(std::span<ticket const> tickets,
                                                      std::chrono::nanoseconds timeout) {
    trace::range const here(trace::name::collect);
    state_->require_own_process();
    state_->require_kind(tickets, rows_part);
    collector me;
    if (!state_->await(tickets, timeout, me)) {
        return std::nullopt;
    }
    collected_rows out;
    try {
        out = join_rows(state_->results_of(tickets));
    } catch (...) {
        state_->hand_out(tickets, false);
        throw;
    }
    state_->hand_out(tickets, true);
    return out;
}

collected_rows scheduler::join_rows(std::span<ended_ticket const> tickets) {
    state_->require_own_process();
    std::vector<row_lines::collected_job> jobs;
    for (ended_ticket const& each : tickets) {
        if (each.result.of_rows == nullptr) {
            misuse("join_rows: a ticket is not of rows");
        }
        jobs.push_back({each.result.of_rows, lost_by(each.result)});
    }
    collected_rows out = state_->row_work.join(jobs);
    for (ended_ticket const& each : tickets) {
        out.outcomes.push_back(each.result.how);
        out.reasons.push_back(each.result.reason);
    }
    return out;
}

}  // namespace optgap
