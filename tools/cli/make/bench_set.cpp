// optgap bench-set: the benchmark instances of each task with their proofs, and a card that describes them.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/report/fingerprint.hpp"
#include "kernels/text/svg.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/report.hpp"
#include "tools/cli/make/card.hpp"
#include "tools/cli/rows/json_text.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

#ifndef OPTGAP_VERSION
#define OPTGAP_VERSION "unknown"
#endif

namespace optgap::cli {
namespace {

// Far up a ladder there is nothing to look at.
constexpr std::size_t largest_drawn = 20'000;     ///< instance words
constexpr std::size_t largest_picture = 400'000;  ///< bytes

struct bench_set_options {
    std::vector<std::string> tasks;
    std::string out;
    std::string level = "benchmark";
    std::string format = "forge";
    std::int64_t count = 100;
    std::uint64_t seed = 1;
    std::int64_t signal_count = 100;
};

/// Writes files into one folder and remembers what it wrote.
class output_folder {
public:
    explicit output_folder(std::string const& path) : path_(path) {
        std::error_code problem;
        std::filesystem::create_directories(path_, problem);
        if (problem) {
            throw io_error(fmt::format("cannot make the folder '{}': {}", path, problem.message()));
        }
    }

    void write(std::string const& name, std::string const& text) {
        std::filesystem::path const path = path_ / name;
        std::ofstream file(path, std::ios::binary);
        file << text;
        file.close();
        if (!file) {
            throw io_error(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
        }
        written_.push_back({{"file", name}, {"bytes", text.size()}, {"xxh3_128", fingerprint(text)}});
    }
    [[nodiscard]] json const& written() const { return written_; }

private:
    std::filesystem::path path_;
    json written_ = json::array();
};

/// The options that decide the bytes, in one order.
std::string canonical_command(bench_set_options const& options, engine const& by,
                              std::vector<std::int32_t> const& tasks) {
    std::string command = fmt::format(
        "optgap bench-set --out DIR --level {} --count {} --seed {} --format {} "
        "--signal-count {}",
        options.level, options.count, options.seed, options.format, options.signal_count);
    for (std::int32_t const task : tasks) {
        command += fmt::format(" {}", by.tasks()[std::size_t(task)].name);
    }
    return command;
}

std::vector<std::int32_t> tasks_of(context& ctx, std::vector<std::string> const& names) {
    std::vector<std::int32_t> tasks = ctx.tasks_named(names.empty() ? std::vector<std::string>{"all"} : names);
    std::sort(tasks.begin(), tasks.end());
    tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
    return tasks;
}

/// The first instance with its best answer.
std::string picture_of(context& ctx, benchmark_set const& set) {
    task_text const& text = ctx.text(set.task);
    auto const instance = set.instances.blocks.row(0);
    if (text.picture == nullptr || instance.size() > largest_drawn) {
        return {};
    }
    auto const answer = set.solved.answers.row(0);
    std::string drawn =
        text.picture({instance.data(), std::int64_t(instance.size())}, {answer.data(), std::int64_t(answer.size())});
    return drawn.size() <= largest_picture ? drawn : std::string();
}

json signal_json(signal_report const& signal) {
    json levels = json::array();
    for (signal_row const& row : signal.rows) {
        levels.push_back({{"level", level_name(row.level)},
                          {"instances", row.instances},
                          {"proven", row.proven},
                          {"words", row.words},
                          {"prompt_chars", row.prompt_chars},
                          {"greedy_optimal", row.greedy_best},
                          {"qualities", row.distinct},
                          {"groups_with_4", row.rich},
                          {"draws", row.draws},
                          {"repeated", row.repeated}});
    }
    return {{"benchmark_step", signal.rule.benchmark_step},
            {"met", signal.rule.met},
            {"sentence", signal.rule.sentence},
            {"levels", levels}};
}

json index_of(card const& made, output_folder const& folder) {
    json tasks = json::array();
    for (card_task const& of : made.tasks) {
        card_table const open = unproven_rows(of);
        tasks.push_back({{"task", of.info->name},
                         {"version", of.info->version},
                         {"file", fmt::format("{}.jsonl", of.info->name)},
                         {"rows", of.set.rows.size()},
                         {"proven", of.set.rows.size() - open.rows.size()},
                         {"repeated_seeds", of.set.repeated},
                         {"signal", signal_json(of.signal)}});
    }
    return {{"engine", "optgap " OPTGAP_VERSION},
            {"command", made.command},
            {"split", split_name(made.request.part)},
            {"level", level_name(made.request.level)},
            {"count", made.request.count},
            {"seed", made.request.seed},
            {"tasks", tasks},
            {"files", folder.written()}};
}

/// What is asked for, checked, before any work is done.
card begin_card(context& ctx, bench_set_options const& options) {
    if (options.seed > std::uint64_t(INT64_MAX)) {
        throw usage_error("--seed: must leave room for the seeds that follow; at most 9223372036854775807");
    }
    engine const& by = ctx.get_engine();
    std::vector<std::int32_t> const tasks = tasks_of(ctx, options.tasks);
    card begun;
    begun.command = canonical_command(options, by, tasks);
    begun.request = {.level = parse_level(options.level),
                     .count = options.count,
                     .seed = options.seed,
                     .format = &known_formats()[std::size_t(format_index(options.format))]};
    for (std::int32_t const task : tasks) {
        card_task of;
        of.info = &by.tasks()[std::size_t(task)];
        of.set.task = task;
        begun.tasks.push_back(std::move(of));
    }
    return begun;
}

void measure(context& ctx, bench_set_options const& options, card& begun) {
    std::int64_t done = 0;
    progress bar("bench-set", "proofs",
                 std::int64_t(begun.tasks.size()) * (options.count + signal_work(options.signal_count)), ctx.quiet);
    auto const step = [&](std::int64_t rows) { bar.update(done += rows); };
    for (card_task& of : begun.tasks) {
        of.set = make_benchmark_set(ctx, of.set.task, begun.request, step);
        of.signal = measure_signal(ctx, of.set.task, options.signal_count, options.seed, step);
        of.picture = picture_of(ctx, of.set);
    }
}

std::string overview_text(card const& made) {
    card_table const facts = overview(made);
    std::vector<table::column> columns;
    for (std::size_t c = 0; c < facts.titles.size(); ++c) {
        columns.push_back({facts.titles[c], c < facts.labels ? align::left : align::right});
    }
    table out(std::move(columns));
    for (auto const& row : facts.rows) {
        out.add(row);
    }
    return out.text();
}

void run(context& ctx, bench_set_options const& options) {
    card made = begin_card(ctx, options);
    output_folder folder(options.out);
    measure(ctx, options, made);
    for (card_task const& of : made.tasks) {
        folder.write(fmt::format("{}.jsonl", of.info->name), of.set.jsonl);
        if (!of.picture.empty()) {
            folder.write(fmt::format("{}.svg", of.info->name), standalone_svg(of.picture));
        }
    }
    std::string const page = card_page(made);
    folder.write("card.html", page_html(page));
    folder.write("card.md", page_markdown(page));
    std::string const index = json_text(index_of(made, folder), 2) + "\n";
    folder.write("index.json", index);
    write_stdout(ctx.json ? index : overview_text(made));
}

}  // namespace

void add_bench_set(command_line& app, context& ctx) {
    auto const options = std::make_shared<bench_set_options>();
    command_entry const command = app.add_command(
        "bench-set", "Benchmark instances of each task with prompts and proofs, and a card that describes them",
        {"optgap bench-set --out benchmark", "optgap bench-set --out small tsp knapsack --count 10 --signal-count 10",
         "optgap bench-set --hf data-set"},
        {"Writes TASK.jsonl and TASK.svg, card.html, card.md and index.json, which has the XXH3-128 of each file. The",
         "instances are from the test split; a seed that repeats an instance is skipped. The same options write the "
         "same",
         "bytes on any number of threads. Prompt styles take turns.",
         "With --hf DIR in place of --out: the same rows as a Hugging Face data set, one configuration a task."});
    command.add_option("TASK", options->tasks, "Tasks as NAME or NAME@VERSION; all when none is named");
    command.add_option("--out", options->out, "Folder to write; made when it is not there").required();
    command.add_option(
        "--hf",
        [](std::string const&) {
            throw usage_error(
                "'bench-set --hf' needs the Python package: pip install 'optgap[hf]', then run the same command");
        },
        "Folder for parquet and a README with the card's metadata (comes with the Python package)");
    command.add_option("--level", options->level, "easy, medium, hard, benchmark or dN").show_default();
    command.add_option("--count", options->count, "Different instances per task").at_least(1).show_default();
    command.add_option("--seed", options->seed, "The first seed").seed().show_default();
    command
        .add_option("--format", options->format,
                    "What the prompts ask for: a name of `optgap formats` or a format as JSON")
        .show_default();
    command
        .add_option("--signal-count", options->signal_count,
                    "Instances per level behind the signal table of the paper's levels and the ladder")
        .at_least(1)
        .show_default();
    command.on_run([&ctx, options] { run(ctx, *options); });
}

}  // namespace optgap::cli
