// What needs no pool: tasks, keys, instances in JSON, names of codes.

#include "python/src/values/lookups.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <unordered_set>

#include "host/specs/nearest.hpp"
#include "optgap/engine.hpp"
#include "optgap/finish.hpp"
#include "optgap/format.hpp"
#include "optgap/key.hpp"
#include "optgap/proposals/canonical.hpp"
#include "optgap/proposals/prompt.hpp"
#include "optgap/suites/suite.hpp"
#include "optgap/task_choice.hpp"
#include "python/src/values/answers.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

engine const& lookup_engine() {
    static engine const one({.where = device::cpu, .threads = 1});
    return one;
}

task_info const& task_at(std::int32_t task) {
    if (task < 0 || std::size_t(task) >= lookup_engine().tasks().size()) {
        throw argument_error("task", std::to_string(task) + " is no task index");
    }
    return lookup_engine().tasks()[std::size_t(task)];
}

split split_of(std::int32_t code) {
    if (code < std::int32_t(split::train) || code > std::int32_t(split::test)) {
        throw argument_error("split", std::to_string(code) + " is no split: 0 train, 1 val, 2 test");
    }
    return split(code);
}

namespace {

nb::list strings(std::vector<std::string_view> const& names) {
    nb::list out;
    for (std::string_view const name : names) {
        out.append(name);
    }
    return out;
}

nb::list tasks() {
    nb::list out;
    for (task_info const& info : lookup_engine().tasks()) {
        nb::dict task;
        task["name"] = info.name;
        task["version"] = info.version;
        task["sense"] = info.objective_sense == sense::maximise ? "maximise" : "minimise";
        task["title"] = info.title;
        task["summary"] = info.summary;
        task["category"] = info.category;
        task["objective"] = info.objective;
        task["answer_form"] = info.answer_form;
        task["styles"] = info.styles;
        task["default_budget"] = info.default_budget;
        task["codes"] = strings(info.codes);
        task["bound_kinds"] = strings(info.bound_kinds);
        task["words"] = strings(info.words);
        task["file_extensions"] = strings(info.file_extensions);
        task["axes"] = strings(info.axes);
        task["reward"] = info.reward;
        task["task_class"] = name_of(info.kind);
        task["family"] = info.family;
        task["tags"] = strings(info.tags);
        task["rlve"] = strings(info.rlve);
        task["alphabet"] = info.syntax.alphabet != nullptr ? info.syntax.alphabet : "";
        task["first_letter"] = info.syntax.first_letter;
        task["letter_rows"] = info.syntax.letter_rows;
        task["expressions"] = info.syntax.expressions;
        task["numbers"] = name_of(info.syntax.numbers);
        task["direct"] = info.direct;
        out.append(task);
    }
    return out;
}

/// task name, version, split ("x" when explicit), level, seed, style, hash.
using key_parts =
    std::tuple<std::string, std::int32_t, std::string, std::string, std::uint64_t, std::int32_t, std::string>;

key_parts parts_of(std::string_view text) {
    instance_key const key = parse_key(text);
    return {key.task,
            key.version,
            key.is_explicit ? "x" : split_name(key.part),
            key.is_explicit ? std::string() : level_name(key.level),
            key.seed,
            key.style,
            key.hash};
}

std::string text_of(key_parts const& parts) {
    instance_key key;
    std::string part, level;
    std::tie(key.task, key.version, part, level, key.seed, key.style, key.hash) = parts;
    key.is_explicit = part == "x";
    if (!key.is_explicit) {
        key.part = parse_split(part);
        key.level = parse_level(level);
    }
    return to_string(key);
}

constexpr std::int32_t explicit_part = -1;

std::vector<std::string> keys(int32_in const& task, int32_in const& level, int32_in const& part,
                              array_in<std::uint64_t> const& seed, int32_in const& style, int32_in const& words,
                              int64_in const& offsets) {
    instance_view const instances = instances_of(task, words, offsets);
    std::size_t const rows = std::size_t(instances.blocks.rows);
    if (level.size() != rows || part.size() != rows || seed.size() != rows || style.size() != rows) {
        throw argument_error("instances", "its columns differ in length");
    }
    std::vector<std::string> out;
    for (std::size_t r = 0; r < rows; ++r) {
        task_info const& info = task_at(instances.task[r]);
        instance_hash const hash = hash_words(instances.blocks.row(std::int64_t(r)));
        if (part.data()[r] == explicit_part) {
            out.push_back(to_string(explicit_key(info, hash)));
            continue;
        }
        instance_spec const spec{instances.task[r], difficulty{level.data()[r]}, split_of(part.data()[r]),
                                 seed.data()[r]};
        out.push_back(to_string(key_of(info, spec, hash, style.data()[r])));
    }
    return out;
}

nb::object drawn_styles(int32_in const& task, int32_in const& level, int32_in const& part,
                        array_in<std::uint64_t> const& seed) {
    if (level.size() != task.size() || part.size() != task.size() || seed.size() != task.size()) {
        throw argument_error("style", "the columns of what is drawn differ in length");
    }
    std::vector<std::int32_t> out;
    for (std::size_t r = 0; r < task.size(); ++r) {
        instance_spec const spec{task.data()[r], difficulty{level.data()[r]}, split_of(part.data()[r]), seed.data()[r]};
        out.push_back(drawn_style(task_at(spec.task), spec));
    }
    return to_array(std::move(out));
}

std::vector<std::string> hashes(int32_in const& words, int64_in const& offsets) {
    csr_view const rows = rows_of("instances", words, offsets);
    std::vector<std::string> out;
    for (std::int64_t r = 0; r < rows.rows; ++r) {
        out.push_back(hex32(hash_words(rows.row(r))));
    }
    return out;
}

std::vector<std::string> to_json_texts(int32_in const& task, int32_in const& words, int64_in const& offsets) {
    instance_view const instances = instances_of(task, words, offsets);
    std::vector<std::string> out;
    for (std::int64_t r = 0; r < instances.blocks.rows; ++r) {
        task_at(instances.task[r]);
        out.push_back(lookup_engine().instance_json(instances.task[r], instances.blocks.row(r)));
    }
    return out;
}

/// Reads instances of one task from JSON texts; a broken one throws field_error whose field begins with its row.
nb::tuple from_json_texts(std::int32_t task, std::vector<std::string> const& texts) {
    task_at(task);
    csr_words out;
    for (std::size_t r = 0; r < texts.size(); ++r) {
        try {
            out.append(lookup_engine().instance_words(task, texts[r]));
        } catch (field_error const& broken) {
            std::string const place = texts.size() == 1 ? "" : "row " + std::to_string(r) + ", ";
            throw field_error(place + broken.field(), broken.rule());
        }
    }
    return to_arrays(std::move(out));
}

std::vector<std::string_view> format_names() {
    std::vector<std::string_view> out;
    for (format_spec const& format : formats()) {
        out.push_back(format.name);
    }
    return out;
}

nb::dict read_answer_rows(nb::object const& answers, int32_in const& task) {
    for (std::int32_t const t : span_of(task)) {
        task_at(t);
    }
    read_answers out = answers_from(answers, span_of(task));
    nb::dict columns;
    columns["code"] = to_array(std::move(out.code));
    columns["where"] = to_array(std::move(out.where));
    columns["words"] = to_array(std::move(out.blocks.words));
    columns["offsets"] = to_array(std::move(out.blocks.offsets));
    return columns;
}

nb::list answer_lists(int32_in const& task, int32_in const& words, int64_in const& offsets) {
    return to_lists(span_of(task), instances_of(task, words, offsets).blocks);
}

nb::tuple canonical_keys(int32_in const& task, int32_in const& words, int64_in const& offsets) {
    instance_view const rows = instances_of(task, words, offsets);
    nb::list keys;
    std::vector<std::uint8_t> coarse;
    for (std::int64_t r = 0; r < rows.blocks.rows; ++r) {
        canonical_hash const form = canonical_of(lookup_engine(), rows.task[r], rows.blocks.row(r));
        keys.append(canonical_key(lookup_engine().tasks()[std::size_t(rows.task[r])], form));
        coarse.push_back(form.coarse ? 1 : 0);
    }
    return nb::make_tuple(keys, to_mask(std::move(coarse)));
}

/// Rows that are equal for instances of a task that are one problem under any labels: five words, the canonical hash
/// behind a 0. A coarse one may be another problem's, too: such an instance is told by its words, whose hash stands
/// behind a 1.
nb::tuple canonical_rows(int32_in const& task, int32_in const& words, int64_in const& offsets) {
    instance_view const rows = instances_of(task, words, offsets);
    csr_words out;
    for (std::int64_t r = 0; r < rows.blocks.rows; ++r) {
        canonical_hash const form = canonical_of(lookup_engine(), rows.task[r], rows.blocks.row(r));
        instance_hash const hash = form.coarse ? hash_words(rows.blocks.row(r)) : form.hash;
        std::int32_t const row[] = {form.coarse ? 1 : 0, std::int32_t(hash.high >> 32), std::int32_t(hash.high),
                                    std::int32_t(hash.low >> 32), std::int32_t(hash.low)};
        out.append(row);
    }
    return to_arrays(std::move(out));
}

/// Which rows of words were there already, by hash.
class instance_set {
public:
    /// Adds the rows; says which were new.
    nb::object add(int32_in const& words, int64_in const& offsets) {
        return mask(words, offsets, [this](instance_hash hash) { return hashes_.insert(hash).second; });
    }
    nb::object contains(int32_in const& words, int64_in const& offsets) const {
        return mask(words, offsets, [this](instance_hash hash) { return hashes_.contains(hash); });
    }
    [[nodiscard]] std::size_t size() const { return hashes_.size(); }

private:
    template <class Test>
    static nb::object mask(int32_in const& words, int64_in const& offsets, Test&& test) {
        csr_view const rows = rows_of("instances", words, offsets);
        std::vector<std::uint8_t> out;
        for (std::int64_t r = 0; r < rows.rows; ++r) {
            out.push_back(test(hash_words(rows.row(r))) ? 1 : 0);
        }
        return to_mask(std::move(out));
    }
    struct low_bits {
        std::size_t operator()(instance_hash hash) const { return std::size_t(hash.low); }
    };
    std::unordered_set<instance_hash, low_bits> hashes_;
};

}  // namespace

void bind_lookups(nb::module_& m) {
    m.def("tasks", &tasks);
    m.def("choose_tasks", [](std::string_view word) { return choose_tasks(word, lookup_engine().tasks()); });
    m.def("choose_direct_tasks",
          [](std::string_view word) { return choose_direct_tasks(word, lookup_engine().tasks()); });
    m.def("drawn_styles", &drawn_styles);
    m.def("task_index", [](std::string_view name) {
        std::size_t const at = name.find('@');
        std::int32_t version = 0;
        if (at != std::string_view::npos) {
            // A key's reader knows how a version is written.
            version = parse_key(std::string(name) + ":train:easy:0").version;
        }
        return lookup_engine().task_index(name.substr(0, at), version);
    });
    m.def("parse_key", &parts_of);
    m.def("format_key", &text_of);
    m.def("did_you_mean", &did_you_mean);
    m.def("level_code", [](std::string_view name) { return parse_level(name).code; });
    m.def("level_name", [](std::int32_t code) {
        if (code < -4 || code > max_scale_step) {
            throw argument_error("level", std::to_string(code) + " is no level code");
        }
        return level_name(difficulty{code});
    });
    m.def("spread_levels", [](std::string_view levels, std::int64_t count) {
        std::vector<std::tuple<std::string, std::int64_t>> shares;
        for (level_share const& share : spread_evenly(parse_levels(levels), count)) {
            shares.emplace_back(level_name(share.level), share.count);
        }
        return shares;
    });
    m.def("suite_names", &suite_names);
    m.def("suite", [](std::string_view word) { return to_json(find_suite(word)); });
    m.def("refuse_held_out", [](std::vector<std::string> const& suites, std::vector<std::string> const& tasks,
                                std::string_view where) { refuse_held_out(suites, tasks, where); });
    m.def("split_code", [](std::string_view name) { return std::int32_t(parse_split(name)); });
    m.def("format_index", &format_index);
    m.def("format_names", &format_names);
    m.def("describe_estimators", &describe_estimators);
    m.def("describe_shapes", &describe_shapes);
    m.def("format_json", [](std::string_view name_or_json) { return to_json(parse_format(name_or_json)); });
    m.def("end_of_turn_strings",
          [] { return std::vector<std::string>(end_of_turn_strings().begin(), end_of_turn_strings().end()); });
    m.def("finish_names",
          [] { return std::vector<std::string_view>(std::begin(finish_names), std::end(finish_names)); });
    m.def("spec_of_key", [](std::string_view text) {
        instance_key const key = parse_key(text);
        instance_spec const spec = lookup_engine().spec_of(key);
        return std::tuple(spec.task, spec.level.code, std::int32_t(spec.part), spec.seed, key.style, key.hash);
    });
    m.def("keys", &keys);
    m.def("hashes", &hashes);
    m.def("canonical_keys", &canonical_keys);
    m.def("canonical_rows", &canonical_rows);
    m.def("to_json", &to_json_texts);
    m.def("from_json", &from_json_texts);
    m.def("proposer_prompt",
          [](std::int32_t task, std::vector<std::string> const& references, std::int32_t low, std::int32_t high) {
              return proposer_prompt(lookup_engine(), {task, references, low, high});
          });
    m.def("read_answers", &read_answer_rows);
    m.def("answer_lists", &answer_lists);
    nb::class_<instance_set>(m, "InstanceSet")
        .def(nb::init<>())
        .def("add", &instance_set::add)
        .def("contains", &instance_set::contains)
        .def("__len__", &instance_set::size);
}

}  // namespace optgap::python
