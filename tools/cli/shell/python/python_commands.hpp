#pragma once
// Commands that need Python. Each is declared by a file python/optgap/commands/NAME.json and done by NAME.py beside it:
//
//   {
//     "command": "filter",            its word; "second": "trainer" or "--from" for one of two words (command_line.hpp)
//     "group": "Score",               where the help lists it; none for one of two words
//     "summary": "…",
//     "options": [
//       {"name": "SCORED", "key": "files", "many": true, "required": true, "help": "…"},
//       {"name": "--keep", "type": "integer", "value": "K", "help": "…"}
//     ],
//     "examples": ["optgap filter scored.jsonl > chosen.jsonl"],
//     "remarks": ["…"]
//   }
//
// A type is text (as without one), integer, real or flag. What is not given is None in Python, a flag False, words
// without dashes an empty list. `key` is the name in Python, by default the option's. `many` takes all values that
// follow, `each` one value each time. `commands` are commands below it, whose word Python finds under `verb`. This
// program reads the words, refuses wrong ones and hands the values over.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// Becomes Python, which runs optgap.commands.MODULE with these values and those of the common options.
[[noreturn]] void run_in_python(context const& ctx, std::string const& module, nlohmann::ordered_json options);
/// Those of a group, or those of two words where `group` is empty.
void add_python_commands(command_line& app, context& ctx, std::string_view group);
/// Whether the words name one of them.
bool names_python_command(command_line const& app, std::vector<std::string> const& words);

}  // namespace optgap::cli
