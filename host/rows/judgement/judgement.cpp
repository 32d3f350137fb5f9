// Rows in which a model judges an answer or a question (docs/coevolution.md):
//
//   {"role": "judge", "completion": "… <score>7</score>", "judged": {"key": "tsp@1:train:d5:1", "completion": "…"}}

#include "host/rows/judgement/judgement.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/read/fields.hpp"
#include "optgap/proposals/proposal.hpp"

namespace optgap::rows {
namespace {

constexpr option judge_rule{
    .name = "judge",
    .help = "What judgements earn: format, band, brier or pairs; but for format less the best constant judge",
    .fallback = "band",
    .shows_default = true,
    .recorded = "judge"};
constexpr option judge_reader{
    .name = "judge-parser",
    .help = "How judgements are read: strict, or mae_repo, as the code of Multi-Agent Evolve reads them",
    .fallback = "strict",
    .shows_default = true,
    .recorded = "judge_parser"};
constexpr option judge_options[] = {judge_rule, judge_reader};
constexpr column judgement_reads[] = {
    {"role", column_type::text, "judge"},
    {"completion", column_type::text, "what the judge wrote, its score between <score> and </score>"},
    {"judged", column_type::json,
     "the row of an answer, or of a proposal as `score` wrote it, or a `question` in free text"}};
constexpr column judgement_adds[] = {{"score", column_type::integer, "1 to 10; null: none can be read"},
                                     {"value", column_type::real, "the score from 0 to 1"},
                                     {"truth", column_type::real, "what is proven, 0 to 1; null: nothing is"},
                                     {"truth_band", column_type::text, "1-3, 4-7 or 8-10"}};
constexpr kind_info judgement_info{
    .name = "judgement",
    .page = "coevolution.md",
    .known_by = "the `role` judge, and the row as `judged`",
    .rank = 50,
    .reads = judgement_reads,
    .adds = judgement_adds,
    .options = judge_options,
    .codes = {code_no_score, judge_code_end,
              [](std::int32_t code) -> std::string_view { return judge_code_name(code); }},
    .of_role = role::judge,
    .beside = rows_beside::all};
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// The code of a question as optgap score wrote it, since its gates depend on the rows before it.
std::int32_t question_code(json_row const& row) {
    std::string_view const* const code = field_of(row, "code");
    if (code == nullptr || !is_json_string(*code) || !has(row, "proposal_kind")) {
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
    return code_format_missing_answer;  // one of the format codes, which have the same reward
}

/// Whether a row asks in words alone, so that no task's proof says what is right.
bool in_free_text(json_row const& row) {
    std::string_view const* const text = field_of(row, "question");
    if (text == nullptr) {
        return false;
    }
    for (std::string_view const name :
         {"key", "task", "instance", "proposal", "role", "rubric", "rubric_key", "chain", "chain_key", "language"}) {
        if (has(row, name)) {
            return false;
        }
    }
    if (!is_json_string(*text)) {
        throw field_error("judged.question", "must be a text");
    }
    return true;
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

judgement_kind::judgement_kind(run_services& run)
    : run_(run),
      own_(run.options),
      rule_(judge_reward_named(run.options.kinds.text(judge_rule))),
      parser_(score_parser_named(run.options.kinds.text(judge_reader))) {
    own_.format.clear();
    own_.force_format = false;
}

kind_info const& judgement_kind::info() const { return judgement_info; }

option const& judgement_kind::rule_option() { return judge_rule; }
option const& judgement_kind::reader_option() { return judge_reader; }

claim judgement_kind::claims(json_row const& row) const { return is_judgement(row) ? claim::marked : claim::none; }

void judgement_kind::read(row_batch& batch) {
    next_.assign(batch.items.size(), -1);
    batch.each([&](std::size_t i) {
        json_row const& row = batch.items[i].row;
        for (std::string_view const name :
             {"rubric", "rubric_key", "chain", "chain_key", "external", "language", "proposal"}) {
            if (has(row, name)) {
                throw field_error(std::string(name), "stands in a judgement: expected it in `judged`");
            }
        }
        if (reads_lengths(run_.reward.specs[0])) {
            throw field_error("role", "a judgement is not rewarded by its tokens, which `length` of --reward asks for");
        }
        std::string_view const* const judged = field_of(row, "judged");
        row_item inner;
        std::string rule;
        if (judged == nullptr || !judged->starts_with('{') || !inner.row.split(*judged, rule)) {
            throw field_error("judged", "missing: expected the row of an answer or of a proposal, as an object");
        }
        kept_row made;
        if (in_free_text(inner.row)) {
            made.of.free_text = true;
            made.of.question = !has(inner.row, "completion");
            made.task = "judgement/text";
            made.group = fmt::format("judgements of {}", *field_of(inner.row, "question"));
        } else if (is_proposal(inner.row)) {
            made.of.question = true;
            made.of.code = question_code(inner.row);
            made.truth = truth_of_question(made.of.code);
            made.task = "judgement/question";
            made.group = "judgements of questions";
        }
        std::string_view const* const named = field_of(row, "format");
        if (named != nullptr && (is_json_string(*named) || named->starts_with('{'))) {
            throw field_error("format", "is not read in a judgement: its score stands between <score> and </score>");
        }
        batch.rollouts[i] = read_rollout(batch.items[i], own_, batch.texts);
        batch.rollouts[i].format = -1;
        next_[i] = std::int64_t(kept_.size());
        kept_.push_back(std::move(made));
    });
}

/// Asks for the answers that are judged. Judged proposals carry the gates' result in the row itself.
std::vector<row_kind::asked_row> judgement_kind::asks(row_batch& batch) {
    std::vector<asked_row> out;
    for (std::size_t const i : batch.mine) {
        if (judged_thing const& of = kept_[std::size_t(next_[i])].of; of.question || of.free_text) {
            continue;
        }
        asked_row one{.item = {}, .parent = i};
        one.item.take(*field_of(batch.items[i].row, "judged"), batch.items[i].number);
        if (is_judgement(one.item.row)) {
            one.item.reject("role", "is a judgement: expected an answer or a proposal");
        }
        out.push_back(std::move(one));
    }
    return out;
}

void judgement_kind::answered(row_batch& batch, std::span<asked_row> asked, std::span<graded_row const> graded) {
    for (std::size_t k = 0; k < asked.size(); ++k) {
        row_item const& answer = asked[k].item;
        row_item& item = batch.items[asked[k].parent];
        if (!answer.sound()) {
            item.reject("judged." + answer.field, answer.rule);
        } else if (std::size_t(graded[k].task) >= run_.by.tasks().size() || graded[k].entry >= 0) {
            item.reject("judged",
                        "has no proof to grade a judge by: expected an answer to a task of this build, or a "
                        "proposal");
        } else {
            kept_row& own = kept_[std::size_t(next_[asked[k].parent])];
            reward_row const& value = graded[k].value;
            own.of = {false,
                      value.code,
                      graded[k].task,
                      value.feasible > 0,
                      value.optimal > 0,
                      graded[k].proven,
                      double(value.normalized)};
            own.truth = truth_of_answer(own.of.feasible, own.of.optimal, own.of.proven, own.of.normalized);
            own.task = fmt::format("judgement/{}", run_.names.task_name(graded[k].task));
            own.group = fmt::format("judgements {}", graded[k].group);
        }
    }
    batch.drop_rejected();
}

void judgement_kind::grade(row_batch& batch, std::span<sourced_baseline const>, std::span<graded_row> out) {
    for (std::size_t const i : batch.mine) {
        rollout const& roll = batch.rollouts[i];
        kept_row& own = kept_[std::size_t(next_[i])];
        own.said = read_judgement(roll.completion, parser_);
        graded_row& row = out[i];
        bool const cut = ended_early(roll.finished);
        row.entry = next_[i];
        row.value.code = own.said.code == code_no_score && cut ? std::int32_t(code_truncated) : own.said.code;
        row.value.format = own.said.form == 1 ? 1.0f : 0.0f;
        row.value.feasible = own.said.code == code_ok ? 1.0f : 0.0f;
        row.value.truncated = cut ? 1 : 0;
        row.violation = own.said.code == code_ok ? 0 : 1;
        row.answer = own.said.span;
        row.proven = own.truth.known();
        row.baseline_kind = row.proven ? "proven" : "unknown";
        row.length = roll.length;
        row.format = -1;
        row.task = run_.names.task(own.task);
        row.group = run_.names.group(batch.group_of(i, own.group));
    }
}

/// Computes the constant judge's reward, which depends on all judgements together.
void judgement_kind::settle(std::span<graded_row* const> rows) {
    std::vector<judged_row> all;
    for (graded_row const* const row : rows) {
        all.push_back(judged(*row));
    }
    std::vector<float> const earned = judge_rewards(rule_, all);
    truncation const cut = run_.reward.specs[0].truncated;
    for (std::size_t k = 0; k < all.size(); ++k) {
        graded_row& row = *rows[k];
        bool const penalised = row.value.truncated == 0 || cut == truncation::penalise;
        row.value.reward = penalised                 ? earned[k]
                           : cut == truncation::zero ? 0.0f
                                                     : std::numeric_limits<float>::quiet_NaN();
        row.score = double(row.value.reward);
        row.value.quality = row.value.raw_ratio = row.value.normalized =
            all[k].truth.known() && all[k].said.readable() ? float(1 - std::abs(all[k].said.value - all[k].truth.value))
                                                           : 0.0f;
    }
}

void judgement_kind::write(row_sink& out, graded_row const& row) const {
    kept_row const& one = found(row);
    bool const whole = parser_ == score_parser::strict && one.said.readable();
    whole ? out.integer("score", std::lround(1 + 9 * one.said.value)) : out.null("score");
    out.real("value", float(one.said.value));
    out.real("truth", float(one.truth.value));
    out.text_or_null("truth_band", one.truth.known() ? judge_band_names[one.truth.band] : std::string_view());
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

kind_entry judgement_rows() { return {&judgement_info, make_kind<judgement_kind>}; }

}  // namespace optgap::rows
