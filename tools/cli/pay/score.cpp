// optgap score: rewards and group-relative advantages of completions.

#include <memory>

#include <fmt/format.h>

#include "tools/cli/pay/score_command.hpp"
#include "tools/cli/pay/scored_file.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/trace_file.hpp"

namespace optgap::cli {

void add_score_options(command_entry command, score_options& options) {
    command.add_option("--format", options.format,
                       "Format of rows that name none (default forge): a name of `optgap formats` or a format as JSON");
    command.add_flag("--force-format", options.force_format, "--format overrules what rows name");
    command
        .add_option("--reward", options.reward,
                    R"(A shape of `optgap rules`, or JSON such as {"infeasible": "graded", "truncated": "exclude"}; )"
                    R"({"default": "forge", "tasks": {"futoshiki": "power"}} by task; "recommended": each its own)")
        .show_default();
    command
        .add_option("--advantage", options.advantage,
                    R"(An estimator of `optgap rules`, or JSON such as {"estimator": "grpo", "epsilon": 1e-4})")
        .show_default();
    command
        .add_option("--budget", options.budget,
                    "Steps to solve an instance whose row has no baseline; -1 is the task's default")
        .at_least(-1)
        .show_default();
}

void add_kind_options(command_entry command, score_options& options, bool of_score) {
    for (option const& one : kind_options()) {
        if (one.score_only && !of_score) {
            continue;
        }
        std::string const name = fmt::format("--{}", one.name);
        std::string const help = one.choices == nullptr
                                     ? std::string(one.help)
                                     : fmt::format("{}: {}", one.help, fmt::join(one.choices(), ", "));
        option_entry const made = one.type == option_type::flag ? command.add_flag(name, options.kinds.flag(one), help)
                                  : one.type == option_type::integer
                                      ? command.add_option(name, options.kinds.integer(one), help)
                                            .between(std::int32_t(one.low), std::int32_t(one.high))
                                      : command.add_option(name, options.kinds.text(one), help);
        if (one.shows_default) {
            made.show_default();
        }
    }
}

void add_outbox_option(command_entry command, score_options& options) {
    command.add_option("--outbox", options.outbox,
                       "File to which answers that beat their baselines are appended, as JSONL");
}

void add_baselines_option(command_entry command, score_options& options) {
    command.add_option(
        "--baselines", options.baselines,
        "Snapshot of a store (optgap store snapshot), or served: that of the daemon at --server; for rows "
        "without a baseline; what it lacks is solved; part of the fingerprint");
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
         R"(echo '{"key": "mine/toy@1:train:d3:17", "completion": "<think>hm</think><answer>7</answer>", )"
         R"("external": {"reward": 0.5}}' | optgap score - --external)",
         "optgap score programs.jsonl --isolation auto --advantage river > scored.jsonl",
         R"(echo '{"key": "tsp@1:train:easy:1", "completion": "<think>hm</think><answer>[0]</answer>"}' | optgap score -)"},
        {"Each row holds `key`, or `task` and `instance`, and `completion`; it may hold `group` (any JSON value,",
         "compared as text; by instance when absent), `finish` (stop, length, abort, unknown), `length` (tokens), "
         "`limit`",
         "(the tokens that it was allowed: one that used them up was cut off, whatever `finish` says),",
         "`baseline` {objective, bound, proven} and `format` (a name). Instances without a baseline are solved once.",
         "Added: reward (null when excluded), advantage, keep (1: the group's rewards before the length penalty are "
         "not all equal), format,",
         "feasible, quality, raw_ratio, normalized, optimal, length_penalty, objective, violation, code, span,",
         "format_name, baseline, baseline_kind (proven, bounded, unknown, external, ranked, reference), proven,",
         "truncated, fingerprint. The number `format` (1: well formed) replaces the name.",
         "With --external a row may name a problem of somebody else's and hold the verdict on its answer:",
         R"(`external` is {"reward": -1 to 1}, or {"objective", "sense", "anchors": {"objective", "floor", "greedy"}},)",
         "perhaps with `correct` and `code` (docs/external.md).",
         "A row whose `key` names several hidden instances (tsp@1:train:hard:42*10), or that holds `instances`, has",
         "a program in `language` (python, cpp) for a completion; with --isolation it is run on each",
         "(docs/programs.md). Added to these: codes, objectives, valid, isolation, program, masked. Exit code 1",
         "also where a row was masked.",
         "A row with a `chain` (docs/chains.md), or the `chain_key` of one in --chains, is paid by it: its reward is",
         "its total, its baseline_kind is reference, and content, style, total, points [[n, d], ...], checks",
         "[0 or 1, ...], gates {name: [value, factor of 1024]} and preset are added. Of --reward only `truncated`",
         "counts there.",
         "A row with a `proposal` (docs/coevolution.md), or with a completion and the `role` proposer, is paid by the",
         "gates that its problem passes: -1 in a broken format, -1/2 to -1/8 by the first gate that fails, 1 behind "
         "all.",
         "proposal_kind, where, field, rule, key, task, instance, canonical, coarse, duplicate_of, floor, greedy,",
         "levels, steps, lift and taken are added.",
         "A row with the `role` judge and a row as `judged` (an answer's, or a scored proposal's) is paid by what is "
         "proven of that:",
         "score (1 to 10), value (0 to 1), truth and truth_band are added; --judge says what it earns.",
         R"(--advantage also reads {"roles": {"proposer": ..., "solver": ..., "judge": ...}}, and "rae".)",
         "Groups may be spread over all files, so nothing is written before everything is read.",
         rows_help});
    auto options = std::make_shared<scored_file_options>();
    options->name = "score";
    add_files(command, options->files, "JSONL with instances and completions");
    add_score_options(command, options->score);
    add_kind_options(command, options->score, true);
    add_trace_option(command);
    add_outbox_option(command, options->score);
    add_baselines_option(command, options->score);
    add_stats_options(command, *options);
    command.on_run([&ctx, options] { score_files(ctx, *options, {}); });
}

}  // namespace optgap::cli
