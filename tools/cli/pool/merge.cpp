// optgap pool merge: steps from the parts that ranks have made.

#include <set>

#include <fmt/format.h>

#include "tools/cli/pool/pool_commands.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

void merge_parts(context& ctx, std::string const& path, std::vector<std::string> const& files, std::int64_t proofs) {
    pool::delta all;
    for (std::string const& file : files) {
        try {
            all.join(pool::delta_from(read_whole(file)));
        } catch (field_error const& broken) {
            throw field_error(fmt::format("{}, {}", file, broken.field()), broken.rule());
        }
    }
    std::unique_ptr<pool::pool> const into = opened_pool(ctx, path, true);
    std::set<std::int64_t> steps;
    for (auto const& [name, one] : all.parts()) {
        steps.insert(name.step);
    }
    for (std::int64_t const step : steps) {
        pool::delta const parts = all.of_step(step);
        if (into->is_in(parts)) {
            ctx.note(fmt::format("{}: step {} is in already", path, step));
            continue;
        }
        pool::require_sound(ctx.get_engine(false), parts, proofs);
        pool::step_counts const did = into->end_step(parts);
        ctx.note(fmt::format("{}: step {} ended with {} parts: {} entries, {} repeated, {} outcomes, {} gone", path,
                             step, parts.parts().size(), did.added, did.repeated, did.outcomes, did.gone));
    }
    fmt::print("{}\n", hex32(into->hash()));
}

}  // namespace

void add_pool_merge(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "merge", "Ends a step, or several, with the parts that ranks wrote by `pool add --delta`; prints the hash",
        {"optgap pool merge pool.db rank0.jsonl rank1.jsonl"},
        {"Any order of files gives the same pool, and a part that comes again changes nothing, so that a merge that "
         "was "
         "killed is run again as it was. Every entry is verified, and a few of each part are proven again; a wrong one "
         "stops the step it is of. A part of a step that ended without it is refused."});
    auto path = std::make_shared<std::string>();
    auto files = std::make_shared<std::vector<std::string>>();
    auto proofs = std::make_shared<std::int64_t>(proofs_on_load);
    command.add_option("POOL", *path, "A pool").required();
    command.add_option("DELTA", *files, "Files of `pool add --delta`").required();
    command.add_option("--proofs", *proofs, "Prove so many of each part again; -1: all").at_least(-1).show_default();
    command.on_run([&ctx, path, files, proofs] { merge_parts(ctx, *path, *files, *proofs); });
}

}  // namespace optgap::cli
