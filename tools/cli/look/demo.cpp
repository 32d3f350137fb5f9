// optgap demo: the main job from end to end, for people who look before they read.

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "bench/rollouts.hpp"
#include "host/rows/read/fields.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/look/demo_hash.hpp"
#include "tools/cli/look/demo_inputs.hpp"
#include "tools/cli/rows/files/instance_file.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/score/summary.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

constexpr std::int64_t perturbed_groups = 200;  ///< instances, spread over the tasks
constexpr std::int64_t quick_groups = 26;
constexpr std::string_view quick_instance = "tsp/berlin52.tsp";
constexpr std::int64_t step_groups = 384;  ///< prompts of one training step

struct demo_options {
    std::string rollouts;  ///< empty: those that the program carries
    std::string data;      ///< as rollouts
    std::int64_t text_bytes = 16'000;
    bool quick = false;
    bool hash = false;
    std::string against;
    std::vector<std::string> tasks;  ///< to hash; empty: all
};

void headline(std::string_view text) { write_stdout(fmt::format("\n{}\n\n", text)); }

/// What a file of written rollouts earns: each kind of the first task, then the summary of all.
void show_written(context& ctx, demo_options const& options) {
    named_text const file = options.rollouts.empty() ? carried_files("rollouts.jsonl").front()
                                                     : named_text{options.rollouts, read_whole(options.rollouts)};
    headline(fmt::format("1. Rollouts as language models write them ({})",
                         options.rollouts.empty() ? "tools/demo/rollouts.jsonl" : options.rollouts));
    score_options how;
    scorer by = make_scorer(ctx, how);
    std::vector<row_item> items = rows_of(file);
    std::vector<graded_row> const scored = by.score(items);
    table kinds(
        {{"rollout"}, {"code"}, {"feasible", align::right}, {"quality", align::right}, {"reward", align::right}});
    std::map<std::string, rollout_groups> all;
    std::int32_t first_task = -1;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].sound()) {
            throw usage_error(
                fmt::format("{}, row {}: {}: {}", options.rollouts, items[i].number, items[i].field, items[i].rule));
        }
        graded_row const& row = scored[i];
        first_task = first_task < 0 ? row.task : first_task;
        all[std::string(ctx.get_engine().tasks()[std::size_t(row.task)].name)].add(row.value, row.group);
        if (row.task == first_task) {
            kinds.add({string_of(items[i].row, "what").value_or(""),
                       std::string(ctx.get_engine().code_name(row.task, row.value.code)),
                       row.value.feasible > 0 ? "yes" : "no", fmt::format("{:.3f}", row.value.quality),
                       fmt::format("{:+.3f}", row.value.reward)});
        }
    }
    if (first_task >= 0) {
        write_stdout(fmt::format("The {} rows of them:\n\n{}\n", ctx.get_engine().tasks()[std::size_t(first_task)].name,
                                 kinds.text()));
    }
    write_stdout(rates_table(all));
}

/// Groups of sixteen answers around the optimum, at benchmark level.
void show_groups(engine const& by, std::int64_t groups) {
    headline(fmt::format("2. {} benchmark instances, sixteen perturbed solutions each", groups));
    bench::step const made = bench::make_step(by, difficulty::benchmark(), groups, 1000);
    score_batch const scored = by.score(made.request());
    std::map<std::string, rollout_groups> all;
    for (std::size_t r = 0; r < scored.rows.size(); ++r) {
        all[std::string(by.tasks()[std::size_t(made.task_of[r])].name)].add(scored.rows[r], made.instance_of[r]);
    }
    std::int64_t proven = 0;
    std::set<std::string> bounded;
    for (std::size_t i = 0; i < made.solved.rows.size(); ++i) {
        if (made.solved.rows[i].proven()) {
            ++proven;
        } else {
            bounded.emplace(by.tasks()[std::size_t(made.instances.task[i])].name);
        }
    }
    write_stdout(fmt::format("{}\nBaselines: {} of {} proven optimal{}{}.\n", rates_table(all), proven, groups,
                             bounded.empty() ? "" : "; best found, with a bound: ", fmt::join(bounded, ", ")));
}

/// The task that a folder is named by; -1, any whose files have the extension, when there is none of this name.
std::int32_t task_of_folder(engine const& by, std::filesystem::path const& folder) {
    auto const tasks = by.tasks();
    auto const found = std::find_if(tasks.begin(), tasks.end(), [&](auto const& task) { return folder == task.name; });
    return found == tasks.end() ? -1 : std::int32_t(found - tasks.begin());
}

/// The optima that the files' collections publish: lines `tsp/berlin52.tsp 7542` of optima.txt.
std::map<std::string, std::string> published_in(std::vector<named_text> const& files) {
    std::map<std::string, std::string> published;
    for (named_text const& given : files) {
        std::istringstream lines(given.name == "optima.txt" ? given.text : std::string());
        for (std::string file, optimum; lines >> file >> optimum;) {
            published[file] = optimum;
        }
    }
    return published;
}

/// Real instances in folders named by their tasks.
void show_real(context& ctx, demo_options const& options) {
    headline(fmt::format("3. Real instances ({})", options.data.empty() ? "tools/demo/instances" : options.data));
    engine const& by = ctx.get_engine();
    std::vector<named_text> const given =
        options.data.empty() ? carried_files("instances/") : files_below(options.data);
    std::map<std::string, instance_file> files;
    instance_batch batch;
    for (named_text const& one : given) {
        std::int32_t const task = task_of_folder(by, std::filesystem::path(one.name).parent_path());
        auto const file = instance_file_named(ctx, one.name, task);
        if (file && (!options.quick || one.name == quick_instance)) {
            files.emplace(one.name, *file);
            batch.append(file->task, file->read(one.text));
        }
    }
    solved_batch const solved = by.solve(batch.view());
    std::map<std::string, std::string> const published = published_in(given);
    table out({{"task"},
               {"instance"},
               {"greedy", align::right},
               {"best", align::right},
               {"bound", align::right},
               {"proven"},
               {"published", align::right},
               {"steps", align::right}});
    for (std::size_t i = 0; auto const& [name, file] : files) {
        baseline const& row = solved.rows[i++];
        auto const known = published.find(name);
        out.add({std::string(by.tasks()[std::size_t(file.task)].name), std::filesystem::path(name).filename().string(),
                 std::to_string(row.greedy), std::to_string(row.objective), std::to_string(row.bound),
                 row.proven() ? "yes" : "no", known == published.end() ? "-" : known->second,
                 std::to_string(row.steps)});
    }
    write_stdout(out.text());
}

/// One training step's rollouts on one engine, timed, and its bytes compared with the first engine's.
void time_step(table& out, engine const& by, bench::step const& made, score_batch& reference) {
    score_batch const warm = by.score(made.request());
    score_batch const timed = by.score(made.request());
    bool const first = reference.rows.empty();
    bool const same = !first && timed.rows == reference.rows && timed.advantage == reference.advantage &&
                      timed.verdicts == reference.verdicts && warm.rows == reference.rows;
    stage_seconds const& s = timed.seconds;
    double const total = s.parse + s.verify + s.reward + s.advantage;
    auto const ms = [](double seconds) { return fmt::format("{:.2f}", seconds * 1e3); };
    out.add({by.device_name(), ms(s.parse), ms(s.verify), ms(s.reward), ms(s.advantage), ms(total),
             fmt::format("{:.0f} k", double(timed.rows.size()) / total / 1e3), first ? "-" : (same ? "yes" : "NO")});
    if (!first && !same) {
        throw error(status::internal, by.device_name() + " gave other bytes than the first engine");
    }
    if (first) {
        reference = timed;
    }
}

void show_times(context& ctx, demo_options const& options) {
    headline(fmt::format("4. One training step: {} groups of {}, {} bytes of text each", step_groups, bench::group_size,
                         options.text_bytes));
    engine const one({.where = device::cpu, .threads = 1});
    engine const many({.where = device::cpu, .threads = ctx.threads});
    bench::step const made = bench::make_step(many, difficulty::benchmark(), step_groups, options.text_bytes);
    table out({{"device"},
               {"parse ms", align::right},
               {"verify ms", align::right},
               {"reward ms", align::right},
               {"advantage ms", align::right},
               {"total ms", align::right},
               {"rollouts/s", align::right},
               {"same bytes"}});
    score_batch reference;
    time_step(out, one, made, reference);
    time_step(out, many, made, reference);
    std::string gpu = "no GPU was used: this engine runs on the CPU\n";
    if (ctx.get_engine().where() == device::cuda) {
        time_step(out, ctx.get_engine(), made, reference);
        gpu.clear();
    }
    write_stdout(out.text() + gpu);
}

void run(context& ctx, demo_options const& options) {
    if (!options.against.empty() && !options.hash) {
        throw usage_error("--against: goes with --hash");
    }
    if (!options.tasks.empty() && !options.hash) {
        throw usage_error("--task: goes with --hash");
    }
    if (options.hash) {
        show_hashes(ctx, options.against, options.tasks);
        return;
    }
    write_stdout(fmt::format("optgap on {}\n", ctx.get_engine().device_name()));
    show_written(ctx, options);
    show_groups(ctx.get_engine(), options.quick ? quick_groups : perturbed_groups);
    show_real(ctx, options);
    if (options.quick) {
        write_stdout(
            fmt::format("\nLeft out by --quick: {} of {} groups, the other real instances, and the times of a "
                        "training step with the comparison of devices. optgap demo shows them.\n",
                        perturbed_groups - quick_groups, perturbed_groups));
        return;
    }
    show_times(ctx, options);
}

}  // namespace

void add_demo(command_line& app, context& ctx) {
    auto const options = std::make_shared<demo_options>();
    command_entry const command = app.add_command(
        "demo", "The main job from end to end: rollouts, groups, real instances, times",
        {"optgap demo --quick", "optgap demo", "optgap demo --device cpu --threads 1",
         "optgap demo --rollouts my_rollouts.jsonl", "optgap demo --hash --task tsp", "optgap demo --hash",
         "optgap demo --hash --json > here.json", "optgap demo --hash --device cuda --against here.json"},
        {"--hash hashes the benchmark set and more than 100,000 verdicts over all tasks, and compares them with what "
         "is",
         "frozen beside each task: the same on every machine and device. Exit code 1 when some bytes differ."});
    option_entry const rollouts = command.add_option("--rollouts", options->rollouts,
                                                     "JSONL to score in part 1; without, rows that are built in");
    option_entry const data = command.add_option(
        "--data", options->data,
        "Folder with instance files for part 3, in folders named by their tasks; without, built-in ones");
    option_entry const bytes =
        command.add_option("--text-bytes", options->text_bytes, "Bytes per rollout in part 4").show_default();
    option_entry const quick = command.add_flag("--quick", options->quick, "Three seconds of it on one core");
    option_entry const hash = command.add_flag("--hash", options->hash,
                                               "Instead: same bytes as everywhere, yes or no; with --json, for a file");
    command.add_option("--against", options->against,
                       "With --hash: a file of --hash --json from elsewhere to compare with");
    command.add_option("--task", options->tasks, "With --hash: tasks to hash (default: every task)");
    for (option_entry const& other : {data, bytes, hash}) {
        quick.excludes(other);
    }
    for (option_entry const& other : {rollouts, data, bytes}) {
        hash.excludes(other);
    }
    command.on_run([&ctx, options] { run(ctx, *options); });
}

}  // namespace optgap::cli
