// optgap gates: whether a task's levels are worth training on.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/measure/level_gates.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/progress.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

struct gates_options {
    std::vector<std::string> tasks;
    std::vector<std::string> levels{"d4", "benchmark", "d20", "d40"};
    std::int64_t count = 200;
    std::int64_t budget = -1;
};

struct task_gates {
    std::string task;
    std::vector<std::pair<difficulty, level_gates>> levels;
};

std::string share_cell(double share) { return fmt::format("{:.4g}", 100 * share); }
std::string time_cell(double seconds) { return fmt::format("{:.3g}", 1e3 * seconds); }

void add_rows(table& out, task_gates const& of) {
    for (auto const& [level, found] : of.levels) {
        out.add({of.task, level_name(level), share_cell(found.proven), share_cell(found.worst_gap),
                 std::to_string(found.median_steps), std::to_string(found.max_steps), time_cell(found.median_seconds),
                 time_cell(found.p99_seconds), time_cell(found.max_seconds),
                 fmt::format("{:.0f}", found.labels_a_second), share_cell(found.greedy_optimal),
                 fmt::format("{:.3f}", found.greedy_quality), std::to_string(found.spread),
                 share_cell(found.constant_optimal), std::to_string(found.prompt_chars),
                 time_cell(found.generate_seconds)});
    }
}

json to_json(level_gates const& found, difficulty level) {
    return {{"level", level_name(level)},
            {"instances", found.instances},
            {"distinct", found.distinct},
            {"proven", found.proven},
            {"worst_gap", found.worst_gap},
            {"median_steps", found.median_steps},
            {"most_steps", found.max_steps},
            {"median_seconds", found.median_seconds},
            {"p99_seconds", found.p99_seconds},
            {"most_seconds", found.max_seconds},
            {"labels_a_second", found.labels_a_second},
            {"greedy_feasible", found.greedy_feasible},
            {"greedy_optimal", found.greedy_optimal},
            {"greedy_quality", found.greedy_quality},
            {"spread", found.spread},
            {"constant_optimal", found.constant_optimal},
            {"prompt_chars", found.prompt_chars},
            {"generate_seconds", found.generate_seconds}};
}

void run(context& ctx, gates_options const& options) {
    ctx.device_name = "cpu";
    ctx.threads = 1;
    engine const& by = ctx.get_engine(false);
    std::vector<difficulty> levels;
    for (std::string const& name : options.levels) {
        levels.push_back(parse_level(name));
    }
    std::vector<std::int32_t> const tasks = ctx.tasks_named(options.tasks);
    table shown({{"task"},
                 {"level"},
                 {"proven %", align::right},
                 {"gap %", align::right},
                 {"steps", align::right},
                 {"most", align::right},
                 {"p50 ms", align::right},
                 {"p99", align::right},
                 {"max", align::right},
                 {"labels/s", align::right},
                 {"greedy opt %", align::right},
                 {"quality", align::right},
                 {"spread", align::right},
                 {"constant %", align::right},
                 {"chars", align::right},
                 {"generate ms", align::right}});
    json report = json::array();
    std::string broken;
    progress bar("gates", "levels", std::int64_t(tasks.size() * levels.size()), ctx.quiet);
    std::int64_t done = 0;
    for (std::int32_t const task : tasks) {
        task_gates of{.task = std::string(by.tasks()[std::size_t(task)].name), .levels = {}};
        json rows = json::array();
        for (difficulty const level : levels) {
            of.levels.emplace_back(
                level, measure_gates(
                           {.by = by, .task = task, .level = level, .count = options.count, .budget = options.budget}));
            rows.push_back(to_json(of.levels.back().second, level));
            bar.update(++done);
        }
        json judged = json::array();
        for (gate const& one : judge_gates(of.levels)) {
            judged.push_back({{"rule", one.rule}, {"holds", one.holds}, {"value", one.value}});
            if (!one.holds) {
                broken += fmt::format("{}: {}: {}\n", of.task, one.rule, one.value);
            }
        }
        report.push_back({{"task", of.task}, {"levels", std::move(rows)}, {"gates", std::move(judged)}});
        add_rows(shown, of);
    }
    write_stdout(ctx.json ? json_text(report, 2) + "\n"
                          : shown.text() + (broken.empty() ? "\nall gates hold\n" : "\nbroken gates:\n" + broken));
    if (!broken.empty()) {
        ctx.end_with(exit_rejected);
    }
}

}  // namespace

void add_gates(command_line& app, context& ctx) {
    auto const options = std::make_shared<gates_options>();
    command_entry const command = app.add_command(
        "gates", "Whether a task's levels are worth training on: proofs, greedy, guesses, sizes",
        {"optgap gates vertex_cover", "optgap gates all --count 20 --levels d4 benchmark"},
        {"A level's row: share proven by the search alone and the widest gap left; steps of a proof (median, most), "
         "its "
         "time on one thread and labels a second; how often greedy is optimal, and its quality; different worths in "
         "the "
         "median group of 16 noisy greedy answers; how often the best constant answer is optimal; the longest prompt; "
         "the slowest instance. Exit code 1 when a gate is broken."});
    command.add_option("TASK", options->tasks, "Tasks to measure: names, all, 'cells/*', class:satisfy").required();
    command.add_option("--levels", options->levels, "Levels to measure").show_default();
    command.add_option("--count", options->count, "Instances of each").show_default().at_least(1);
    command.add_option("--budget", options->budget, "Steps of a proof (default: each task's own)").not_negative();
    command.on_run([&ctx, options] { run(ctx, *options); });
}

}  // namespace optgap::cli
