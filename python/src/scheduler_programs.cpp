// Tickets of programs, from Python.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/src/scheduler.hpp"
#include "python/src/values/score.hpp"

namespace optgap::python {

nb::tuple bound_scheduler::issue_programs(nb::list const& problems, std::int32_t style) {
    call const here(*this);
    std::vector<std::shared_ptr<program_problem const>> asked;
    for (nb::handle const one : problems) {
        asked.push_back(nb::cast<bound_program_problem const&>(one).of);
    }
    issued_batch made;
    {
        released_gil const released;
        made = scheduler_->issue(asked, style);
    }
    std::vector<std::uint64_t> tickets;
    for (std::size_t r = 0; r < asked.size(); ++r) {
        tickets.push_back(std::uint64_t(made.tickets[r]));
        notes_[tickets.back()] = {.of = id_of(*asked[r]), .format = -1, .length = {}, .result = {}};
    }
    return nb::make_tuple(made.prompts, made.keys, to_array(std::move(tickets)));
}

std::uint64_t bound_scheduler::send_program(bound_queue const& queue, bound_program_problem const& of, nb::handle texts,
                                            completion_notes const& notes) {
    call const here(*this);
    submitted_texts const held(texts, "texts", by_->threads(), *bin_);
    std::vector<finish> const finished = finishes_from(notes.finish);
    submission what = submission_of(notes);
    what.texts = held.views();
    what.finished = finished;
    what.length = notes.length;
    what.owner = held.owner();
    what.notify = queue.queue;
    what.may_wait = false;
    std::uint64_t const one = std::uint64_t(scheduler_->submit(of.of, what));
    if (one != 0) {
        notes_[one] = {.of = id_of(*of.of), .format = -1, .length = {}, .result = {}};
    }
    return one;
}

nb::object bound_scheduler::collect_programs(ticket_array const& tickets, double seconds, std::string_view advantage,
                                             std::optional<int32_in> const& group) {
    call const here(*this);
    advantage_spec const wanted = parse_advantage_spec(advantage);
    std::optional<std::vector<ended_ticket>> const ended = ended_of(tickets, seconds, group, kind::programs);
    if (!ended) {
        return nb::none();
    }
    nb::object out = joined_programs(*by_, *ended, wanted, span_of(group));
    drop_notes(tickets);
    return out;
}

nb::dict ended_sample::program_columns(std::string_view advantage, std::vector<std::int32_t> length) {
    of_.length = std::move(length);
    return joined_programs(*by_, std::span(&of_, 1), parse_advantage_spec(advantage), {});
}

}  // namespace optgap::python
