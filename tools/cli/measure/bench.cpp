#include <cstdio>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/specs/nearest.hpp"
#include "kernels/registry/registry.hpp"
#include "tools/cli/measure/bench_report.hpp"
#include "tools/cli/measure/results/commands.hpp"
#include "tools/cli/measure/results/files.hpp"
#include "tools/cli/measure/results/lines.hpp"
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
    std::string machine;
    std::string record;     ///< a file of lines; empty: nothing is kept
    std::string ceilings;   ///< results that have them; empty: they are measured
    std::string from;       ///< results that goals are judged by; empty: they are measured
    bool is_other = false;  ///< a verb of bench's own has run
};

/// The first line that a command prints; empty where it prints none.
std::string first_line_of(char const* command) {
    std::unique_ptr<FILE, int (*)(FILE*)> const pipe(popen(command, "r"), pclose);
    std::array<char, 256> line{};
    if (!pipe || std::fgets(line.data(), int(line.size()), pipe.get()) == nullptr) {
        return "";
    }
    return line.data();
}

/// The commit this tree stands at, when it is a git checkout; and whether what is measured differs from it.
void add_commit(json& report, std::string const& said) {
    std::string const head = said.empty() ? first_line_of("git rev-parse HEAD 2>/dev/null") : said;
    report["commit"] = head.empty() ? "unknown" : head.substr(0, said.empty() ? 40 : std::string::npos);
    if (said.empty() && !first_line_of("git status --porcelain -- kernels host include bench ':!bench/results' "
                                       "2>/dev/null")
                             .empty()) {
        report["modified"] = true;
    }
}

std::string today() {
    std::time_t const now = std::time(nullptr);
    std::array<char, 16> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", std::gmtime(&now))};
}

/// What a command line asks for; `interference` and `goals` make tables of their own.
struct choice {
    std::vector<bench::workload> workloads;
    bool interference = false;
    bool goals = false;
};

/// What rows that are over several tasks are over.
json of_tasks(json row, bench::setting const& at, char const* every) {
    row["task"] = bench::name_of_tasks(at, every);
    row["level"] = level_name(at.level);
    return row;
}

/// What a run has measured so far. A row goes into the file of results at once: a run that is ended early, as on a
/// machine that is lent for minutes, has lost only the row it was at.
class growing_report {
public:
    growing_report(json head, std::string record) : head_(std::move(head)), record_(std::move(record)), all_(head_) {
        all_["rows"] = json::array();
    }
    void add(char const* field, json row) {
        all_[field].push_back(row);
        if (!record_.empty()) {
            json one = head_;
            one[field].push_back(std::move(row));
            record_lines(record_, lines_of(one, "this run"));
        }
    }
    [[nodiscard]] std::string text() const { return json_text(all_, 1) + "\n"; }

private:
    json head_;
    std::string record_;
    json all_;
};

/// Ends with code 1 where a goal is not met; a goal that was not measured here is neither met nor unmet.
void end_by(context& ctx, std::vector<bench::goal> const& goals) {
    if (unmet_goals(goals) > 0) {
        ctx.end_with(exit_rejected);
    }
}

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

/// `of_tasks`: tasks are named, which nothing may pass over in silence; all is then what they take part in.
choice chosen(std::vector<std::string> const& what, bool gpu, bool of_tasks) {
    std::vector<std::string> names{"all", "interference", "goals"};
    for (bench::workload const& work : bench::workloads()) {
        names.emplace_back(work.name);
    }
    choice made;
    for (std::string const& name : what) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            throw usage_error("no benchmark '" + name + "'; expected " + closest_first(name, names));
        }
        made.interference = made.interference || name == "interference";
        made.goals = made.goals || name == "goals";
        for (bench::workload const& work : bench::workloads()) {
            if (name == work.name && work.needs_gpu && !gpu) {
                throw usage_error("'bench " + name + "' measures a GPU and needs --device cuda");
            }
            if (name == work.name && work.tasks == bench::over::no_task && of_tasks) {
                throw usage_error("'bench " + name + "' has data of its own: --task has no effect there, leave it out");
            }
            bool const in_all = (gpu || !work.needs_gpu) && (!of_tasks || work.tasks != bench::over::no_task);
            if (name == work.name || (name == "all" && in_all)) {
                made.workloads.push_back(work);
            }
        }
    }
    return made;
}

void run(context& ctx, bench_options const& options) {
    engine const& by = ctx.get_engine();
    bool const gpu = by.where() == device::cuda;
    choice const wanted = chosen(options.what, gpu, !options.tasks.empty());
    std::vector<std::int32_t> const tasks =
        ctx.tasks_named(options.tasks.empty() ? std::vector<std::string>{"all"} : options.tasks);
    difficulty const level = parse_level(options.level);
    engine_options named;
    parse_device(ctx.device_name, named);
    std::int32_t const ordinal = named.ordinal;
    bench::setting at{.by = by,
                      .tasks = options.tasks.empty() ? std::vector<std::int32_t>() : tasks,
                      .level = level,
                      .batch = options.batch,
                      .text_bytes = options.text_bytes,
                      .steps = options.steps,
                      .seconds = options.seconds,
                      .ordinal = ordinal};

    std::vector<ceiling> const ceilings =
        options.ceilings.empty() ? ceilings_of(by) : recorded_ceilings(options.ceilings, by);
    table shown = measurement_table();
    json head{{"command", ctx.command_line},
              {"date", today()},
              {"machine", options.machine.empty() ? machine_name(by.device_name()) : options.machine},
              {"device", by.device_name()},
              {"threads", by.threads()},
              {"instruction_set", instruction_sets()[std::size_t(best_instruction_set())]},
              {"text_bytes", options.text_bytes},
              {"steps", options.steps}};
    add_commit(head, options.commit);
    growing_report report(std::move(head), options.record);
    for (ceiling const& found : ceilings) {
        report.add("ceilings", to_json(found));
    }
    std::int64_t done = 0;
    std::string why_none;
    {
        progress bar("bench", "runs", std::int64_t(wanted.workloads.size() * tasks.size()), ctx.quiet);
        for (bench::workload const& work : wanted.workloads) {
            for (std::size_t t = 0; t < (work.tasks == bench::over::each_task ? tasks.size() : 1); ++t) {
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
                report.add("rows", to_json(made, ceilings));
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
        std::int64_t rows_done = 0;
        std::vector<bench::interference> const rows =
            bench::measure_interference({.options = {.threads = ctx.threads, .ordinal = ordinal},
                                         .tasks = tasks,
                                         .level = level,
                                         .steps = options.steps,
                                         .seconds = options.seconds,
                                         .quick = options.quick,
                                         .program = std::filesystem::read_symlink("/proc/self/exe").string()},
                                        by.where(), [&](bench::interference const& row) {
                                            report.add("interference", of_tasks(to_json(row, ceilings), at, "mixed"));
                                            bar.update(++rows_done);
                                        });
        text += text_of(rows, ceilings);
    }
    if (wanted.goals) {
        progress bar("bench goals", "goals", 0, ctx.quiet);
        std::int64_t goals_done = 0;
        std::vector<bench::goal> const goals = bench::measure_goals(
            {.by = by, .tasks = tasks, .level = level, .seconds = options.seconds, .quick = options.quick},
            [&](bench::goal const& judged) {
                report.add("goals", of_tasks(to_json(judged), at, "every task"));
                bar.update(++goals_done);
            });
        text += text_of(goals);
        end_by(ctx, goals);
    }
    fmt::print("{}", ctx.json ? report.text() : text);
}

/// The goals as results have them.
void judge_recorded(context& ctx, bench_options const& options) {
    std::vector<bench::goal> const goals = recorded_goals(options.from);
    json report{{"command", ctx.command_line}};
    for (bench::goal const& goal : goals) {
        report["goals"].push_back(to_json(goal));
    }
    fmt::print("{}", ctx.json ? json_text(report, 1) + "\n" : text_of(goals));
    end_by(ctx, goals);
}

/// What the words ask for cannot be done together; found before anything is measured.
void check_options(context const& ctx, bench_options const& options) {
    if (ctx.server != "off") {
        throw usage_error("bench measures this process: --server is not for it");
    }
    if (options.what.empty()) {
        throw usage_error(
            "bench: WHAT is missing; expected all, interference, goals or benchmarks that bench --help names");
    }
    if (!options.from.empty() && options.what != std::vector<std::string>{"goals"}) {
        throw usage_error("bench: --from judges results that are there, expected goals alone beside it");
    }
    if (!options.from.empty() && !options.ceilings.empty()) {
        throw usage_error("bench: --from measures nothing that --ceilings could bound");
    }
    if (!options.from.empty() && !options.record.empty()) {
        throw usage_error("bench: --from measures nothing that --record could keep");
    }
    if (!options.record.empty() && options.quick) {
        throw usage_error("bench: --quick measures too little to be kept; leave out --quick or --record");
    }
    if (!options.record.empty() && std::filesystem::exists(options.record)) {
        static_cast<void>(read_lines(options.record));  // minutes later would be late to say that it holds no results
    }
}

}  // namespace

void add_bench(command_line& app, context& ctx) {
    auto const options = std::make_shared<bench_options>();
    command_entry const command = app.add_command(
        "bench", "Measure the batch verbs; every result is checked before it is timed",
        {"optgap bench all --threads 1", "optgap bench solve --task tsp --level hard",
         "optgap bench score --text-bytes 16000 --json > result.json",
         "optgap bench solve mix --threads 1 --record results.jsonl", "optgap bench compare old.json new.json",
         "optgap bench interference --device cuda", "optgap bench goals", "optgap bench goals --from bench/results"},
        {"Exit code 1: a goal is not met. What was not measured counts neither as met nor as unmet."});
    add_bench_compare(command, ctx, options->is_other);
    add_bench_merge(command, ctx, options->is_other);
    command.add_option(
        "WHAT", options->what,
        fmt::format("all, or any of {}; on a GPU also {}. Apart from all: interference, what a trainer's loop "
                    "and the engine cost each other; goals, what is promised and whether it is met here",
                    names_of(false), names_of(true)));
    command.add_option(
        "--task", options->tasks,
        "Tasks to measure (default: every task); refused where a benchmark has data of its own, which all leaves out");
    command.add_option("--level", options->level, "easy, medium, hard, benchmark or dN").show_default();
    command.add_option("--batch", options->batch, "Rows per call (default: the workload's own)").not_negative();
    command.add_option("--text-bytes", options->text_bytes, "Bytes per text for parse, score and judgements")
        .show_default();
    command.add_option("--steps", options->steps, "Steps of improve").show_default();
    command.add_option("--seconds", options->seconds, "Time to sample each row for").show_default();
    command.add_flag("--quick", options->quick, "interference: few budgets and rounds; goals: no long streams");
    add_trace_option(command);
    command.add_option("--commit", options->commit, "Commit to record (default: git's HEAD here)");
    command.add_option("--machine", options->machine, "Name of this machine (default: its processor and how many)");
    command.add_option(
        "--record", options->record,
        "File of results, a line each (bench/results): this run's take the place of older ones of the same "
        "measurement");
    command.add_option("--ceilings", options->ceilings,
                       "Results of this machine that have its ceilings, which are then not measured again");
    command.add_option("--from", options->from, "goals: judge results, a file or a folder, instead of measuring");
    command.on_run([&ctx, options] {
        if (options->is_other) {
            return;
        }
        check_options(ctx, *options);
        options->from.empty() ? run(ctx, *options) : judge_recorded(ctx, *options);
    });
}

}  // namespace optgap::cli
