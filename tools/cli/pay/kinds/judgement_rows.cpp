#include "tools/cli/pay/kinds/judgement_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "optgap/proposals/proposal.hpp"
#include "tools/cli/pay/kinds/role_fields.hpp"
#include "tools/cli/rows/instances.hpp"
#include "tools/cli/shell/command_line.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view judgement_columns[] = {"score", "value", "truth", "truth_band"};
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// A question's code as optgap score wrote it: its gates depend on the rows before it.
std::int32_t question_code(json_row const& row) {
    std::string_view const* const code = field_said(row, "code");
    if (code == nullptr || !is_json_string(*code) || field_said(row, "proposal_kind") == nullptr) {
        throw field_error("judged.code",
                          "missing: expected a proposal as optgap score wrote it, since its gates depend "
                          "on the rows before it");
    }
    std::string const name = decode_json_string(*code);
    if (name == "ok") {
        return code_ok;
    }
    for (std::int32_t c = code_not_json; c < proposal_code_end; ++c) {
        if (proposal_code_name(c) == name) {
            return c;
        }
    }
    return code_format_missing_answer;  // one of those of formats, which are worth the same
}

double number_or_nan(json_row const& row, std::string_view name) {
    std::string_view const* const text = row.find(name);
    nlohmann::json const value = text == nullptr ? nlohmann::json() : nlohmann::json::parse(*text, nullptr, false);
    if (!value.is_number() && !value.is_null()) {
        throw field_error(std::string(name), "must be a number or null, as optgap score writes it");
    }
    return value.is_null() ? no_number : value.get<double>();
}

}  // namespace

bool is_judgement(json_row const& row) { return has_role(row, "judge"); }

judgement_rows::judgement_rows(score_options const& options, reward_spec const& spec)
    : own_(options),
      spec_(spec),
      by_(judge_reward_named(options.judge)),
      parser_(score_parser_named(options.judge_parser)) {
    own_.format.clear();
    own_.force_format = false;
}

void judgement_rows::claim(std::span<row_item> items) const {
    for (row_item& item : items) {
        if (!item.sound() || item.external || !is_judgement(item.row)) {
            continue;
        }
        item.external = item.judgement = true;
        for (std::string_view const name : {"chain", "chain_key", "external", "language", "proposal"}) {
            if (field_said(item.row, name) != nullptr) {
                item.reject(name, "stands in a judgement: expected it in `judged`");
            }
        }
        if (reads_lengths(spec_)) {
            item.reject("role", "a judgement is not paid by its tokens, which `length` of --reward asks for");
        }
    }
}

void judgement_rows::find_truths(std::span<row_item> items, answer_scorer const& score,
                                 std::function<std::string(scored_row const&)> const& task_name) {
    std::vector<std::int64_t> next(items.size(), -1);  // scoring answers comes back here
    std::vector<row_item> answers;
    std::vector<std::size_t> item_of;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].judgement || !items[i].sound()) {
            continue;
        }
        std::string_view const* const judged = field_said(items[i].row, "judged");
        row_item inner;
        std::string rule;
        if (judged == nullptr || !judged->starts_with('{') || !inner.row.split(*judged, rule)) {
            items[i].reject("judged", "missing: expected the row of an answer or of a proposal, as an object");
            continue;
        }
        next[i] = std::int64_t(found_.size());
        found_.emplace_back();
        if (!is_proposal(inner.row)) {
            inner.is_object = true;
            inner.number = items[i].number;
            answers.push_back(std::move(inner));
            item_of.push_back(i);
            continue;
        }
        try {
            place& own = found_.back();
            own.of.question = true;
            own.of.code = question_code(inner.row);
            own.truth = truth_of_question(own.of.code);
            own.task = "judgement/question";
            own.group = "judgements of questions";
        } catch (field_error const& broken) {
            items[i].reject(broken.field(), broken.rule());
        }
    }
    for (row_item& answer : answers) {
        if (is_judgement(answer.row)) {
            answer.reject("role", "is a judgement: expected an answer or a proposal");
        }
    }
    std::vector<scored_row> const scored = answers.empty() ? std::vector<scored_row>() : score(answers);
    for (std::size_t k = 0; k < answers.size(); ++k) {
        row_item& item = items[item_of[k]];
        if (!answers[k].sound()) {
            item.reject("judged." + answers[k].field, answers[k].rule);
        } else if (answers[k].external || answers[k].program) {
            item.reject("judged",
                        "has no proof to grade a judge by: expected an answer to a task of this build, or a "
                        "proposal");
        } else {
            place& own = found_[std::size_t(next[item_of[k]])];
            reward_row const& value = scored[k].value;
            own.of = {false,
                      value.code,
                      scored[k].task,
                      value.feasible > 0,
                      value.optimal > 0,
                      scored[k].proven,
                      double(value.normalized)};
            own.truth = truth_of_answer(own.of.feasible, own.of.optimal, own.of.proven, own.of.normalized);
            own.task = "judgement/" + task_name(scored[k]);
            own.group = fmt::format("judgements {}", scored[k].group);
        }
    }
    next_ = std::move(next);
}

rollout judgement_rows::read(json_row const& row, std::string& arena) const {
    std::string_view const* const named = field_said(row, "format");
    if (named != nullptr && (is_json_string(*named) || named->starts_with('{'))) {
        throw field_error("format", "is not read in a judgement: its score stands between <score> and </score>");
    }
    rollout out = read_rollout(row, own_, arena, format_use::answers);
    out.format = -1;
    return out;
}

void judgement_rows::score(std::span<row_item const> items, std::span<rollout const> rollouts,
                           std::span<scored_row> out) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].judgement || !items[i].sound()) {
            continue;
        }
        place& own = found_[std::size_t(next_[i])];
        own.said = read_judgement(rollouts[i].completion, parser_);
        scored_row& row = out[i];
        bool const cut = ended_early(rollouts[i].finished);
        row.judgement = next_[i];
        row.of_role = role::judge;
        row.value.code = own.said.code == code_no_score && cut ? std::int32_t(code_truncated) : own.said.code;
        row.value.format = own.said.form == 1 ? 1.0f : 0.0f;
        row.value.feasible = own.said.code == code_ok ? 1.0f : 0.0f;
        row.value.truncated = cut ? 1 : 0;
        row.violation = own.said.code == code_ok ? 0 : 1;
        row.answer = own.said.span;
        row.proven = own.truth.known();
        row.baseline_kind = row.proven ? "proven" : "unknown";
        row.length = rollouts[i].length;
        row.format = -1;
    }
}

void judgement_rows::settle(std::span<scored_row> rows) const {
    std::vector<judged_row> all;
    std::vector<scored_row*> place_of;
    for (scored_row& row : rows) {
        if (row.judgement >= 0 && row.group >= 0) {
            all.push_back(judged(row));
            place_of.push_back(&row);
        }
    }
    std::vector<float> const earned = judge_rewards(by_, all);
    for (std::size_t k = 0; k < all.size(); ++k) {
        scored_row& row = *place_of[k];
        bool const penalised = row.value.truncated == 0 || spec_.truncated == truncation::penalise;
        row.value.reward = penalised                             ? earned[k]
                           : spec_.truncated == truncation::zero ? 0.0f
                                                                 : std::numeric_limits<float>::quiet_NaN();
        row.score = double(row.value.reward);
        row.value.quality = row.value.raw_ratio = row.value.normalized =
            all[k].truth.known() && all[k].said.readable() ? float(1 - std::abs(all[k].said.value - all[k].truth.value))
                                                           : 0.0f;
    }
}

std::span<std::string_view const> judgement_rows::columns() { return judgement_columns; }

void judgement_rows::write(row_writer& row, scored_row const& scored) const {
    place const& one = found(scored);
    bool const whole = parser_ == score_parser::strict && one.said.readable();
    row.raw("score", whole ? std::to_string(std::lround(1 + 9 * one.said.value)) : std::string("null"));
    row.real("value", float(one.said.value));
    row.real("truth", float(one.truth.value));
    if (one.truth.known()) {
        row.text("truth_band", judge_band_names[one.truth.band]);
    } else {
        row.raw("truth_band", "null");
    }
}

judgement_outcome read_judgement_outcome(json_row const& row) {
    judgement_outcome out;
    out.row.said.value = number_or_nan(row, "value");
    out.row.said.code = out.row.said.readable() ? std::int32_t(code_ok) : std::int32_t(code_no_score);
    out.row.truth.value = number_or_nan(row, "truth");
    for (std::int32_t band = 0; band < judge_bands; ++band) {
        out.row.truth.band = string_of(row, "truth_band") == judge_band_names[band] ? band : out.row.truth.band;
    }
    if (out.row.truth.known() != !std::isnan(out.row.truth.value)) {
        throw field_error("truth_band", "must stand beside a truth, as optgap score writes it");
    }
    out.step = step_of(row);
    return out;
}

void add_judge_options(command_entry command, score_options& options) {
    command
        .add_option("--judge", options.judge,
                    "What judgements earn: format, band, brier or pairs; but for format less the best constant judge")
        .show_default();
    command
        .add_option("--judge-parser", options.judge_parser,
                    "How judgements are read: strict, or mae_repo, as the code of Multi-Agent Evolve reads them")
        .show_default();
}

}  // namespace optgap::cli
