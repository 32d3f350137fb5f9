#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {

char const* const rows_help =
    "Rows come out in their order, with unknown keys untouched. One that cannot be done carries\n"
    "error: {row, field, rule}; row is the line of its file. Exit codes: 0 done, 1 rows were rejected,\n"
    "2 bad usage, 3 failure.";

void add_files(command_entry command, std::vector<std::string>& files, std::string const& what) {
    command.add_option("FILE", files, what + "; - is stdin").required();
}

void add_missing(command_line& app) {
    command_entry const command = app.add_command("ray", "Many nodes: optgap.data.ray.recompute in Python", {});
    command.hide();
    command.accept_anything();
    command.on_run([] {
        throw usage_error(
            "'ray' is no command, but a call: optgap.data.ray.recompute(spec, store=..., shards=...); it comes with "
            "pip install 'optgap[ray]'");
    });
}

}  // namespace optgap::cli
