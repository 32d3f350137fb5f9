// optgap bench-set: the benchmark instances of each task with their proofs, and a card that describes them.

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/report/fingerprint.hpp"
#include "host/rows/json/json_text.hpp"
#include "host/sqlite/writer_lock.hpp"
#include "kernels/text/svg.hpp"
#include "kernels/text/task_text.hpp"
#include "optgap/report.hpp"
#include "optgap/task_choice.hpp"
#include "tools/cli/make/set_index.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

// Far up a difficulty scale there is nothing to look at.
constexpr std::size_t largest_drawn = 50'000;     ///< instance words
constexpr std::size_t largest_picture = 400'000;  ///< bytes

struct bench_set_options {
    std::vector<std::string> tasks;
    std::string suite;  ///< empty: tasks, level, count and seed say what is written
    std::string out;
    std::string level = "benchmark";
    std::string format = "forge";
    std::int64_t count = 100;
    std::uint64_t seed = 1;
    std::int64_t signal_count = 100;
    bool keep_relabelled = false;
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
        lock_.emplace((path_ / "index.json").string());
    }

    void write(std::string const& name, std::string const& text) {
        write_whole((path_ / name).string(), text);
        written_.push_back({{"file", name}, {"bytes", text.size()}, {"xxh3_128", fingerprint(text)}});
    }
    [[nodiscard]] json const& written() const { return written_; }

private:
    std::filesystem::path path_;
    std::optional<sqlite::writer_lock> lock_;  ///< two sets at a time would be none
    json written_ = json::array();
};

/// The options that decide the bytes, in one order.
std::string canonical_command(bench_set_options const& options, card const& made) {
    std::string const what =
        options.suite.empty()
            ? fmt::format("--level {} --count {} --seed {}", options.level, options.count, options.seed)
            : fmt::format("--suite {}#{}", made.of.name, made.of.hash.substr(0, 8));
    std::string command = fmt::format("optgap bench-set --out DIR {} --format {} --signal-count {}", what,
                                      options.format, options.signal_count);
    for (card_task const& task : made.tasks) {
        command += options.suite.empty() ? fmt::format(" {}", task.info->name) : "";
    }
    command += options.keep_relabelled ? " --keep-relabelled" : "";
    return command;
}

std::vector<std::int32_t> tasks_of(context& ctx, std::vector<std::string> const& names) {
    std::vector<std::int32_t> tasks = ctx.tasks_named(names.empty() ? std::vector<std::string>{"all"} : names, true);
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

void add_task(context& ctx, std::int32_t task, benchmark_request const& wanted, card& to) {
    task_info const& info = ctx.get_engine().tasks()[std::size_t(task)];
    auto found = std::find_if(to.tasks.begin(), to.tasks.end(), [&](card_task const& of) { return of.info == &info; });
    if (found == to.tasks.end()) {
        found = to.tasks.emplace(to.tasks.end());
        found->info = &info;
        found->set.task = task;
    }
    found->wanted.push_back(wanted);
}

/// The entries of a suite that this build poses, task by task in the suite's order.
void add_suite(context& ctx, benchmark_request wanted, card& to) {
    suite const& of = to.of;
    std::string levels, splits;
    auto const note = [](std::string& all, std::string_view one) {
        if (("," + all + ",").find(fmt::format(",{},", one)) == std::string::npos) {
            all += (all.empty() ? "" : ",") + std::string(one);
        }
    };
    for (suite_entry const& entry : of.entries) {
        if (entry.place == suite_place::native) {
            if (!ctx.get_engine().tasks()[std::size_t(ctx.task_named(entry.native))].direct) {
                throw usage_error(fmt::format("--suite {}: {}", of.name, not_direct(entry.native)));
            }
            wanted.levels = entry.levels;
            wanted.count = entry.count;
            wanted.seed = entry.seed;
            wanted.part = entry.part;
            add_task(ctx, ctx.task_named(entry.native), wanted, to);
            note(levels, levels_name(entry.levels));
            note(splits, split_name(entry.part));
        }
    }
    if (to.tasks.empty()) {
        throw usage_error(
            fmt::format("--suite {}: this build poses none of its {} entries: `optgap suite show {}` says why", of.name,
                        of.entries.size(), of.name));
    }
    to.levels = levels;
    to.split = splits;
}

/// What is asked for, checked, before any work is done.
card begin_card(context& ctx, bench_set_options const& options) {
    if (options.seed > std::uint64_t(INT64_MAX)) {
        throw usage_error("--seed: must leave room for the seeds that follow; at most 9223372036854775807");
    }
    benchmark_request wanted{.levels = parse_levels(options.level),
                             .count = options.count,
                             .seed = options.seed,
                             .format = &known_formats()[std::size_t(format_index(options.format))],
                             .keep_relabelled = options.keep_relabelled};
    card begun;
    begun.count = options.count;
    begun.seed = options.seed;
    if (!options.suite.empty()) {
        begun.of = find_suite(options.suite);
        add_suite(ctx, wanted, begun);
    } else {
        if (options.count < std::int64_t(wanted.levels.size())) {
            throw usage_error(fmt::format("--count: {} is less than one for each of the {} levels of --level {}",
                                          options.count, wanted.levels.size(), options.level));
        }
        for (std::int32_t const task : tasks_of(ctx, options.tasks)) {
            add_task(ctx, task, wanted, begun);
        }
        begun.levels = levels_name(wanted.levels);
        begun.split = split_name(wanted.part);
    }
    begun.command = canonical_command(options, begun);
    return begun;
}

void measure(context& ctx, bench_set_options const& options, card& begun) {
    std::int64_t done = 0;
    std::int64_t work = std::int64_t(begun.tasks.size()) * signal_work(options.signal_count);
    for (card_task const& of : begun.tasks) {
        for (benchmark_request const& wanted : of.wanted) {
            work += wanted.count;
        }
    }
    progress bar("bench-set", "proofs", work, ctx.quiet);
    auto const step = [&](std::int64_t rows) { bar.update(done += rows); };
    for (card_task& of : begun.tasks) {
        of.set = make_benchmark_set(ctx, of.set.task, of.wanted, step);
        of.signal = measure_signal(ctx, of.set.task, options.signal_count, options.seed, step);
        of.picture = picture_of(ctx, of.set);
    }
}

void write_rows(card const& made, output_folder& folder) {
    if (!made.of.name.empty()) {
        std::string all;
        for (card_task const& task : made.tasks) {
            all += task.set.jsonl;
        }
        folder.write(rows_file(made, made.tasks[0]), all);
    }
    for (card_task const& task : made.tasks) {
        if (made.of.name.empty()) {
            folder.write(rows_file(made, task), task.set.jsonl);
        }
        if (!task.picture.empty()) {
            folder.write(fmt::format("{}.svg", task.info->name), standalone_svg(task.picture));
        }
    }
}

void run(context& ctx, bench_set_options const& options) {
    card made = begin_card(ctx, options);
    output_folder folder(options.out);
    measure(ctx, options, made);
    write_rows(made, folder);
    std::string const page = card_page(made);
    folder.write("card.html", page_html(page));
    folder.write("card.md", page_markdown(page));
    std::string const index = json_text(set_index(made, folder.written()), 2) + "\n";
    folder.write("index.json", index);
    write_stdout(ctx.json ? index : set_text(made));
}

}  // namespace

void add_bench_set(command_line& app, context& ctx) {
    auto const options = std::make_shared<bench_set_options>();
    command_entry const command = app.add_command(
        "bench-set", "Benchmark instances of each task with prompts and proofs, and a card that describes them",
        {"optgap bench-set --out benchmark", "optgap bench-set --out small tsp knapsack --count 10 --signal-count 10",
         "optgap bench-set --out levels sudoku --level d0..d4 --count 50",
         "optgap bench-set --out ood --suite rlve_ood", "optgap bench-set --hf data-set"},
        {"Writes TASK.jsonl (of a suite SUITE.jsonl with all rows) and TASK.svg, card.html, card.md and index.json, "
         "which has",
         "the XXH3-128 of each file. Prints at the end how many optima are proven, and those that are not with their "
         "gap. The",
         "instances are from the test split; a seed that repeats an instance, under any labels, is skipped. The same",
         "options write the same bytes on any number of threads. Prompt styles take turns.",
         "With --hf DIR in place of --out: the same rows as a Hugging Face data set, one configuration a task."});
    option_entry const tasks =
        command.add_option("TASK", options->tasks, "Tasks as NAME or NAME@VERSION; all when none is named");
    option_entry const suite = command.add_option(
        "--suite", options->suite,
        "A suite in place of tasks, level, count and seed: a name of `optgap suite list`, FILE.json");
    command.add_option("--out", options->out, "Folder to write; made when it is not there").required();
    option_entry const level = command.add_option(
        "--level", options->level, "easy, medium, hard, benchmark, dN, a range d0..d4, or several with commas");
    option_entry const count =
        command.add_option("--count", options->count, "Different instances per task, spread evenly over the levels");
    option_entry const seed = command.add_option("--seed", options->seed, "The first seed");
    level.show_default();
    count.at_least(1).show_default();
    seed.seed().show_default();
    for (option_entry const of_the_suite : {tasks, level, count, seed}) {
        suite.excludes(of_the_suite);
    }
    command
        .add_option("--format", options->format,
                    "What the prompts ask for: a name of `optgap formats` or a format as JSON")
        .show_default();
    command.add_flag("--keep-relabelled", options->keep_relabelled,
                     "Keep instances that differ from an earlier one by their labels alone");
    command
        .add_option("--signal-count", options->signal_count,
                    "Instances per level behind the signal table of the paper's levels and the difficulty scale")
        .at_least(1)
        .show_default();
    command.on_run([&ctx, options] { run(ctx, *options); });
}

}  // namespace optgap::cli
