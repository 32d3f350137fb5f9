// Ended tickets, joined on their way out.

#include <unordered_map>

#include "host/program_runs/program_call.hpp"
#include "host/reward/row_advantages.hpp"
#include "host/scheduler/problem_store.hpp"

namespace optgap {

namespace {

template <class T>
void append_rows(std::vector<T>& to, std::span<T const> rows) {
    to.insert(to.end(), rows.begin(), rows.end());
}

void append_rows(score_batch& to, ticket_result const& from) {
    std::int64_t const first = std::int64_t(to.rows.size());
    append_rows(to.rows, from.rows());
    append_rows(to.verdicts, from.verdicts());
    append_rows(to.parsed, from.parsed());
    append_rows(to.format_codes, from.format_codes());
    for (std::int64_t r = 0; r < from.size(); ++r) {
        to.answers.append(from.answer(r));
        if (from.beaten(r)) {
            to.beaten.push_back(first + r);
        }
    }
}

/// Tokens a row. Rows that were not scored take no part in sums over lengths, the others must say theirs.
std::vector<std::int32_t> lengths_of(std::span<ended_ticket const> tickets) {
    std::vector<std::int32_t> lengths;
    for (ended_ticket const& from : tickets) {
        bool const known = std::int64_t(from.length.size()) == from.result.size();
        if (!known && from.result.how == outcome::scored) {
            throw error(status::invalid_argument,
                        "length: this estimator weighs rows by their tokens, and a ticket was submitted without");
        }
        append_rows(lengths, std::span(from.length));
        lengths.resize(lengths.size() + std::size_t(known ? 0 : from.result.size()));
    }
    return lengths;
}

std::vector<float> advantages_of(engine const& by, std::span<ended_ticket const> tickets, score_batch const& scores,
                                 collect_options const& options) {
    std::vector<std::int32_t> task, group;
    std::unordered_map<problem_id, std::int32_t, problem_id_hash> instances;
    for (std::size_t t = 0; t < tickets.size(); ++t) {
        std::int32_t const own = instances.try_emplace(tickets[t].of, std::int32_t(instances.size())).first->second;
        std::size_t const rows = task.size() + std::size_t(tickets[t].result.size());
        task.resize(rows, tickets[t].of.task);
        group.resize(rows, options.group.empty() ? own : options.group[t]);
    }
    std::vector<std::int32_t> const length =
        reads_lengths(options.advantage) ? lengths_of(tickets) : std::vector<std::int32_t>();
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

template <class T>
void append_rows(std::vector<T>& to, std::vector<T> const& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void append_rows(program_batch& to, program_batch const& from) {
    std::int64_t const cells = to.begin.back();
    for (std::size_t r = 1; r < from.begin.size(); ++r) {
        to.begin.push_back(cells + from.begin[r]);
    }
    append_rows(to.rows, from.rows);
    append_rows(to.codes, from.codes);
    append_rows(to.objectives, from.objectives);
    append_rows(to.baselines, from.baselines);
    append_rows(to.valid, from.valid);
    append_rows(to.violation, from.violation);
    append_rows(to.masked, from.masked);
    append_rows(to.task, from.task);
    append_rows(to.span, from.span);
    append_rows(to.hash, from.hash);
    append_rows(to.isolation, from.isolation);
    append_rows(to.trouble, from.trouble);
    to.counts += from.counts;
}

}  // namespace

collected_programs join_programs(engine const& by, std::span<ended_ticket const> tickets,
                                 collect_options const& options) {
    collected_programs out;
    out.offsets.push_back(0);
    std::unordered_map<problem_id, std::int32_t, problem_id_hash> problems;
    std::vector<std::int32_t> group;
    for (std::size_t t = 0; t < tickets.size(); ++t) {
        ended_ticket const& each = tickets[t];
        append_rows(out.scores, *each.result.programs);
        std::int32_t const own = problems.try_emplace(each.of, std::int32_t(problems.size())).first->second;
        group.resize(out.scores.rows.size(), options.group.empty() ? own : options.group[t]);
        out.offsets.push_back(out.scores.size());
        out.outcomes.push_back(each.result.how);
        out.reasons.push_back(each.result.reason);
    }
    std::vector<std::int32_t> const length =
        reads_lengths(options.advantage) ? lengths_of(tickets) : std::vector<std::int32_t>();
    out.scores.advantage = program_runs::program_advantages(by, out.scores, group, length, options.advantage);
    return out;
}

collected_batch join(engine const& by, std::span<ended_ticket const> tickets, collect_options const& options) {
    collected_batch out;
    out.offsets.push_back(0);
    for (ended_ticket const& each : tickets) {
        append_rows(out.scores, each.result);
        out.offsets.push_back(std::int64_t(out.scores.rows.size()));
        out.outcomes.push_back(each.result.how);
        out.reasons.push_back(each.result.reason);
        out.tasks.push_back(each.of.task);
        out.baselines.push_back(each.result.baseline);
    }
    out.scores.advantage = advantages_of(by, tickets, out.scores, options);
    return out;
}

}  // namespace optgap
