// What proposers and judges earn, over arrays, and a batch of all roles compared. The GIL is released during work.

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <map>

#include "optgap/roles/advantages.hpp"
#include "optgap/roles/clusters.hpp"
#include "optgap/roles/judge.hpp"
#include "optgap/roles/proposer.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/group_sums.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"
#include "python/src/values/texts.hpp"

namespace optgap::python {
namespace {

using mask_in = array_in<bool>;
using real_in = array_in<double>;

template <class Array>
void require_rows(char const* name, Array const& given, std::size_t rows) {
    if (given.size() != rows) {
        throw argument_error(name,
                             "expected " + std::to_string(rows) + " entries, got " + std::to_string(given.size()));
    }
}

/// code, value, form, begin and end of each text's score.
nb::tuple read_judgements(nb::handle texts, std::string_view parser) {
    score_parser const by = score_parser_named(parser);
    borrowed_texts const given(texts, "texts", 1);
    std::vector<std::int32_t> code;
    std::vector<double> value, form;
    std::vector<std::int64_t> begin, end;
    {
        released_gil const released;
        for (std::string_view const text : given.views()) {
            judgement const said = read_judgement(text, by);
            code.push_back(said.code);
            value.push_back(said.value);
            form.push_back(said.form);
            begin.push_back(said.span.begin);
            end.push_back(said.span.end);
        }
    }
    return nb::make_tuple(to_array(std::move(code)), to_array(std::move(value)), to_array(std::move(form)),
                          to_array(std::move(begin)), to_array(std::move(end)));
}

nb::tuple truth_columns(std::vector<judge_truth> const& truths) {
    std::vector<std::int32_t> band;
    std::vector<double> value;
    for (judge_truth const& one : truths) {
        band.push_back(one.band);
        value.push_back(one.value);
    }
    return nb::make_tuple(to_array(std::move(band)), to_array(std::move(value)));
}

/// band and value of what is proven of answers.
nb::tuple answer_truths(mask_in const& feasible, mask_in const& optimal, mask_in const& proven,
                        real_in const& normalized) {
    std::vector<judge_truth> truths;
    for (std::size_t r = 0; r < feasible.size(); ++r) {
        truths.push_back(
            truth_of_answer(feasible.data()[r], optimal.data()[r], proven.data()[r], normalized.data()[r]));
    }
    return truth_columns(truths);
}

nb::tuple question_truths(int32_in const& code) {
    std::vector<judge_truth> truths;
    for (std::int32_t const one : span_of(code)) {
        truths.push_back(truth_of_question(one));
    }
    return truth_columns(truths);
}

std::vector<judged_row> judged_rows(real_in const& value, real_in const& form, int32_in const& band,
                                    real_in const& truth, int32_in const& group) {
    std::size_t const rows = value.size();
    require_rows("form", form, rows);
    require_rows("band", band, rows);
    require_rows("truth", truth, rows);
    require_rows("group", group, rows);
    std::vector<judged_row> out(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        out[r].said.value = value.data()[r];
        out[r].said.code = out[r].said.readable() ? std::int32_t(code_ok) : std::int32_t(code_no_score);
        out[r].said.form = form.data()[r];
        out[r].truth = {band.data()[r], truth.data()[r]};
        if (out[r].truth.band < -1 || out[r].truth.band >= judge_bands) {
            throw argument_error("band", "row " + std::to_string(r) + ": expected -1 to 2");
        }
        bool const in_range = !out[r].said.readable() || (out[r].said.value >= 0 && out[r].said.value <= 1);
        bool const true_range = !out[r].truth.known() || (out[r].truth.value >= 0 && out[r].truth.value <= 1);
        if (!in_range || !true_range) {
            throw argument_error(in_range ? "truth" : "value",
                                 "row " + std::to_string(r) + ": expected a number from 0 to 1");
        }
        out[r].group = group.data()[r];
    }
    return out;
}

nb::object reward_judges(std::string_view by, real_in const& value, real_in const& form, int32_in const& band,
                         real_in const& truth, int32_in const& group) {
    judge_reward const how = judge_reward_named(by);
    std::vector<judged_row> const rows = judged_rows(value, form, band, truth, group);
    return to_array([&] {
        released_gil const released;
        return judge_rewards(how, rows);
    }());
}

nb::dict judge_report(real_in const& value, real_in const& form, int32_in const& band, real_in const& truth,
                      int32_in const& group) {
    judge_counts counts;
    for (judged_row const& row : judged_rows(value, form, band, truth, group)) {
        counts.add(row);
    }
    nb::list confusion, calibration;
    for (std::int32_t t = 0; t < judge_bands; ++t) {
        nb::list row;
        for (std::int32_t s = 0; s < judge_bands; ++s) {
            row.append(counts.confusion(t, s));
        }
        confusion.append(row);
    }
    for (std::int32_t score = 1; score <= judge_scores; ++score) {
        calibration.append(counts.calibration(score));
    }
    nb::dict out;
    out["rows"] = counts.rows;
    out["unreadable"] = counts.unreadable;
    out["unproven"] = counts.unproven;
    out["confusion"] = confusion;
    out["kappa"] = counts.kappa();
    out["auc"] = counts.auc();
    out["calibration"] = calibration;
    return out;
}

/// rows, feasible, solved, sum and sum_sq of each of `groups` groups.
nb::tuple sums_of_groups(std::int64_t groups, int64_in const& group_of, mask_in const& feasible, mask_in const& optimal,
                         real_in const& normalized) {
    std::size_t const rows = group_of.size();
    require_rows("feasible", feasible, rows);
    require_rows("optimal", optimal, rows);
    require_rows("normalized", normalized, rows);
    std::vector<group_sums> sums(std::size_t(std::max<std::int64_t>(groups, 0)));
    for (std::size_t r = 0; r < rows; ++r) {
        std::int64_t const group = group_of.data()[r];
        if (group < 0 || group >= std::int64_t(sums.size())) {
            throw argument_error("group_of", "row " + std::to_string(r) + ": expected a group's number");
        }
        sums[std::size_t(group)].add(feasible.data()[r], optimal.data()[r], normalized.data()[r]);
    }
    std::array<std::vector<std::int64_t>, 5> out;
    for (group_sums const& one : sums) {
        std::int64_t const values[] = {one.rows, one.feasible, one.solved, one.sum, one.sum_sq};
        for (std::size_t c = 0; c < out.size(); ++c) {
            out[c].push_back(values[c]);
        }
    }
    return nb::make_tuple(to_array(std::move(out[0])), to_array(std::move(out[1])), to_array(std::move(out[2])),
                          to_array(std::move(out[3])), to_array(std::move(out[4])));
}

/// `columns` by the names of proposer_row's fields; those that are not given have its defaults.
nb::dict reward_proposers(std::string_view by, nb::dict const& columns) {
    proposer_reward const how = proposer_reward_named(by);
    std::map<std::string, int64_in> given;
    std::size_t rows = 0;
    for (auto const& [name, values] : columns) {
        int64_in const column = nb::cast<int64_in>(values);
        rows = given.empty() ? column.size() : rows;
        require_rows(nb::cast<std::string>(name).c_str(), column, rows);
        given.emplace(nb::cast<std::string>(name), column);
    }
    using field = std::pair<char const*, std::int64_t proposer_row::*>;
    static constexpr field fields[] = {{"before", &proposer_row::before},
                                       {"equal", &proposer_row::equal},
                                       {"greedy_gap", &proposer_row::greedy_gap},
                                       {"reference_gap", &proposer_row::reference_gap},
                                       {"prompt", &proposer_row::prompt},
                                       {"prompt_target", &proposer_row::prompt_target},
                                       {"prompt_limit", &proposer_row::prompt_limit},
                                       {"quality", &proposer_row::quality},
                                       {"form", &proposer_row::form},
                                       {"cluster", &proposer_row::cluster},
                                       {"batch", &proposer_row::batch}};
    std::size_t known = given.count("code") + given.count("kind");
    std::vector<proposer_row> table(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        if (given.contains("code")) {
            table[r].code = std::int32_t(given.at("code").data()[r]);
        }
        if (given.contains("kind")) {
            table[r].kind = proposal_kind(given.at("kind").data()[r]);
        }
    }
    for (auto const& [name, member] : fields) {
        if (auto const column = given.find(name); column != given.end()) {
            ++known;
            for (std::size_t r = 0; r < rows; ++r) {
                table[r].*member = column->second.data()[r];
            }
        }
    }
    for (auto const& [name, member] : sum_fields) {
        if (auto const column = given.find(name); column != given.end()) {
            ++known;
            for (std::size_t r = 0; r < rows; ++r) {
                table[r].group.*member = column->second.data()[r];
            }
        }
    }
    if (known != given.size()) {
        throw argument_error("columns", "one of them is no field of a proposer's row");
    }
    std::array<std::vector<std::int64_t>, 5> out;
    std::vector<std::uint8_t> excluded;
    for (proposer_row const& row : table) {
        proposer_result const rewarded = reward_proposer(how, row);
        std::int64_t const values[] = {rewarded.reward, rewarded.signal, rewarded.novelty, rewarded.hardness,
                                       rewarded.price};
        for (std::size_t c = 0; c < out.size(); ++c) {
            out[c].push_back(values[c]);
        }
        excluded.push_back(rewarded.excluded ? 1 : 0);
    }
    nb::dict columns_out;
    char const* const names[] = {"reward", "signal", "novelty", "hardness", "price"};
    for (std::size_t c = 0; c < out.size(); ++c) {
        columns_out[names[c]] = to_array(std::move(out[c]));
    }
    columns_out["excluded"] = to_mask(std::move(excluded));
    return columns_out;
}

nb::object clusters_of(nb::handle texts, std::int64_t threshold) {
    borrowed_texts const given(texts, "texts", 1);
    return to_array([&] {
        released_gil const released;
        return bleu_clusters(given.views(), threshold);
    }());
}

using kept_mean = std::tuple<std::int32_t, std::int64_t, double>;

class bound_advantages {
public:
    explicit bound_advantages(std::string_view table) : table_(parse_role_table(table)) {}

    nb::object advantages(int32_in const& of, array_in<float> const& rewards, int32_in const& group,
                          int32_in const& cohort) {
        role_rows const rows{span_of(of), span_of(rewards), span_of(group), span_of(cohort)};
        return to_array([&] {
            released_gil const released;
            return role_advantages(lookup_engine(), table_, rows, means_);
        }());
    }
    [[nodiscard]] std::string table() const { return to_json(table_); }
    [[nodiscard]] std::vector<kept_mean> means() const {
        std::vector<kept_mean> out;
        for (std::int32_t r = 0; r < role_count; ++r) {
            for (auto const& [cohort, mean] : means_[std::size_t(r)]) {
                out.emplace_back(r, cohort, mean);
            }
        }
        return out;
    }
    void restore(std::vector<kept_mean> const& kept) {
        means_ = {};
        for (auto const& [of, cohort, mean] : kept) {
            if (of < 0 || of >= role_count) {
                throw argument_error("means", "expected (role 0 to 2, cohort, mean)");
            }
            means_[std::size_t(of)][cohort] = mean;
        }
    }

private:
    role_table table_;
    std::array<running_means, role_count> means_;
};

}  // namespace

void bind_roles(nb::module_& m) {
    m.def("read_judgements", &read_judgements);
    m.def("answer_truths", &answer_truths);
    m.def("question_truths", &question_truths);
    m.def("reward_judges", &reward_judges);
    m.def("judge_report", &judge_report);
    m.def("group_sums", &sums_of_groups);
    m.def("reward_proposers", &reward_proposers);
    m.def("bleu_clusters", &clusters_of);
    nb::class_<bound_advantages>(m, "RoleAdvantages")
        .def(nb::init<std::string_view>())
        .def("advantages", &bound_advantages::advantages, nb::lock_self())
        .def("restore", &bound_advantages::restore, nb::lock_self())
        .def_prop_ro("means", &bound_advantages::means, nb::lock_self())
        .def_prop_ro("table", &bound_advantages::table, nb::lock_self());
}

}  // namespace optgap::python
