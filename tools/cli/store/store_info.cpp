// optgap store info: rows, proofs, gaps, what is missing and how to finish it.

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "tools/cli/shell/table.hpp"
#include "tools/cli/store/store_commands.hpp"
#include "tools/cli/store/store_rows.hpp"
#include "tools/cli/store/work_spec.hpp"

namespace optgap::cli {
namespace {

struct cell {
    std::int64_t rows = 0, proven = 0, unproven_gaps = 0;
    double gap = 0;  ///< sum of |objective - bound| / |bound| over rows that have both and are not proven
};

/// "3,17,20-24"
std::string list_of(std::set<std::int64_t> const& numbers) {
    std::string out;
    for (auto it = numbers.begin(); it != numbers.end();) {
        std::int64_t const first = *it;
        std::int64_t last = first;
        while (++it != numbers.end() && *it == last + 1) {
            ++last;
        }
        out += (out.empty() ? "" : ",") + std::to_string(first) + (last > first ? fmt::format("-{}", last) : "");
    }
    return out;
}

/// Shards that are not there or not finished; `all` is how many there should be, 0 without shards.
std::set<std::int64_t> unfinished_shards(std::vector<std::string> const& files, std::int64_t& all) {
    all = 0;
    for (std::string const& path : files) {
        all = std::max(all, shards_named(path));
    }
    std::set<std::int64_t> out;
    for (std::int64_t shard = 0; shard < all; ++shard) {
        out.insert(shard);
    }
    std::set<std::string> asked;
    std::map<std::int64_t, std::set<std::string>> finished;
    for (std::string const& path : files) {
        store::file const one(path, sqlite::access::read);
        std::string const shard = one.meta("shard");
        for (store::run_entry const& run : one.runs()) {
            asked.insert(run.asked);
            if (run.finished) {
                finished[std::atoll(shard.c_str())].insert(run.asked);
            }
        }
    }
    for (auto const& [shard, runs] : finished) {
        if (runs == asked) {
            out.erase(shard);
        }
    }
    return out;
}

void info(context& ctx, std::string const& path) {
    engine const& by = ctx.get_engine(false);
    std::vector<std::string> const files = store::files_of(path);
    store::reader rows(path);
    std::map<std::pair<std::string, std::string>, cell> cells;
    cell total;
    store::content_hash hash;
    std::string line;
    while (auto const one = rows.next([&](std::string const& task) { return store::direction_of(by, task); })) {
        std::string const level = one->key.part == store::explicit_part ? "explicit" : level_name({one->key.level});
        double const gap = store::relative_gap(*one);
        for (cell* const at : {&total, &cells[{fmt::format("{}@{}", one->key.task, one->key.version), level}]}) {
            ++at->rows;
            at->proven += one->proven() ? 1 : 0;
            at->unproven_gaps += std::isnan(gap) ? 0 : 1;
            at->gap += std::isnan(gap) ? 0 : gap;
        }
        line.clear();
        auto const own = one->key.part == store::explicit_part ? rows.instance(one->key) : std::nullopt;
        store::append_line(line, *one, own ? &*own : nullptr, by);
        hash.add(line);
    }
    std::int64_t all = 0;
    std::set<std::int64_t> const missing = unfinished_shards(files, all);
    std::string unfinished;
    for (std::string const& file : files) {
        store::file const one(file, sqlite::access::read);
        for (store::run_entry const& run : one.runs()) {
            if (!run.finished) {
                unfinished += fmt::format("{}{}: {}", unfinished.empty() ? "" : "; ", file, run.asked);
            }
        }
    }
    auto const mean = [](cell const& at) {
        return at.unproven_gaps == 0 ? std::string("-")
                                     : fmt::format("{:.2f}", 100 * at.gap / double(at.unproven_gaps));
    };
    if (ctx.json) {
        std::string by_cell;
        for (auto const& [name, at] : cells) {
            by_cell += fmt::format(R"({}{{"task":"{}","level":"{}","rows":{},"proven":{}}})",
                                   by_cell.empty() ? "" : ",", name.first, name.second, at.rows, at.proven);
        }
        fmt::print(R"({{"rows":{},"proven":{},"content":"{}","files":{},"shards":{},"missing":"{}","cells":[{}]}})"
                   "\n",
                   total.rows, total.proven, hash.text(), files.size(), all, list_of(missing), by_cell);
    } else {
        table shown({{"task", align::left},
                     {"level", align::left},
                     {"rows", align::right},
                     {"proven", align::right},
                     {"mean gap of the rest %", align::right}});
        for (auto const& [name, at] : cells) {
            shown.add({name.first, name.second, std::to_string(at.rows), std::to_string(at.proven), mean(at)});
        }
        fmt::print("{}\n{} rows, {} proven; content {}\n", shown.text(), total.rows, total.proven, hash.text());
        for (std::string const& file : files) {
            if (std::string const holder = sqlite::writer_lock::holder(file); !holder.empty()) {
                fmt::print("{} is being written by {}\n", file, holder);
            }
        }
        if (!missing.empty()) {
            fmt::print("{} of {} shards are missing or not finished: --array={}\n", missing.size(), all,
                       list_of(missing));
        } else if (!unfinished.empty() && all == 0) {
            fmt::print("not finished: {}\n", unfinished);
        }
    }
}

}  // namespace

void add_store_info(command_entry store, context& ctx) {
    command_entry const command = store.add_command(
        "info", "Rows, proofs and gaps by task and level, the content's hash, missing shards",
        {"optgap store info tsp.db", "optgap store info runs/ --json"}, {"Works while a writer runs."});
    auto path = std::make_shared<std::string>();
    command.add_option("PATH", *path, "A store, or a folder of shards").required();
    command.on_run([&ctx, path] { info(ctx, *path); });
}

}  // namespace optgap::cli
