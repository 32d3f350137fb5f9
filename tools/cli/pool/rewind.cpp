// optgap pool rewind: a pool as it was at the end of an earlier step.

#include <fmt/format.h>

#include "tools/cli/pool/pool_commands.hpp"

namespace optgap::cli {
namespace {

void rewind_to(context& ctx, std::string const& path, std::int64_t step) {
    std::unique_ptr<pool::pool> const of = opened_pool(ctx, path, true);
    pool::rewind_counts const did = of->rewind(step);
    if (did.steps == 0) {
        ctx.note(fmt::format("{}: is at step {} already, nothing is dropped", path, step));
    } else {
        ctx.note(
            fmt::format("{}: {} steps dropped, with {} entries and {} outcomes; {} entries that had left are back; {}",
                        path, did.steps, did.entries, did.outcomes, did.gone, sentence_of(*of)));
        ctx.note(fmt::format("{}: what was dropped; optgap pool merge {} {} brings it back", did.kept, path, did.kept));
    }
    fmt::print("{}\n", hex32(of->hash()));
}

}  // namespace

void add_pool_rewind(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "rewind",
        "The pool as it was when so many steps had ended, as a run goes on from a checkpoint; prints the hash",
        {"optgap pool rewind pool.db --step 40", "optgap pool merge pool.db pool.db.dropped-40-9f3a1c2e"},
        {"One transaction, which the chain of hashes proves before it is kept. Later steps stand as a delta in "
         "POOL.dropped-STEP-HASH8, with the hash that is left behind, so that `pool merge` brings them back. The "
         "adapters "
         "of trainers rewind by themselves. A step that has not ended is refused."});
    auto path = std::make_shared<std::string>();
    auto step = std::make_shared<std::int64_t>(0);
    command.add_option("POOL", *path, "A pool").required();
    command.add_option("--step", *step, "How many steps stay").required().at_least(0);
    command.on_run([&ctx, path, step] { rewind_to(ctx, *path, *step); });
}

}  // namespace optgap::cli
