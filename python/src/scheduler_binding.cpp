// optgap._native.Scheduler and what an event loop needs beside it.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/src/scheduler.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {

void bind_scheduler(nb::module_& m) {
    using numbers = std::vector<std::int32_t>;
    using text = std::optional<std::string>;
    auto const notes = [](numbers& finish, numbers& length, numbers& format_of, text& reward, double seconds,
                          bool held) {
        return completion_notes{std::move(finish), std::move(length), std::move(format_of),
                                std::move(reward), seconds,           held};
    };
    nb::class_<bound_queue>(m, "CompletionQueue").def(nb::init<>()).def("fileno", [](bound_queue const& self) {
        return self.queue->fd();
    });
    nb::class_<bound_problem>(m, "Problem")
        .def(
            "__init__",
            [](bound_problem* self, std::int32_t task, std::int32_t level, std::int32_t part, std::uint64_t seed,
               std::optional<int32_in> const& words, nb::handle baseline) {
                instance_spec const spec{task, {level}, words ? split::train : split_of(part), seed};
                new (self) bound_problem(spec, span_of(words), baseline);
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
    nb::class_<ended_sample>(m, "Ended")
        .def("row", &ended_sample::row, nb::lock_self())
        .def("columns", &ended_sample::columns, nb::lock_self())
        .def("program_columns", &ended_sample::program_columns, nb::lock_self());
    nb::class_<bound_scheduler>(m, "Scheduler", nb::is_weak_referenceable())
        .def("issue", &bound_scheduler::issue, nb::lock_self())
        .def(
            "submit",
            [notes](bound_scheduler& self, ticket_array const& tickets, nb::handle texts, numbers finish,
                    numbers length, numbers format_of, text reward, double seconds) {
                return self.submit(tickets, texts, notes(finish, length, format_of, reward, seconds, false));
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::lock_self())
        .def(
            "send",
            [notes](bound_scheduler& self, bound_queue const& queue, std::uint64_t one, nb::handle texts,
                    numbers finish, numbers length, numbers format_of, text reward, double seconds, bool held) {
                return self.send(queue, one, texts, notes(finish, length, format_of, reward, seconds, held));
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
            nb::lock_self())
        .def(
            "send_to",
            [notes](bound_scheduler& self, bound_queue const& queue, bound_problem const& of, nb::handle texts,
                    numbers finish, numbers length, numbers format_of, text reward, double seconds, bool held) {
                return self.send_to(queue, of, texts, notes(finish, length, format_of, reward, seconds, held));
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
            nb::lock_self())
        .def("issue_programs", &bound_scheduler::issue_programs, nb::lock_self())
        .def(
            "send_program",
            [notes](bound_scheduler& self, bound_queue const& queue, bound_program_problem const& of, nb::handle texts,
                    numbers finish, numbers length, text reward, double seconds) {
                numbers formats;  // the problem says it
                return self.send_program(queue, of, texts, notes(finish, length, formats, reward, seconds, false));
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::lock_self())
        .def("collect_programs", &bound_scheduler::collect_programs, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::lock_self())
        .def("pose", &bound_scheduler::pose, nb::lock_self())
        .def("collect_questions", &bound_scheduler::collect_questions, nb::lock_self())
        .def("propose", &bound_scheduler::propose, nb::lock_self())
        .def("collect_proposals", &bound_scheduler::collect_proposals, nb::lock_self())
        .def("submit_row", &bound_scheduler::submit_row, nb::arg(), nb::arg().none(), nb::arg(), nb::lock_self())
        .def("collect_rows", &bound_scheduler::collect_rows, nb::lock_self())
        .def("has_ended", &bound_scheduler::has_ended, nb::lock_self())
        .def("begin", &bound_scheduler::begin, nb::lock_self())
        .def("take", &bound_scheduler::take, nb::lock_self())
        .def("collect", &bound_scheduler::collect, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::lock_self())
        .def("cancel", &bound_scheduler::cancel, nb::lock_self())
        .def("forget", &bound_scheduler::forget, nb::lock_self())
        .def("shutdown", &bound_scheduler::shutdown, nb::lock_self())
        .def("close", &bound_scheduler::close, nb::lock_self())
        .def("statistics", &bound_scheduler::statistics, nb::lock_self());
}

}  // namespace optgap::python
