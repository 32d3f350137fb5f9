// optgap stats: the counters that score or a trainer's processes write, merged and shown.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "host/report/statistics_folder.hpp"
#include "optgap/run_record.hpp"
#include "optgap/statistics.hpp"
#include "tools/cli/rows/drift.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

struct stats_options {
    std::vector<std::string> files;
    bool allow_drift = false;
};

/// A table and where it comes from.
struct source {
    std::string name;
    statistics table;
};

statistics read_file(std::string const& path) {
    std::ifstream in(path);
    if (!in) {
        throw usage_error(fmt::format("cannot read {}", path));
    }
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    try {
        return statistics_from_json(text);
    } catch (field_error const& broken) {
        throw usage_error(fmt::format("{} is no table of optgap score --stats: {}", path, broken.what()));
    }
}

/// The tables of files and folders of OPTGAP_STATS.
std::vector<source> read_all(std::vector<std::string> const& paths, context& ctx) {
    std::vector<source> found;
    for (std::string const& path : paths) {
        if (!std::filesystem::is_directory(path)) {
            found.push_back({path, read_file(path)});
            continue;
        }
        folder_statistics folder = read_statistics_folder(path);
        for (std::string const& note : folder.notes) {
            ctx.warn(fmt::format("{}: {}", path, note));
        }
        if (folder.runs.empty()) {
            throw usage_error(fmt::format("{} holds no counters of OPTGAP_STATS", path));
        }
        for (std::size_t i = 0; i < folder.runs.size(); ++i) {
            found.push_back({i == 0 ? path : fmt::format("{} ({})", path, i + 1), std::move(folder.runs[i])});
        }
    }
    return found;
}

/// The sum. Runs are compared as they stand there, not by their digits alone.
statistics merged(stats_options const& options, context& ctx) {
    std::vector<source> const found = read_all(options.files, ctx);
    statistics all = found[0].table;
    for (std::size_t i = 1; i < found.size(); ++i) {
        statistics const& next = found[i].table;
        if (next.run != all.run && !options.allow_drift) {
            throw usage_error(fmt::format("{} and {} are of different runs: they differ in {}; --allow-drift adds them",
                                          found[0].name, found[i].name,
                                          differing_parts(run_fingerprint(all.run), run_fingerprint(next.run))));
        }
        all.merge(next);
    }
    return all;
}

std::string percentage(double value) { return std::isnan(value) ? "-" : fmt::format("{:.1f}", 100 * value); }
std::string decimal(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", value); }
double share_or_nan(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? std::nan("") : double(part) / double(whole);
}

/// Sums by class and by family, of those with two tasks and more.
std::map<std::string, cell_statistics> rolled_up(statistics const& all, std::span<task_info const> tasks) {
    std::map<std::string, std::set<std::string>> members;
    std::map<std::string, cell_statistics> sums;
    for (auto const& [where, cell] : all.cells) {
        for (task_info const& info : tasks) {
            if (info.name != where.first) {
                continue;
            }
            for (std::string const& label :
                 {fmt::format("class:{}", name_of(info.kind)), fmt::format("family:{}", info.family)}) {
                members[label].insert(where.first);
                sums[label] += cell;
            }
        }
    }
    std::erase_if(sums, [&](auto const& sum) { return members[sum.first].size() < 2; });
    return sums;
}

void show(statistics const& all, std::span<task_info const> tasks) {
    table out({{"task"},
               {"level"},
               {"rows", align::right},
               {"SR %", align::right},
               {"QR %", align::right},
               {"pass %", align::right},
               {"p10", align::right},
               {"p50", align::right},
               {"p90", align::right},
               {"cut %", align::right},
               {"groups", align::right},
               {"kept %", align::right},
               {"equal %", align::right},
               {"collision", align::right},
               {"H_G", align::right}});
    auto const line = [&](std::string const& task, std::string const& level, cell_statistics const& cell) {
        out.add({task, level, std::to_string(cell.rows), percentage(share_or_nan(cell.feasible, cell.rows)),
                 percentage(cell.quality_ratio()), percentage(share_or_nan(cell.correct, cell.rows)),
                 decimal(cell.quality_quantile(0.1)), decimal(cell.quality_quantile(0.5)),
                 decimal(cell.quality_quantile(0.9)), percentage(share_or_nan(cell.truncated, cell.rows)),
                 std::to_string(cell.groups.groups), percentage(cell.groups.effective_prompt_ratio()),
                 percentage(cell.groups.collapsed_share()), decimal(cell.groups.pair_collision()),
                 decimal(cell.groups.feedback_resolution())});
    };
    for (auto const& [where, cell] : all.cells) {
        line(where.first, where.second, cell);
    }
    for (auto const& [label, cell] : rolled_up(all, tasks)) {
        line(label, "all", cell);
    }
    line("all", "all", all.total());
    write_stdout(out.text());
}

}  // namespace

void add_stats(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "stats",
        "Counters of optgap score --stats or of a trainer's run (OPTGAP_STATS): merge those of several processes, "
        "or show them",
        {"optgap stats merge rank0.json rank1.json > all.json", "optgap stats show all.json", "optgap stats watch DIR"},
        {"Merging adds integers: any order gives the same bytes. Tables of different runs (fingerprints) are refused",
         "unless --allow-drift. kept: groups whose rewards differ; equal: groups of two or more equal rewards;",
         "collision: chance that two rollouts of a group earn the same; H_G: feedback resolution, 0 to ln(group "
         "size)."});
    command.require_command();
    auto options = std::make_shared<stats_options>();
    command_entry const merge = command.add_command("merge", "The sum of the tables, as JSON");
    command_entry const print = command.add_command("show", "The sum of the tables, for people (--json: as JSON)");
    for (command_entry const verb : {merge, print}) {
        verb.add_option("FILE", options->files, "Tables that score --stats wrote, or folders of OPTGAP_STATS")
            .required();
        add_drift_option(verb, options->allow_drift);
    }
    auto const write = [&ctx, options] { write_stdout(to_json(merged(*options, ctx)) + "\n"); };
    merge.on_run(write);
    print.on_run(
        [&ctx, options, write] { ctx.json ? write() : show(merged(*options, ctx), ctx.get_engine(false).tasks()); });
}

}  // namespace optgap::cli
