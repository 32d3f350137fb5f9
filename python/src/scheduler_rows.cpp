// Rows of JSON of every kind, from Python.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/src/scheduler.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

std::uint64_t bound_scheduler::submit_row(nb::bytes const& row, nb::handle completions, double seconds) {
    call const here(*this);
    std::optional<submitted_texts> held;
    if (!completions.is_none()) {
        held.emplace(completions, "completion", by_->threads(), *bin_);
    }
    std::string_view const text(row.c_str(), row.size());
    submission what;
    what.deadline = in_seconds(seconds);
    std::uint64_t one = 0;
    {
        released_gil const released;
        if (held) {
            what.texts = held->views();
        }
        one = std::uint64_t(scheduler_->submit_row(text, what));
    }
    if (one != 0) {
        note& own = notes_[one];
        own.of.task = -1;
        own.rows = true;
    }
    bin_->empty();
    return one;
}

nb::object bound_scheduler::collect_rows(ticket_array const& tickets, double seconds) {
    call const here(*this);
    std::optional<std::vector<ended_ticket>> const ended = ended_of(tickets, seconds, std::nullopt, kind::rows);
    if (!ended) {
        return nb::none();
    }
    collected_rows found;
    {
        released_gil const released;
        found = scheduler_->join_rows(*ended);
    }
    nb::list rows, reasons, remarks;
    for (std::string const& row : found.rows) {
        rows.append(nb::bytes(row.data(), row.size()));
    }
    std::vector<std::int32_t> outcomes;
    for (std::size_t t = 0; t < found.outcomes.size(); ++t) {
        outcomes.push_back(std::int32_t(found.outcomes[t]));
        reasons.append(found.reasons[t]);
    }
    for (std::string const& remark : found.remarks) {
        remarks.append(remark);
    }
    drop_notes(tickets);
    return nb::make_tuple(rows, to_array(std::move(found.offsets)), to_array(std::move(outcomes)), reasons, remarks);
}

}  // namespace optgap::python
