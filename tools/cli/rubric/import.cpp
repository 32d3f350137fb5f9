// optgap rubric import: rows of others' data sets as rows with a rubric. Labels are read as data; no code in them runs.

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/instances.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/rubric/literal.hpp"
#include "tools/cli/rubric/rubric_commands.hpp"
#include "tools/cli/rubric/tables.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

struct rubric_import_options {
    std::vector<std::string> files;
    std::string from;
    std::string mode = "strict";
    std::string rewards = "share";
    bool loose = false;
    bool content_only = false;
    std::string tables_folder;
    instruction_tables tables;
};

/// What of the style is Python.
struct code_report {
    std::int64_t codes = 0;
    double weight = 0;
};

constexpr std::string_view label_split = "[[[SPLIT]]]";

/// The first of these columns that a row has; throws field_error.
std::string_view first_column(json_row const& row, std::initializer_list<std::string_view> names) {
    for (std::string_view const name : names) {
        std::string_view const* const value = row.find(name);
        if (value != nullptr && !is_json_null(*value)) {
            return *value;
        }
    }
    throw field_error(std::string(*names.begin()),
                      fmt::format("missing, and so are its other names: {}", fmt::join(names, ", ")));
}

json new_rubric(char const* preset) { return {{"chain", 1}, {"preset", preset}}; }

/// reference[[[SPLIT]]]keywords[[[SPLIT]]]style
json rlvrr_rubric(json_row const& row, rubric_import_options const& options, code_report& report) {
    std::string_view const raw = first_column(row, {"label", "answer", "ground_truth"});
    if (!is_json_string(raw)) {
        throw field_error("label", "must be a text: reference[[[SPLIT]]]keywords[[[SPLIT]]]style");
    }
    std::string const label = decode_json_string(raw);
    std::size_t const first = label.find(label_split);
    std::size_t const last = label.rfind(label_split);
    if (first == label.npos) {
        throw field_error("label", "has no [[[SPLIT]]], expected reference[[[SPLIT]]]keywords[[[SPLIT]]]style");
    }
    std::size_t const after = first + label_split.size();
    std::size_t const next = std::min(label.find(label_split, after), label.size());
    json const points = read_literal(std::string_view(label).substr(after, next - after), "label.keywords");
    json out = new_rubric("repo");
    json& list = out["content"]["points"] = json::array();
    if (!points.is_array()) {
        throw field_error("label.keywords", "must be a list of points, each a list of lists of keywords");
    }
    for (json const& point : points) {
        json references = json::array();
        if (!point.is_array()) {
            throw field_error("label.keywords", "must be a list of points, each a list of lists of keywords");
        }
        for (json const& keywords : point) {
            if (!keywords.is_array()) {
                throw field_error("label.keywords", "must be a list of points, each a list of lists of keywords");
            }
            references.push_back({{"keywords", keywords}, {"of", 0}});  // one reference serves every list
        }
        list.push_back({{"references", references}});
    }
    out["references"] = json::array({label.substr(0, first)});
    json const style = read_literal(std::string_view(label).substr(last + label_split.size()), "label.style");
    if (!style.is_object() || !style.contains("key_points") || !style["key_points"].is_array()) {
        throw field_error("label.style", "must be a dict with a list key_points");
    }
    if (options.content_only || style["key_points"].empty()) {
        return out;
    }
    json& checks = out["style"] = json::array();
    for (std::size_t i = 0; i < style["key_points"].size(); ++i) {
        json const& one = style["key_points"][i];
        std::string const field = fmt::format("label.style.key_points[{}]", i);
        if (!one.is_object() || !one.contains("verification_code") || !one["verification_code"].is_string()) {
            throw field_error(field + ".verification_code", "must be a text, the Python code of a check");
        }
        if (!one.contains("weight") || !one["weight"].is_number()) {
            throw field_error(field + ".weight", "must be a number");
        }
        checks.push_back({{"check", "code"}, {"code", one["verification_code"]}, {"weight", one["weight"]}});
        report.codes += 1;
        report.weight += one["weight"].get<double>();
    }
    return out;
}

/// A type of instruction with its arguments; those that are null are not there.
void add_instructions(json const& names, json const& arguments, std::string const& field,
                      rubric_import_options const& options, json& out) {
    if (!names.is_array() || !arguments.is_array() || names.size() != arguments.size() || names.empty()) {
        throw field_error(field, "must be a list of instructions, with as many kwargs");
    }
    json checks = json::array();
    for (std::size_t i = 0; i < names.size(); ++i) {
        json check{{"check", names[i]}};
        if (arguments[i].is_object()) {
            for (auto const& [name, value] : arguments[i].items()) {
                if (!value.is_null()) {
                    check[name] = value;
                }
            }
        } else if (!arguments[i].is_null()) {
            throw field_error(field, "has kwargs that are no object");
        }
        options.tables.complete(check, field);
        checks.push_back(std::move(check));
    }
    if (options.rewards == "all") {
        out["style"] = json::array({json{{"all", checks}}});
    } else {
        out["style"] = checks;
    }
    out["rules"] = {{"mode", options.mode}, {"loose", options.loose}};
}

json ifeval_rubric(json_row const& row, rubric_import_options const& options) {
    json out = new_rubric("ours");
    add_instructions(read_json(first_column(row, {"instruction_id_list"})), read_json(first_column(row, {"kwargs"})),
                     "instruction_id_list", options, out);
    return out;
}

/// ground_truth: "[{'instruction_id': ['…'], 'kwargs': [{…}]}]"
json if_rlvr_rubric(json_row const& row, rubric_import_options const& options) {
    std::string_view const raw = first_column(row, {"ground_truth", "label"});
    json label = read_json(raw);
    if (label.is_string()) {
        label = read_literal(label.get<std::string>(), "ground_truth");
    }
    label = label.is_array() && label.size() == 1 ? label[0] : label;
    if (!label.is_object() || !label.contains("instruction_id") || !label.contains("kwargs")) {
        throw field_error("ground_truth", "must hold {'instruction_id': […], 'kwargs': […]}");
    }
    json out = new_rubric("ours");
    add_instructions(label["instruction_id"], label["kwargs"], "ground_truth.instruction_id", options, out);
    return out;
}

/// rubric: [{"title": "…", "description": "…", "weight": 5}]; a judge's 0 or 1 comes with the row as external.TITLE.
json criteria_rubric(json_row const& row, rubric_import_options const&) {
    json const rubric = read_json(first_column(row, {"rubric", "rubrics", "criteria"}));
    if (!rubric.is_array() || rubric.empty()) {
        throw field_error("rubric", "must be a list of criteria with a title and a weight");
    }
    json out = new_rubric("ours");
    json& style = out["style"] = json::array();
    for (std::size_t i = 0; i < rubric.size(); ++i) {
        json const& one = rubric[i];
        json const title = !one.is_object() ? json() : one.contains("title") ? one["title"] : one.value("name", json());
        json check{{"check", "external"},
                   {"external", title.is_string() ? title : json(fmt::format("criterion_{}", i))}};
        check["weight"] = one.is_object() ? one.value("weight", json(1)) : json(1);
        if (one.is_object() && one.contains("description")) {
            check["name"] = one["description"];
        }
        style.push_back(std::move(check));
    }
    return out;
}

/// A first message of a user, where a row has messages and no prompt.
std::string first_user_message(json_row const& row) {
    std::string_view const* const raw = row.find("messages");
    if (row.find("prompt") != nullptr || raw == nullptr) {
        return {};
    }
    for (json const& message : read_json(*raw)) {
        if (message.is_object() && message.value("role", "") == "user" && message.contains("content") &&
            message["content"].is_string()) {
            return message["content"].get<std::string>();
        }
    }
    return {};
}

void import_rubrics(context& ctx, rubric_import_options const& options) {
    row_input input(ctx, options.files, "rubric import");
    row_output output;
    code_report report;
    constexpr std::string_view added[] = {"prompt", "chain", "chain_key"};
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item& item : items) {
            json made;
            std::string key, prompt, text;
            if (item.sound()) {
                try {
                    made = options.from == "rlvrr"     ? rlvrr_rubric(item.row, options, report)
                           : options.from == "if-rlvr" ? if_rlvr_rubric(item.row, options)
                           : options.from == "rubric"  ? criteria_rubric(item.row, options)
                                                       : ifeval_rubric(item.row, options);
                    rubrics::text_rubric const rubric(json_text(made));
                    text = rubric.to_json();
                    key = rubric.key();
                    prompt = first_user_message(item.row);
                } catch (field_error const& broken) {
                    item.reject(broken.field(), broken.rule());
                }
            }
            if (!item.sound()) {
                output.reject(item);
                continue;
            }
            std::span<std::string_view const> const names(added);
            row_writer row = output.begin(item, prompt.empty() ? names.subspan(1) : names);
            if (!prompt.empty()) {
                row.text("prompt", prompt);
            }
            row.raw("chain", text);
            row.text("chain_key", key);
            row.finish();
            output.end_row();
        }
    }
    input.finish(ctx);
    if (report.codes > 0) {
        ctx.note(
            fmt::format("{} check{} of weight {:.6g} are Python, which `optgap score --isolation auto` runs in a "
                        "sandbox; --recognise makes data of the usual ones",
                        report.codes, report.codes == 1 ? "" : "s", report.weight));
    }
    output.finish(ctx);
}

}  // namespace

void add_rubric_import(command_entry rubric, context& ctx) {
    auto options = std::make_shared<rubric_import_options>();
    command_entry const command =
        rubric.add_command("import", "Rows of RLVRR, IFEval, IFBench, IF-RLVR and of rubrics as rows with a rubric",
                           {"optgap rubric import labels.jsonl --from rlvrr > rubrics.jsonl",
                            "optgap rubric import prompts.jsonl --from ifeval --mode peer --loose > rubrics.jsonl",
                            "optgap rubric import prompts.jsonl --from ifbench --tables tables > rubrics.jsonl"},
                           {"rlvrr reads `label`, reference[[[SPLIT]]]keywords[[[SPLIT]]]style; ifeval and ifbench "
                            "`instruction_id_list` and "
                            "`kwargs`;",
                            "if-rlvr `ground_truth`; rubric a list `rubric` of {title, description, weight}, whose "
                            "verdicts come with each row as",
                            "external.TITLE. Python literals are read, never evaluated. Added: rubric, chain_key, and "
                            "prompt from `messages`.",
                            rows_help});
    add_files(command, options->files, "JSONL of the data set");
    command.add_option("--from", options->from, "Whose rows they are").one_of(imported_data_sets).required();
    command
        .add_option("--mode", options->mode,
                    "Instruction types as published (peer), or with their holes closed (strict)")
        .one_of({"peer", "strict"})
        .show_default();
    command.add_flag("--loose", options->loose, "An instruction passes when any of eight variants of the text does");
    command.add_option("--rewards", options->rewards, "The share of the instructions that pass, or 1 when all do")
        .one_of({"share", "all"})
        .show_default();
    command.add_flag("--content-only", options->content_only, "Leave out style that is Python code (rlvrr)");
    command.add_option(
        "--tables", options->tables_folder,
        "A folder of languages.json, stop_words.json, verbs.json and syllables.json, for the instructions "
        "that need one (docs/checks.md)");
    command.on_run([&ctx, options] {
        bool const instructions = options->from == "ifeval" || options->from == "ifbench" || options->from == "if-rlvr";
        if (!instructions && (options->loose || options->mode != "strict" || options->rewards != "share" ||
                              !options->tables_folder.empty())) {
            throw usage_error(
                "--mode, --loose, --rewards and --tables are of instructions: --from ifeval, ifbench or if-rlvr");
        }
        if (!options->tables_folder.empty()) {
            options->tables = instruction_tables(options->tables_folder);
        }
        if (options->content_only && options->from != "rlvrr") {
            throw usage_error("--content-only is of --from rlvrr");
        }
        import_rubrics(ctx, *options);
    });
}

}  // namespace optgap::cli
