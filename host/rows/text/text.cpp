// A completion against a rubric, which RLVRR calls a reward chain (docs/rubrics.md):
//
//   {"rubric": {…}, "prompt": "…", "completion": "…"}

#include "host/rows/text/text.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/program_runs/code_checks.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/rows/program/sandboxes.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/row_kind.hpp"
#include "host/rows/text/rubric_file.hpp"

namespace optgap::rows {
namespace {

constexpr option rubric_preset{
    .name = "rubric-preset",
    .help = "Whose arithmetic scores rows with a rubric, instead of the preset that it names",
    .choices = rubrics::preset_names,
    .recorded = "chain_preset"};
constexpr option rubric_side{.name = "rubrics",
                             .help =
                                 "File of rows with a `rubric`, as optgap rubric compile writes them, for rows that "
                                 "name theirs by `rubric_key` instead of carrying it",
                             .names_file = true};
constexpr option rubric_options[] = {rubric_preset, rubric_side};
constexpr column text_reads[] = {
    {"rubric", column_type::json, "the rubric: points of content, checks of style, gates"},
    {"rubric_key", column_type::text, "of a rubric in the file of --rubrics"},
    {"prompt", column_type::text, "what the model was asked, or a list of messages"},
    {"completion", column_type::text, "what the model wrote"},
    {"external", column_type::json, "numbers from outside for checks that ask for them, under --external"}};
constexpr column text_adds[] = {
    {"content", column_type::real, "0 to 1: how far the points are met"},
    {"style", column_type::real, "share of the checks that pass, 0 to 1"},
    {"total", column_type::real, "the reward before it is cut off"},
    {"points", column_type::json, "[[n, d], …]: n of d keywords of each point"},
    {"checks", column_type::json, "[0 or 1 or null, …], null where a check is not known"},
    {"gates", column_type::json, "{name: [value, factor of 1024]}"},
    {"preset", column_type::text, "whose arithmetic was used"},
    {"check_reasons", column_type::json, "{check: why it failed}, where one says so"},
    {"words_by", column_type::text, "what broke the text into words, where that is not the default"}};
constexpr kind_info text_info{.name = "text",
                              .page = "rubrics.md",
                              .known_by = "`rubric` or `rubric_key`",
                              .rank = 30,
                              .reads = text_reads,
                              .adds = text_adds,
                              .options = rubric_options};

using named_numbers = std::vector<std::pair<std::string, double>>;

/// Whether a row's raw `key` is one of optgap's, task@version:…, rather than a number or a name of its data set.
bool names_task(std::string_view raw) {
    return is_json_string(raw) && decode_json_string(raw).find('@') != std::string::npos;
}

/// {"helpful": 0.5}; throws field_error.
named_numbers external_numbers(json_row const& row) {
    named_numbers out;
    std::string_view const* const raw = field_of(row, "external");
    if (raw == nullptr) {
        return out;
    }
    json_row object;
    std::string rule;
    if (!object.split(*raw, rule)) {
        throw field_error("external", "must be an object of numbers, one for each external check");
    }
    for (json_field const& field : object.fields()) {
        auto const number = read_json(field.value);
        if (!number.is_number() && !number.is_boolean()) {
            throw field_error(fmt::format("external.{}", field.key.substr(0, 60)), "must be a number");
        }
        out.emplace_back(std::string(field.key),
                         number.is_boolean() ? (number.get<bool>() ? 1.0 : 0.0) : number.get<double>());
    }
    return out;
}

/// Compiled ones that a scorer keeps from run to run.
constexpr std::size_t max_rubrics = 8192;

class text_kind final : public row_kind, public rubric_scores {
public:
    explicit text_kind(run_services& run)
        : run_(run),
          rubrics_(run.options.kinds.text(rubric_preset), run.options.kinds.text(rubric_side)),
          external_(run.options.kinds.flag({.name = "external"})),
          programs_(program_options_of(run.options.kinds)),
          sandboxes_(sandboxes_of(run, programs_)) {}

    kind_info const& info() const override { return text_info; }
    claim claims(json_row const& row) const override {
        return rubric_file::names_rubric(row) ? claim::marked : claim::none;
    }

    void read(row_batch& batch) override {
        rubric_of_.assign(batch.items.size(), -1);
        batch.each([&](std::size_t i) {
            json_row const& row = batch.items[i].row;
            for (std::string_view const name : {"key", "task", "instance"}) {
                std::string_view const* const value = field_of(row, name);
                // IFEval and IFBench number their prompts under `key`. A key of optgap has task@version.
                if (value != nullptr && (name != "key" || names_task(*value))) {
                    throw field_error(std::string(name),
                                      "names a task, and the row has a rubric: expected one of them");
                }
            }
            if (has(row, "external") && !external_) {
                throw field_error("external",
                                  "holds numbers from outside, which count only under `optgap score --external`");
            }
            if (reads_lengths(run_.reward.specs[0])) {
                throw field_error(std::string(rubric_columns::of(row).rubric),
                                  "is not rewarded by its tokens, which `length` of --reward asks for: expected a "
                                  "check of `words` or `characters` instead, or `length` for tasks alone");
            }
            static_cast<void>(external_numbers(row));
            std::string const prompt = prompt_of(row);
            rubric_of_[i] = rubrics_.rubric_of(row);
            rubrics::text_rubric const& rubric = rubrics_.at(rubric_of_[i]);
            if (prompt.empty() && rubric.needs_prompt()) {
                throw field_error("prompt",
                                  "missing: the gate `copy` compares with it, and the rubric has none either");
            }
            if (programs_.isolation.empty() && !rubric.codes().empty()) {
                throw field_error(fmt::format("{}.style", rubric_columns::of(row).rubric),
                                  "has a check in Python, which runs in a sandbox alone: expected --isolation auto, or "
                                  "a rubric without checks of kind `code`");
            }
            batch.rollouts[i] = read_rollout(batch.items[i], run_.options, batch.texts);
            require_tokens(batch.rollouts[i], run_.reward);
        });
    }

    void grade(row_batch& batch, std::span<sourced_baseline const>, std::span<graded_row> out) override {
        run_codes(batch);
        batch.each([&](std::size_t i) { out[i] = graded(batch, i); });
    }

    void write(row_sink& out, graded_row const& row) const override {
        rubrics::text_score const& found = kept_[std::size_t(row.entry)].score;
        out.number("content", found.content);
        out.number("style", found.style);
        out.number("total", found.total);
        std::string text;
        for (rubrics::point_score const& point : found.points) {
            text += fmt::format("{}[{},{}]", text.empty() ? "" : ",", point.numerator, point.denominator);
        }
        out.raw("points", "[" + text + "]");
        text.clear();
        for (rubrics::check_score const& check : found.checks) {
            text += fmt::format("{}{}", text.empty() ? "" : ",", !check.known ? "null" : check.passed ? "1" : "0");
        }
        out.raw("checks", "[" + text + "]");
        text.clear();
        for (rubrics::gate_score const& gate : found.gates) {
            text += fmt::format("{}\"{}\":[{},{}]", text.empty() ? "" : ",", rubrics::name_of(gate.which), gate.value,
                                gate.factor);
        }
        out.raw("gates", "{" + text + "}");
        out.text("preset", rubrics::name_of(kept_[std::size_t(row.entry)].preset));
        text.clear();
        for (std::size_t i = 0; i < found.checks.size(); ++i) {
            if (!found.checks[i].reason.empty()) {
                text += fmt::format("{}\"{}\":", text.empty() ? "" : ",", i);
                append_json_string(text, found.checks[i].reason);
            }
        }
        if (!text.empty()) {
            out.raw("check_reasons", "{" + text + "}");
        }
        if (!found.words_by.empty()) {
            out.text("words_by", found.words_by);
        }
    }

    [[nodiscard]] rubric_outcome outcome_of(graded_row const& row) const override {
        rubrics::text_score const& found = kept_[std::size_t(row.entry)].score;
        bool const held =
            std::ranges::any_of(found.gates, [](rubrics::gate_score const& gate) { return gate.factor < 1024; });
        return {std::string(rubrics::name_of(kept_[std::size_t(row.entry)].preset)), found.total, found.content,
                found.style, held};
    }

    /// Names checks and gates. What points ask for and what gates compare with is of the references and stays hidden.
    finding find(explained_rows const& rows) override {
        kept_row const& kept = kept_[std::size_t(rows.row().entry)];
        rubrics::text_rubric const& rubric = rubrics_.at(kept.rubric);
        finding out{.subject = "text", .formed = kept.score.has_text, .sound = false};
        if (!out.formed) {
            out.rule = "there is no text to score";
            return out;
        }
        std::vector<std::string> failed, values;
        for (std::size_t i = 0; i < kept.score.checks.size(); ++i) {
            if (kept.score.checks[i].known && !kept.score.checks[i].passed) {
                failed.push_back(rubric.check_title(i));
                values.push_back(rubric.check_sentence(i, kept.score.checks[i]));
            }
        }
        for (rubrics::gate_score const& gate : kept.score.gates) {
            if (gate.factor < rubrics::full_factor) {
                failed.push_back(fmt::format("gate {}", rubrics::name_of(gate.which)));
            }
        }
        out.sound = failed.empty();
        out.rule = out.sound ? std::string() : fmt::format("it fails: {}", fmt::join(failed, "; "));
        out.place = fmt::format("{}", fmt::join(values, "; "));
        return out;
    }

    explanation explain(explained_rows const& rows) override {
        kept_row const& kept = kept_[std::size_t(rows.row().entry)];
        rubrics::text_rubric const& rubric = rubrics_.at(kept.rubric);
        explanation out = row_kind::explain(rows);
        section checks{.title = "checks and gates"};
        for (std::size_t i = 0; i < kept.score.checks.size(); ++i) {
            checks.checks.push_back({fmt::format("weight {:g}", rubric.check_weight(i)),
                                     printable(rubric.check_sentence(i, kept.score.checks[i])),
                                     kept.score.checks[i].passed ? tone::good : tone::bad});
        }
        for (rubrics::gate_score const& gate : kept.score.gates) {
            checks.checks.push_back({fmt::format("factor {}/{}", gate.factor, rubrics::full_factor),
                                     rubrics::sentence_of(gate),
                                     gate.factor == rubrics::full_factor ? tone::good : tone::bad});
        }
        if (!checks.checks.empty()) {
            out.sections.insert(out.sections.end() - 1, std::move(checks));
        }
        return out;
    }

    std::shared_ptr<void> take(graded_row const& row) override {
        return std::make_shared<kept_row>(std::move(kept_[std::size_t(row.entry)]));
    }
    void put(graded_row& row, std::shared_ptr<void> const& kept) override {
        row.entry = std::int64_t(kept_.size());
        kept_.push_back(*std::static_pointer_cast<kept_row>(kept));
    }

    void forget() override {
        kept_.clear();
        rubrics_.forget_beyond(max_rubrics);
    }

private:
    struct kept_row {
        rubrics::text_score score;
        rubrics::preset preset;
        std::int32_t rubric;
    };

    [[nodiscard]] std::string format_of(json_row const& row, rollout const& roll) const {
        bool const named = !run_.options.format.empty() || names_format(row);
        return named ? to_text(known_formats()[std::size_t(roll.format)]) : std::string();
    }

    /// Runs the Python checks of all rows. Rejects those rows where nothing may run or the machine fails.
    void run_codes(row_batch& batch) {
        std::vector<programs::code_question> asked;
        std::vector<std::size_t> coded;
        for (std::size_t const i : batch.mine) {
            rubrics::text_rubric const& rubric = rubrics_.at(rubric_of_[i]);
            if (rubric.codes().empty()) {
                continue;
            }
            std::string const format = format_of(batch.items[i].row, batch.rollouts[i]);
            std::string_view const text = rubric.checked_part({.text = batch.rollouts[i].completion, .format = format});
            for (std::string const& code : rubric.codes()) {
                asked.push_back({code, text});
            }
            coded.push_back(i);
        }
        if (coded.empty()) {
            return;
        }
        try {
            if (!codes_) {
                codes_.emplace(sandboxes_->kept(programs::program_language::python));
            }
            codes_->prepare(asked);
        } catch (error const& refused) {
            for (std::size_t const i : coded) {
                batch.items[i].reject("isolation", refused.what());
            }
            batch.drop_rejected();
        }
    }

    graded_row graded(row_batch const& batch, std::size_t i) {
        json_row const& source = batch.items[i].row;
        rollout const& roll = batch.rollouts[i];
        std::string const format = format_of(source, roll);
        std::string const prompt = prompt_of(source);
        named_numbers const external = external_numbers(source);
        rubrics::text_rubric const& rubric = rubrics_.at(rubric_of_[i]);
        rubrics::text_score found = rubric.score({.text = roll.completion,
                                                  .prompt = prompt,
                                                  .format = format,
                                                  .external = external,
                                                  .codes = codes_ ? &*codes_ : nullptr});
        if (std::any_of(found.checks.begin(), found.checks.end(),
                        [](rubrics::check_score const& check) { return check.reason == rubrics::needs_icu; })) {
            throw field_error("completion", rubrics::icu_lack);
        }
        bool const cut = ended_early(roll.finished);
        graded_row row;
        row.value.reward = rubrics::reward_of(found, roll.finished, run_.reward.specs[0].truncated);
        row.value.format = row.value.feasible = found.has_text ? 1.0f : 0.0f;
        row.value.quality = found.has_text ? float(std::clamp(found.total, 0.0, 1.0)) : 0.0f;
        row.value.raw_ratio = found.has_text ? float(found.total) : 0.0f;
        row.value.normalized = found.has_text ? float(found.normalized) : 0.0f;
        row.value.code = found.has_text ? std::int32_t(code_ok) : std::int32_t(code_empty);
        row.value.truncated = cut ? 1 : 0;
        row.violation = found.has_text ? 0 : 1;
        row.score = found.total;
        row.baseline_kind = "reference";
        row.length = roll.length;
        row.format = format.empty() ? -1 : roll.format;
        row.reached = found.has_text && found.total >= 1;
        row.has_pair = true;
        row.pair = {found.content, found.style};
        row.task = run_.names.task(fmt::format("chain/{}", rubrics::name_of(rubric.which())));
        row.group = run_.names.group(batch.group_of(i, "rubric " + rubric.key()));
        row.entry = std::int64_t(kept_.size());
        kept_.push_back({std::move(found), rubric.which(), rubric_of_[i]});
        return row;
    }

    run_services& run_;
    rubric_file rubrics_;
    bool external_;
    program_options programs_;
    std::shared_ptr<program_runs::shared_sandboxes> sandboxes_;
    std::optional<programs::code_checks> codes_;
    std::vector<std::int32_t> rubric_of_;  ///< per item of the batch
    std::vector<kept_row> kept_;
};

}  // namespace

kind_entry text_rows() { return {&text_info, make_kind<text_kind>}; }

}  // namespace optgap::rows
