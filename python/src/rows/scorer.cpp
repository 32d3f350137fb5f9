// Rows of any kind, as dicts. What is read goes over as JSON, of which every kind reads what it needs; what is written
// becomes the values of a dict one by one.

#include "python/src/rows/scorer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "host/process/python_place.hpp"
#include "host/rows/score_options.hpp"
#include "optgap/advantage.hpp"
#include "python/src/values/errors.hpp"
#include "python/src/values/interpreter_lock.hpp"

namespace optgap::python {
namespace {

using rows::row_item;

constexpr int deepest = 200;  ///< of a row's nested values

/// A value as JSON, spaced as json.dumps spaces it: spans count bytes of it.
class json_writer {
public:
    explicit json_writer(std::string& out) : out_(out) {}

    /// Throws argument_error where JSON has no such value. `row` is for its sentence.
    void row(nb::handle value, std::size_t row) {
        row_ = row;
        if (!PyDict_Check(value.ptr())) {
            refuse("is no dict", value);
        }
        write(value, 0);
    }

private:
    void write(nb::handle value, int depth) {
        PyObject* const of = value.ptr();
        if (depth > deepest) {
            refuse("is nested too deep", value);
        }
        if (PyUnicode_Check(of)) {
            text(value);
        } else if (of == Py_None) {
            out_ += "null";
        } else if (PyBool_Check(of)) {
            out_ += of == Py_True ? "true" : "false";
        } else if (PyLong_Check(of)) {
            integer(value);
        } else if (PyFloat_Check(of)) {
            real(PyFloat_AS_DOUBLE(of));
        } else if (PyDict_Check(of)) {
            char const* mark = "{";
            for (auto const& [key, item] : nb::borrow<nb::dict>(value)) {
                if (!PyUnicode_Check(key.ptr())) {
                    refuse("has a key that is no text", key);
                }
                out_ += mark;
                mark = ", ";
                text(key);
                out_ += ": ";
                write(item, depth + 1);
            }
            out_ += *mark == '{' ? "{}" : "}";
        } else if (PyList_Check(of) || PyTuple_Check(of)) {
            char const* mark = "[";
            for (nb::handle const item : value) {
                out_ += mark;
                mark = ", ";
                write(item, depth + 1);
            }
            out_ += *mark == '[' ? "[]" : "]";
        } else if (nb::hasattr(value, "tolist")) {  // NumPy's and torch's numbers and arrays
            write(value.attr("tolist")(), depth + 1);
        } else {
            refuse("holds what JSON cannot", value);
        }
    }

    void text(nb::handle value) {
        Py_ssize_t size = 0;
        char const* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
        if (bytes != nullptr) {
            append_json_string(out_, {bytes, std::size_t(size)});
            return;
        }
        PyErr_Clear();  // half of a surrogate pair
        nb::object const mended = value.attr("encode")("utf-8", "replace");
        append_json_string(out_, {PyBytes_AS_STRING(mended.ptr()), std::size_t(PyBytes_GET_SIZE(mended.ptr()))});
    }

    void integer(nb::handle value) {
        int overflow = 0;
        long long const number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
        out_ += overflow == 0 ? std::to_string(number) : nb::cast<std::string>(nb::str(value));
    }

    void real(double value) {
        if (!std::isfinite(value)) {
            out_ += std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";  // no JSON: the row is rejected
            return;
        }
        append_json_real(out_, value);
    }

    [[noreturn]] void refuse(std::string const& what, nb::handle value) const {
        throw argument_error("rows[" + std::to_string(row_) + "]",
                             what + ": " + nb::cast<std::string>(nb::repr(value.type())));
    }

    std::string& out_;
    std::size_t row_ = 0;
};

/// `step(item)` of each row, as JSON.
template <class Step>
void each_item(nb::handle rows, Step const& step) {
    std::string text;
    json_writer writer(text);
    std::size_t place = 0;
    for (nb::handle const row : rows) {
        text.clear();
        writer.row(row, place);
        row_item item;
        item.take(text, std::int64_t(++place));
        step(std::as_const(item));
    }
}

/// Columns as values of dicts, in place of what they have under their names.
class dict_sink final : public row_sink {
public:
    void begin(nb::handle row) { row_ = row; }
    void drop(std::string_view name) {
        nb::handle const key = interned(name);
        if (PyDict_Contains(row_.ptr(), key.ptr()) == 1) {
            PyDict_DelItem(row_.ptr(), key.ptr());
        }
    }

    void raw(std::string_view name, std::string_view json_text) override {
        static nb::handle const loads = nb::object(nb::module_::import_("json").attr("loads")).release();
        // Rows of one group have equal baselines: a copy costs less than reading it again.
        auto [place, is_new] = read_.try_emplace(std::string(json_text));
        if (is_new) {
            place->second = loads(nb::str(json_text.data(), json_text.size()));
        }
        nb::object const& found = place->second;
        set(name, PyDict_Check(found.ptr())   ? nb::steal(PyDict_Copy(found.ptr()))
                  : PyList_Check(found.ptr()) ? loads(nb::str(json_text.data(), json_text.size()))
                                              : found);
    }
    void text(std::string_view name, std::string_view value) override {
        set(name, nb::str(value.data(), value.size()));
    }
    void integer(std::string_view name, std::int64_t value) override { set(name, nb::int_(value)); }
    void boolean(std::string_view name, bool value) override { set(name, nb::bool_(value)); }
    void null(std::string_view name) override { set(name, nb::none()); }
    void real(std::string_view name, float value) override { number(name, double(value)); }
    void number(std::string_view name, double value) override {
        std::isfinite(value) ? set(name, nb::float_(value)) : null(name);
    }
    void integers(std::string_view name, std::span<std::int64_t const> values) override {
        nb::list made;
        for (std::int64_t const value : values) {
            made.append(value);
        }
        set(name, made);
    }

private:
    void set(std::string_view name, nb::object const& value) {
        if (PyDict_SetItem(row_.ptr(), interned(name).ptr(), value.ptr()) != 0) {
            nb::raise_python_error();
        }
    }

    nb::handle row_;
    std::map<std::string, nb::object, std::less<>> read_;
};

}  // namespace

nb::handle interned(std::string_view name) {
    static std::map<std::string, nb::handle, std::less<>> made;
    static std::mutex one_at_a_time;  // where there is no GIL
    std::lock_guard const lock(one_at_a_time);
    auto const known = made.find(name);
    if (known != made.end()) {
        return known->second;
    }
    nb::object text = nb::steal(PyUnicode_FromStringAndSize(name.data(), Py_ssize_t(name.size())));
    return made.emplace(std::string(name), text.release()).first->second;
}

bound_scorer::bound_scorer(std::shared_ptr<engine const> by, std::string const& options,
                           bound_baseline_source const& baselines)
    : by_(std::move(by)),
      inner_(*by_, rows::parse_score_options(options), {"", baselines.hash()}, baselines.shared()) {}

nb::list bound_scorer::score(nb::handle given) {
    std::string text;
    text.reserve(usual_bytes_);
    std::vector<std::size_t> ends;
    json_writer writer(text);
    std::vector<nb::object> sources;
    for (nb::handle const row : given) {
        writer.row(row, ends.size());
        ends.push_back(text.size());
        sources.push_back(nb::borrow(row));
    }
    usual_bytes_ = std::min(text.size() + text.size() / 8, std::size_t(1) << 26);
    std::vector<row_item> items(ends.size());
    rows::graded_run run;
    // Whoever waits for its turn has given the GIL back, so that the one whose turn it is gets it again.
    held_turn turn{turn_};
    {
        released_gil const released;
        turn.take();
        for (std::size_t i = 0; i < items.size(); ++i) {
            std::size_t const begin = i == 0 ? 0 : ends[i - 1];
            items[i].take(std::string_view(text).substr(begin, ends[i] - begin), std::int64_t(i) + 1);
        }
        run = inner_.run(items);
        last_ = run.report;
    }
    nb::list out;
    dict_sink sink;
    for (std::size_t i = 0; i < items.size(); ++i) {
        nb::dict row = nb::steal<nb::dict>(PyDict_Copy(sources[i].ptr()));
        sink.begin(row);
        if (!items[i].sound()) {
            if (!items[i].has_old_error) {
                nb::dict why;
                why["row"] = items[i].number;
                why["field"] = items[i].field;
                why["rule"] = items[i].rule;
                row["error"] = why;
            }
        } else {
            for (std::string_view const name : inner_.columns(run.rows[i])) {
                sink.drop(name);
            }
            if (items[i].has_old_error) {
                sink.drop("error");
            }
            inner_.write(sink, run.rows[i], run.advantages[i], run.groups.keep[i] != 0);
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
    std::string json, text;
    json_writer(json).row(row, 0);
    held_turn turn{turn_};
    {
        released_gil const released;
        turn.take();
        row_item item;
        item.take(json, 1);
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
    m.def("ranks_scores", [](std::string_view spec) { return ranks_scores(parse_advantage_spec(spec).form); });
    nb::class_<bound_scorer>(m, "Scorer")
        .def("score", &bound_scorer::score)
        .def("score_columns", &bound_scorer::score_columns, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(),
             nb::arg().none())
        .def("kinds", &bound_scorer::kinds)
        .def("problems", &bound_scorer::problems)
        .def("explain", &bound_scorer::explain)
        .def("feedback", &bound_scorer::feedback)
        .def("told", &bound_scorer::told)
        .def_prop_ro("fingerprint", &bound_scorer::fingerprint)
        .def_prop_ro("record", &bound_scorer::record);
}

}  // namespace optgap::python
