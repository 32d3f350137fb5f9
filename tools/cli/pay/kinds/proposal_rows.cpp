#include "tools/cli/pay/kinds/proposal_rows.hpp"

#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "optgap/roles/proposer.hpp"
#include "tools/cli/pay/kinds/role_fields.hpp"
#include "tools/cli/rows/instances.hpp"
#include "tools/cli/shell/command_line.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view proposal_columns[] = {
    "proposal_kind", "where",        "field", "rule",   "key",    "task",  "instance", "canonical",
    "coarse",        "duplicate_of", "floor", "greedy", "levels", "steps", "lift",     "taken"};

bool says_format(json_row const& row) {
    std::string_view const* const own = row.find("format");
    bool const number_here = own != nullptr && !is_json_string(*own) && !own->starts_with('{');
    return field_said(row, number_here ? "format_name" : "format") != nullptr;
}

proposal_options options_of(engine const& by, score_options const& options) {
    proposal_options out =
        options.proposals.empty() ? proposal_options{} : parse_proposal_options(by, options.proposals);
    out.budget = options.budget;
    return out;
}

std::string numbers_text(std::vector<std::int32_t> const& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ","));
}

void text_or_null(row_writer& row, std::string_view name, std::string_view value) {
    if (value.empty()) {
        row.raw(name, "null");
    } else {
        row.text(name, value);
    }
}

}  // namespace

proposal_rows::proposal_rows(engine const& by, score_options const& options, reward_spec const& spec)
    : engine_(by),
      own_(options),
      spec_(spec),
      format_(format_index(to_text(question_format()))),
      checker_(by, options_of(by, options)) {
    own_.format.clear();
    own_.force_format = false;
    if (!options.held_out.empty()) {
        hold_out(options.held_out);
    }
}

/// Rows of `optgap generate --canonical`.
void proposal_rows::hold_out(std::string const& file) {
    std::ifstream lines(file);
    if (!lines) {
        throw usage_error(fmt::format("--held-out: cannot read {}", file));
    }
    std::string line;
    for (std::int64_t number = 1; std::getline(lines, line); ++number) {
        json_row row;
        std::string rule;
        if (line.find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        std::string_view const* const key = row.split(line, rule) ? field_said(row, "canonical") : nullptr;
        try {
            if (key == nullptr || !is_json_string(*key)) {
                throw field_error("canonical", "missing: expected rows of `optgap generate --canonical`");
            }
            checker_.hold_out(decode_json_string(*key));
        } catch (field_error const& broken) {
            throw usage_error(fmt::format("--held-out {}, line {}: {}", file, number, broken.what()));
        }
    }
    if (lines.bad()) {
        throw io_error(fmt::format("cannot read {}", file));
    }
}

void proposal_rows::claim(std::span<row_item> items) const {
    for (row_item& item : items) {
        if (!item.sound() || !is_proposal(item.row)) {
            continue;
        }
        item.external = item.proposal = true;
        for (std::string_view const name : {"chain", "chain_key", "external", "language"}) {
            if (field_said(item.row, name) != nullptr) {
                item.reject(name, "stands beside a proposal: expected one of them");
            }
        }
        if (reads_lengths(spec_)) {
            item.reject("proposal", "is not paid by its tokens, which `length` of --reward asks for");
        }
    }
}

rollout proposal_rows::read(json_row const& row, std::string& arena) const {
    std::string_view const* const given = field_said(row, "proposal");
    if (given == nullptr) {
        rollout out = read_rollout(row, own_, arena, format_use::answers);
        out.format = says_format(row) ? out.format : format_;
        return out;
    }
    rollout out;
    out.format = -1;
    out.completion = is_json_string(*given) ? decode_json_string(*given, arena) : *given;
    if (std::string_view const* const group = field_said(row, "group"); group != nullptr) {
        out.group = *group;
    }
    std::int64_t const length = integer_of(row, "length", -1, "length");
    out.length = length >= 0 && length <= INT32_MAX ? std::int32_t(length) : -1;
    return out;
}

void proposal_rows::score(std::span<row_item const> items, std::span<rollout const> rollouts,
                          std::span<scored_row> out) {
    std::vector<proposal_text> texts;
    std::vector<std::size_t> item_of;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].proposal || !items[i].sound()) {
            continue;
        }
        rollout const& roll = rollouts[i];
        proposal_text text{roll.completion};
        text_span span{0, std::int64_t(roll.completion.size())};
        if (roll.format >= 0) {
            posed_text const posed =
                posed_in(roll.completion, known_formats()[std::size_t(roll.format)], roll.finished);
            text = posed.proposal;
            span = posed.span;
        }
        out[i].answer = span;
        text.step = steps_.try_emplace(step_of(items[i].row), std::int64_t(steps_.size())).first->second;
        texts.push_back(text);
        item_of.push_back(i);
    }
    std::vector<checked_proposal> found = checker_.check(texts);
    for (std::size_t k = 0; k < found.size(); ++k) {
        rollout const& roll = rollouts[item_of[k]];
        scored_row& row = out[item_of[k]];
        checked_proposal& one = found[k];
        bool const cut = ended_early(roll.finished);
        float const earned = gate_reward(one.code);
        row.value.reward = !cut || spec_.truncated == truncation::penalise ? earned
                           : spec_.truncated == truncation::zero           ? 0.0f
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
        row.baseline_kind = row.proven ? "proven" : one.base.bound == no_objective ? "unknown" : "bounded";
        row.length = roll.length;
        row.format = roll.format;
        row.proposal = std::int64_t(found_.size());
        row.of_role = role::proposer;
        if (!one.sound()) {
            one.words = {};  // only what may be posed is written
        }
        found_.push_back(std::move(one));
    }
}

std::string proposal_rows::group_of(row_item const& item) {
    std::string_view const* const prompt = field_said(item.row, "prompt");
    return fmt::format("proposals {}", prompt == nullptr ? std::string_view() : *prompt);
}

std::string proposal_rows::task_of(scored_row const& scored) const {
    std::int32_t const task = found(scored).task;
    return fmt::format("proposal/{}", task < 0 ? "unknown" : engine_.tasks()[std::size_t(task)].name);
}

std::span<std::string_view const> proposal_rows::columns() { return proposal_columns; }

void proposal_rows::write(row_writer& row, scored_row const& scored) const {
    checked_proposal const& one = found(scored);
    row.text("proposal_kind", name_of(one.kind));
    row.integer("where", one.where);
    text_or_null(row, "field", one.field);
    text_or_null(row, "rule", one.rule);
    text_or_null(row, "key", one.key);
    text_or_null(row, "task", one.task < 0 ? "" : engine_.tasks()[std::size_t(one.task)].name);
    row.raw("instance", one.words.empty() ? std::string("null") : engine_.instance_json(one.task, one.words));
    text_or_null(row, "canonical", one.canonical);
    row.boolean("coarse", one.coarse);
    text_or_null(row, "duplicate_of", one.duplicate_of);
    row.integer_or_null("floor", one.base.floor, no_objective);
    row.integer_or_null("greedy", one.base.greedy, no_objective);
    row.integer("levels", one.levels);
    row.integer("steps", one.base.steps);
    row.raw("lift", numbers_text(one.lift));
    row.raw("taken", numbers_text(one.taken));
}

void add_proposal_options(command_entry command, score_options& options) {
    command.add_option("--proposals", options.proposals,
                       R"(Gates of rows that pose problems, as JSON: {"bytes", "words", "prompt", "answer", "tasks", )"
                       R"("steps", "infeasible", "near", "quota"})");
    command.add_option("--held-out", options.held_out,
                       "Rows of `optgap generate --canonical` whose problems no proposal may pose");
}

}  // namespace optgap::cli
