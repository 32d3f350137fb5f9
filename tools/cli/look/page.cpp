// optgap page: a report from its description, for writers in any language.

#include <memory>

#include <fmt/format.h>

#include "optgap/report.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

struct page_options {
    std::string description;
    std::string out;
};

void run(page_options const& options) {
    bool const markdown = options.out.empty() || options.out.ends_with(".md");
    if (!markdown && !options.out.ends_with(".html")) {
        throw usage_error(fmt::format("-o: '{}' must end in .html or .md, which says what is written", options.out));
    }
    std::string const description = read_whole(options.description);
    std::string text;
    try {
        text = markdown ? page_markdown(description) : page_html(description);
    } catch (error const& wrong) {
        throw usage_error(fmt::format("'{}': {}", options.description, wrong.what()));
    }
    if (options.out.empty()) {
        write_stdout(text);
        return;
    }
    write_whole(options.out, text);
}

}  // namespace

void add_page(command_line& app, context&) {
    auto const options = std::make_shared<page_options>();
    command_entry const command = app.add_command(
        "page", "A report page, HTML or Markdown, from its description in JSON",
        {"optgap page run.json -o run.html", "optgap page run.json -o run.md", "optgap page run.json"},
        {"docs/reports.md has the description's fields: title, facts, tables, charts, pictures. The HTML "
         "is",
         "one file that loads nothing; without -o, Markdown goes to stdout."});
    command.add_option("FILE", options->description, "The description; - is stdin").required();
    command.add_option("-o,--out", options->out, "File to write, .html or .md");
    command.on_run([options] { run(*options); });
}

}  // namespace optgap::cli
