// optgap kinds: what rows may be, as the kinds of this build declare it.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/packages/package.hpp"
#include "host/rows/row_kind.hpp"
#include "host/specs/nearest.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

constexpr char const* column_types[] = {"boolean", "integer", "real", "text", "json"};
constexpr char const* option_types[] = {"text", "integer", "flag"};
constexpr char const* places[] = {"call", "slot", "worker"};

std::vector<kind_info const*> chosen_kinds(std::span<kind_entry const> kinds, std::vector<std::string> const& names) {
    std::vector<kind_info const*> out;
    std::vector<std::string> all;
    for (kind_entry const& kind : kinds) {
        all.emplace_back(kind.info->name);
        if (names.empty() || std::ranges::find(names, kind.info->name) != names.end()) {
            out.push_back(kind.info);
        }
    }
    for (std::string const& name : names) {
        if (std::ranges::find(all, name) == all.end()) {
            throw usage_error(fmt::format("no kind of rows is named '{}'; expected one of: {}{}", name,
                                          closest_first(name, all), did_you_mean(name, all)));
        }
    }
    std::ranges::reverse(out);  // what needs no mark first
    return out;
}

nlohmann::ordered_json columns_json(std::span<column const> columns) {
    auto out = nlohmann::ordered_json::array();
    for (column const& one : columns) {
        out.push_back({{"name", one.name}, {"type", column_types[int(one.type)]}, {"meaning", one.meaning}});
    }
    return out;
}

nlohmann::ordered_json kind_json(kind_info const& kind) {
    auto options = nlohmann::ordered_json::array();
    for (option const& one : kind.options) {
        nlohmann::ordered_json made{{"name", one.name}, {"type", option_types[int(one.type)]}, {"help", one.help}};
        if (one.type == option_type::integer) {
            made.update({{"default", one.number}, {"range", {one.low, one.high}}});
        } else if (one.type == option_type::text && !one.fallback.empty()) {
            made["default"] = one.fallback;
        }
        made["score_only"] = one.score_only;
        options.push_back(std::move(made));
    }
    auto codes = nlohmann::ordered_json::array();
    for (std::int32_t code = kind.codes.begin; code < kind.codes.end; ++code) {
        codes.push_back({{"code", code}, {"name", kind.codes.name(code)}});
    }
    return {{"kind", kind.name},
            {"known_by", kind.known_by},
            {"page", kind.page},
            {"rank", kind.rank},
            {"graded_in", places[int(kind.place)]},
            {"reads", columns_json(kind.reads)},
            {"adds", columns_json(kind.adds)},
            {"options", options},
            {"codes", codes}};
}

std::string columns_text(std::string_view title, std::span<column const> columns) {
    if (columns.empty()) {
        return {};
    }
    table out({{std::string(title)}, {"type"}, {"meaning"}});
    for (column const& one : columns) {
        out.add({std::string(one.name), column_types[int(one.type)], std::string(one.meaning)});
    }
    return "\n" + out.text();
}

std::string page_of(kind_info const& kind) {
    std::string out = fmt::format("{}: known by {} (docs/{})\n", kind.name, kind.known_by, kind.page);
    out += columns_text("reads", kind.reads) + columns_text("adds", kind.adds);
    if (!kind.options.empty()) {
        table options({{"option"}, {"type"}, {"what"}});
        for (option const& one : kind.options) {
            options.add({fmt::format("--{}", one.name), option_types[int(one.type)], std::string(one.help)});
        }
        out += "\n" + options.text();
    }
    return out;
}

}  // namespace

void add_kinds(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "kinds", "What rows may be: columns, options and codes of each kind",
        {"optgap kinds", "optgap kinds program", "optgap kinds text --json", "optgap kinds --kinds my_package"});
    auto const names = std::make_shared<std::vector<std::string>>();
    command.add_option("KIND", *names, "Names, in detail; a table of all without");
    add_packages_option(command, ctx);
    command.on_run([&ctx, names] {
        std::vector<kind_info const*> const kinds = chosen_kinds(with_packages(kind_entries(), ctx.packages), *names);
        if (ctx.json) {
            auto out = nlohmann::ordered_json::array();
            for (kind_info const* const kind : kinds) {
                out.push_back(kind_json(*kind));
            }
            write_stdout(json_text(out, 2) + "\n");
            return;
        }
        if (!names->empty()) {
            for (kind_info const* const kind : kinds) {
                write_stdout(page_of(*kind));
            }
            return;
        }
        table out({{"kind"}, {"known by"}, {"page"}});
        for (kind_info const* const kind : kinds) {
            out.add({std::string(kind->name), std::string(kind->known_by), fmt::format("docs/{}", kind->page)});
        }
        write_stdout(out.text() + "\noptgap kinds NAME shows a kind's columns and options.\n");
    });
}

}  // namespace optgap::cli
