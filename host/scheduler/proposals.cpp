// Proposals: completions that wait for their checker, which sees them in their order on the threads for proofs.

#include <algorithm>
#include <iterator>
#include <utility>

#include "host/process/trace.hpp"
#include "host/scheduler/state.hpp"
#include "optgap/status.hpp"

namespace optgap {

void scheduler::state::enter_line(ticket one, ticket_record& record) {
    record.at = step::in_line;
    if (proposals.enter(one, record.proposals->by.get())) {
        jobs.notify_one();
    }
}

void scheduler::state::check_next(std::unique_lock<std::mutex>& locked, afterwards& after) {
    ticket const one = proposals.begin_turn();
    ticket_record& record = tickets.record(one);
    std::shared_ptr<proposal_job> const job = record.proposals;
    proposal_checker const* const checker = job->by.get();
    auto const start = std::chrono::steady_clock::now();
    if (record.at == step::in_line) {
        proposals.begin();
        record.at = step::running;
        times.proposal_queue.add(start - record.submitted);
        if (record.deadline != time_point::max()) {
            deadlines.erase({record.deadline, one});
            record.deadline = time_point::max();
        }
    }
    // One completion at a time: what becomes urgent meanwhile waits for one proof and not for a batch of them, and the
    // engine's pool, which serves several rows for one caller at a time, stays free for those that score.
    std::size_t const row = job->found.rows.size();
    payload const& what = *record.what;
    std::string failure;
    if (row < what.texts.size() && !cancelling) {
        locked.unlock();
        try {
            trace::range const here(trace::name::batch);
            std::span<finish const> const finished(what.finished);
            proposal_batch found = check_completions(*job->by, std::span(what.texts).subspan(row, 1),
                                                     finished.empty() ? finished : finished.subspan(row, 1), job->step);
            std::ranges::move(found.rows, std::back_inserter(job->found.rows));
            std::ranges::move(found.span, std::back_inserter(job->found.span));
        } catch (std::exception const& problem) {
            failure = problem.what();
        } catch (...) {
            failure = "the checker threw what is no std::exception";
        }
        job->spent += std::chrono::steady_clock::now() - start;
        locked.lock();
    }
    bool const is_whole = job->found.rows.size() == what.texts.size();
    if (is_whole || cancelling || !failure.empty()) {
        proposals.end(checker);
        times.check.add(job->spent);
        if (is_whole) {
            count.checked += record.what->rows();
            count.sound += std::ranges::count_if(job->found.rows, &checked_proposal::sound);
            ticket_result result = blank_result(outcome::scored, -1, record.what->rows(), {});
            result.proposals = std::make_shared<proposal_batch const>(std::move(job->found));
            end(one, record, std::move(result), after);
        } else {
            outcome const how = failure.empty() ? outcome::cancelled : outcome::failed;
            end_blank(one, record, how, std::move(failure), after);
        }
    }
    if (proposals.end_turn(checker)) {
        jobs.notify_one();
    }
}

ticket scheduler::propose(std::shared_ptr<proposal_checker> const& by, submission const& what, std::int64_t step) {
    trace::range const here(trace::name::submit);
    state& own = *state_;
    own.require_own_process();
    if (by == nullptr) {
        misuse("propose: expected a checker, got null");
    }
    if (!what.length.empty() || !what.format_of.empty() || what.rule != nullptr) {
        misuse("propose: length, format_of and rule are of completions that are scored, expected none");
    }
    return own.submit_unasked("propose", proposals_part, what, [&](ticket_record& record) {
        record.proposals = std::make_shared<proposal_job>();
        record.proposals->by = by;
        record.proposals->step = step;
    });
}

std::optional<std::vector<ended_proposals>> scheduler::collect_proposals(std::span<ticket const> tickets,
                                                                         std::chrono::nanoseconds timeout) {
    trace::range const here(trace::name::collect);
    state_->require_own_process();
    state_->require_kind(tickets, proposals_part);
    collector me;
    if (!state_->await(tickets, timeout, me)) {
        return std::nullopt;
    }
    std::vector<ended_proposals> out;
    for (ended_ticket const& each : state_->results_of(tickets)) {
        out.push_back({each.result.how, each.result.reason, {}});
        if (each.result.proposals != nullptr) {
            out.back().found = *each.result.proposals;
        }
    }
    state_->hand_out(tickets, true);
    return out;
}

}  // namespace optgap
