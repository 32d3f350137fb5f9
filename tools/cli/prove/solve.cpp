// optgap solve: baselines with the answers that prove them, from JSONL and from files in the tasks' own formats.

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/answers.hpp"
#include "host/rows/read/instances.hpp"
#include "tools/cli/prove/solved_rows.hpp"
#include "tools/cli/rows/files/instance_file.hpp"
#include "tools/cli/rows/instance_row.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/trace_file.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view solve_columns[] = {"answer", "objective", "bound", "bound_kind", "status",
                                              "proven", "steps",     "floor", "greedy",     "noisy"};

struct solve_options {
    std::vector<std::string> files;
    std::int64_t budget = -1;
    std::int32_t noisy = 0;
    std::string task;
    std::string start;
    bool with_instance = false;
};

/// Answers of the greedy policy with mistakes, the same wherever the row stands.
void write_noisy(row_writer& row, engine const& by, std::int32_t task, std::span<std::int32_t const> instance,
                 std::int32_t count) {
    if (count == 0) {
        return;
    }
    instance_batch one;
    one.append(task, instance);
    csr_words const answers = by.noisy_greedy(one.view(), count);
    std::string list;
    for (std::int32_t k = 0; k < count; ++k) {
        list += (k == 0 ? "[" : ", ") + answer_json(answers.row(k), by.tasks()[std::size_t(task)]);
    }
    row.raw("noisy", list + "]");
}

void solve_rows(context& ctx, std::string const& file, solve_options const& options, proof_starts& known,
                row_output& output) {
    engine const& solver = ctx.get_engine(false);
    row_input input(ctx, {file}, "solve", {.rows = std::max(256, 16 * solver.threads())});
    each_solved(ctx, input, options.budget, known, output,
                [&](row_item& item, instance_set const& instances, solved_batch const& solved) {
                    row_writer row = output.begin(item, solve_columns);
                    write_baseline(row, solved.rows[std::size_t(item.instance)], solved.answers.row(item.instance),
                                   solver.tasks()[std::size_t(instances.task(item.instance))]);
                    write_noisy(row, solver, instances.task(item.instance), instances.view().blocks.row(item.instance),
                                options.noisy);
                    row.finish();
                });
}

void solve_instance_file(context& ctx, instance_file const& file, solve_options const& options, proof_starts& known,
                         row_output& output) {
    engine const& solver = ctx.get_engine(false);
    task_info const& info = solver.tasks()[std::size_t(file.task)];
    row_writer row(output.buffer(), nullptr);
    row.text("task", info.name);
    row.text("name", std::filesystem::path(file.path).stem().string());
    try {
        instance_batch batch;
        batch.append(file.task, read_instance(file));
        std::vector<std::string> broken;
        instance_spec const unkeyed{-1, {}, split::train, 0};
        csr_words const starts = known.of(batch.view(), {&unkeyed, 1}, broken);
        if (!broken[0].empty()) {
            throw field_error("start", broken[0]);
        }
        solved_batch const solved = solver.solve(batch.view(), options.budget, starts.view());
        row.text("key", to_string(explicit_key(info, hash_words(batch.blocks.row(0)))));
        if (options.with_instance) {
            row.raw("instance", instance_json(ctx.text(file.task), batch.blocks.row(0)));
        }
        write_baseline(row, solved.rows[0], solved.answers.row(0), info);
        write_noisy(row, solver, file.task, batch.blocks.row(0), options.noisy);
        row.finish();
    } catch (field_error const& broken) {
        row.error(1, broken.field(), broken.rule());
        row.finish();
        output.count_rejected(1, fmt::format("{}: {}", file.path, broken.field()), broken.rule());
    }
    output.flush();
}

void solve(context& ctx, solve_options const& options) {
    ctx.get_engine(false);
    std::int32_t const task = options.task.empty() ? -1 : ctx.task_named(options.task);
    proof_starts known(ctx, options.start);
    row_output output;
    for (std::string const& path : options.files) {
        if (auto const file = instance_file_of(ctx, path, task)) {
            solve_instance_file(ctx, *file, options, known, output);
        } else {
            solve_rows(ctx, path, options, known, output);
        }
    }
    output.finish(ctx);
    known.finish();
}

}  // namespace

void add_solve(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "solve", "Best answers with proofs: answer, objective, bound, bound_kind, status, proven, steps, floor, greedy",
        {"optgap generate knapsack --level benchmark --count 1000 | optgap solve - > solved.jsonl",
         "optgap solve berlin52.tsp", "optgap solve rows.jsonl --budget 0      # the greedy anchor only",
         "optgap improve answers.jsonl --steps 10000 > better.jsonl; optgap solve rows.jsonl --start better.jsonl"},
        {"A file whose extension a task knows (see optgap tasks --json; any with --task, unless it holds rows) is read "
         "as "
         "one instance, also packed by gzip, and gives one row",
         "{task, name, key, ...}. Proofs run on the CPU. Instances that a key names begin with the answer that their",
         "generator knows, where it knows one. --start FILE gives others: rows with `answer` and `key`, or `task` and",
         "`instance`, in any order, one an instance. Each is verified first, and what is found is never worse.",
         rows_help});
    auto options = std::make_shared<solve_options>();
    add_files(command, options->files, "JSONL with instances, or an instance in a task's file format");
    command.add_option("--budget", options->budget, "Steps per instance, counted by the task; -1 is the task's default")
        .at_least(-1)
        .show_default();
    command
        .add_option("--noisy", options->noisy,
                    "Add `noisy`: so many answers of greedy with mistakes, as a weak model's")
        .between(0, 1024);
    command.add_option("--task", options->task, "The task of instance files whose extension several tasks know");
    command.add_option("--start", options->start,
                       "JSONL with answers to begin with, of instances among those to solve");
    add_trace_option(command);
    command.add_flag("--with-instance", options->with_instance, "Add `instance` to the rows of instance files");
    command.on_run([&ctx, options] { solve(ctx, *options); });
}

}  // namespace optgap::cli
