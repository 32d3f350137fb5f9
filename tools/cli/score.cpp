// optgap score: rewards and group-relative advantages of completions.

#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "tools/cli/answers.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/scorer.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view added[] = {"reward",    "advantage",  "format",   "feasible",  "quality",
                                      "raw_ratio", "normalized", "optimal",  "objective", "violation",
                                      "code",      "span",       "baseline", "proven",    "truncated"};

void write_scored(row_writer& row, scored_row const& scored, float advantage, engine const& engine_of) {
    row.real("reward", scored.value.reward);
    row.real("advantage", advantage);
    row.integer("format", scored.value.format > 0 ? 1 : 0);
    row.integer("feasible", scored.value.feasible > 0 ? 1 : 0);
    row.real("quality", scored.value.quality);
    row.real("raw_ratio", scored.value.raw_ratio);
    row.real("normalized", scored.value.normalized);
    row.real("optimal", scored.value.optimal);
    row.integer_or_null("objective", scored.objective, no_objective);
    row.integer("violation", scored.violation);
    row.text("code", engine_of.code_name(scored.task, scored.value.code));
    row.raw("span", fmt::format("[{},{}]", scored.answer.begin, scored.answer.end));
    auto const number = [](std::int64_t value) { return value == no_objective ? "null" : std::to_string(value); };
    row.raw("baseline", fmt::format(R"({{"objective":{},"bound":{},"proven":{}}})", number(scored.baseline_objective),
                                    number(scored.baseline_bound), scored.proven));
    row.boolean("proven", scored.proven);
    row.boolean("truncated", scored.value.truncated != 0);
    row.finish();
}

/// Groups may be spread over the whole file, so the first pass keeps only numbers and the second one reads the rows
/// again to write them.
void score(context& ctx, std::vector<std::string> const& files, score_options const& options) {
    scorer by(ctx, options);
    row_input input(ctx, files, "score", {}, true);
    std::vector<scored_row> scored;
    std::map<std::size_t, std::pair<std::string, std::string>> rejected;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        std::vector<scored_row> const batch = by.score(items);
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!items[i].sound()) {
                rejected.emplace(scored.size() + i, std::pair(items[i].field, items[i].rule));
            }
        }
        scored.insert(scored.end(), batch.begin(), batch.end());
    }
    input.finish(ctx);
    std::vector<float> const advantages = by.advantages(scored);

    row_output output;
    input.rewind();
    std::size_t next = 0;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item& item : items) {
            if (next == scored.size()) {
                throw io_error("a file changed while it was read");
            }
            if (auto const why = rejected.find(next); why != rejected.end()) {
                item.reject(why->second.first, why->second.second);
            }
            if (item.sound()) {
                row_writer row = output.begin(item, added);
                write_scored(row, scored[next], advantages[next], ctx.get_engine());
                output.end_row();
            } else {
                output.reject(item);
            }
            ++next;
        }
    }
    if (next != scored.size()) {
        throw io_error("a file changed while it was read");
    }
    output.finish(ctx);
    by.report_beaten();
}

}  // namespace

void add_score_options(CLI::App& command, score_options& options) {
    command.add_option(
        "--format", options.format,
        "Format of rows that name none (default forge): forge, forge_prefilled, answer_only, boxed, answer_line");
    command.add_flag("--force-format", options.force_format, "--format overrules what rows name");
    command
        .add_option("--reward", options.reward,
                    R"(A name, or JSON such as {"infeasible": "graded", "truncated": "exclude"})")
        ->capture_default_str();
    command
        .add_option("--advantage", options.advantage,
                    R"(grpo, dr_grpo, or JSON such as {"estimator": "grpo", "epsilon": 1e-4})")
        ->capture_default_str();
    command
        .add_option("--budget", options.budget,
                    "Steps to solve an instance whose row has no baseline; -1 is the task's default")
        ->check(at_least(-1))
        ->capture_default_str();
}

void add_score(CLI::App& app, context& ctx) {
    CLI::App* const command = add_command(
        app, "score", "Rewards and advantages of completions, with their components",
        {"optgap score rollouts.jsonl > scored.jsonl",
         R"(optgap score - --reward '{"infeasible": "graded"}' --advantage dr_grpo < rollouts.jsonl)",
         R"(echo '{"key": "tsp@1:train:easy:1", "completion": "<think>hm</think><answer>[0]</answer>"}' | optgap score -)"},
        {"Each row holds `key`, or `task` and `instance`, and `completion`; it may hold `group` (any JSON value, "
         "compared",
         "as text; by instance when absent), `finish` (stop, length, abort, unknown), `baseline` {objective, bound, "
         "proven}",
         "and `format` (a name). Instances without a baseline are solved once each.",
         "Added: reward (null when excluded), advantage, format, feasible, quality, raw_ratio, normalized, optimal, "
         "objective,",
         "violation, code, span, baseline, proven, truncated. The number `format` (1: well formed) replaces the name.",
         "Groups may be spread over all files, so nothing is written before everything is read.", rows_help});
    auto files = std::make_shared<std::vector<std::string>>();
    auto options = std::make_shared<score_options>();
    add_files(*command, *files, "JSONL with instances and completions");
    add_score_options(*command, *options);
    command->callback([&ctx, files, options] { score(ctx, *files, *options); });
}

}  // namespace optgap::cli
