// optgap report: what a store holds, as one page.

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "optgap/report.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/whole_file.hpp"
#include "tools/cli/store/report_page.hpp"

namespace optgap::cli {
namespace {

struct report_options {
    std::string path, against, out;
    bool times = false;
};

/// Whether recompute may go on in the file itself: not in a folder of shards, in one of its shards, or in a snapshot.
bool continues(std::string const& path) {
    if (std::filesystem::is_directory(path)) {
        return false;
    }
    store::file const one(path, sqlite::access::read);
    std::string const shard = one.meta("shard");
    return one.meta("snapshot").empty() && (shard.empty() || shard == "0/1");
}

/// Of all files together.
std::vector<store::time_entry> times_of(store::reader const& from, std::string const& path) {
    std::map<std::tuple<std::string, std::string, std::string, std::int64_t>, store::time_entry> sums;
    for (auto const& one : from.files()) {
        for (store::time_entry const& spent : one->times()) {
            store::time_entry& sum =
                sums.try_emplace({spent.task, spent.level, spent.engine, spent.threads},
                                 store::time_entry{spent.task, spent.level, spent.engine, spent.threads})
                    .first->second;
            sum.rows += spent.rows;
            sum.steps += spent.steps;
            sum.nanoseconds += std::max<std::int64_t>(1, spent.nanoseconds);
        }
    }
    if (sums.empty()) {
        throw usage_error(
            fmt::format("--times: {} has none: expected files that `optgap recompute` wrote itself; a snapshot, a "
                        "merged file and what was "
                        "imported hold none",
                        path));
    }
    std::vector<store::time_entry> out;
    for (auto& [kind, sum] : sums) {
        out.push_back(std::move(sum));
    }
    return out;
}

void report(context& ctx, report_options const& options) {
    bool const markdown = options.out.empty() || options.out.ends_with(".md");
    if (!markdown && !options.out.ends_with(".html")) {
        throw usage_error(fmt::format("-o: '{}' must end in .html or .md, which says what is written", options.out));
    }
    store::reader now(options.path);
    std::unique_ptr<store::reader> old =
        options.against.empty() ? nullptr : std::make_unique<store::reader>(options.against);
    report_source source{options.path, options.against, continues(options.path)};
    if (options.times) {
        source.times = times_of(now, options.path);
    }
    report_numbers const found = count_rows(ctx.get_engine(false), old.get(), now);
    std::string const description = report_page(ctx, found, source);
    std::string const text = markdown ? page_markdown(description) : page_html(description);
    if (options.out.empty()) {
        write_stdout(text);
    } else {
        write_whole(options.out, text);
    }
    if (found.got_worse() > 0) {
        ctx.warn(fmt::format("{} rows of {} are worse, no longer proven or gone in {}", found.got_worse(),
                             options.against, options.path));
        ctx.end_with(exit_rejected);
    }
}

}  // namespace

void add_report(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "report", "A store of baselines as one page: proofs, gaps, effort, the worst rows, published values",
        {"optgap report tsp.db -o report.html", "optgap report runs/ --against last-week.db -o report.html",
         "optgap report frozen.db"},
        {"The HTML is one file that loads nothing; without -o, Markdown goes to stdout. --against ends with code 1 if "
         "any "
         "row got worse.",
         "Rates of rollouts are `optgap stats` and `optgap eval`."});
    auto options = std::make_shared<report_options>();
    command.add_option("PATH", options->path, "A store, a snapshot, or a folder of shards").required();
    command.add_option("--against", options->against, "An older one: what is better, newly proven, worse and gone");
    command.add_flag("--times", options->times,
                     "Rows a second and where the time went; not for snapshots and merged files");
    command.add_option("-o,--out", options->out, "File to write, .html or .md");
    command.on_run([&ctx, options] { report(ctx, *options); });
}

}  // namespace optgap::cli
