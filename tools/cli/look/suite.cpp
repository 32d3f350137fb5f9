// optgap suite: lists of tasks under a name, and what this build makes of them.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "optgap/suites/suite.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

std::int64_t count_of(suite const& of, suite_place place) {
    return std::count_if(of.entries.begin(), of.entries.end(),
                         [&](suite_entry const& entry) { return entry.place == place; });
}

void list(context const& ctx) {
    json rows = json::array();
    table out({{"suite"},
               {"role"},
               {"tasks", align::right},
               {"native", align::right},
               {"external", align::right},
               {"missing", align::right},
               {"hash"},
               {"title"}});
    for (std::string const& name : suite_names()) {
        suite const of = find_suite(name);
        std::int64_t const native = count_of(of, suite_place::native), external = count_of(of, suite_place::external),
                           missing = count_of(of, suite_place::missing);
        rows.push_back({{"suite", of.name},
                        {"role", name_of(of.role)},
                        {"tasks", of.entries.size()},
                        {"native", native},
                        {"external", external},
                        {"missing", missing},
                        {"list_hash", of.list_hash},
                        {"hash", of.hash},
                        {"title", of.title},
                        {"source", of.source}});
        out.add({of.name, name_of(of.role), std::to_string(of.entries.size()), std::to_string(native),
                 std::to_string(external), std::to_string(missing), of.hash.substr(0, 8), of.title});
    }
    write_stdout(ctx.json ? json_text(rows, 2) + "\n" : out.text());
}

std::string posed_by(suite_entry const& entry) {
    switch (entry.place) {
        case suite_place::native: return fmt::format("{}@{}", entry.native, entry.version);
        case suite_place::external: return entry.task;
        case suite_place::missing: break;
    }
    return "-";
}

void show(context const& ctx, std::string const& name) {
    suite const of = find_suite(name);
    if (ctx.json) {
        write_stdout(json_text(read_json(to_json(of)), 2) + "\n");
        return;
    }
    table out(
        {{"task"}, {"class"}, {"place"}, {"posed by"}, {"family"}, {"levels"}, {"problems", align::right}, {"remark"}});
    for (suite_entry const& entry : of.entries) {
        auto const or_dash = [](std::string const& text) { return text.empty() ? std::string("-") : text; };
        out.add({entry.task, or_dash(entry.kind), name_of(entry.place), posed_by(entry), or_dash(entry.family),
                 levels_name(entry.levels), std::to_string(entry.count), or_dash(entry.reason)});
    }
    write_stdout(fmt::format("{}: {}\nrole {}; {} native, {} external, {} missing\nsource: {}\nlist {}, here {}\n\n{}",
                             of.name, of.title, name_of(of.role), count_of(of, suite_place::native),
                             count_of(of, suite_place::external), count_of(of, suite_place::missing),
                             of.source.empty() ? "-" : of.source, of.list_hash, of.hash, out.text()));
}

}  // namespace

void add_suite(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "suite", "Lists of tasks under a name: to report on, to train on, to keep from training",
        {"optgap suite list", "optgap suite show rlve_ood", "optgap suite show rlve_c16 --json",
         "optgap suite hash default"},
        {"native: a task of this build poses it; external: another project's environment does (optgap external);",
         "missing: neither. `bench-set`, `eval` and `bench-model` take --suite NAME, curricula held_out."});
    command.require_command();
    command.add_command("list", "The suites that this build carries").on_run([&ctx] { list(ctx); });
    auto const add = [&](char const* name, char const* what, void (*run)(context const&, std::string const&)) {
        auto const of = std::make_shared<std::string>();
        command_entry const verb = command.add_command(name, what);
        verb.add_option("SUITE", *of, "A name of `optgap suite list`, NAME#DIGITS of its hash, or FILE.json")
            .required();
        verb.on_run([&ctx, of, run] { run(ctx, *of); });
    };
    add("show", "Its tasks: which are native, external or missing, with levels and counts", show);
    add("hash", "Of all that it asks, and of the tasks and versions that pose it here: what a result is quoted with",
        [](context const&, std::string const& name) {
            suite const of = find_suite(name);
            write_stdout(fmt::format("{}#{}\n", of.name, of.hash));
        });
}

}  // namespace optgap::cli
