// optgap._native.ProposalChecker: the gates of completions that pose problems. The GIL is released during work.

#include "python/src/values/proposals.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "python/src/values/baselines.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"
#include "python/src/values/texts.hpp"

namespace optgap::python {

bound_checker::bound_checker(std::string_view options, std::int64_t budget) {
    proposal_options read = options.empty() ? proposal_options{} : parse_proposal_options(lookup_engine(), options);
    read.budget = budget;
    checker_ = std::make_shared<proposal_checker>(lookup_engine(), std::move(read));
}

void bound_checker::hold_out(std::string_view canonical) {
    released_gil const released;
    checker_->hold_out(canonical);
}

std::string bound_checker::save() const {
    nb::gil_scoped_release const released;
    return checker_->save();
}

void bound_checker::restore(std::string_view text) {
    nb::gil_scoped_release const released;
    checker_->restore(text);
}

nb::dict bound_checker::check(nb::handle texts, int32_in const& finished, std::int64_t step) {
    borrowed_texts const given(texts, "texts", 1);
    if (finished.size() != given.size()) {
        throw argument_error("finish", "expected " + std::to_string(given.size()) + " entries");
    }
    std::vector<finish> ends;
    for (std::int32_t const one : span_of(finished)) {
        ends.push_back(finish(one));
    }
    proposal_batch found;
    {
        released_gil const released;
        found = check_completions(*checker_, given.views(), ends, step);
    }
    return checked_columns(std::move(found));
}

nb::dict checked_columns(proposal_batch&& found) {
    std::vector<std::int32_t> code, kind, task, levels;
    std::vector<std::int64_t> where, cell, gap, begin, end;
    std::vector<std::uint8_t> coarse;
    nb::list field, rule, key, canonical, duplicate_of, code_name;
    csr_words words, answers;
    std::vector<baseline> bases;
    for (checked_proposal const& one : found.rows) {
        bool const known = one.task >= 0 && !one.words.empty();
        sense const direction = known ? task_at(one.task).objective_sense : sense::maximise;
        code.push_back(one.code);
        std::string_view const name = one.code == code_ok          ? "ok"
                                      : is_proposal_code(one.code) ? proposal_code_name(one.code)
                                                                   : lookup_engine().code_name(0, one.code);
        code_name.append(nb::str(name.data(), name.size()));
        kind.push_back(std::int32_t(one.kind));
        task.push_back(one.task);
        levels.push_back(one.levels);
        where.push_back(one.where);
        coarse.push_back(one.coarse ? 1 : 0);
        cell.push_back(known && one.base.proven() ? descriptor_cell(one, direction) : -1);
        gap.push_back(known && one.base.proven() ? greedy_gap_units(one.base, direction) : 0);
        field.append(one.field);
        rule.append(one.rule);
        key.append(one.key);
        canonical.append(one.canonical);
        duplicate_of.append(one.duplicate_of);
        words.append(one.words);
        answers.append(one.answer);
        bases.push_back(one.base);
    }
    for (text_span const& one : found.span) {
        begin.push_back(one.begin);
        end.push_back(one.end);
    }
    nb::dict out;
    out["code"] = to_array(std::move(code));
    out["code_name"] = code_name;
    out["kind"] = to_array(std::move(kind));
    out["task"] = to_array(std::move(task));
    out["where"] = to_array(std::move(where));
    out["field"] = field;
    out["rule"] = rule;
    out["key"] = key;
    out["canonical"] = canonical;
    out["coarse"] = to_mask(std::move(coarse));
    out["duplicate_of"] = duplicate_of;
    out["levels"] = to_array(std::move(levels));
    out["cell"] = to_array(std::move(cell));
    out["greedy_gap"] = to_array(std::move(gap));
    out["begin"] = to_array(std::move(begin));
    out["end"] = to_array(std::move(end));
    out["instances"] = to_arrays(std::move(words));
    out["answers"] = to_arrays(std::move(answers));
    out["baselines"] = baseline_columns(std::move(bases));
    return out;
}

void bind_proposals(nb::module_& m) {
    nb::class_<bound_checker>(m, "ProposalChecker")
        .def(nb::init<std::string_view, std::int64_t>())
        .def("hold_out", &bound_checker::hold_out, nb::lock_self())
        .def("save", &bound_checker::save, nb::lock_self())
        .def("restore", &bound_checker::restore, nb::lock_self())
        .def("check", &bound_checker::check, nb::arg("texts"), nb::arg("finish"), nb::arg("step") = 0, nb::lock_self());
}

}  // namespace optgap::python
