// Ended tickets on their way out.

#include <unordered_map>

#include "host/row_advantages.hpp"
#include "host/scheduler/state.hpp"
#include "host/trace.hpp"

namespace optgap {

namespace {

[[noreturn]] void misuse(std::string const& sentence) { throw error(status::invalid_argument, sentence); }

template <class T>
void append(std::vector<T>& to, std::span<T const> rows) {
    to.insert(to.end(), rows.begin(), rows.end());
}

void append(score_batch& to, ticket_result const& from) {
    std::int64_t const first = std::int64_t(to.rows.size());
    append(to.rows, from.rows());
    append(to.verdicts, from.verdicts());
    append(to.parsed, from.parsed());
    append(to.format_codes, from.format_codes());
    for (std::int64_t r = 0; r < from.size(); ++r) {
        to.answers.append(from.answer(r));
        if (from.beaten(r)) {
            to.beaten.push_back(first + r);
        }
    }
}

std::vector<float> advantages_of(engine const& by, std::span<handed_out const> from, score_batch const& scores,
                                 collect_options const& options) {
    std::vector<std::int32_t> task, group, length;
    std::unordered_map<problem_id, std::int32_t, problem_id_hash> instances;
    for (std::size_t t = 0; t < from.size(); ++t) {
        std::int32_t const own = instances.try_emplace(from[t].of, std::int32_t(instances.size())).first->second;
        std::size_t const rows = task.size() + std::size_t(from[t].result.size());
        task.resize(rows, from[t].of.task);
        group.resize(rows, options.group.empty() ? own : options.group[t]);
        if (reads_lengths(options.advantage)) {
            // Only rows that were scored take part in sums over lengths.
            bool const known = std::int64_t(from[t].length.size()) == from[t].result.size();
            if (!known && from[t].result.how == outcome::scored) {
                misuse("length: this estimator weighs rows by their tokens, and a ticket was submitted without");
            }
            length.insert(length.end(), from[t].length.begin(), from[t].length.end());
            length.resize(rows, 0);
        }
    }
    std::vector<float> rewards;
    for (reward_row const& row : scores.rows) {
        rewards.push_back(row.reward);
    }
    return row_advantages(by,
                          {.rewards = rewards,
                           .rows = scores.rows,
                           .verdicts = scores.verdicts,
                           .task = task,
                           .group = group,
                           .cohort = task,
                           .length = length},
                          options.advantage);
}

}  // namespace

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

std::vector<handed_out> scheduler::state::results_of(std::span<ticket const> ended) {
    std::lock_guard const locked(lock);
    std::vector<handed_out> found;
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
    collector me;
    if (!state_->await(tickets, timeout, me)) {
        return std::nullopt;
    }
    collected_batch out;
    try {
        std::vector<handed_out> const from = state_->results_of(tickets);
        out.offsets.push_back(0);
        for (handed_out const& each : from) {
            append(out.scores, each.result);
            out.offsets.push_back(std::int64_t(out.scores.rows.size()));
            out.outcomes.push_back(each.result.how);
            out.reasons.push_back(each.result.reason);
        }
        out.scores.advantage = advantages_of(state_->by, from, out.scores, options);
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
