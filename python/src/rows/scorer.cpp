// Rows of any kind, as dicts. What is read goes over as JSON, of which every kind reads what it needs.

#include "python/src/rows/scorer.hpp"

#include <algorithm>
#include <utility>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "host/process/python_place.hpp"
#include "host/process/run_while.hpp"
#include "host/rows/program/sandboxes.hpp"
#include "host/rows/score_options.hpp"
#include "optgap/status.hpp"
#include "python/src/rows/dict_sink.hpp"
#include "python/src/rows/json_rows.hpp"
#include "python/src/values/errors.hpp"
#include "python/src/values/interpreter_lock.hpp"

namespace optgap::python {
namespace {

using rows::row_item;

/// `step(item)` of each row.
template <class Step>
void each_item(nb::handle given, Step const& step) {
    json_rows rows;
    for (nb::handle const row : given) {
        static_cast<void>(rows.add(row));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        row_item item;
        rows.take(i, item);
        step(std::as_const(item));
    }
}

}  // namespace

bound_scorer::bound_scorer(std::shared_ptr<engine const> by, std::string const& options,
                           bound_baseline_source const& baselines, bound_program_runner const* runner)
    : by_(std::move(by)),
      runner_(runner == nullptr ? nullptr : runner->shared()),
      runner_ends_(runner == nullptr ? std::stop_token() : runner->ends()),
      inner_(*by_, rows::parse_score_options(options), {"", baselines.hash()}, baselines.shared(),
             {.shared = runner == nullptr ? nullptr : rows::services_with(*runner->shared())}) {}

void bound_scorer::close() {
    released_gil const released;
    stop_.request_stop();
    std::lock_guard const ended(turn_);
}

void bound_scorer::work_on(std::span<row_item> items, held_turn& turn, std::function<void()> const& read,
                           std::function<void(std::stop_token const&)> const& work) {
    bool interrupted = false;
    {
        released_gil const released;
        read();
        // Whoever waits for its turn has given the GIL back, so that the one whose turn it is gets it again.
        turn.take();
        if (stop_.stop_requested()) {
            misuse("the scorer is closed");
        }
        if (!inner_.leaves_process(items)) {
            work({});
            return;
        }
        if (runner_ends_.stop_requested()) {
            misuse("the program runner is closed");
        }
        std::stop_source stop;
        auto const pass_on = [&] { stop.request_stop(); };
        std::stop_callback const closed(stop_.get_token(), pass_on);
        std::stop_callback const ended(runner_ends_, pass_on);
        auto const goes_on = [] {
            held_gil const held;
            return PyErr_CheckSignals() == 0;
        };
        interrupted = !run_while(goes_on, stop, [&] { work(stop.get_token()); });
    }
    if (interrupted) {
        throw nb::python_error();  // takes what the handler raised
    }
}

nb::list bound_scorer::score(nb::handle given) {
    json_rows texts(completions::beside, usual_bytes_);
    std::vector<nb::object> sources;
    for (nb::handle const row : given) {
        sources.push_back(texts.add(row));
    }
    usual_bytes_ = std::min(texts.bytes() + texts.bytes() / 8, std::size_t(1) << 26);
    std::vector<row_item> items(texts.size());
    rows::graded_run run;
    auto const read = [&] {
        for (std::size_t i = 0; i < items.size(); ++i) {
            texts.take(i, items[i]);
        }
    };
    held_turn turn{turn_};
    work_on(items, turn, read, [&](std::stop_token const& stop) {
        run = inner_.run(items, {}, stop);
        last_ = run.report;
    });
    nb::list out;
    dict_sink sink;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].sound()) {
            sink.begin(sources[i], inner_.columns(run.rows[i]), items[i].has_old_error);
            inner_.write(sink, run.rows[i], run.advantages[i], run.groups.keep[i] != 0);
            out.append(sink.finish());
            continue;
        }
        nb::dict row = nb::steal<nb::dict>(PyDict_Copy(sources[i].ptr()));
        if (!items[i].has_old_error) {
            nb::dict why;
            why["row"] = items[i].number;
            why["field"] = items[i].field;
            why["rule"] = items[i].rule;
            row["error"] = why;
        }
        out.append(row);
    }
    return out;
}

nb::list bound_scorer::kinds(nb::handle given) {
    nb::list out;
    each_item(given, [&](row_item const& item) {
        rows::row_kind const* const kind = item.sound() ? inner_.claimed_by(item.row) : nullptr;
        out.append(kind == nullptr ? std::string_view() : kind->info().name);
    });
    return out;
}

nb::list bound_scorer::problems(nb::handle given) {
    nb::list out;
    each_item(given, [&](row_item const& item) {
        try {
            if (!item.sound()) {
                throw field_error(item.field, item.rule);
            }
            auto const [kind, problem] = inner_.problem_of(item.row);
            out.append(nb::make_tuple(kind->info().name, problem.name, problem.task, problem.level));
        } catch (field_error const& broken) {
            throw argument_error(broken.field(), broken.rule());
        }
    });
    return out;
}

template <class Work>
nb::object bound_scorer::text_of(nb::handle row, Work const& work) {
    json_rows rows;
    static_cast<void>(rows.add(row));
    std::string text;
    held_turn turn{turn_};
    {
        released_gil const released;
        turn.take();
        row_item item;
        rows.take(0, item);
        text = work(item);
    }
    return nb::steal(PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "replace"));
}

nb::object bound_scorer::explain(nb::handle row, std::int32_t instance) {
    return text_of(row, [&](row_item& item) {
        return rows::explanation_text(inner_.explain({&item, 1}, 0, instance), 1, rows::painter(false));
    });
}

nb::object bound_scorer::feedback(nb::handle row, std::string const& level) {
    feedback_level const wanted = rows::feedback_level_named(level);
    return text_of(row, [&](row_item& item) { return rows::feedback_text(inner_.find({&item, 1}, 0), wanted); });
}

nb::list bound_scorer::told() const {
    nb::list out;
    for (rows::run_report::sentence const& one : last_.sentences) {
        out.append(one.text);
    }
    return out;
}

namespace {

/// Workers of users' kinds are of this interpreter and look for modules where it does.
python_place own_interpreter() {
    held_gil const held;
    nb::module_ const sys = nb::module_::import_("sys");
    nb::object const path = nb::module_::import_("os").attr("pathsep").attr("join")(
        nb::module_::import_("builtins")
            .attr("list")(nb::module_::import_("builtins").attr("filter")(nb::none(), sys.attr("path"))));
    return {nb::cast<std::string>(sys.attr("executable")), nb::cast<std::string>(path)};
}

}  // namespace

void bind_rows(nb::module_& m) {
    set_own_python(own_interpreter);
    bind_codes(m);
    m.def("load_kinds", [](std::string_view options) { static_cast<void>(rows::parse_score_options(options)); });
    nb::class_<bound_scorer>(m, "Scorer")
        .def("score", &bound_scorer::score)
        .def("score_columns", &bound_scorer::score_columns, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(),
             nb::arg().none())
        .def("kinds", &bound_scorer::kinds)
        .def("problems", &bound_scorer::problems)
        .def("explain", &bound_scorer::explain)
        .def("feedback", &bound_scorer::feedback)
        .def("told", &bound_scorer::told)
        .def("close", &bound_scorer::close)
        .def_prop_ro("fingerprint", &bound_scorer::fingerprint)
        .def_prop_ro("record", &bound_scorer::record);
}

}  // namespace optgap::python
