#include <cstdio>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/registry/registry.hpp"
#include "tools/cli/measure/bench_report.hpp"
#include "tools/cli/rows/json_text.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/progress.hpp"
#include "tools/cli/shell/trace_file.hpp"

namespace optgap::cli {

namespace {

struct bench_options {
    std::vector<std::string> what;
    std::vector<std::string> tasks;
    std::string level = "benchmark";
    std::int64_t batch = 0;
    std::int64_t text_bytes = 63'000;
    std::int64_t steps = 200;
    double seconds = 1.0;
    bool quick = false;
    std::string commit;
};

/// The commit this tree stands at, when it is a git checkout.
std::string commit_of_tree() {
    std::unique_ptr<FILE, int (*)(FILE*)> const pipe(popen("git rev-parse HEAD 2>/dev/null", "r"), pclose);
    std::array<char, 64> line{};
    if (!pipe || std::fgets(line.data(), int(line.size()), pipe.get()) == nullptr) {
        return "unknown";
    }
    return std::string(line.data()).substr(0, 40);
}

/// What a command line asks for; `interference` and `goals` make tables of their own.
struct choice {
    std::vector<bench::workload> workloads;
    bool interference = false;
    bool goals = false;
};

/// Of those that need a GPU, or of the others.
std::string names_of(bool on_gpu) {
    std::string names;
    for (bench::workload const& work : bench::workloads()) {
        if (work.needs_gpu == on_gpu) {
            names += (names.empty() ? "" : ", ") + std::string(work.name);
        }
    }
    return names;
}

choice chosen(std::vector<std::string> const& what, bool gpu) {
    std::vector<std::string> names{"all", "interference", "goals"};
    for (bench::workload const& work : bench::workloads()) {
        names.emplace_back(work.name);
    }
    choice made;
    for (std::string const& name : what) {
        if (name == "trainer") {
            throw usage_error(
                "'bench trainer' needs the Python package: pip install optgap (in a checkout: pip install .), then run "
                "it again");
        }
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            throw usage_error("no benchmark '" + name + "'; expected " + closest_first(name, names));
        }
        made.interference = made.interference || name == "interference";
        made.goals = made.goals || name == "goals";
        for (bench::workload const& work : bench::workloads()) {
            if (name == work.name && work.needs_gpu && !gpu) {
                throw usage_error("'bench " + name + "' measures a GPU and needs --device cuda");
            }
            if (name == work.name || (name == "all" && (gpu || !work.needs_gpu))) {
                made.workloads.push_back(work);
            }
        }
    }
    return made;
}

void run(context& ctx, bench_options const& options) {
    engine const& by = ctx.get_engine();
    bool const gpu = by.where() == device::cuda;
    choice const wanted = chosen(options.what, gpu);
    std::vector<std::int32_t> const tasks =
        ctx.tasks_named(options.tasks.empty() ? std::vector<std::string>{"all"} : options.tasks);
    difficulty const level = parse_level(options.level);
    engine_options named;
    parse_device(ctx.device_name, named);
    std::int32_t const ordinal = named.ordinal;
    bench::setting at{.by = by,
                      .level = level,
                      .batch = options.batch,
                      .text_bytes = options.text_bytes,
                      .steps = options.steps,
                      .seconds = options.seconds,
                      .ordinal = ordinal};

    std::vector<ceiling> const ceilings = ceilings_of(by);
    table shown = measurement_table();
    json report{{"command", ctx.command_line},
                {"commit", options.commit.empty() ? commit_of_tree() : options.commit},
                {"device", by.device_name()},
                {"threads", by.threads()},
                {"instruction_set", instruction_sets()[std::size_t(best_instruction_set())]},
                {"text_bytes", options.text_bytes},
                {"steps", options.steps},
                {"rows", json::array()}};
    std::int64_t done = 0;
    std::string why_none;
    {
        progress bar("bench", "runs", std::int64_t(wanted.workloads.size() * tasks.size()), ctx.quiet);
        for (bench::workload const& work : wanted.workloads) {
            for (std::size_t t = 0; t < (work.per_task ? tasks.size() : 1); ++t) {
                at.task = tasks[t];
                if (work.needs_search && !by.tasks()[std::size_t(at.task)].improves) {
                    continue;
                }
                bench::measurement const made = work.run(at);
                if (made.seconds.empty()) {  // the task has nothing to measure at this level, or the machine lacks it
                    why_none = made.why_none.empty() ? why_none : made.workload + ": " + made.why_none;
                    continue;
                }
                bar.update(++done);
                report["rows"].push_back(to_json(made, ceilings));
                add_row(shown, made, ceilings);
            }
        }
    }
    if (done == 0 && !wanted.workloads.empty()) {
        throw usage_error(
            !why_none.empty()
                ? "nothing to measure: " + why_none
                : fmt::format("nothing to measure: {} has no local search, or at {} no instance that may be posed",
                              by.tasks()[std::size_t(tasks.front())].name, options.level));
    }
    std::string text = by.device_name() + "\n" + (done > 0 ? shown.text() : "");
    if (wanted.interference) {
        progress bar("bench interference", "rows", 0, ctx.quiet);
        std::vector<bench::interference> const rows = bench::measure_interference(
            {.options = {.threads = ctx.threads, .ordinal = ordinal},
             .tasks = tasks,
             .level = level,
             .steps = options.steps,
             .seconds = options.seconds,
             .quick = options.quick,
             .program = std::filesystem::read_symlink("/proc/self/exe").string()},
            by.where(), [&](std::int64_t rows_done, std::int64_t) { bar.update(rows_done); });
        for (bench::interference const& row : rows) {
            report["interference"].push_back(to_json(row, ceilings));
        }
        text += text_of(rows, ceilings);
    }
    if (wanted.goals) {
        progress bar("bench goals", "goals", 0, ctx.quiet);
        std::vector<bench::goal> const goals =
            bench::measure_goals({.by = by,
                                  .limits = ceilings,
                                  .tasks = tasks,
                                  .level = level,
                                  .seconds = options.seconds,
                                  .quick = options.quick},
                                 [&](std::int64_t goals_done, std::int64_t) { bar.update(goals_done); });
        for (bench::goal const& goal : goals) {
            report["goals"].push_back(to_json(goal));
        }
        text += text_of(goals);
    }
    for (ceiling const& found : ceilings) {
        report["ceilings"].push_back(to_json(found));
    }
    fmt::print("{}", ctx.json ? json_text(report, 1) + "\n" : text);
}

}  // namespace

void add_bench(command_line& app, context& ctx) {
    auto const options = std::make_shared<bench_options>();
    command_entry const command =
        app.add_command("bench", "Measure the batch verbs; every result is checked before it is timed",
                        {"optgap bench all --threads 1", "optgap bench solve --task tsp --level hard",
                         "optgap bench score --text-bytes 16000 --json > result.json",
                         "optgap bench interference --device cuda", "optgap bench goals"});
    command
        .add_option(
            "WHAT", options->what,
            fmt::format("all, or any of {}; on a GPU also {}. Apart from all: interference, what a trainer's loop "
                        "and the engine cost each other; goals, what is promised and whether it is met here",
                        names_of(false), names_of(true)))
        .required();
    command.add_option("--task", options->tasks, "Tasks to measure (default: every task)");
    command.add_option("--level", options->level, "easy, medium, hard, benchmark or dN").show_default();
    command.add_option("--batch", options->batch, "Rows per call (default: the workload's own)").not_negative();
    command.add_option("--text-bytes", options->text_bytes, "Bytes per text for parse, score and judgements")
        .show_default();
    command.add_option("--steps", options->steps, "Steps of improve").show_default();
    command.add_option("--seconds", options->seconds, "Time to sample each row for").show_default();
    command.add_flag("--quick", options->quick, "interference: few budgets and rounds; goals: no long streams");
    add_trace_option(command);
    command.add_option("--commit", options->commit, "Commit to record (default: git's HEAD here)");
    command.on_run([&ctx, options] {
        if (ctx.server != "off") {
            throw usage_error("bench measures this process: --server is not for it");
        }
        run(ctx, *options);
    });
}

}  // namespace optgap::cli
