// optgap formats: how completions are read.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/rollout.hpp"
#include "optgap/format.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

std::vector<format_spec> chosen(std::vector<std::string> const& names) {
    if (names.empty()) {
        std::vector<format_spec> all{formats().begin(), formats().end()};
        all.insert(all.end(), program_formats().begin(), program_formats().end());
        return all;
    }
    std::vector<format_spec> out;
    for (std::string const& name : names) {
        out.push_back(known_formats()[std::size_t(format_of_text(name, format_use::any))]);
    }
    return out;
}

std::string written(format_spec const& format, reasoning_markers const& pair) {
    return fmt::format("{}...{}", format.opened_in_prompt ? "(in the prompt)" : pair.open, pair.close);
}

std::string answer_of(format_spec const& format) {
    switch (format.place) {
        case answer_place::tagged: return format.answer_open + "..." + format.answer_close;
        case answer_place::boxed: return "last \\boxed{...}";
        case answer_place::line: return "after last \"Answer:\"";
        case answer_place::fenced: return format.one_block ? "the fenced block" : "last fenced block";
    }
    return {};
}

/// Of several markers the first, so that a line fits a terminal.
void print_table(std::vector<format_spec> const& rows) {
    table out({{"format"}, {"reasoning"}, {"markers"}, {"answer"}, {"tail"}});
    for (format_spec const& format : rows) {
        json const fields = json::parse(to_json(format));
        std::string markers = written(format, format.markers[0]);
        if (format.markers.size() > 1) {
            markers += fmt::format(" +{} more", format.markers.size() - 1);
        }
        out.add({format.name, fields["reasoning"].get<std::string>(), markers, answer_of(format),
                 fields["tail"].get<std::string>()});
    }
    write_stdout(out.text());
    write_stdout(
        "\noptgap formats NAME shows all markers and what the words mean.\n"
        "One of your own: --format '{\"format\": \"boxed\", \"tail\": \"strict\"}'\n");
}

void print_details(format_spec const& format) {
    std::string out = format.name + "\n";
    auto const line = [&out](std::string_view title, std::string_view text) {
        out += fmt::format("  {:<9}  {}\n", title, text);
    };
    switch (format.reasoning) {
        case reasoning_rule::none: line("reasoning", "none: no markers are looked for"); break;
        case reasoning_rule::optional:
            line("reasoning", "optional: what stands before its end is never the answer; a part left open leaves none");
            break;
        case reasoning_rule::required: line("reasoning", "required: exactly one part, before the answer"); break;
    }
    if (format.reasoning != reasoning_rule::none) {
        std::string_view title = "markers";
        for (reasoning_markers const& pair : format.markers) {
            line(title, written(format, pair) + (pair.at_start ? "   (opens as the text's first bytes alone)" : ""));
            title = "";
        }
    }
    line("answer", answer_of(format));
    line("tail", format.tail == tail_rule::strict ? "strict: nothing follows but white space and end-of-turn strings"
                                                  : "lenient: anything follows");
    line("spelling", format.spelling == spelling_rule::free
                         ? "free: also as prose, LaTeX and other keyboards write values"
                         : "strict: by the answer grammar alone");
    line("ends", fmt::format("{} end-of-turn strings (--json lists them)", format.ends.size()));
    write_stdout(out);
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
                        {"optgap formats", "optgap formats harmony", "optgap formats harmony --json",
                         "optgap formats '{\"format\": \"boxed\", \"tail\": \"strict\"}' --json"});
    auto const names = std::make_shared<std::vector<std::string>>();
    command.add_option("FORMAT", *names, "Names, or formats as JSON, in detail; a table of all named ones without");
    command.on_run([&ctx, names] {
        std::vector<format_spec> const rows = chosen(*names);
        if (ctx.json) {
            print_json(rows);
        } else if (names->empty()) {
            print_table(rows);
        } else {
            std::for_each(rows.begin(), rows.end(), print_details);
        }
    });
}

}  // namespace optgap::cli
