// optgap pool: the problems of a co-evolution, kept, weighed and drawn.

#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "tools/cli/pool/pool_commands.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/decimal.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

struct task_sums {
    std::int64_t entries = 0, gone = 0, tried = 0, solved = 0;
    pool::outcome sums;
};

void print_weights(pool::pool const& of, pool::policy by) {
    std::vector<std::uint64_t> const weights = of.weights(by);
    for (std::int64_t id = 0; id < of.entries(); ++id) {
        pool::standing const& one = of.standings()[std::size_t(id)];
        fmt::print(
            R"({{"entry":{},"gone":{},"born":{},"seen":{},"attempts":{},"solved":{},"quality":{},"quality_sq":{},"weight":{}}})"
            "\n",
            id, one.gone, one.born, one.seen < 0 ? "null" : std::to_string(one.seen), one.sums.attempts,
            one.sums.solved, one.sums.quality, one.sums.quality_sq, weights[std::size_t(id)]);
    }
}

void print_stats(context& ctx, pool::pool const& of) {
    std::map<std::string, task_sums> tasks;
    for (std::int64_t id = 0; id < of.entries(); ++id) {
        pool::entry const one = of.read(id);
        pool::standing const& known = of.standings()[std::size_t(id)];
        task_sums& at = tasks[fmt::format("{}@{}", one.task, one.version)];
        at.gone += known.gone ? 1 : 0;
        at.entries += known.gone ? 0 : 1;
        at.tried += known.sums.attempts > 0 ? 1 : 0;
        at.solved += known.sums.solved > 0 ? 1 : 0;
        at.sums += known.sums;
    }
    auto const mean = [](task_sums const& at) {
        return at.sums.attempts == 0 ? std::string("null")
                                     : fmt::format("{:.4f}", double(at.sums.quality) / double(pool::whole_quality) /
                                                                 double(at.sums.attempts));
    };
    pool::settings const& made = of.made_with();
    char const* const by = pool::policy_names[std::size_t(made.by)];
    if (ctx.json) {
        std::string listed;
        for (auto const& [name, at] : tasks) {
            listed += fmt::format(
                R"({}{{"task":"{}","entries":{},"gone":{},"tried":{},"solved":{},"attempts":{},"mean_quality":{}}})",
                listed.empty() ? "" : ",", name, at.entries, at.gone, at.tried, at.solved, at.sums.attempts, mean(at));
        }
        fmt::print(
            R"({{"entries":{},"step":{},"hash":"{}","seed":{},"policy":"{}","window":{},"capacity":{},"tasks":[{}]}})"
            "\n",
            of.entries(), of.step(), hex32(of.hash()), made.seed, by, made.window, made.capacity, listed);
        return;
    }
    table shown({{"task", align::left},
                 {"entries", align::right},
                 {"gone", align::right},
                 {"tried", align::right},
                 {"solved", align::right},
                 {"attempts", align::right},
                 {"mean quality", align::right}});
    for (auto const& [name, at] : tasks) {
        shown.add({name, std::to_string(at.entries), std::to_string(at.gone), std::to_string(at.tried),
                   std::to_string(at.solved), std::to_string(at.sums.attempts),
                   at.sums.attempts == 0 ? "-" : mean(at)});
    }
    fmt::print("{}\n{}\nseed {}, policy {}, window of {} steps, {}\n", shown.text(), sentence_of(of), made.seed, by,
               made.window, made.capacity == 0 ? "no capacity" : fmt::format("capacity of {} a task", made.capacity));
}

}  // namespace

std::string sentence_of(pool::pool const& of) {
    return fmt::format("{} entries, at step {}; hash {}", of.entries(), of.step(), hex32(of.hash()));
}

std::unique_ptr<pool::pool> opened_pool(context& ctx, std::string const& path, bool writes) {
    auto out = std::make_unique<pool::pool>(path, writes);
    pool::check_report const found = pool::check(ctx.get_engine(false), *out, proofs_on_load);
    if (found.wrong > 0) {
        throw sqlite::failure(sqlite::problem::damaged, path,
                              fmt::format("{}; expected what its entries say to be true (optgap pool verify {} names "
                                          "all that is wrong)",
                                          found.sentences[0], path));
    }
    return out;
}

void make_where_missing(context& ctx, std::string const& path) {
    if (!std::filesystem::exists(path)) {
        pool::file::make(path, {});
        ctx.note(fmt::format("{}: a new pool with seed 0 and policy signal (optgap pool init makes others)", path));
    }
}

void add_pool_init(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "init", "A new, empty pool, with the seed of its draws",
        {"optgap pool init pool.db", "optgap pool init pool.db --seed 7 --policy frontier"},
        {"What is given here holds for good: pools of other settings have other hashes. `add` makes a pool "
         "with the defaults where there is none."});
    struct init_options {
        std::string path, by = "signal";
        std::uint64_t seed = 0;
        std::int64_t window = 8, capacity = 0;
    };
    auto options = std::make_shared<init_options>();
    command.add_option("POOL", options->path, "The file to make").required();
    command.add_option("--seed", options->seed, "Of its draws").seed().show_default();
    command.add_option("--policy", options->by, fmt::format("{}", fmt::join(pool::policy_names, ", "))).show_default();
    command.add_option("--window", options->window, "How many newest steps are new to max_new and half_new")
        .at_least(1)
        .show_default();
    command
        .add_option(
            "--capacity", options->capacity,
            "Most entries of a task: beyond, those of the lowest weight leave, of equal ones the oldest; 0: all "
            "stay")
        .at_least(0)
        .show_default();
    command.on_run([&ctx, options] {
        pool::file::make(options->path,
                         {options->seed, pool::policy_named(options->by), options->window, options->capacity});
        ctx.note(fmt::format("{}: {}", options->path, sentence_of(pool::pool(options->path))));
    });
}

void add_pool_stats(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "stats", "Entries, tries and qualities by task, settings, step and hash",
        {"optgap pool stats pool.db", "optgap pool stats pool.db --weights band"},
        {"--weights POLICY writes a row an entry instead: when it came in, when it was last seen, sums of what was "
         "observed (quality in units of 2^-20, quality_sq of 2^-40), and its weight at this step."});
    auto path = std::make_shared<std::string>(), by = std::make_shared<std::string>();
    command.add_option("POOL", *path, "A pool").required();
    command.add_option("--weights", *by, "Of a policy, a row an entry");
    command.on_run([&ctx, path, by] {
        pool::pool const of(*path);
        if (by->empty()) {
            print_stats(ctx, of);
        } else {
            print_weights(of, pool::policy_named(*by));
        }
    });
}

void add_pool_hash(command_entry pool, context& ctx) {
    command_entry const command = pool.add_command(
        "hash", "The hash of all that a pool holds, computed from its rows", {"optgap pool hash pool.db"},
        {"Equal for equal steps, whichever ranks brought them, in whatever order and after whatever kills."});
    auto path = std::make_shared<std::string>();
    command.add_option("POOL", *path, "A pool").required();
    command.on_run([path] { fmt::print("{}\n", hex32(pool::pool(*path).hash())); });
    static_cast<void>(ctx);
}

void add_pool_verify(command_entry pool, context& ctx) {
    command_entry const command =
        pool.add_command("verify", "Every entry from nothing: hashes, rubric, instance, canonical form, answer, proof",
                         {"optgap pool verify pool.db", "optgap pool verify pool.db --proofs 100"},
                         {"Exit code 1 if an entry is wrong, 3 if the file is damaged. Every command that uses a pool "
                          "verifies all answers "
                          "and proves a few entries again; this one proves all."});
    auto path = std::make_shared<std::string>();
    auto proofs = std::make_shared<std::int64_t>(-1);
    command.add_option("POOL", *path, "A pool").required();
    command.add_option("--proofs", *proofs, "Prove so many again, which the pool's hash chooses; -1: all")
        .at_least(-1)
        .show_default();
    command.on_run([&ctx, path, proofs] {
        pool::pool const of(*path);
        of.kept().base().check_integrity();
        pool::check_report const found = pool::check(ctx.get_engine(false), of, *proofs);
        for (std::string const& sentence : found.sentences) {
            ctx.warn(sentence);
        }
        fmt::print("{} entries verified, {} wrong; {} proved again\n", found.entries, found.wrong, found.proved);
        if (found.wrong > 0) {
            ctx.end_with(exit_rejected);
        }
    });
}

void add_pool(command_line& app, context& ctx) {
    command_entry const pool = app.add_command(
        "pool", "Problems that a model proposes, kept with their proofs and drawn by what is learned from them",
        {"optgap generate tsp --level d3 --count 8 | optgap pool add pool.db -", "optgap pool sample pool.db --count 4",
         "optgap pool verify pool.db"},
        {"docs/coevolution.md."});
    pool.require_command();
    add_pool_init(pool, ctx);
    add_pool_add(pool, ctx);
    add_pool_sample(pool, ctx);
    add_pool_observe(pool, ctx);
    add_pool_stats(pool, ctx);
    add_pool_export(pool, ctx);
    add_pool_verify(pool, ctx);
    add_pool_hash(pool, ctx);
    add_pool_merge(pool, ctx);
    add_pool_rewind(pool, ctx);
}

}  // namespace optgap::cli
