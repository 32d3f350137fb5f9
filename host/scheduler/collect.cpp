// Ended tickets on their way out.

#include "host/process/trace.hpp"
#include "host/scheduler/state.hpp"
#include "optgap/status.hpp"

namespace optgap {

bool scheduler::state::await(std::span<ticket const> wanted, std::chrono::nanoseconds timeout, collector& me) {
    std::unique_lock locked(lock);
    std::size_t registered = 0;
    auto const let_go = [&] {
        for (ticket const one : wanted.first(registered)) {
            tickets.record(one).collected_by = nullptr;
        }
    };
    for (ticket const one : wanted) {
        ticket_record* const record = tickets.find(one);
        bool const called_back = record != nullptr && record->what && record->what->on_done;
        if (record == nullptr || record->collected_by != nullptr || record->forgotten || called_back) {
            let_go();
            misuse(std::string("collect: a ticket ") + (record == nullptr || record->forgotten
                                                            ? "does not exist, or has been handed out"
                                                        : called_back ? "goes to its callback"
                                                                      : "is being collected already"));
        }
        record->collected_by = &me;
        me.missing += record->at == step::ended ? 0 : 1;
        ++registered;
    }
    auto const ended = [&] { return me.missing == 0; };
    if (timeout > std::chrono::hours(24 * 365)) {
        me.wake.wait(locked, ended);
    } else if (!me.wake.wait_for(locked, timeout, ended)) {
        let_go();
        return false;
    }
    return true;
}

namespace {

std::int32_t kind_of(std::int32_t part) { return part <= program_part ? part : 0; }

char const* what_takes(std::int32_t kind) {
    return kind == program_part     ? "of programs, which collect_programs takes"
           : kind == question_part  ? "a question's, which collect_questions takes"
           : kind == proposals_part ? "of proposals, which collect_proposals takes"
           : kind == rows_part      ? "of rows, which collect_rows takes"
                                    : "of answers, which collect takes";
}

char const* taker_of(std::int32_t kind) {
    return kind == program_part     ? "collect_programs"
           : kind == question_part  ? "collect_questions"
           : kind == proposals_part ? "collect_proposals"
           : kind == rows_part      ? "collect_rows"
                                    : "collect";
}

}  // namespace

void scheduler::state::require_kind(std::span<ticket const> wanted, std::int32_t part) {
    std::lock_guard const locked(lock);
    for (ticket const one : wanted) {
        ticket_record const* const record = tickets.find(one);
        if (record != nullptr && kind_of(record->of.part) != part) {
            misuse(std::string(taker_of(part)) + ": a ticket is " + what_takes(kind_of(record->of.part)));
        }
    }
}

std::vector<ended_ticket> scheduler::state::results_of(std::span<ticket const> ended) {
    std::lock_guard const locked(lock);
    std::vector<ended_ticket> found;
    found.reserve(ended.size());
    for (ticket const one : ended) {
        ticket_record const& record = tickets.record(one);
        found.push_back({record.result, record.of, record.length});
    }
    return found;
}

void scheduler::state::hand_out(std::span<ticket const> ended, bool for_good) {
    std::lock_guard const locked(lock);
    for (ticket const one : ended) {
        tickets.record(one).collected_by = nullptr;
        if (for_good) {
            tickets.close(one);
        }
    }
}

std::optional<collected_batch> scheduler::collect(std::span<ticket const> tickets, std::chrono::nanoseconds timeout,
                                                  collect_options const& options) {
    trace::range const here(trace::name::collect);
    state_->require_own_process();
    if (!options.group.empty() && options.group.size() != tickets.size()) {
        misuse("group: expected one entry per ticket (" + std::to_string(tickets.size()) + "), got " +
               std::to_string(options.group.size()));
    }
    state_->require_kind(tickets, 0);
    collector me;
    if (!state_->await(tickets, timeout, me)) {
        return std::nullopt;
    }
    collected_batch out;
    try {
        out = join(state_->by, state_->results_of(tickets), options);
    } catch (...) {
        state_->hand_out(tickets, false);
        throw;
    }
    state_->hand_out(tickets, true);
    return out;
}

std::optional<ticket_result> scheduler::collect(ticket one, std::chrono::nanoseconds timeout) {
    trace::range const here(trace::name::collect);
    state_->require_own_process();
    collector me;
    std::span<ticket const> const only(&one, 1);
    if (!state_->await(only, timeout, me)) {
        return std::nullopt;
    }
    ticket_result result = std::move(state_->results_of(only)[0].result);
    state_->hand_out(only, true);
    return result;
}

}  // namespace optgap
