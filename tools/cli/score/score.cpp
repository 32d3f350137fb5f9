// optgap score: rewards and group-relative advantages of completions.

#include <memory>

#include <fmt/format.h>

#include "host/rows/packages/package.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/score/scored_file.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/trace_file.hpp"

namespace optgap::cli {

void add_score_options(command_entry command, score_options& options) {
    command.add_option("--format", options.format,
                       "Format of rows that name none, forge by default: a name of `optgap formats`, or JSON");
    command.add_flag("--force-format", options.force_format, "--format overrules what rows name");
    command
        .add_option("--reward", options.reward,
                    "A shape of `optgap rules`, or JSON; \"recommended\": each task its own (docs/rewards.md)")
        .show_default();
    command
        .add_option("--advantage", options.advantage,
                    "An estimator of `optgap rules`, or JSON; {\"roles\": {...}} by role (docs/advantages.md)")
        .show_default();
    command
        .add_option("--budget", options.budget,
                    "Steps to solve an instance whose row has no baseline; -1: the task's own")
        .at_least(-1)
        .show_default();
}

void add_packages_option(command_entry command, context const& ctx) {
    command.add_option(
        "--kinds", [](std::string const&) {}, "Packages with your kinds, estimators, shapes: one,two (docs/kinds.md)");
    static_cast<void>(package_options(ctx.packages));
}

void add_kind_options(command_entry command, context const& ctx, score_options& options, bool of_score) {
    add_packages_option(command, ctx);
    options.packages = ctx.packages;
    std::vector<kind_entry> const kinds = with_packages(kind_entries(), ctx.packages);
    for (std::size_t k = kinds.size(); k-- > 0;) {
        kind_entry const& kind = kinds[k];
        for (option const& one : kind.info->options) {
            if (one.score_only && !of_score) {
                continue;
            }
            std::string const name = fmt::format("--{}", one.name);
            std::string const help = one.choices == nullptr
                                         ? std::string(one.help)
                                         : fmt::format("{}: {}", one.help, fmt::join(one.choices(), ", "));
            option_entry const made =
                one.type == option_type::flag      ? command.add_flag(name, options.kinds.flag(one), help)
                : one.type == option_type::integer ? command.add_option(name, options.kinds.integer(one), help)
                                                         .between(std::int32_t(one.low), std::int32_t(one.high))
                                                   : command.add_option(name, options.kinds.text(one), help);
            made.topic("a kind of rows", std::string(kind.info->name));
            if (one.shows_default) {
                made.show_default();
            }
        }
    }
}

void add_improved_option(command_entry command, score_options& options) {
    command.add_option("--improved", options.improved,
                       "File to which answers that beat their baselines are appended, as JSONL");
}

void add_baselines_option(command_entry command, score_options& options) {
    command.add_option("--baselines", options.baselines,
                       "Snapshot of a store for rows without a baseline, or served: the one of the daemon at --server");
}

scorer make_scorer(context& ctx, score_options const& options) {
    store::snapshot_place const found =
        store::find_snapshot(options.baselines, ctx.server == "off" ? std::string() : ctx.server);
    ctx.baselines = found.hash;
    return scorer(ctx.get_engine(), options, found);
}

void print_report(context& ctx, scorer const& by, std::span<graded_row const> rows) {
    run_report const made = by.report(rows);
    if (!made.page.empty()) {
        write_stdout(ctx.json ? made.json : made.page);
    }
    for (run_report::sentence const& one : made.sentences) {
        one.alarm ? ctx.warn(one.text) : ctx.note(one.text);
    }
    if (made.lost) {
        ctx.end_with(exit_rejected);
    }
}

void add_score(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "score", "Rewards and advantages of completions, with their components",
        {"optgap score rollouts.jsonl > scored.jsonl",
         R"(optgap score - --reward '{"infeasible": "graded"}' --advantage dr_grpo < rollouts.jsonl)",
         "optgap score programs.jsonl --isolation auto --advantage river > scored.jsonl",
         R"(echo '{"key": "tsp@1:train:easy:1", "completion": "<answer>[0]</answer>"}' | optgap score -)"},
        {"Each row holds what its kind reads (optgap kinds KIND): of an answer `key`, `completion`, perhaps",
         "`group`, `finish`, `length`, `limit`, `baseline`, `format` (docs/rewards.md). Added: reward,",
         "advantage, keep, the components, and the columns of the kind (docs/rows.md).", rows_help});
    auto options = std::make_shared<scored_file_options>();
    options->name = "score";
    add_files(command, options->files, "JSONL with instances and completions");
    add_score_options(command, options->score);
    add_kind_options(command, ctx, options->score, true);
    add_trace_option(command);
    add_improved_option(command, options->score);
    add_baselines_option(command, options->score);
    add_stats_options(command, *options);
    command.on_run([&ctx, options] { score_files(ctx, *options, {}); });
}

}  // namespace optgap::cli
