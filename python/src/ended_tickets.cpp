// Ended tickets on their way to Python.

#include "python/src/ended_tickets.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <unordered_map>

#include "host/row_advantages.hpp"
#include "python/src/baselines.hpp"
#include "python/src/score.hpp"

namespace optgap::python {
namespace {

template <class T>
void append(std::vector<T>& to, std::span<T const> rows) {
    to.insert(to.end(), rows.begin(), rows.end());
}

void append(score_batch& to, ticket_result const& from) {
    std::int64_t const first = std::int64_t(to.rows.size());
    append(to.rows, from.rows());
    append(to.verdicts, from.verdicts());
    append(to.parsed, from.parsed());
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
            throw argument_error("length", "this estimator weighs rows by their tokens, and a ticket came without");
        }
        append(lengths, std::span(from.length));
        lengths.resize(lengths.size() + std::size_t(known ? 0 : from.result.size()));
    }
    return lengths;
}

}  // namespace

nb::tuple joined_arrays(engine const& by, std::span<ended_ticket const> tickets, advantage_spec const& advantage,
                        std::span<std::int32_t const> group) {
    score_batch all;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> outcomes, ticket_of, task_of_ticket, task, group_of;
    std::vector<std::string> reasons;
    std::vector<baseline> yardsticks;
    std::unordered_map<problem_id, std::int32_t, problem_id_hash> instances;
    for (std::size_t t = 0; t < tickets.size(); ++t) {
        ended_ticket const& from = tickets[t];
        append(all, from.result);
        std::size_t const rows = all.rows.size();
        std::int32_t const instance = instances.try_emplace(from.of, std::int32_t(instances.size())).first->second;
        offsets.push_back(std::int64_t(rows));
        outcomes.push_back(std::int32_t(from.result.how));
        reasons.push_back(from.result.reason);
        yardsticks.push_back(from.result.yardstick);
        task_of_ticket.push_back(from.of.task);
        ticket_of.resize(rows, std::int32_t(t));
        task.resize(rows, from.of.task);
        group_of.resize(rows, group.empty() ? instance : group[t]);
    }
    std::vector<float> rewards;
    for (reward_row const& row : all.rows) {
        rewards.push_back(row.reward);
    }
    std::vector<std::int32_t> const length =
        reads_lengths(advantage) ? lengths_of(tickets) : std::vector<std::int32_t>();
    all.advantage = row_advantages(by,
                                   {.rewards = rewards,
                                    .rows = all.rows,
                                    .verdicts = all.verdicts,
                                    .task = task,
                                    .group = group_of,
                                    .cohort = task,
                                    .length = length},
                                   advantage);
    nb::tuple const columns =
        score_arrays(std::move(all), {.instance_of = ticket_of, .task = task_of_ticket, .baselines = yardsticks});
    return nb::make_tuple(columns, baseline_arrays(std::move(yardsticks)), to_array(std::move(offsets)),
                          to_array(std::move(outcomes)), reasons);
}

nb::tuple only_row(ticket_result const& of) {
    reward_row const& row = of.rows()[0];
    verdict const& said = of.verdicts()[0];
    text_span const answer = of.parsed()[0].answer;
    row_facts const facts(row, said);
    nb::object const objective = facts.objective == no_objective ? nb::none() : nb::object(nb::int_(facts.objective));
    return nb::make_tuple(row.reward, facts.format, facts.feasible, row.quality, row.raw_ratio, row.normalized,
                          facts.optimal, objective, facts.violation, row.code, said.where, answer.begin, answer.end,
                          of.yardstick.proven(), facts.truncated, outcome_name(of.how), of.reason, of.task);
}

}  // namespace optgap::python
