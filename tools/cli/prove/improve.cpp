// optgap improve: local search from given answers.

#include <memory>

#include <fmt/format.h>

#include "host/rows/read/answers.hpp"
#include "host/rows/read/instances.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view improve_columns[] = {"answer", "objective", "start_objective", "moves"};

struct improve_options {
    std::vector<std::string> files;
    std::int64_t steps = 0;
    std::uint64_t seed = 0;
};

void improve(context& ctx, improve_options const& options) {
    engine const& searcher = ctx.get_engine();
    row_input input(ctx, options.files, "improve");
    row_output output;
    instance_set instances(ctx.tasks());
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        instances.resolve(items);
        csr_words starts;
        std::vector<std::int32_t> instance_of;
        for (row_item& item : items) {
            if (!item.sound()) {
                continue;
            }
            std::int32_t const task = instances.task(item.instance);
            parsed_text const read = read_answer(item, ctx.text(task), starts.words);
            if (item.sound() && read.answer_code != code_ok) {
                item.reject("answer",
                            fmt::format("is no list to start from: {}", searcher.code_name(task, read.answer_code)));
            }
            if (item.sound()) {
                starts.offsets.push_back(std::int64_t(starts.words.size()));
                instance_of.push_back(item.instance);
            } else {
                starts.words.resize(std::size_t(starts.offsets.back()));
            }
        }
        improved_batch const found =
            searcher.improve(instances.view(), starts.view(), options.steps, options.seed, instance_of);
        std::size_t next = 0;
        for (row_item const& item : items) {
            if (!item.sound()) {
                output.reject(item);
                continue;
            }
            row_writer row = output.begin(item, improve_columns);
            task_info const& info = searcher.tasks()[std::size_t(instances.task(item.instance))];
            row.raw("answer", answer_json(found.answers.row(std::int64_t(next)), info));
            row.integer_or_null("objective", found.objective[next], no_objective);
            row.integer_or_null("start_objective", found.start_objective[next], no_objective);
            row.integer("moves", found.moves[next]);
            row.finish();
            output.end_row();
            ++next;
        }
        output.flush();
    }
    input.finish(ctx);
    output.finish(ctx);
}

}  // namespace

void add_improve(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "improve", "Local search from given answers: answer, objective, start_objective, moves",
        {"optgap improve answers.jsonl --steps 10000 > better.jsonl",
         "optgap generate tsp --level benchmark | optgap solve - --budget 0 | optgap improve - --steps 2000"},
        {"The same steps and seed give the same answer anywhere; more steps are never worse. An infeasible start is",
         "returned as it is, with null objectives; one that is no list at all is an error row.", rows_help});
    auto options = std::make_shared<improve_options>();
    add_files(command, options->files, "JSONL with instances and answers");
    command.add_option("--steps", options->steps, "Steps per row, counted by the task").required().at_least(0);
    command.add_option("--seed", options->seed, "Seed of the search's own randomness").seed().show_default();
    command.on_run([&ctx, options] { improve(ctx, *options); });
}

}  // namespace optgap::cli
