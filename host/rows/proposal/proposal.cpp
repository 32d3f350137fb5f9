// Rows in which a model poses a problem (docs/coevolution.md):
//
//   {"proposal": {"task": "tsp", "level": "d12", "seed": 7}}
//   {"role": "proposer", "completion": "… <question>{"task": …}</question>"}

#include "host/rows/proposal/proposal.hpp"

#include <limits>
#include <map>

#include <fmt/format.h>

#include "host/rows/json/line_reader.hpp"
#include "host/rows/read/fields.hpp"
#include "optgap/roles/proposer.hpp"

namespace optgap::rows {
namespace {

constexpr option gate_settings{
    .name = "proposals",
    .help = R"(Gates of rows that pose problems, as JSON: {"bytes", "words", "prompt", "answer", "tasks", )"
            R"("steps", "infeasible", "near", "quota"})",
    .recorded = "proposals"};
constexpr option held_out_file{.name = "held-out",
                               .help = "Rows of `optgap generate --canonical` whose problems no proposal may pose",
                               .recorded = "held_out",
                               .names_file = true};
constexpr option proposal_options_of_rows[] = {gate_settings, held_out_file};
constexpr column proposal_reads[] = {
    {"proposal", column_type::json, "the problem: a task with a level and a seed, an instance, or an edit of a parent"},
    {"role", column_type::text, "proposer: the problem stands in the completion, between <question> and </question>"},
    {"completion", column_type::text, "what the model wrote"},
    {"prompt", column_type::json, "rows with one prompt are compared with each other"},
    {"step", column_type::json, "of training: quotas are of a step"}};
constexpr column proposal_adds[] = {
    {"proposal_kind", column_type::text, "level, instance or edit"},
    {"where", column_type::integer, "byte of the fault; -1: none"},
    {"field", column_type::text, "that breaks the rule"},
    {"rule", column_type::text, "that is broken"},
    {"key", column_type::text, "of the problem"},
    {"task", column_type::text, "of the problem"},
    {"instance", column_type::json, "the problem, where it may be posed"},
    {"canonical", column_type::text, "equal for problems that are equal under other labels"},
    {"coarse", column_type::boolean, "canonical is equal for some problems that differ, too"},
    {"duplicate_of", column_type::text, "the key that was posed before"},
    {"floor", column_type::integer, "objective of a constant policy"},
    {"greedy", column_type::integer, "objective of the greedy answer"},
    {"levels", column_type::integer, "different objectives among noisy greedy answers"},
    {"steps", column_type::integer, "of the proof"},
    {"lift", column_type::json, "entry v is what the parent calls the child's v"},
    {"taken", column_type::json, "of the parent, in every answer beside"}};
constexpr kind_info proposal_info{
    .name = "proposal",
    .page = "coevolution.md",
    .known_by = "`proposal`, or the `role` proposer",
    .rank = 40,
    .reads = proposal_reads,
    .adds = proposal_adds,
    .options = proposal_options_of_rows,
    .codes = {code_not_json, proposal_code_end,
              [](std::int32_t code) -> std::string_view { return proposal_code_name(code); }},
    .of_role = role::proposer,
    .beside = rows_beside::earlier};

proposal_options checker_options(run_services const& run) {
    std::string const settings = run.options.kinds.text(gate_settings);
    proposal_options out = settings.empty() ? proposal_options{} : parse_proposal_options(run.by, settings);
    out.budget = run.options.budget;
    if (run.shared != nullptr) {
        std::shared_ptr<baseline_source> const proven = run.shared->of<baseline_source>(
            [&] { return std::make_shared<baseline_source>(run.by, baseline_source_options{.whole = true}); });
        out.solve = [proven](instance_view instances, std::int64_t budget) {
            solved_batch found;
            for (sourced_baseline const& one :
                 proven->prove({.instances = instances, .budget = budget}, &found.answers)) {
                found.rows.push_back(one.value);
            }
            return found;
        };
    }
    return out;
}

std::string numbers_text(std::vector<std::int32_t> const& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ","));
}

/// Reads the keys of rows that `optgap generate --canonical` wrote.
void hold_out(std::string const& file, proposal_checker& checker) {
    line_reader reader({file});
    std::vector<text_line> lines;
    while (reader.next(lines, {})) {
        for (text_line const& line : lines) {
            json_row row;
            std::string rule;
            std::string_view const* const key = row.split(line.text, rule) ? field_of(row, "canonical") : nullptr;
            try {
                if (key == nullptr || !is_json_string(*key)) {
                    throw field_error("canonical", "missing: expected rows of `optgap generate --canonical`");
                }
                checker.hold_out(decode_json_string(*key));
            } catch (field_error const& broken) {
                misuse(fmt::format("--held-out {}, line {}: {}", file, line.number, broken.what()));
            }
        }
    }
}

}  // namespace

proposal_row_kind::proposal_row_kind(run_services& run)
    : run_(run),
      own_(run.options),
      format_(format_index(to_text(question_format()))),
      checker_(std::make_unique<proposal_checker>(run.by, checker_options(run))) {
    own_.format.clear();
    own_.force_format = false;
    if (std::string const file = run.options.kinds.text(held_out_file); !file.empty()) {
        hold_out(file, *checker_);
    }
}

kind_info const& proposal_row_kind::info() const { return proposal_info; }

claim proposal_row_kind::claims(json_row const& row) const { return is_proposal(row) ? claim::marked : claim::none; }

/// What it answers, not what it poses.
row_problem proposal_row_kind::problem(json_row const& row) const {
    std::string_view const* const prompt = field_of(row, "prompt");
    return {fmt::format("proposals {}", prompt == nullptr ? std::string_view() : *prompt), "proposal", "proposal"};
}

void proposal_row_kind::read(row_batch& batch) {
    batch.each([&](std::size_t i) {
        json_row const& row = batch.items[i].row;
        for (std::string_view const name : {"rubric", "rubric_key", "chain", "chain_key", "external", "language"}) {
            if (has(row, name)) {
                throw field_error(std::string(name), "stands beside a proposal: expected one of them");
            }
        }
        if (reads_lengths(run_.reward.specs[0])) {
            throw field_error("proposal", "is not rewarded by its tokens, which `length` of --reward asks for");
        }
        batch.rollouts[i] = read_one(batch.items[i], batch.texts);
    });
}

rollout proposal_row_kind::read_one(row_item const& item, text_arena& texts) const {
    json_row const& row = item.row;
    std::string_view const* const given = field_of(row, "proposal");
    if (given == nullptr) {
        rollout out = read_rollout(item, own_, texts, format_use::answers);
        out.format = names_format(row) ? out.format : format_;
        return out;
    }
    rollout out;
    out.format = -1;
    out.completion = is_json_string(*given) ? texts.decode(*given) : *given;
    if (std::string_view const* const group = field_of(row, "group"); group != nullptr) {
        out.group = *group;
    }
    std::int64_t const length = integer_of(row, "length", -1, "length");
    out.length = length >= 0 && length <= INT32_MAX ? std::int32_t(length) : -1;
    return out;
}

/// Grades in the rows' order, since duplicates depend on earlier rows.
void proposal_row_kind::grade(row_batch& batch, std::span<sourced_baseline const>, std::span<graded_row> out) {
    std::vector<proposal_text> texts;
    for (std::size_t const i : batch.mine) {
        rollout const& roll = batch.rollouts[i];
        proposal_text text{roll.completion};
        text_span span{0, std::int64_t(roll.completion.size())};
        if (roll.format >= 0) {
            posed_text const posed =
                posed_in(roll.completion, known_formats()[std::size_t(roll.format)], roll.finished);
            text = posed.proposal;
            span = posed.span;
        }
        out[i].answer = span;
        text.step = steps_.try_emplace(step_of(batch.items[i].row), std::int64_t(steps_.size())).first->second;
        texts.push_back(text);
    }
    std::vector<checked_proposal> found = checker_->check(texts);
    for (std::size_t k = 0; k < found.size(); ++k) {
        std::size_t const i = batch.mine[k];
        rollout const& roll = batch.rollouts[i];
        graded_row& row = out[i];
        checked_proposal& one = found[k];
        bool const cut = ended_early(roll.finished);
        truncation const rule = run_.reward.specs[0].truncated;
        float const earned = gate_reward(one.code);
        row.value.reward = !cut || rule == truncation::penalise ? earned
                           : rule == truncation::zero           ? 0.0f
                                                                : std::numeric_limits<float>::quiet_NaN();
        row.value.format = texts[k].format_code == code_ok ? 1.0f : 0.0f;
        row.value.feasible = row.value.quality = row.value.raw_ratio = row.value.normalized = one.sound() ? 1.0f : 0.0f;
        row.value.code = one.code;
        row.value.truncated = cut ? 1 : 0;
        row.violation = one.sound() ? 0 : 1;
        row.score = double(earned);
        row.baseline_objective = one.base.objective;
        row.baseline_bound = one.base.bound;
        row.proven = one.base.proven();
        row.baseline_kind = baseline_kind_of(one.base);
        row.length = roll.length;
        row.format = roll.format;
        row.entry = std::int64_t(found_.size());
        row.task = run_.names.task(fmt::format(
            "proposal/{}", one.task < 0 ? std::string_view("unknown") : run_.by.tasks()[std::size_t(one.task)].name));
        row.group = run_.names.group(batch.group_of(i, problem(batch.items[i].row).name));
        if (!one.sound()) {
            one.words = {};  // words are written only of problems that may be posed
        }
        found_.push_back(std::move(one));
    }
}

void proposal_row_kind::write(row_sink& out, graded_row const& row) const {
    checked_proposal const& one = found(row);
    out.text("proposal_kind", name_of(one.kind));
    out.integer("where", one.where);
    out.text_or_null("field", one.field);
    out.text_or_null("rule", one.rule);
    out.text_or_null("key", one.key);
    out.text_or_null("task", one.task < 0 ? std::string_view() : run_.by.tasks()[std::size_t(one.task)].name);
    out.raw("instance", one.words.empty() ? std::string("null") : run_.by.instance_json(one.task, one.words));
    out.text_or_null("canonical", one.canonical);
    out.boolean("coarse", one.coarse);
    out.text_or_null("duplicate_of", one.duplicate_of);
    out.integer_or_null("floor", one.base.floor, no_objective);
    out.integer_or_null("greedy", one.base.greedy, no_objective);
    out.integer("levels", one.levels);
    out.integer("steps", one.base.steps);
    out.raw("lift", numbers_text(one.lift));
    out.raw("taken", numbers_text(one.taken));
}

/// Duplicates and quotas are counted within a run.
void proposal_row_kind::forget() {
    found_.clear();
    steps_.clear();
    checker_ = std::make_unique<proposal_checker>(run_.by, checker_options(run_));
    if (std::string const file = run_.options.kinds.text(held_out_file); !file.empty()) {
        hold_out(file, *checker_);
    }
}

kind_entry proposal_rows() { return {&proposal_info, make_kind<proposal_row_kind>}; }

}  // namespace optgap::rows
