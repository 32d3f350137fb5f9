// optgap chain: rewards as data. What rewards them is `optgap score`; these commands make chains, and look at them.

#include "tools/cli/chain/chain_commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "optgap/status.hpp"

namespace optgap::cli {

void add_chain_row_options(command_entry command, chain_row_options& options) {
    add_files(command, options.files, "JSONL with a `chain` in each row");
    command.add_option(
        "--chain-preset", options.preset,
        fmt::format("Instead of the preset that each chain names: {}", fmt::join(chain::preset_names(), ", ")));
}

void add_code_options(command_entry command, chain_row_options& options) {
    command.add_option("--isolation", options.isolation,
                       "Run checks in Python under auto or an isolation level of `optgap sandbox`; else a chain with some is an "
                       "error row");
    command.add_option("--slots", options.slots, "Processes at once; 0: the processors less a quarter")
        .between(0, 4096)
        .show_default();
}

chain::reward_chain row_chain(json_row const& row, std::string const& preset) {
    std::string_view const* const raw = row.find("chain");
    if (raw == nullptr || is_json_null(*raw)) {
        throw field_error("chain", "missing: what the row's text must hold and look like");
    }
    std::optional<chain::preset> as;
    if (!preset.empty()) {
        try {
            as = chain::preset_named(preset);
        } catch (error const& unknown) {
            throw usage_error(fmt::format("--chain-preset: {}", unknown.what()));
        }
    }
    if (std::string const prompt = prompt_of(row); !prompt.empty()) {
        nlohmann::ordered_json whole = read_json(*raw);
        if (whole.is_object() && !whole.contains("prompt")) {
            whole["prompt"] = prompt;
            return chain::reward_chain(json_text(whole), as);
        }
    }
    return chain::reward_chain(*raw, as);
}

void add_chain(command_line& app, context& ctx) {
    command_entry const chain = app.add_command(
        "chain", "Rewards of free text as data: what it must hold, how it must look, what cheating earns",
        {"optgap chain sample > chains.jsonl", "optgap chain floors chains.jsonl > measured.jsonl",
         "optgap score chains.jsonl --chain-preset paper"},
        {"A chain's JSON, its presets and gates: docs/chains.md. What rewards a text by its chain is `optgap score`."});
    chain.require_command();
    add_chain_sample(chain, ctx);
    add_chain_compile(chain, ctx);
    add_chain_check(chain, ctx);
    add_chain_floors(chain, ctx);
    add_chain_explain(chain, ctx);
    add_chain_import(chain, ctx);
}

}  // namespace optgap::cli
