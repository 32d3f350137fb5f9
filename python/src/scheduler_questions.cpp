// Questions of a scheduler and their answers, and the proposals that they come from, from Python.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/src/scheduler.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/group_sums.hpp"
#include "python/src/values/lookups.hpp"
#include "python/src/values/score.hpp"

namespace optgap::python {

nb::tuple bound_scheduler::pose(bound_problem const& of, std::int32_t answers, std::int32_t format, double seconds) {
    call const here(*this);
    problem const asked = of.view();
    posed_question made;
    {
        released_gil const released;
        made = scheduler_->pose(asked, answers, in_seconds(seconds));
    }
    std::vector<std::uint64_t> tickets;
    for (ticket const one : made.answers) {
        tickets.push_back(std::uint64_t(one));
        notes_[tickets.back()] = {.of = id_of(asked), .format = format, .length = {}, .result = {}};
    }
    note& own = notes_[std::uint64_t(made.question)];
    own.of.task = asked.spec.task;
    own.question = true;
    return nb::make_tuple(std::uint64_t(made.question), to_array(std::move(tickets)));
}

nb::object bound_scheduler::collect_questions(ticket_array const& tickets, double seconds) {
    call const here(*this);
    std::optional<std::vector<ended_ticket>> const ended = ended_of(tickets, seconds, std::nullopt, kind::questions);
    if (!ended) {
        return nb::none();
    }
    nb::dict out;
    for (auto const& [name, member] : sum_fields) {
        std::vector<std::int64_t> column;
        for (ended_ticket const& each : *ended) {
            group_sums const none;
            column.push_back((each.result.group ? *each.result.group : none).*member);
        }
        out[name] = to_array(std::move(column));
    }
    std::vector<std::int32_t> outcomes;
    nb::list reasons;
    for (ended_ticket const& each : *ended) {
        outcomes.push_back(std::int32_t(each.result.how));
        reasons.append(each.result.reason);
    }
    out["outcome"] = to_array(std::move(outcomes));
    out["reasons"] = reasons;
    drop_notes(tickets);
    return out;
}

std::uint64_t bound_scheduler::propose(bound_checker const& by, nb::handle texts,
                                       std::vector<std::int32_t> const& finish, std::int64_t step, double seconds) {
    call const here(*this);
    submitted_texts const held(texts, "completions", by_->threads(), *bin_);
    std::vector<optgap::finish> const finished = finishes_from(finish);
    std::shared_ptr<proposal_checker> const checker = by.shared();
    submission what;
    what.deadline = in_seconds(seconds);
    std::uint64_t one = 0;
    {
        released_gil const released;
        what.texts = held.views();
        what.finished = finished;
        what.owner = held.owner();
        one = std::uint64_t(scheduler_->propose(checker, what, step));
    }
    if (one != 0) {
        note& own = notes_[one];
        own.of.task = -1;
        own.proposals = true;
    }
    bin_->empty();
    return one;
}

nb::object bound_scheduler::collect_proposals(ticket_array const& tickets, double seconds) {
    call const here(*this);
    std::optional<std::vector<ended_ticket>> const ended = ended_of(tickets, seconds, std::nullopt, kind::proposals);
    if (!ended) {
        return nb::none();
    }
    nb::list out;
    for (ended_ticket const& each : *ended) {
        out.append(nb::make_tuple(
            std::int32_t(each.result.how), each.result.reason,
            checked_columns(each.result.proposals ? proposal_batch(*each.result.proposals) : proposal_batch{})));
    }
    drop_notes(tickets);
    return out;
}

nb::object bound_scheduler::has_ended(ticket_array const& tickets) {
    call const here(*this);
    std::vector<std::uint8_t> out;
    for (std::uint64_t const one : span_of(tickets)) {
        out.push_back(noted(one).result || scheduler_->has_ended(ticket(one)) ? 1 : 0);
    }
    return to_mask(std::move(out));
}

}  // namespace optgap::python
