// optgap pool export: a pool's entries as rows that `pool add` reads.

#include <fmt/format.h>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/answers.hpp"
#include "tools/cli/pool/pool_commands.hpp"
#include "tools/cli/rows/instance_row.hpp"
#include "tools/cli/rows/row_stream.hpp"

namespace optgap::cli {
namespace {

void write_standing(row_writer& row, pool::standing const& known) {
    row.integer("born", known.born);
    row.boolean("gone", known.gone);
    row.integer_or_null("seen", known.seen, -1);
    row.integer("attempts", known.sums.attempts);
    row.integer("solved", known.sums.solved);
    row.integer("quality", known.sums.quality);
    row.integer("quality_sq", known.sums.quality_sq);
}

void write_question(row_output& output, pool::entry const& one, std::int64_t id, pool::standing const& known) {
    pool::question const shown = pool::question_of(one);
    row_writer row(output.buffer(), nullptr);
    row.integer("entry", id);
    row.text("canonical", pool::key_of(one));
    row.text("question", shown.text);
    row.text_or_null("reference", shown.reference);
    row.text("origin", pool::origin_names[std::size_t(one.kind)]);
    write_standing(row, known);
    row.finish();
    output.end_row();
}

void export_rows(context& ctx, std::string const& path) {
    std::unique_ptr<pool::pool> const of = opened_pool(ctx, path, false);
    engine const& by = ctx.get_engine(false);
    row_output output;
    for (std::int64_t id = 0; id < of->entries(); ++id) {
        pool::entry const one = of->read(id);
        pool::standing const& known = of->standings()[std::size_t(id)];
        if (pool::is_question(one)) {
            write_question(output, one, id, known);
            continue;
        }
        std::int32_t const task = by.task_index(one.task, one.version);
        task_info const& info = by.tasks()[std::size_t(task)];
        row_writer row(output.buffer(), nullptr);
        row.integer("entry", id);
        row.text("canonical", pool::key_of(one));
        row.boolean("coarse", one.coarse);
        row.text("key", to_string(explicit_key(info, hash_words(one.words))));
        row.text("task", info.name);
        row.raw("instance", instance_json(ctx.text(task), one.words));
        row.text("origin", pool::origin_names[std::size_t(one.kind)]);
        if (one.parent != instance_hash{}) {
            row.text("parent", fmt::format("{}@{}:c:{}", one.task, one.version, hex32(one.parent)));
        }
        row.raw("answer", one.infeasible ? std::string("null") : answer_json(one.answer, info));
        row.integer_or_null("objective", one.objective, no_objective);
        row.text("status", one.infeasible ? "infeasible" : "optimal");
        row.integer_or_null("floor", one.floor, no_objective);
        row.integer_or_null("greedy", one.greedy, no_objective);
        row.integer("steps", one.steps);
        write_standing(row, known);
        row.finish();
        output.end_row();
    }
    output.finish(ctx);
}

}  // namespace

void add_pool_export(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "export", "All entries in the order in which they came in, with their proofs and what was observed of them",
        {"optgap pool export pool.db > entries.jsonl", "optgap pool export old.db | optgap pool add new.db -"},
        {"Instances stand under the labels under which they came in. `pool add` reads the rows and proves them anew; "
         "what was observed (quality in units of 2^-20) is not read."});
    auto path = std::make_shared<std::string>();
    command.add_option("POOL", *path, "A pool").required();
    command.on_run([&ctx, path] { export_rows(ctx, *path); });
}

}  // namespace optgap::cli
