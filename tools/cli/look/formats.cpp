// optgap formats: how completions are read.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "optgap/format.hpp"
#include "tools/cli/rows/json_text.hpp"
#include "tools/cli/rows/rollout.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

std::vector<format_spec> chosen(std::vector<std::string> const& names) {
    if (names.empty()) {
        return {formats().begin(), formats().end()};
    }
    std::vector<format_spec> out;
    for (std::string const& name : names) {
        out.push_back(known_formats()[std::size_t(format_of_text(name))]);
    }
    return out;
}

void print_table(std::vector<format_spec> const& rows) {
    table out({{"format"}, {"reasoning"}, {"markers"}, {"answer"}, {"tail"}});
    for (format_spec const& format : rows) {
        json const fields = json::parse(to_json(format));
        std::string markers;
        for (reasoning_markers const& pair : format.markers) {
            std::string const open = format.opened_in_prompt ? "(in the prompt)" : pair.open;
            markers +=
                fmt::format("{}{}{}...{}", markers.empty() ? "" : "  ", pair.at_start ? "^" : "", open, pair.close);
        }
        std::string const answer = format.place == answer_place::tagged
                                       ? format.answer_open + "..." + format.answer_close
                                   : format.place == answer_place::boxed ? "last \\boxed{...}"
                                                                         : "after the last \"Answer:\"";
        out.add(
            {format.name, fields["reasoning"].get<std::string>(), markers, answer, fields["tail"].get<std::string>()});
    }
    write_stdout(out.text());
    write_stdout(
        "\nOptional reasoning: what stands before its end is never the answer, and a part left open leaves none.\n"
        "^: counts as the text's first bytes alone. An answer format of your own: --format '{\"format\": \"boxed\", "
        "\"tail\": \"strict\"}'\n");
}

void print_json(std::vector<format_spec> const& rows) {
    json out = json::array();
    for (format_spec const& format : rows) {
        out.push_back(json::parse(to_json(format)));
    }
    write_stdout(json_text(out, 2) + "\n");
}

}  // namespace

void add_formats(command_line& app, context& ctx) {
    command_entry const command =
        app.add_command("formats", "How completions are read: reasoning markers, the answer's place, what may follow",
                        {"optgap formats", "optgap formats harmony --json",
                         "optgap formats '{\"format\": \"boxed\", \"tail\": \"strict\"}' --json"});
    auto const names = std::make_shared<std::vector<std::string>>();
    command.add_option("FORMAT", *names, "Names, or formats as JSON; all named ones without");
    command.on_run([&ctx, names] {
        std::vector<format_spec> const rows = chosen(*names);
        ctx.json ? print_json(rows) : print_table(rows);
    });
}

}  // namespace optgap::cli
