#include "tools/cli/pay/kinds/chain_rows.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/cli/rows/instances.hpp"
#include "tools/cli/rows/json_text.hpp"
#include "tools/cli/shell/command_line.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view chain_columns[] = {"content", "style",  "total",         "points",  "checks",
                                              "gates",   "preset", "check_reasons", "words_by"};

using named_numbers = std::vector<std::pair<std::string, double>>;

std::string_view const* row_value(json_row const& row, std::string_view name) {
    std::string_view const* const value = row.find(name);
    return value == nullptr || is_json_null(*value) ? nullptr : value;
}

/// Whether a row's raw `key` is one of ours, task@version:…, rather than a number or a name of its data set's.
bool names_task(std::string_view raw) {
    return is_json_string(raw) && decode_json_string(raw).find('@') != std::string::npos;
}

/// {"helpful": 0.5}; throws field_error.
named_numbers external_numbers(json_row const& row) {
    named_numbers out;
    std::string_view const* const raw = row_value(row, "external");
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

std::string shortest_number(double value) { return fmt::format("{}", value); }

}  // namespace

std::string row_prompt(json_row const& row) {
    std::string_view const* const raw = row_value(row, "prompt");
    if (raw == nullptr) {
        return {};
    }
    if (is_json_string(*raw)) {
        return decode_json_string(*raw);
    }
    std::string out;
    auto const messages = read_json(*raw);
    if (!messages.is_array()) {
        throw field_error("prompt", "must be a text or a list of messages");
    }
    for (auto const& message : messages) {
        if (!message.is_object() || !message.contains("content") || !message["content"].is_string()) {
            throw field_error("prompt", "must be a text or a list of messages with a text as `content`");
        }
        out += (out.empty() ? "" : "\n") + message["content"].get<std::string>();
    }
    return out;
}

chain_rows::chain_rows(score_options const& options, reward_spec const& spec)
    : chains_(options.chain_preset, options.chains),
      external_(options.external),
      format_said_(!options.format.empty()),
      spec_(spec),
      isolation_(options.programs.isolation),
      sandboxes_(options.programs) {}

std::string chain_rows::task_of(row_item const& item) const {
    return fmt::format("chain/{}", chain::name_of(chains_.at(item.chain).which()));
}

void chain_rows::claim(std::span<row_item> items) {
    for (row_item& item : items) {
        if (!item.sound() || item.proposal || item.judgement || !chain_file::names_chain(item.row)) {
            continue;
        }
        item.external = true;
        try {
            for (std::string_view const name : {"key", "task", "instance"}) {
                std::string_view const* const value = row_value(item.row, name);
                // IFEval and IFBench number their prompts under `key`; a key of ours has task@version.
                if (value != nullptr && (name != "key" || names_task(*value))) {
                    throw field_error(std::string(name), "names a task, and the row has a chain: expected one of them");
                }
            }
            if (row_value(item.row, "external") != nullptr && !external_) {
                throw field_error("external",
                                  "holds numbers from outside, which count only under `optgap score --external`");
            }
            if (reads_lengths(spec_)) {
                throw field_error("chain",
                                  "is not paid by its tokens, which `length` of --reward asks for: expected a "
                                  "check of `words` or `characters` instead, or `length` for tasks alone");
            }
            static_cast<void>(external_numbers(item.row));
            std::string const prompt = row_prompt(item.row);
            item.chain = chains_.chain_of(item.row);
            if (prompt.empty() && chains_.at(item.chain).needs_prompt()) {
                throw field_error("prompt", "missing: the gate `copy` compares with it, and the chain has none either");
            }
            if (isolation_.empty() && !chains_.at(item.chain).codes().empty()) {
                throw field_error("chain.style",
                                  "has a check in Python, which runs in a sandbox alone: expected --isolation auto, or "
                                  "a chain without checks of kind `code`");
            }
        } catch (field_error const& broken) {
            item.reject(broken.field(), broken.rule());
        }
    }
}

std::string chain_rows::format_of(json_row const& row, rollout const& roll) const {
    std::string_view const* const own = row.find("format");
    bool const number_here = own != nullptr && !is_json_string(*own) && !own->starts_with('{');
    bool const said = format_said_ || row_value(row, number_here ? "format_name" : "format") != nullptr;
    return said ? to_text(known_formats()[std::size_t(roll.format)]) : std::string();
}

void chain_rows::run_codes(std::span<row_item> items, std::span<rollout const> rollouts) {
    std::vector<programs::code_question> asked;
    std::vector<std::size_t> coded;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].chain < 0 || !items[i].sound() || chains_.at(items[i].chain).codes().empty()) {
            continue;
        }
        chain::reward_chain const& by = chains_.at(items[i].chain);
        std::string const format = format_of(items[i].row, rollouts[i]);
        std::string_view const text = by.checked_part({.text = rollouts[i].completion, .format = format});
        for (std::string const& code : by.codes()) {
            asked.push_back({code, text});
        }
        coded.push_back(i);
    }
    if (coded.empty()) {
        return;
    }
    try {
        if (!codes_) {
            codes_.emplace(sandboxes_.of(programs::program_language::python, false));
        }
        codes_->prepare(asked);
    } catch (error const& refused) {
        for (std::size_t const i : coded) {
            items[i].reject("isolation", refused.what());
        }
    }
}

void chain_rows::score(std::span<row_item> items, std::span<rollout const> rollouts, std::span<scored_row> out) {
    run_codes(items, rollouts);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].chain < 0 || !items[i].sound()) {
            continue;
        }
        json_row const& source = items[i].row;
        std::string const format = format_of(source, rollouts[i]);
        std::string const prompt = row_prompt(source);
        named_numbers const external = external_numbers(source);
        chain::reward_chain const& by = chains_.at(items[i].chain);
        chain::text_score const found = by.score({.text = rollouts[i].completion,
                                                  .prompt = prompt,
                                                  .format = format,
                                                  .external = external,
                                                  .codes = codes_ ? &*codes_ : nullptr});
        if (std::any_of(found.checks.begin(), found.checks.end(),
                        [](chain::check_score const& check) { return check.reason == chain::needs_icu; })) {
            items[i].reject("completion", chain::icu_lack);
            continue;
        }
        scored_row& row = out[i];
        bool const cut = rollouts[i].finished == finish::length || rollouts[i].finished == finish::abort;
        row.value.reward = chain::reward_of(found, rollouts[i].finished, spec_.truncated);
        row.value.format = row.value.feasible = found.has_text ? 1.0f : 0.0f;
        row.value.quality = found.has_text ? float(std::clamp(found.total, 0.0, 1.0)) : 0.0f;
        row.value.raw_ratio = found.has_text ? float(found.total) : 0.0f;
        row.value.normalized = found.has_text ? float(found.normalized) : 0.0f;
        row.value.code = found.has_text ? std::int32_t(code_ok) : std::int32_t(code_empty);
        row.value.truncated = cut ? 1 : 0;
        row.violation = found.has_text ? 0 : 1;
        row.score = found.total;
        row.baseline_kind = "reference";
        row.length = rollouts[i].length;
        row.format = format.empty() ? -1 : rollouts[i].format;
        row.pair = {float(found.content), float(found.style)};
        row.chain = std::int32_t(scores_.size());
        scores_.push_back(found);
        presets_.push_back(by.which());
    }
}

std::span<std::string_view const> chain_rows::columns() { return chain_columns; }

void chain_rows::write(row_writer& row, scored_row const& scored) const {
    chain::text_score const& found = scores_[std::size_t(scored.chain)];
    row.raw("content", shortest_number(found.content));
    row.raw("style", shortest_number(found.style));
    row.raw("total", shortest_number(found.total));
    std::string text;
    for (chain::point_score const& point : found.points) {
        text += fmt::format("{}[{},{}]", text.empty() ? "" : ",", point.numerator, point.denominator);
    }
    row.raw("points", "[" + text + "]");
    text.clear();
    for (chain::check_score const& check : found.checks) {
        text += fmt::format("{}{}", text.empty() ? "" : ",", !check.known ? "null" : check.passed ? "1" : "0");
    }
    row.raw("checks", "[" + text + "]");
    text.clear();
    for (chain::gate_score const& gate : found.gates) {
        text += fmt::format("{}\"{}\":[{},{}]", text.empty() ? "" : ",", chain::name_of(gate.which), gate.value,
                            gate.factor);
    }
    row.raw("gates", "{" + text + "}");
    row.text("preset", chain::name_of(presets_[std::size_t(scored.chain)]));
    text.clear();
    for (std::size_t i = 0; i < found.checks.size(); ++i) {
        if (!found.checks[i].reason.empty()) {
            text += fmt::format("{}\"{}\":", text.empty() ? "" : ",", i);
            append_json_string(text, found.checks[i].reason);
        }
    }
    if (!text.empty()) {
        row.raw("check_reasons", "{" + text + "}");
    }
    if (!found.words_by.empty()) {
        row.text("words_by", found.words_by);
    }
}

chain_outcome chain_rows::outcome_of(scored_row const& scored) const {
    chain::text_score const& found = scores_[std::size_t(scored.chain)];
    bool const held =
        std::ranges::any_of(found.gates, [](chain::gate_score const& gate) { return gate.factor < 1024; });
    return {std::string(chain::name_of(presets_[std::size_t(scored.chain)])), found.total, found.content, found.style,
            held};
}

void add_chain_options(command_entry command, score_options& options) {
    command.add_option("--chain-preset", options.chain_preset,
                       fmt::format("Whose arithmetic scores rows with a chain, instead of the preset that it names: {}",
                                   fmt::join(chain::preset_names(), ", ")));
    command.add_option("--chains", options.chains,
                       "JSONL of rows with a `chain`, for rows that name one by `chain_key`");
}

}  // namespace optgap::cli
