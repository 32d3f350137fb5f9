// optgap rubric: rewards as data. What rewards them is `optgap score`; these commands make rubrics, and look at them.

#include "tools/cli/rubric/rubric_commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "host/rows/text/rubric_file.hpp"
#include "optgap/status.hpp"

namespace optgap::cli {

void add_rubric_row_options(command_entry command, rubric_row_options& options) {
    add_files(command, options.files, "JSONL with a `rubric` in each row");
    command.add_option(
        "--rubric-preset", options.preset,
        fmt::format("Instead of the preset that each rubric names: {}", fmt::join(rubrics::preset_names(), ", ")));
}

void add_code_options(command_entry command, rubric_row_options& options) {
    command.add_option(
        "--isolation", options.isolation,
        "Run checks in Python under auto or an isolation level of `optgap sandbox`; else a rubric with some is an "
        "error row");
    command.add_option("--slots", options.slots, "Processes at once; 0: the processors less a quarter")
        .between(0, 4096)
        .show_default();
}

rubrics::text_rubric row_rubric(json_row const& row, std::string const& preset) {
    std::string_view const* const raw = rubric_text(row);
    if (raw == nullptr || is_json_null(*raw)) {
        throw field_error("rubric", "missing: what the row's text must hold and look like");
    }
    std::optional<rubrics::preset> as;
    if (!preset.empty()) {
        try {
            as = rubrics::preset_named(preset);
        } catch (error const& unknown) {
            throw usage_error(fmt::format("--rubric-preset: {}", unknown.what()));
        }
    }
    if (std::string const prompt = prompt_of(row); !prompt.empty()) {
        nlohmann::ordered_json whole = read_json(*raw);
        if (whole.is_object() && !whole.contains("prompt")) {
            whole["prompt"] = prompt;
            return rubrics::text_rubric(json_text(whole), as);
        }
    }
    return rubrics::text_rubric(*raw, as);
}

void add_rubric(command_line& app, context& ctx) {
    command_entry const rubric = app.add_command(
        "rubric", "Rewards of free text as data: what it must hold, how it must look, what cheating earns",
        {"optgap rubric sample > rubrics.jsonl", "optgap rubric floors rubrics.jsonl > measured.jsonl",
         "optgap score rubrics.jsonl --rubric-preset paper"},
        {"A rubric's JSON, its presets and gates: docs/rubrics.md. What rewards a text by its rubric is `optgap "
         "score`."});
    rubric.require_command();
    add_rubric_sample(rubric, ctx);
    add_rubric_compile(rubric, ctx);
    add_rubric_check(rubric, ctx);
    add_rubric_floors(rubric, ctx);
    add_rubric_explain(rubric, ctx);
    add_rubric_import(rubric, ctx);
}

}  // namespace optgap::cli
