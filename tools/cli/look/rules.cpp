// optgap rules: estimators of advantages and reward shapes of this build and of packages, as they declare themselves.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/specs/nearest.hpp"
#include "optgap/advantage.hpp"
#include "optgap/reward.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/score/score_command.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

using nlohmann::ordered_json;

std::string range_of(ordered_json const& parameter) {
    if (parameter.contains("choices")) {
        return fmt::format("{}", fmt::join(parameter["choices"].get<std::vector<std::string>>(), ", "));
    }
    if (parameter.contains("components")) {
        return "an object of " +
               fmt::format("{}", fmt::join(parameter["components"].get<std::vector<std::string>>(), ", "));
    }
    if (parameter.contains("steps")) {
        return parameter["steps"].get<std::string>();
    }
    return fmt::format("{} to {}", json_text(parameter["low"]), json_text(parameter["high"]));
}

std::string page_of_rule(ordered_json const& rule) {
    std::string out = fmt::format("{}: {}\n", rule["name"].get<std::string>(), rule["formula"].get<std::string>());
    table parameters({{"parameter"}, {"values"}, {"default"}, {"meaning"}});
    for (ordered_json const& each : rule["parameters"]) {
        parameters.add({each["name"].get<std::string>(), range_of(each),
                        each.contains("default") ? json_text(each["default"]) : "needed",
                        each["meaning"].get<std::string>()});
    }
    if (!rule["parameters"].empty()) {
        out += "\n" + parameters.text();
    }
    if (rule.contains("presets") && !rule["presets"].empty()) {
        out += "\npresets:\n";
        for (auto const& [name, spec] : rule["presets"].items()) {
            out += fmt::format("  {:<16}{}\n", name, json_text(spec));
        }
    }
    return out;
}

std::string list_of(ordered_json const& rules) {
    std::string out;
    for (ordered_json const& each : rules) {
        out += fmt::format("  {:<22}{}\n", each["name"].get<std::string>(), each["formula"].get<std::string>());
    }
    return out;
}

void show(context const& ctx, std::vector<std::string> const& names) {
    ordered_json const all{{"estimators", ordered_json::parse(describe_estimators())},
                           {"shapes", ordered_json::parse(describe_shapes())}};
    if (ctx.json) {
        write_stdout(json_text(all, 2) + "\n");
        return;
    }
    if (names.empty()) {
        write_stdout("Estimators of advantages (--advantage, docs/advantages.md):\n" + list_of(all["estimators"]) +
                     "\nReward shapes (--reward, docs/rewards.md):\n" + list_of(all["shapes"]) +
                     "\noptgap rules NAME shows the parameters.\n");
        return;
    }
    std::string out;
    for (std::string const& name : names) {
        std::vector<std::string> known;
        std::size_t const before = out.size();
        for (char const* const kind : {"estimators", "shapes"}) {
            for (ordered_json const& each : all[kind]) {
                known.push_back(each["name"]);
                out += each["name"] == name ? (out.empty() ? "" : "\n") + page_of_rule(each) : "";
            }
        }
        if (out.size() == before) {
            throw usage_error(fmt::format("no estimator and no shape is named '{}'; expected one of: {}", name,
                                          closest_first(name, known)));
        }
    }
    write_stdout(out);
}

}  // namespace

void add_rules(command_line& app, context& ctx) {
    command_entry const command =
        app.add_command("rules", "Estimators of advantages and reward shapes: formulas, parameters, presets",
                        {"optgap rules", "optgap rules river power", "optgap rules --json"});
    add_packages_option(command, ctx);
    auto const names = std::make_shared<std::vector<std::string>>();
    command.add_option("NAME", *names, "Names, in detail; a list of all without");
    command.on_run([&ctx, names] { show(ctx, *names); });
}

}  // namespace optgap::cli
