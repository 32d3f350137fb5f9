#include "tools/cli/commands.hpp"

#include <fmt/format.h>

namespace optgap::cli {

char const* const rows_help =
    "Rows come out in the order they came in, with unknown keys untouched. A row that cannot be done carries\n"
    "error: {row, field, rule}, where row is the 1-based line of its file; blank lines are left out, but counted.\n"
    "Exit codes: 0 done, 1 some rows were rejected, 2 bad usage, 3 device or internal failure.";

CLI::App* add_command(CLI::App& app, std::string const& name, std::string const& description,
                      std::vector<std::string> const& examples, std::vector<std::string> const& remarks) {
    CLI::App* const command = app.add_subcommand(name, description);
    command->footer(fmt::format("Examples:\n  {}{}{}", fmt::join(examples, "\n  "), remarks.empty() ? "" : "\n\n",
                                fmt::join(remarks, "\n")));
    return command;
}

CLI::Validator at_least(std::int64_t least) {
    return CLI::Range(least, INT64_MAX).description(fmt::format(">={}", least));
}

void add_files(CLI::App& command, std::vector<std::string>& files, std::string const& what) {
    command.add_option("FILE", files, what + "; - is stdin")->required();
}

}  // namespace optgap::cli
