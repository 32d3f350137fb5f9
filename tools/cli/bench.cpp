#include <cstdio>

#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/ceilings.hpp"
#include "host/registry.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/table.hpp"
#include "tools/cli/trace_file.hpp"

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

std::vector<bench::workload> chosen_workloads(std::vector<std::string> const& what) {
    std::vector<bench::workload> chosen;
    for (std::string const& name : what) {
        bool known = name == "all";
        for (bench::workload const& work : bench::workloads()) {
            if (name == "all" || name == work.name) {
                chosen.push_back(work);
                known = true;
            }
        }
        if (name == "trainer") {
            throw usage_error(
                "'bench trainer' needs the Python package: pip install optgap (in a checkout: pip install .), then run "
                "it again");
        }
        if (!known) {
            std::vector<std::string> names{"all"};
            for (bench::workload const& work : bench::workloads()) {
                names.emplace_back(work.name);
            }
            throw usage_error("no benchmark '" + name + "'; expected " + closest_first(name, names));
        }
    }
    return chosen;
}

/// 1234567 → "1.235 M".
std::string scaled(double value) {
    constexpr std::array<char const*, 5> prefixes{"", " k", " M", " G", " T"};
    std::size_t power = 0;
    for (; value >= 1000 && power + 1 < prefixes.size(); ++power) {
        value /= 1000;
    }
    return fmt::format("{:.4g}{}", value, prefixes[power]);
}

std::string milliseconds(double seconds) { return fmt::format("{:.3f}", seconds * 1e3); }

/// The ceilings of the device that `by` works on.
std::vector<ceiling> ceilings_of(engine const& by) {
    return by.where() == device::cuda ? measure_ceilings() : measure_cpu_ceilings(by.threads());
}

/// The share of its ceiling that a workload reaches; nothing where none is known.
std::optional<double> share_of(bench::measurement const& made, std::vector<ceiling> const& ceilings) {
    for (ceiling const& one : ceilings) {
        if (one.name == made.ceiling) {
            return made.needs / bench::quantile(made.seconds, 0.5) / one.median;
        }
    }
    return std::nullopt;
}

json row_of(bench::measurement const& made, std::optional<double> share) {
    json row{{"workload", made.workload}, {"task", made.task},       {"level", made.level},
             {"batch", made.batch},       {"unit", made.unit},       {"items_per_sample", made.items},
             {"rate", made.rate()},       {"spread", made.spread()}, {"samples_s", made.seconds}};
    if (!made.latencies.empty()) {
        row["latency_s"] = {{"p50", bench::quantile(made.latencies, 0.5)},
                            {"p99", bench::quantile(made.latencies, 0.99)},
                            {"max", bench::quantile(made.latencies, 1.0)}};
    }
    if (share) {
        row["ceiling"] = made.ceiling;
        row["share_of_ceiling"] = *share;
    }
    for (auto const& [stage, seconds] : made.stages) {
        row["stages_s"][stage] = seconds;
    }
    return row;
}

void run(context& ctx, bench_options const& options) {
    std::vector<bench::workload> const chosen = chosen_workloads(options.what);
    engine const& by = ctx.get_engine();
    std::vector<std::int32_t> tasks;
    for (std::string const& name : options.tasks) {
        tasks.push_back(ctx.task_named(name));
    }
    for (std::size_t t = 0; options.tasks.empty() && t < by.tasks().size(); ++t) {
        tasks.push_back(std::int32_t(t));
    }
    bench::setting at{.by = by,
                      .level = parse_level(options.level),
                      .batch = options.batch,
                      .text_bytes = options.text_bytes,
                      .steps = options.steps,
                      .seconds = options.seconds};

    table shown({{"workload"},
                 {"task"},
                 {"level"},
                 {"batch", align::right},
                 {"per second", align::right},
                 {"unit"},
                 {"spread", align::right},
                 {"of ceiling", align::right},
                 {"sample ms", align::right},
                 {"p50 / p99 / max ms", align::right}});
    std::vector<ceiling> const ceilings = ceilings_of(by);
    json rows = json::array();
    std::int64_t done = 0;
    progress bar("bench", "runs", std::int64_t(chosen.size() * tasks.size()), ctx.quiet);
    for (bench::workload const& work : chosen) {
        for (std::size_t t = 0; t < (work.per_task ? tasks.size() : 1); ++t) {
            at.task = tasks[t];
            bench::measurement const made = work.run(at);
            bar.update(++done);
            std::optional<double> const share = share_of(made, ceilings);
            rows.push_back(row_of(made, share));
            std::string latency;
            if (!made.latencies.empty()) {
                latency = milliseconds(bench::quantile(made.latencies, 0.5)) + " / " +
                          milliseconds(bench::quantile(made.latencies, 0.99)) + " / " +
                          milliseconds(bench::quantile(made.latencies, 1.0));
            }
            shown.add({made.workload, made.task, made.level, std::to_string(made.batch), scaled(made.rate()), made.unit,
                       fmt::format("{:.1f} %", 100 * made.spread()),
                       share ? fmt::format("{:.3g} % {}", 100 * *share, made.ceiling) : "",
                       milliseconds(bench::quantile(made.seconds, 0.5)), latency});
        }
    }
    if (ctx.json) {
        json report{{"command", ctx.command_line},
                    {"commit", options.commit.empty() ? commit_of_tree() : options.commit},
                    {"device", by.device_name()},
                    {"threads", by.threads()},
                    {"instruction_set", instruction_sets()[std::size_t(best_instruction_set())]},
                    {"text_bytes", options.text_bytes},
                    {"steps", options.steps},
                    {"rows", rows}};
        for (ceiling const& found : ceilings) {
            report["ceilings"].push_back(
                {{"name", found.name}, {"unit", found.unit}, {"median", found.median}, {"samples", found.samples}});
        }
        fmt::print("{}\n", report.dump(1));
        return;
    }
    fmt::print("{}\n{}", by.device_name(), shown.text());
}

}  // namespace

void add_bench(CLI::App& app, context& ctx) {
    auto const options = std::make_shared<bench_options>();
    CLI::App* const command =
        add_command(app, "bench", "Measure the batch verbs; every result is checked before it is timed",
                    {"optgap bench all --threads 1", "optgap bench solve --task tsp --level hard",
                     "optgap bench score --text-bytes 16000 --json > result.json"});
    command
        ->add_option(
            "WHAT", options->what,
            "all, or any of generate, parse, verify, improve, solve, mix, score, rewards, advantages, river, step, "
            "sample_1, sample_16, sample_256, rollouts")
        ->required();
    command->add_option("--task", options->tasks, "Tasks to measure (default: every task)");
    command->add_option("--level", options->level, "easy, medium, hard, benchmark or dN")->capture_default_str();
    command->add_option("--batch", options->batch, "Rows per call (default: the workload's own)")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--text-bytes", options->text_bytes, "Bytes per rollout for parse and score")
        ->capture_default_str();
    command->add_option("--steps", options->steps, "Steps of improve")->capture_default_str();
    command->add_option("--seconds", options->seconds, "Time to sample each row for")->capture_default_str();
    add_trace_option(*command);
    command->add_option("--commit", options->commit, "Commit to record (default: git's HEAD here)");
    command->callback([&ctx, options] { run(ctx, *options); });
}

}  // namespace optgap::cli
