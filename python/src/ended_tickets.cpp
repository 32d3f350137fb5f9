// Ended tickets on their way to Python.

#include "python/src/ended_tickets.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/src/programs.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/score.hpp"

namespace optgap::python {

nb::dict joined_columns(engine const& by, std::span<ended_ticket const> tickets, advantage_spec const& advantage,
                        std::span<std::int32_t const> group) {
    collected_batch all = join(by, tickets, {.advantage = advantage, .group = group});
    std::vector<std::int32_t> ticket_of, outcomes;
    for (std::size_t t = 0; t < tickets.size(); ++t) {
        ticket_of.resize(std::size_t(all.offsets[t + 1]), std::int32_t(t));
        outcomes.push_back(std::int32_t(all.outcomes[t]));
    }
    nb::dict columns;
    columns["scores"] =
        score_columns(std::move(all.scores), {.instance_of = ticket_of, .task = all.tasks, .baselines = all.baselines});
    columns["baselines"] = baseline_columns(std::move(all.baselines));
    columns["offsets"] = to_array(std::move(all.offsets));
    columns["outcome"] = to_array(std::move(outcomes));
    columns["reasons"] = all.reasons;
    return columns;
}

nb::dict joined_programs(engine const& by, std::span<ended_ticket const> tickets, advantage_spec const& advantage,
                         std::span<std::int32_t const> group) {
    collected_programs all = join_programs(by, tickets, {.advantage = advantage, .group = group});
    std::vector<std::int32_t> outcomes;
    for (outcome const how : all.outcomes) {
        outcomes.push_back(std::int32_t(how));
    }
    nb::dict columns = program_columns(std::move(all.scores));
    columns["offsets"] = to_array(std::move(all.offsets));
    columns["outcome"] = to_array(std::move(outcomes));
    columns["reasons"] = all.reasons;
    return columns;
}

nb::tuple only_row(ticket_result const& of) {
    reward_row const& row = of.rows()[0];
    verdict const& said = of.verdicts()[0];
    text_span const answer = of.parsed()[0].answer;
    row_facts const facts(row, said);
    nb::object const objective = facts.objective == no_objective ? nb::none() : nb::object(nb::int_(facts.objective));
    return nb::make_tuple(row.reward, facts.format, facts.feasible, row.quality, row.raw_ratio, row.normalized,
                          facts.optimal, row.length_penalty, objective, facts.violation, row.code, said.where,
                          answer.begin, answer.end, of.baseline.proven(), facts.truncated, outcome_name(of.how),
                          of.reason, of.task);
}

}  // namespace optgap::python
