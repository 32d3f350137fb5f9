// Questions: tickets that end when the tickets of all their answers have ended.

#include "host/process/trace.hpp"
#include "host/scheduler/state.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

constexpr std::int32_t max_answers = 1 << 20;

}  // namespace

void answer_group::add(std::int32_t place, ticket_result const& result) {
    --open;
    if (result.how != outcome::scored) {
        if (lost < 0 || place < lost) {
            lost = place;
            how = result.how;
            reason = result.reason;
        }
        return;
    }
    for (std::int64_t r = 0; r < result.size(); ++r) {
        reward_row const& row = result.rows()[std::size_t(r)];
        row_facts const facts(row, result.verdicts()[std::size_t(r)]);
        sums.add(facts.feasible, facts.optimal, double(row.normalized));
    }
}

void scheduler::state::drop_answers(answer_group& group, outcome how, std::string const& reason, afterwards& after) {
    for (ticket const one : group.answers) {
        ticket_record* const record = tickets.find(one);
        if (record != nullptr && record->at == step::issued) {
            end_blank(one, *record, how, reason, after);
        }
    }
}

void scheduler::state::answer_ended(answer_group& group, afterwards& after) {
    if (group.open > 0 || group.over) {
        return;
    }
    ticket_record& record = tickets.record(group.question);
    ticket_result result = blank_result(group.how, record.of.task, 0, group.reason);
    if (group.lost < 0) {
        result.group = std::make_shared<group_sums const>(group.sums);
    }
    end(group.question, record, std::move(result), after);
}

posed_question scheduler::pose(problem const& of, std::int32_t answers,
                               std::chrono::steady_clock::time_point deadline) {
    trace::range const here(trace::name::issue);
    state& own = *state_;
    own.require_own_process();
    own.require(of.spec);
    if (answers < 1 || answers > max_answers) {
        misuse("answers: expected 1 to 2^20, got " + std::to_string(answers));
    }
    problem_id const id = id_of(of);
    afterwards after;
    std::unique_lock locked(own.lock);
    if (own.closed) {
        misuse("pose: the scheduler is shut down");
    }
    if (own.tickets.open_count() + answers + 1 > own.options.open_tickets) {
        ++own.count.refused;
        throw error(status::out_of_memory, "pose: " + std::to_string(answers + 1) + " more tickets than the " +
                                               std::to_string(own.options.open_tickets) +
                                               " that may be open; collect or forget some");
    }
    problem_entry& entry = own.problems.pin(id, of.spec, !of.given);
    own.bring(entry, of, locked);
    auto const group = std::make_shared<answer_group>();
    group->open = answers;
    group->question = own.tickets.open();
    ++own.unended;
    ++own.count.issued;
    ticket_record& question = own.tickets.record(group->question);
    question.at = step::posed;
    question.of = {.task = of.spec.task, .part = question_part, .low = std::uint64_t(group->question)};
    question.group = group;
    for (std::int32_t a = 0; a < answers; ++a) {
        own.problems.pin(entry);
        group->answers.push_back(own.open(entry));
        ticket_record& record = own.tickets.record(group->answers.back());
        record.group = group;
        record.place = a;
        record.has_given = of.given.has_value();
        record.given = of.given.value_or(baseline{});
        ++own.count.issued;
    }
    own.want(entry, !of.given, false);
    own.problems.unpin(entry);
    posed_question const out{group->question, group->answers};
    if (own.closed) {  // while the words were checked
        own.end_blank(group->question, question, outcome::cancelled, {}, after);
    } else if (deadline != time_point::max()) {
        question.deadline = deadline;
        own.deadlines.emplace(deadline, group->question);
        own.wake_batch_thread(true);
    }
    locked.unlock();
    own.run(after);
    return out;
}

std::optional<std::vector<ended_question>> scheduler::collect_questions(std::span<ticket const> tickets,
                                                                        std::chrono::nanoseconds timeout) {
    trace::range const here(trace::name::collect);
    state_->require_own_process();
    state_->require_kind(tickets, question_part);
    collector me;
    if (!state_->await(tickets, timeout, me)) {
        return std::nullopt;
    }
    std::vector<ended_question> out;
    for (ended_ticket const& each : state_->results_of(tickets)) {
        ticket_result const& result = each.result;
        out.push_back({result.how, result.reason, result.group ? *result.group : group_sums{}});
    }
    state_->hand_out(tickets, true);
    return out;
}

bool scheduler::has_ended(ticket one) const {
    state_->require_own_process();
    std::lock_guard const locked(state_->lock);
    ticket_record const* const record = state_->tickets.find(one);
    return record != nullptr && record->at == step::ended;
}

}  // namespace optgap
