#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {

char const* const rows_help =
    "Rows come out in the order they came in, with unknown keys untouched. A row that cannot be done carries\n"
    "error: {row, field, rule}, where row is the 1-based line of its file; blank lines are left out, but counted.\n"
    "Exit codes: 0 done, 1 some rows were rejected, 2 bad usage, 3 device or internal failure.";

void add_files(command_entry command, std::vector<std::string>& files, std::string const& what) {
    command.add_option("FILE", files, what + "; - is stdin").required();
}

}  // namespace optgap::cli
