// optgap score: rewards and group-relative advantages of completions.

#include <memory>

#include <fmt/format.h>

#include "tools/cli/pay/scored_file.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/trace_file.hpp"

namespace optgap::cli {

void add_score_options(command_entry command, score_options& options) {
    command.add_option("--format", options.format,
                       "Format of rows that name none (default forge): a name of `optgap formats` or a format as JSON");
    command.add_flag("--force-format", options.force_format, "--format overrules what rows name");
    command
        .add_option("--reward", options.reward,
                    R"(A name, or JSON such as {"infeasible": "graded", "truncated": "exclude"}; )"
                    R"({"default": "forge", "tasks": {"futoshiki": "power"}} by task; "recommended": each its own)")
        .show_default();
    command
        .add_option("--advantage", options.advantage,
                    R"(grpo, dr_grpo, or JSON such as {"estimator": "grpo", "epsilon": 1e-4})")
        .show_default();
    command
        .add_option("--budget", options.budget,
                    "Steps to solve an instance whose row has no baseline; -1 is the task's default")
        .at_least(-1)
        .show_default();
}

void add_outbox_option(command_entry command, score_options& options) {
    command.add_option("--outbox", options.outbox,
                       "File to which answers that beat their baselines are appended, as JSONL");
}

void add_score(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "score", "Rewards and advantages of completions, with their components",
        {"optgap score rollouts.jsonl > scored.jsonl",
         R"(optgap score - --reward '{"infeasible": "graded"}' --advantage dr_grpo < rollouts.jsonl)",
         R"(echo '{"key": "mine/toy@1:train:d3:17", "completion": "<think>hm</think><answer>7</answer>", )"
         R"("external": {"reward": 0.5}}' | optgap score - --external)",
         R"(echo '{"key": "tsp@1:train:easy:1", "completion": "<think>hm</think><answer>[0]</answer>"}' | optgap score -)"},
        {"Each row holds `key`, or `task` and `instance`, and `completion`; it may hold `group` (any JSON value, "
         "compared",
         "as text; by instance when absent), `finish` (stop, length, abort, unknown), `length` (tokens), `baseline` "
         "{objective, bound, "
         "proven}",
         "and `format` (a name). Instances without a baseline are solved once each.",
         "Added: reward (null when excluded), advantage, keep (1: the group's rewards are not all equal), format,",
         "feasible, quality, raw_ratio, normalized, optimal, length_penalty, objective, violation, code, span,",
         "format_name, baseline, baseline_kind (proven, bounded, unknown, external, reference), proven, truncated, fingerprint.",
         "The number `format` (1: well formed) replaces the name.",
         "With --external a row may name a problem of somebody else's and hold the verdict on its answer:",
         R"(`external` is {"reward": -1 to 1}, or {"objective", "sense", "anchors": {"objective", "floor", "greedy"}},)",
         "perhaps with `correct` and `code` (docs/external.md).",
         "A row with a `chain` (docs/chains.md), or the `chain_key` of one in --chains, is paid by it: its reward is its",
         "total, its baseline_kind is reference, and content, style, total, points [[n, d], ...], checks [0 or 1, ...],",
         "gates {name: [value, factor of 1024]} and preset are added. Of --reward only `truncated` counts there.",
         "Groups may be spread over all files, so nothing is written before everything is read.", rows_help});
    auto options = std::make_shared<scored_file_options>();
    options->name = "score";
    add_files(command, options->files, "JSONL with instances and completions");
    add_score_options(command, options->score);
    command.add_flag("--external", options->score.external,
                     "Pay rows of others' problems by the verdict that they hold as `external`");
    add_chain_options(command, options->score);
    add_trace_option(command);
    add_outbox_option(command, options->score);
    add_stats_options(command, *options);
    command.on_run([&ctx, options] { score_files(ctx, *options, {}); });
}

}  // namespace optgap::cli
